//! What can be wrong with text, numbers and names handed to this crate.

use thiserror::Error;

/// Shorthand for results of this crate.
pub type Result<T> = std::result::Result<T, StripError>;

/// Everything here means *fix your input*: nothing is worth a retry.
///
/// Columns count characters (not bytes) from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StripError {
    /// A character that means nothing in a strip.
    #[error(
        "column {column}: found `{}`, expected a square (T, F or .), a group in parentheses, or a power",
        found.escape_debug()
    )]
    UnknownCharacter {
        /// Where it stands.
        column: usize,
        /// The character.
        found: char,
    },
    /// A power (`^`, or digits) with no square or group in front of it, as in `^3T`, `4T` or `T^2^3`.
    #[error(
        "column {column}: found `{found}`, expected a square (T, F or .) or a group before a power"
    )]
    PowerWithoutBase {
        /// Where the power starts.
        column: usize,
        /// Its first character.
        found: char,
    },
    /// `^` without digits behind it.
    #[error("column {column}: found {}, expected digits after `^`", or_end(*.found))]
    MissingPower {
        /// Where the digits should be.
        column: usize,
        /// What stands there; `None` at the end of the text.
        found: Option<char>,
    },
    /// `)` with no `(` before it.
    #[error("column {column}: found `)`, expected a square; there is no `(` for it to close")]
    UnopenedGroup {
        /// Where the `)` stands.
        column: usize,
    },
    /// `(` that is never closed.
    #[error("column {column}: the group opened here is never closed; add a `)`")]
    UnclosedGroup {
        /// Where the `(` stands.
        column: usize,
    },
    /// `()`.
    #[error("column {column}: found `)`, expected a square (T, F or .) in the group")]
    EmptyGroup {
        /// Where the `)` stands.
        column: usize,
    },
    /// No square at all, whether nothing was written or every power is 0.
    #[error("column 1: the strip has no squares; write at least one of T, F and .")]
    Empty,
    /// More squares than the limit. Found before anything that long is allocated.
    #[error("column {column}: the strip is longer than {limit} squares here; use smaller powers")]
    TooLong {
        /// The square, group or power that goes too far.
        column: usize,
        /// The most squares allowed.
        limit: usize,
    },
    /// An index that no strip of this length has, or a length without indices (see [`crate::MAX_INDEX_SQUARES`]).
    #[error(
        "index {index} is not that of a strip of {squares} squares; it must be below 3^{squares}, for at most 80 squares"
    )]
    IndexOutOfRange {
        /// The length asked for.
        squares: usize,
        /// The index asked for.
        index: u128,
    },
    /// Counts that make no class: more pieces than squares, or more squares than [`crate::MAX_CLASS_SQUARES`].
    #[error(
        "no class has {squares} squares, {toads} toads and {frogs} frogs; pieces must fit, and squares be at most 40"
    )]
    ClassOutOfRange {
        /// Squares asked for.
        squares: usize,
        /// Toads asked for.
        toads: usize,
        /// Frogs asked for.
        frogs: usize,
    },
    /// A name of no ruleset.
    #[error(
        "unknown variant `{}`; use `hop` or `hopless` (`elephants-and-rhinos`)",
        found.escape_debug()
    )]
    UnknownVariant {
        /// The name.
        found: String,
    },
}

impl StripError {
    /// The column (1-based, in characters) an error of [`crate::Strip::parse`] points at; `None` for other errors.
    pub fn column(&self) -> Option<usize> {
        match *self {
            Self::UnknownCharacter { column, .. }
            | Self::PowerWithoutBase { column, .. }
            | Self::MissingPower { column, .. }
            | Self::UnopenedGroup { column }
            | Self::UnclosedGroup { column }
            | Self::EmptyGroup { column }
            | Self::TooLong { column, .. } => Some(column),
            Self::Empty => Some(1),
            Self::IndexOutOfRange { .. }
            | Self::ClassOutOfRange { .. }
            | Self::UnknownVariant { .. } => None,
        }
    }
}

/// Names a character, or the end of the text.
fn or_end(found: Option<char>) -> String {
    found.map_or_else(
        || "the end".to_owned(),
        |c| format!("`{}`", c.escape_debug()),
    )
}
