//! The columns of the tables, and rows on their way into a file.

use super::files::HashedFile;
use super::options::TableName;
use crate::error::Result;

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holds {
    /// Small numbers.
    U8,
    /// Birthdays, sizes of a form.
    U32,
    /// Counts and indices.
    U64,
    /// Texts that hardly repeat.
    Text,
    /// Texts that repeat, each with a number ([`Field::Word`]).
    Words,
}

impl Holds {
    /// As Arrow calls it.
    pub(super) fn type_name(self) -> &'static str {
        match self {
            Self::U8 => "uint8",
            Self::U32 => "uint32",
            Self::U64 => "uint64",
            Self::Text | Self::Words => "string",
        }
    }
}

/// A column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spec {
    pub(super) name: &'static str,
    pub(super) holds: Holds,
    /// Whether a row may be without it.
    pub(super) optional: bool,
    /// What it means, for the manifest and the descriptions.
    pub(super) says: &'static str,
}

const fn spec(name: &'static str, holds: Holds, says: &'static str) -> Spec {
    Spec {
        name,
        holds,
        optional: false,
        says,
    }
}

const fn optional(name: &'static str, holds: Holds, says: &'static str) -> Spec {
    Spec {
        optional: true,
        ..spec(name, holds, says)
    }
}

const VARIANT: Spec = spec("variant", Holds::Words, "the rules: hop or hopless");
const SQUARES: Spec = spec("n", Holds::U8, "squares of the strip");
const TOADS: Spec = spec("toads", Holds::U8, "toads on the strip");
const FROGS: Spec = spec("frogs", Holds::U8, "frogs on the strip");
const VALUE_ID: &str = "content hash of the value: 32 hexadecimal digits";

/// The columns of `strips`. The first two name the partition.
pub(super) const STRIPS: [Spec; 8] = [
    VARIANT,
    SQUARES,
    spec(
        "idx",
        Holds::U64,
        "the strip as a base-3 number: F = 0, . = 1, T = 2, leftmost square most significant",
    ),
    spec("strip", Holds::Text, "the strip: T toad, F frog, . blank"),
    TOADS,
    FROGS,
    spec("value_id", Holds::Words, VALUE_ID),
    spec("value", Holds::Words, "the value in CGSuite's notation"),
];

/// The columns of `values`.
pub(super) const VALUES: [Spec; 17] = [
    spec("value_id", Holds::Text, VALUE_ID),
    spec("value", Holds::Text, "the value in CGSuite's notation"),
    spec("kind", Holds::Words, "the first sort of value that fits"),
    spec(
        "outcome",
        Holds::Words,
        "who wins: P previous, L Left, R Right, N next player",
    ),
    spec(
        "left_stop",
        Holds::Text,
        "the number reached when Left begins and both play well",
    ),
    spec(
        "right_stop",
        Holds::Text,
        "the number reached when Right begins and both play well",
    ),
    spec("mean", Holds::Text, "the mast of the thermograph"),
    spec(
        "temperature",
        Holds::Text,
        "where the mast begins; -1/2^k for a number with denominator 2^k",
    ),
    spec("birthday", Holds::U32, "of the canonical form"),
    spec("negative_id", Holds::Text, "value_id of the negative"),
    spec(
        "left_options",
        Holds::U32,
        "Left options of the canonical form",
    ),
    spec(
        "right_options",
        Holds::U32,
        "Right options of the canonical form",
    ),
    spec(
        "depth",
        Holds::U32,
        "moves of the longest play through the canonical form until a number is reached",
    ),
    optional(
        "subpositions",
        Holds::U32,
        "different positions of the canonical form; null above 20,000",
    ),
    optional(
        "denominator",
        Holds::U64,
        "of a number, 1 for an integer; null for other values",
    ),
    optional(
        "atomic_weight",
        Holds::Text,
        "of an all-small value, a value itself; null for other values",
    ),
    optional(
        "reduced",
        Holds::Text,
        "the simplest value that differs by an infinitesimal; null where the form is too large",
    ),
];

/// The columns of `tallies`.
pub(super) const TALLIES: [Spec; 7] = [
    VARIANT,
    SQUARES,
    TOADS,
    FROGS,
    spec("value_id", Holds::Text, VALUE_ID),
    spec("count", Holds::U64, "strips of the class with this value"),
    spec("first_strip", Holds::Text, "the first of them by idx"),
];

/// The columns of a table.
pub(super) fn columns(table: TableName) -> &'static [Spec] {
    match table {
        TableName::Strips => &STRIPS,
        TableName::Values => &VALUES,
        TableName::Tallies => &TALLIES,
    }
}

/// A cell.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field<'a> {
    /// A number that fits its column.
    Number(u64),
    /// A text.
    Text(&'a str),
    /// Nothing, in a column that is optional.
    Null,
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
