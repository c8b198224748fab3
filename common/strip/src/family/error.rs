//! What can be wrong with a family or its ranges. Everything here means *fix your input*; columns count characters from 1.

use crate::error::StripError;
use thiserror::Error;

/// Shorthand for results about families.
pub type Result<T> = std::result::Result<T, FamilyError>;

/// Why a text is no family, or its parameters make no strip.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FamilyError {
    /// Apart from its exponents the text is no strip, or with these parameters it is none.
    #[error(transparent)]
    Strip(#[from] StripError),
    /// Something in an exponent that does not belong there.
    #[error("column {column}: found {found}, expected {expected}")]
    Expected {
        /// Where it stands.
        column: usize,
        /// What stands there, in backquotes; or `the end`.
        found: String,
        /// What could stand there.
        expected: &'static str,
    },
    /// An exponent beyond 64 bits.
    #[error("column {column}: this exponent is out of range; use smaller numbers")]
    OutOfRange {
        /// Where the exponent starts.
        column: usize,
    },
    /// An exponent is negative for some parameters.
    #[error(
        "column {column}: this exponent is {power} for {parameters}; use ranges for which it is at least 0"
    )]
    Negative {
        /// Where the exponent starts.
        column: usize,
        /// Its value.
        power: i64,
        /// As `a=1 b=0`.
        parameters: String,
    },
    /// A range that cannot be read.
    #[error(
        "`{}` is no range; write a letter of the family and numbers, as a=1..10 or a=3",
        text.escape_debug()
    )]
    Range {
        /// The text.
        text: String,
    },
    /// A range whose end lies before its start.
    #[error(
        "`{}` is empty: its end lies before its start; write the smaller number first",
        text.escape_debug()
    )]
    EmptyRange {
        /// The text.
        text: String,
    },
    /// A range for a parameter that the family does not have, or has a range already.
    #[error("`{}`: {why}; the family has {parameters}", text.escape_debug())]
    Parameter {
        /// The text of the range.
        text: String,
        /// What is wrong.
        why: &'static str,
        /// Its parameters.
        parameters: String,
    },
    /// A parameter without a range.
    #[error("the parameter {parameter} has no range; add one, as {parameter}=1..10")]
    Unbound {
        /// The parameter.
        parameter: char,
    },
    /// More cells than anybody wants.
    #[error("these ranges make more than {limit} cells; use smaller ones")]
    TooMany {
        /// The most cells.
        limit: u64,
    },
}
