//! What an export says of itself.

use std::fmt;

use serde::{Deserialize, Serialize};
use toads_census::fingerprint;
use toads_store::{ShardRecord, store_digest};

use super::Source;
use super::columns::columns;
use super::options::{ExportOptions, TableName};

/// The licence of the data: these are mathematical facts, and nobody need ask before using them. (The program's licence is
/// another matter.)
pub const DATA_LICENSE: &str = "CC0-1.0";

/// `MANIFEST.json`. Holds nothing that changes from one export of the same census to the next, or with what else the
/// store holds.
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
    /// The licence of the data, as SPDX names it.
    pub license: String,
    /// Rules, value ids, rank order: BLAKE3, in hexadecimal digits.
    pub fingerprint: String,
    /// The content digest of all classes that were exported.
    pub digest: String,
    /// `csv`, `jsonl`, `parquet`, `bfile` or `report`.
    pub format: String,
    /// What was exported of each ruleset.
    pub runs: Vec<ManifestRun>,
    /// Characters of a text at most, if there was a limit.
    pub max_text: Option<usize>,
    /// Whether classes are missing.
    pub partial: bool,
    /// Where classes are missing, if anywhere.
    pub missing: Vec<Missing>,
    /// The tables and their columns.
    pub tables: Vec<ManifestTable>,
    /// The data files, by path.
    pub files: Vec<ManifestFile>,
}

/// What was exported of one ruleset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestRun {
    /// The ruleset.
    pub variant: String,
    /// The smallest number of squares.
    pub first_n: u8,
    /// The largest.
    pub last_n: u8,
    /// Strips, mirrors included.
    pub strips: u64,
    /// Classes (a class and its mirror count once).
    pub classes: usize,
    /// Their content digest, as `toads census run` prints it for the same range.
    pub digest: String,
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

/// A table of the export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestTable {
    /// Its name.
    pub name: String,
    /// Its columns; `variant` and `n` of partitioned strips are in the path.
    pub columns: Vec<ManifestColumn>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestColumn {
    /// Its name.
    pub name: String,
    /// `uint8`, `uint32`, `uint64` or `string`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it means.
    pub description: String,
}

/// A data file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestFile {
    /// Below the folder of the export, with slashes.
    pub path: String,
    /// The table, or `sequence` or `report`.
    pub table: String,
    /// Its rows, headers not counted.
    pub rows: u64,
    /// Its length.
    pub bytes: u64,
    /// SHA-256, in hexadecimal digits.
    pub sha256: String,
}

impl Manifest {
    /// Of what is selected, without files.
    pub(super) fn new(
        sources: &[Source<'_>],
        options: &ExportOptions,
        format: &str,
        tables: &[TableName],
    ) -> Self {
        let missing = missing(sources);
        let runs: Vec<(ManifestRun, Vec<ShardRecord>)> = sources.iter().filter_map(run).collect();
        let records: Vec<ShardRecord> = runs
            .iter()
            .flat_map(|(_, records)| records.iter().cloned())
            .collect();
        Self {
            manifest_version: 1,
            dataset: "Toads and Frogs: the value of every strip".to_owned(),
            producer: options.producer.clone(),
            license: DATA_LICENSE.to_owned(),
            fingerprint: fingerprint().to_string(),
            digest: store_digest(&records).to_string(),
            format: format.to_owned(),
            runs: runs.into_iter().map(|(run, _)| run).collect(),
            max_text: options.max_text,
            partial: !missing.is_empty(),
            missing,
            tables: tables.iter().copied().map(table).collect(),
            files: Vec::new(),
        }
    }

    /// Strips of all rulesets.
    pub fn strips(&self) -> u64 {
        self.runs.iter().map(|run| run.strips).sum()
    }

    /// Rows of a table in all its files.
    pub fn rows(&self, table: &str) -> u64 {
        let files = self.files.iter().filter(|file| file.table == table);
        files.map(|file| file.rows).sum()
    }
}

/// What is exported of one ruleset, with the markers of its shards; `None` where nothing is.
fn run((reader, selection): &Source<'_>) -> Option<(ManifestRun, Vec<ShardRecord>)> {
    let parts = selection.parts();
    let squares = || parts.iter().map(|part| part.shard.class.n);
    let records: Vec<ShardRecord> = parts
        .iter()
        .map(|part| reader.records[&part.shard].clone())
        .collect();
    let run = ManifestRun {
        variant: reader.variant.to_string(),
        first_n: squares().min()?,
        last_n: squares().max()?,
        strips: parts.iter().map(|part| part.strips()).sum(),
        classes: parts.len(),
        digest: store_digest(&records).to_string(),
    };
    Some((run, records))
}

/// The n of which classes are missing.
pub(super) fn missing(sources: &[Source<'_>]) -> Vec<Missing> {
    let of = |(reader, selection): &Source<'_>| {
        let variant = reader.variant;
        let strata = selection
            .strata
            .iter()
            .filter(|stratum| !stratum.missing.is_empty());
        let missing = strata.map(|stratum| Missing {
            variant: variant.to_string(),
            n: stratum.n,
            classes_missing: stratum.missing.len(),
            classes_total: stratum.total(),
        });
        missing.collect::<Vec<_>>()
    };
    sources.iter().flat_map(of).collect()
}

fn table(name: TableName) -> ManifestTable {
    let column = |spec: &super::columns::Spec| ManifestColumn {
        name: spec.name.to_owned(),
        kind: spec.holds.type_name().to_owned(),
        description: spec.says.to_owned(),
    };
    ManifestTable {
        name: name.to_string(),
        columns: columns(name).iter().map(column).collect(),
    }
}
