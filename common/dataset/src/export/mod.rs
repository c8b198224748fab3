//! Tables as files: `strips`, `values` and `tallies` in CSV, JSON lines or Parquet, with a manifest and checksums.
//!
//! An export speaks of all 3^n strips. Its files are written to a folder beside the target, which appears under its
//! name when everything is complete and synced, or not at all. The same store gives the same bytes, whatever the time,
//! the threads or the folder.

mod columns;
mod files;
mod manifest;
mod options;
mod parquet;
mod tables;
mod text;

use std::ops::ControlFlow;
use std::path::Path;

use toads_store::Store;

pub use files::sha256_of;
pub use manifest::{Manifest, ManifestFile, Missing};
pub use options::{ExportOptions, ExportProgress, Format, TableName};

use crate::error::{DatasetError, Result};
use crate::question::Filters;
use crate::read::{Reader, Selection};
use files::Folder;

/// Writes the tables of `options` to the new folder `out`.
///
/// Memory: 4 bytes for each strip of the largest class, 48 for each distinct value, and the buffers of one Parquet row
/// group. An existing `out` is refused, and so is a range of which classes are missing, unless
/// [`ExportOptions::partial`] is set.
pub fn export(
    store: &dyn Store,
    out: &Path,
    options: &ExportOptions,
    progress: &mut dyn FnMut(&ExportProgress) -> ControlFlow<()>,
) -> Result<Manifest> {
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
    let missing = missing(&sources);
    let total: usize = sources
        .iter()
        .flat_map(|(_, selection)| &selection.strata)
        .map(crate::read::Stratum::total)
        .sum();
    let absent: usize = missing.iter().map(|missing| missing.classes_missing).sum();
    if total == absent {
        return Err(DatasetError::NotCommitted {
            what: "none of this".to_owned(),
        });
    }
    if absent > 0 && !options.partial {
        let detail = missing
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("; ");
        return Err(DatasetError::Incomplete {
            done: total - absent,
            total,
            detail,
        });
    }
    let folder = Folder::create(out)?;
    let mut manifest = Manifest::new(store, options, missing)?;
    for &table in &options.tables {
        manifest
            .files
            .extend(tables::write(&sources, &folder, options, table, progress)?);
    }
    manifest.files.sort_by(|a, b| a.path.cmp(&b.path));
    folder.finish(&manifest)?;
    Ok(manifest)
}

/// The n of which classes are missing.
fn missing(sources: &[(Reader<'_>, Selection)]) -> Vec<Missing> {
    let of = |(reader, selection): &(Reader<'_>, Selection)| {
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
