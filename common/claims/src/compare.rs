//! Comparison by play, as it can be plugged in: the second way to decide what canonical forms decided first.

use std::fmt;

use toads_game::Relation;
use toads_strip::Strip;

/// Compares a hop strip with a value without building the canonical form of the strip.
///
/// The crate has a plain one of its own, good to about 21 squares; a caller with a better search hands it over in
/// [`Limits::comparer`](crate::Limits::comparer).
pub trait Comparer: fmt::Debug + Send + Sync {
    /// How the strip compares with a value in CGSuite notation; `None` where that could not be decided within its budget.
    fn compare(&self, strip: &Strip, value: &str) -> Option<Relation>;
}
