//! What can go wrong in an arena.

use thiserror::Error;

/// Results of arena operations.
pub type Result<T, E = GameError> = std::result::Result<T, E>;

/// What an arena cannot do. None of these changes a value that is already there.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GameError {
    /// The arena has no room: raise the memory limit, or start a fresh arena for the next class.
    #[error("the arena is full ({what}: {limit}); raise --memory")]
    ArenaFull {
        /// Which of its tables.
        what: &'static str,
        /// The number of entries that fit.
        limit: u64,
    },
    /// A sum would take more steps than its caller allows.
    #[error(
        "the sum has too many positions (it takes more than {most} steps); add fewer terms, or write its canonical form"
    )]
    SumTooLarge {
        /// The steps allowed.
        most: u64,
    },
    /// A number outside the range of [`crate::Dyadic`]: not a position this arena can hold.
    #[error(
        "{what} is out of range: numbers must be below 2^20 in magnitude, with denominators of at most 2^40"
    )]
    NumberOutOfRange {
        /// The number or the operation.
        what: String,
    },
    /// The text is not a dyadic rational.
    #[error("`{}` is not a dyadic rational such as 7, -3 or 3/4", text.escape_debug())]
    NotDyadic {
        /// The text.
        text: String,
    },
}
