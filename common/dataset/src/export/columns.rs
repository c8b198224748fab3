//! The columns of the tables, and rows on their way into a file.

use super::files::HashedFile;
use crate::error::Result;

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holds {
    /// Small numbers.
    U8,
    /// Counts of options, birthdays.
    U32,
    /// Counts and indices.
    U64,
    /// Texts that hardly repeat.
    Text,
    /// Texts that repeat, each with a number ([`Field::Word`]).
    Words,
}

/// A column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spec {
    pub(super) name: &'static str,
    pub(super) holds: Holds,
}

const fn spec(name: &'static str, holds: Holds) -> Spec {
    Spec { name, holds }
}

/// The columns of `strips`. The first two name the partition.
pub(super) const STRIPS: [Spec; 8] = [
    spec("variant", Holds::Words),
    spec("n", Holds::U8),
    spec("idx", Holds::U64),
    spec("strip", Holds::Text),
    spec("toads", Holds::U8),
    spec("frogs", Holds::U8),
    spec("value_id", Holds::Words),
    spec("value", Holds::Words),
];

/// The columns of `values`.
pub(super) const VALUES: [Spec; 12] = [
    spec("value_id", Holds::Text),
    spec("value", Holds::Text),
    spec("kind", Holds::Words),
    spec("outcome", Holds::Words),
    spec("left_stop", Holds::Text),
    spec("right_stop", Holds::Text),
    spec("mean", Holds::Text),
    spec("temperature", Holds::Text),
    spec("birthday", Holds::U32),
    spec("negative_id", Holds::Text),
    spec("left_options", Holds::U32),
    spec("right_options", Holds::U32),
];

/// The columns of `tallies`.
pub(super) const TALLIES: [Spec; 7] = [
    spec("variant", Holds::Words),
    spec("n", Holds::U8),
    spec("toads", Holds::U8),
    spec("frogs", Holds::U8),
    spec("value_id", Holds::Text),
    spec("count", Holds::U64),
    spec("first_strip", Holds::Text),
];

/// A cell.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field<'a> {
    /// A number that fits its column.
    Number(u64),
    /// A text.
    Text(&'a str),
    /// A text and its number: the same number is the same text until the next [`RowWriter::renumber`].
    Word(u32, &'a str),
}

/// Takes rows in order.
pub(super) trait RowWriter {
    /// Writes a row, one field for each column.
    fn row(&mut self, fields: &[Field<'_>]) -> Result<()>;

    /// From now on words have other numbers.
    fn renumber(&mut self) -> Result<()>;

    /// Writes what is still held back.
    fn finish(self: Box<Self>) -> Result<HashedFile>;
}
