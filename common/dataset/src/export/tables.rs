//! The rows of each table; those of `values` are in a file of their own.

use std::ops::ControlFlow;

use toads_store::store_digest;
use toads_strip::Class;

use super::Source;
use super::columns::{Field, STRIPS, TALLIES};
use super::files::Folder;
use super::manifest::{Manifest, ManifestFile};
use super::options::{ExportOptions, ExportProgress, Format, TableName};
use super::output::Output;
use super::values::values;
use crate::answer::Names;
use crate::error::Result;
use crate::read::{Catalogue, ClassValues, Part, Reader, Selection, Stratum, strip_at};

/// Writes a table; the files it came to.
pub(super) fn write(
    sources: &[Source<'_>],
    folder: &Folder,
    options: &ExportOptions,
    manifest: &Manifest,
    table: TableName,
    progress: &mut dyn FnMut(&ExportProgress) -> ControlFlow<()>,
) -> Result<Vec<ManifestFile>> {
    let mut out = Output {
        folder,
        options,
        manifest,
        table,
        progress,
        rows_done: 0,
        rows_total: 0,
        current: None,
        files: Vec::new(),
    };
    match table {
        TableName::Strips => strips(sources, &mut out)?,
        TableName::Values => values(sources, &mut out)?,
        TableName::Tallies => tallies(sources, &mut out)?,
    }
    out.close()?;
    Ok(out.files)
}

fn begun(selection: &Selection) -> impl Iterator<Item = &Stratum> {
    selection
        .strata
        .iter()
        .filter(|stratum| !stratum.parts.is_empty())
}

/// By (variant, n, toads, frogs, idx).
fn strips(sources: &[Source<'_>], out: &mut Output<'_>) -> Result<()> {
    let strata = || {
        sources
            .iter()
            .flat_map(|(reader, selection)| begun(selection).map(move |stratum| (reader, stratum)))
    };
    let strips_of =
        |stratum: &Stratum| stratum.parts.iter().copied().map(Part::strips).sum::<u64>();
    out.rows_total = strata().map(|(_, stratum)| strips_of(stratum)).sum();
    let partitioned = out.options.format == Format::Parquet;
    if !partitioned {
        out.open(&STRIPS)?;
    }
    let mut names = Names::new(out.options.max_text);
    for (reader, stratum) in strata() {
        let (variant, n) = (reader.variant, stratum.n);
        if partitioned {
            let path = format!("strips/variant={variant}/n={n}/part-0.parquet");
            let more = [
                ("variant", variant.to_string()),
                ("n", n.to_string()),
                ("strips", strips_of(stratum).to_string()),
                (
                    "classes",
                    format!("{} of {}", stratum.parts.len(), stratum.total()),
                ),
                ("digest_of_n", digest_of(reader, stratum)),
            ];
            out.open_at(path, &STRIPS, 2, &more)?;
        }
        let mut catalogue = Catalogue::default();
        for class in stratum.classes() {
            class_strips(reader, &mut catalogue, class, &mut names, out)?;
        }
    }
    Ok(())
}

/// The content digest of the shards of one n.
fn digest_of(reader: &Reader<'_>, stratum: &Stratum) -> String {
    let records = stratum
        .parts
        .iter()
        .map(|part| reader.records[&part.shard].clone());
    store_digest(&records.collect::<Vec<_>>()).to_string()
}

fn class_strips(
    reader: &Reader<'_>,
    catalogue: &mut Catalogue,
    class: Class,
    names: &mut Names,
    out: &mut Output<'_>,
) -> Result<()> {
    let values = ClassValues::open_with(reader, catalogue, class)?;
    names.load(reader, catalogue, values.values().iter().copied())?;
    let ids: Vec<String> = values.values().iter().map(ToString::to_string).collect();
    let texts: Vec<&str> = values.values().iter().map(|&id| names.text(id)).collect();
    let variant = reader.variant;
    for found in values.iter() {
        let strip = strip_at(class.n, found.index).to_string();
        let code = found.code as usize;
        out.row(&[
            Field::Word(variant.code().into(), variant.name()),
            Field::Number(class.n.into()),
            Field::Number(found.index),
            Field::Text(&strip),
            Field::Number(class.toads.into()),
            Field::Number(class.frogs.into()),
            Field::Word(found.code, &ids[code]),
            Field::Word(found.code, texts[code]),
        ])?;
    }
    out.renumber()
}

/// By (variant, n, toads, frogs, `value_id`).
fn tallies(sources: &[Source<'_>], out: &mut Output<'_>) -> Result<()> {
    let classes = || {
        sources.iter().flat_map(|(reader, selection)| {
            begun(selection).flat_map(move |stratum| {
                stratum
                    .classes()
                    .into_iter()
                    .map(move |class| (reader, class))
            })
        })
    };
    out.rows_total = classes()
        .filter_map(|(reader, class)| Some(reader.record_of(class)?.distinct))
        .sum();
    out.open(&TALLIES)?;
    let mut catalogue = Catalogue::default();
    for (reader, class) in classes() {
        let tally = reader.tally_of(&mut catalogue, class)?;
        for entry in &tally {
            out.row(&[
                Field::Word(reader.variant.code().into(), reader.variant.name()),
                Field::Number(class.n.into()),
                Field::Number(class.toads.into()),
                Field::Number(class.frogs.into()),
                Field::Text(&entry.value.to_string()),
                Field::Number(entry.count),
                Field::Text(&strip_at(class.n, entry.first).to_string()),
            ])?;
        }
    }
    Ok(())
}
