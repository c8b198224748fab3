//! Messages to and from the census' own types.
//!
//! What goes out cannot fail; what comes in is checked: ranges, lengths, order. What needs more than the message itself
//! (is this id the hash of these options? does the store know them?) is the receiver's business.

mod class;
mod ids;
mod surveys;
mod value;

pub use class::{
    keep_blocks, range, shard, submitted_shard, to_keep, to_range, to_shard, to_variant, variant,
};
pub use ids::{digest, id, ids, to_digest, to_id, to_ids};
pub use surveys::{
    budget, cell, cell_key, cell_record, definition, result, survey_id, to_budget, to_cell,
    to_cell_key, to_cell_record, to_definition, to_result, to_survey_id,
};
pub use value::{form, form_bytes, tally_entry, to_form, to_tally_entry};

/// A message that is not what the contract says. The sender must be fixed; trying again does not help.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WireError {
    /// A part that must be there is not.
    #[error("the message lacks {0}; the sender does not follow the contract")]
    Missing(&'static str),
    /// A number outside its range.
    #[error("{field} is {value}, outside {expected}")]
    OutOfRange {
        /// Which field.
        field: &'static str,
        /// What it says.
        value: String,
        /// What it may say.
        expected: &'static str,
    },
    /// Bytes of the wrong length.
    #[error("{field} has {bytes} bytes, not {expected}")]
    Length {
        /// Which field.
        field: &'static str,
        /// How many it has.
        bytes: usize,
        /// How many it must have.
        expected: &'static str,
    },
    /// Ids that are not in strictly ascending order.
    #[error("{0} are not in strictly ascending order")]
    Unsorted(&'static str),
    /// A survey, or a result of one of its cells, that contradicts itself.
    #[error("{0}")]
    Survey(String),
}

/// Results of conversions.
pub type Result<T, E = WireError> = std::result::Result<T, E>;

/// What is outside of its range, on one line and not too long: it may be anything that somebody sends.
pub(crate) fn out_of_range(
    field: &'static str,
    value: &dyn std::fmt::Display,
    expected: &'static str,
) -> WireError {
    WireError::OutOfRange {
        field,
        value: shown(&value.to_string()),
        expected,
    }
}

/// Characters of a foreign text that an error repeats.
const MOST_SHOWN: usize = 60;

fn shown(text: &str) -> String {
    let mut escaped = text.escape_debug();
    let mut shown: String = escaped.by_ref().take(MOST_SHOWN).collect();
    if escaped.next().is_some() {
        shown.push('…');
    }
    shown
}
