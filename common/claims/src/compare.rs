//! Comparison by play, as it can be plugged in: the second way to decide what canonical forms decided first.

use std::fmt;

use toads_game::{Arena, Relation, notation};
use toads_strip::Strip;

use crate::hop::Play;

/// Compares a hop strip with a value without building the canonical form of the strip.
///
/// The crate has a plain one of its own, good to about 21 squares; a caller with a better search hands it over in
/// [`Limits::comparer`](crate::Limits::comparer).
pub trait Comparer: fmt::Debug + Send + Sync {
    /// How the strip compares with a value in CGSuite notation; `None` where that could not be decided within its budget.
    fn compare(&self, strip: &Strip, value: &str) -> Option<Relation>;
}

/// The plain one: outcomes of all positions that are met, remembered up to a limit.
///
/// ```
/// use toads_claims::{Comparer, PlainComparer};
/// use toads_game::Relation;
/// use toads_strip::Strip;
/// let plain = PlainComparer { positions: 100_000 };
/// let strip = Strip::parse("T^4 .^3 F^3")?;
/// assert_eq!(plain.compare(&strip, "{1|{1/2|0}}"), Some(Relation::Equal));
/// # Ok::<(), toads_strip::StripError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PlainComparer {
    /// No more positions than this are remembered, 24 to 48 bytes each and as much again while the table grows.
    pub positions: usize,
}

impl Comparer for PlainComparer {
    /// `None` also for a text that is no value, and for strips of more than 128 squares.
    fn compare(&self, strip: &Strip, value: &str) -> Option<Relation> {
        let arena = Arena::new();
        let value = notation::parse(&arena, value).ok()?;
        Play::new(&arena, self.positions)
            .compare(strip, value)
            .ok()?
    }
}
