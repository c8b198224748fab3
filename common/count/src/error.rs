//! What can be wrong with a request.

use std::ops::RangeInclusive;

use crate::Column;

/// A request that cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// Too many squares for a column.
    #[error(
        "{column} are counted to {limit} squares, not to {squares}; ask for fewer squares or leave the column out"
    )]
    TooManySquares {
        /// The column.
        column: Column,
        /// The squares asked for.
        squares: u32,
        /// The most there can be.
        limit: u32,
    },
    /// Too many squares for the distribution of values.
    #[error(
        "the distribution of values is found to {limit} squares, not to {squares}; ask for fewer squares"
    )]
    DistributionTooLarge {
        /// The squares asked for.
        squares: u32,
        /// The most there can be.
        limit: u32,
    },
    /// A range without numbers.
    #[error("there is no number of squares from {} to {}; write the smaller one first", .squares.start(), .squares.end())]
    Empty {
        /// The range.
        squares: RangeInclusive<u32>,
    },
    /// A name that no column has.
    #[error(
        "there is no column {name:?}; the columns are odd-gaps, numbers, numbers-by-odd-gaps, zeros, outcomes, distinct"
    )]
    NoSuchColumn {
        /// What was asked for.
        name: String,
    },
}
