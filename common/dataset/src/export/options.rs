//! What to export, and how far it is.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use toads_strip::Variant;

use crate::read::EVALUATE_LIMIT;

/// A format of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma separated, with a header.
    Csv,
    /// A JSON object a line.
    Jsonl,
    /// Parquet with zstd; `strips` partitioned by variant and n.
    Parquet,
}

/// A table of the dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableName {
    /// `variant, n, idx, strip, toads, frogs, value_id, value`: every strip, by (variant, n, toads, frogs, idx).
    Strips,
    /// `value_id, value, kind, outcome, left_stop, right_stop, mean, temperature, birthday, negative_id, left_options,
    /// right_options`: every value that a strip has, by id.
    Values,
    /// `variant, n, toads, frogs, value_id, count, first_strip`: by (variant, n, toads, frogs, `value_id`).
    Tallies,
}

macro_rules! named {
    ($what:ident, $noun:literal, $($name:literal => $variant:ident),+) => {
        impl fmt::Display for $what {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self { $(Self::$variant => $name),+ })
            }
        }

        impl FromStr for $what {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $($name => Ok(Self::$variant),)+
                    _ => Err(format!("`{}` is not a {}; they are {}", text.escape_debug(), $noun, [$($name),+].join(", "))),
                }
            }
        }
    };
}

named!(Format, "format", "csv" => Csv, "jsonl" => Jsonl, "parquet" => Parquet);
named!(TableName, "table", "strips" => Strips, "values" => Values, "tallies" => Tallies);

/// What to export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportOptions {
    /// The format.
    pub format: Format,
    /// The rulesets.
    pub variants: Vec<Variant>,
    /// Numbers of squares, inclusive; everything committed when absent.
    pub squares: Option<RangeInclusive<u8>>,
    /// Which tables.
    pub tables: Vec<TableName>,
    /// Whether to export a range of which classes are missing; the manifest says which.
    pub partial: bool,
    /// Characters of a value's text at most, in both tables that have it; whole when absent. (One value of 16 squares
    /// has 13,600 characters. Parquet holds each once a row group; in CSV and JSON lines it stands with every strip.)
    pub max_text: Option<usize>,
    /// The largest class that is evaluated again where its blocks are not stored.
    pub evaluate_up_to: u64,
    /// The program and its version, for the manifest.
    pub producer: String,
}

impl ExportOptions {
    /// Everything there is, both rulesets, all tables, whole texts.
    pub fn new(format: Format) -> Self {
        Self {
            format,
            variants: Variant::ALL.to_vec(),
            squares: None,
            tables: vec![TableName::Strips, TableName::Values, TableName::Tallies],
            partial: false,
            max_text: None,
            evaluate_up_to: EVALUATE_LIMIT,
            producer: concat!("toads ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }
}

/// How far an export is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportProgress {
    /// The table being written.
    pub table: TableName,
    /// Rows written.
    pub rows_done: u64,
    /// Rows of the whole table.
    pub rows_total: u64,
}
