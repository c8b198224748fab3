//! Datasets as files: the tables `strips`, `values` and `tallies` in CSV, JSON lines or Parquet; the count sequences as
//! b-files; a report. Each with a manifest, checksums and descriptions for people and machines.
//!
//! An export speaks of all 3^n strips. Its files are written to a folder beside the target, which appears under its
//! name when everything is complete and synced, or not at all. The same census gives the same bytes, whatever the time,
//! the threads, the folder, or what else the store holds.
//!
//! | file | what lives there |
//! |---|---|
//! | `tables`, `values`, `columns`, `output` | the rows of each table, and the files they go to |
//! | `parquet`, `text` | the formats |
//! | `sequences`, `report` | what is counted, as b-files and as a page |
//! | `manifest`, `card`, `croissant` | what an export says of itself |
//! | `files` | the folder: all there or not there |

mod card;
mod columns;
mod croissant;
mod files;
mod manifest;
mod options;
mod output;
mod parquet;
mod report;
mod sequences;
mod tables;
mod text;
mod values;

use std::ops::ControlFlow;
use std::path::Path;

use toads_store::Store;

pub use files::sha256_of;
pub use manifest::{
    DATA_LICENSE, Manifest, ManifestColumn, ManifestFile, ManifestRun, ManifestTable, Missing,
};
pub use options::{ExportOptions, ExportProgress, Format, TableName};

use crate::error::{DatasetError, Result};
use crate::question::Filters;
use crate::read::{Reader, Selection};
use files::Folder;

/// A ruleset of the store, and which of its classes are exported.
type Source<'s> = (Reader<'s>, Selection);

/// Writes the tables of `options` to the new folder `out`.
///
/// Memory: 4 bytes for each strip of the largest class, 48 for each distinct value, texts of up to 256 MiB, 50 MB of forms, and
/// the buffers of one Parquet row group. A folder that is there and not empty is refused, and so is a range of which classes
/// are missing, unless [`ExportOptions::partial`] is set.
pub fn export(
    store: &dyn Store,
    out: &Path,
    options: &ExportOptions,
    progress: &mut dyn FnMut(&ExportProgress) -> ControlFlow<()>,
) -> Result<Manifest> {
    let sources = sources(store, options)?;
    let folder = Folder::create(out)?;
    let format = options.format.to_string();
    let mut manifest = Manifest::new(&sources, options, &format, &options.tables);
    let mut files = Vec::new();
    for &table in &options.tables {
        files.extend(tables::write(
            &sources, &folder, options, &manifest, table, progress,
        )?);
    }
    manifest.files = files;
    folder.finish(manifest)
}

/// Writes a b-file of the On-Line Encyclopedia for every sequence of counts: `b-hop-zeros.txt` and so on, from the first
/// number of squares to the last one that is complete. The formats and tables of `options` do not matter.
pub fn export_sequences(
    store: &dyn Store,
    out: &Path,
    options: &ExportOptions,
) -> Result<Manifest> {
    let sources = sources(store, options)?;
    let folder = Folder::create(out)?;
    let mut manifest = Manifest::new(&sources, options, "bfile", &[]);
    manifest.files = sequences::write(store, &sources, &folder)?;
    folder.finish(manifest)
}

/// Writes `report.md`: what the census found, in tables for people. The formats and tables of `options` do not matter.
pub fn export_report(store: &dyn Store, out: &Path, options: &ExportOptions) -> Result<Manifest> {
    let sources = sources(store, options)?;
    let folder = Folder::create(out)?;
    let mut manifest = Manifest::new(&sources, options, "report", &[]);
    manifest.files = report::write(store, &sources, options, &manifest, &folder)?;
    folder.finish(manifest)
}

/// What is exported of each ruleset; refuses nothing at all, and less than was asked for unless that is allowed.
fn sources<'s>(store: &'s dyn Store, options: &ExportOptions) -> Result<Vec<Source<'s>>> {
    let mut sources = Vec::new();
    for &variant in &options.variants {
        let reader = Reader::new(store, variant)?.evaluating_up_to(options.evaluate_up_to);
        let filters = Filters {
            squares: options.squares.clone(),
            ..Filters::of(variant)
        };
        let selection = Selection::new(&reader, &filters)?;
        sources.push((reader, selection));
    }
    let strata = || sources.iter().flat_map(|(_, selection)| &selection.strata);
    let total: usize = strata().map(crate::read::Stratum::total).sum();
    let done: usize = strata().map(|stratum| stratum.parts.len()).sum();
    if done == 0 {
        return Err(DatasetError::NotCommitted {
            what: "what is asked for".to_owned(),
        });
    }
    if done < total && !options.partial {
        return Err(DatasetError::Incomplete {
            done,
            total,
            detail: manifest::missing(&sources)
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("; "),
        });
    }
    Ok(sources)
}
