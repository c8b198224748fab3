//! Why a text is not a value.

use crate::error::GameError;

/// Why a text is not a value, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// Something else was expected.
    #[error("column {column}: found {found}, expected {expected}")]
    Unexpected {
        /// Where, in characters, from 1.
        column: usize,
        /// What stands there.
        found: String,
        /// What could stand there.
        expected: &'static str,
    },
    /// Too deep, too large or ambiguous.
    #[error("column {column}: {what}")]
    Refused {
        /// Where, in characters, from 1.
        column: usize,
        /// What is wrong, and what to do.
        what: String,
    },
    /// The arena cannot hold it.
    #[error("column {column}: {source}")]
    Game {
        /// Where the part begins that it cannot hold, in characters, from 1.
        column: usize,
        /// Why.
        source: GameError,
    },
}

impl ParseError {
    /// Where, in characters, from 1.
    pub fn column(&self) -> usize {
        match *self {
            Self::Unexpected { column, .. }
            | Self::Refused { column, .. }
            | Self::Game { column, .. } => column,
        }
    }
}
