//! What an export says of itself.

use std::fmt;

use serde::{Deserialize, Serialize};
use toads_census::fingerprint;
use toads_store::{Store, store_digest};

use super::options::ExportOptions;
use crate::error::Result;

/// `MANIFEST.json`. Holds nothing that changes from one export of a store to the next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::struct_field_names,
    reason = "the fields are the names in the file"
)]
pub struct Manifest {
    /// The version of this layout: 1.
    pub manifest_version: u32,
    /// What this is.
    pub dataset: String,
    /// The program and its version.
    pub producer: String,
    /// The licence of the data.
    pub license: String,
    /// Rules, value ids, rank order: BLAKE3, in hexadecimal digits.
    pub fingerprint: String,
    /// The content digest of the store it was exported from.
    pub store_digest: String,
    /// `csv`, `jsonl` or `parquet`.
    pub format: String,
    /// The rulesets.
    pub variants: Vec<String>,
    /// The range of squares that was asked for, if one was.
    pub squares: Option<(u8, u8)>,
    /// Characters of a text at most, if there was a limit.
    pub max_text: Option<usize>,
    /// Whether classes are missing.
    pub partial: bool,
    /// Where classes are missing, if anywhere.
    pub missing: Vec<Missing>,
    /// The data files, by path.
    pub files: Vec<ManifestFile>,
}

/// Classes that an export is without.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::struct_field_names,
    reason = "the fields are the names in the file"
)]
pub struct Missing {
    /// The ruleset.
    pub variant: String,
    /// The number of squares.
    pub n: u8,
    /// How many classes (a class and its mirror count once).
    pub classes_missing: usize,
    /// Of how many.
    pub classes_total: usize,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            variant,
            n,
            classes_missing,
            classes_total,
        } = self;
        write!(
            f,
            "{variant} n = {n}: {classes_missing} of {classes_total} missing"
        )
    }
}

/// A data file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestFile {
    /// Below the folder of the export, with slashes.
    pub path: String,
    /// The table.
    pub table: String,
    /// Its rows, headers not counted.
    pub rows: u64,
    /// Its length.
    pub bytes: u64,
    /// SHA-256, in hexadecimal digits.
    pub sha256: String,
}

impl Manifest {
    pub(super) fn new(
        store: &dyn Store,
        options: &ExportOptions,
        missing: Vec<Missing>,
    ) -> Result<Self> {
        Ok(Self {
            manifest_version: 1,
            dataset: "Toads and Frogs: the value of every strip".to_owned(),
            producer: options.producer.clone(),
            license: env!("CARGO_PKG_LICENSE").to_owned(),
            fingerprint: fingerprint().to_string(),
            store_digest: store_digest(&store.shards(None)?).to_string(),
            format: options.format.to_string(),
            variants: options.variants.iter().map(ToString::to_string).collect(),
            squares: options
                .squares
                .as_ref()
                .map(|range| (*range.start(), *range.end())),
            max_text: options.max_text,
            partial: !missing.is_empty(),
            missing,
            files: Vec::new(),
        })
    }
}
