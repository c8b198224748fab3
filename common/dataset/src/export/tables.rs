//! The rows of each table.

use std::ops::ControlFlow;

use parquet::file::metadata::KeyValue;
use toads_census::fingerprint;
use toads_game::{Kind, ValueId};
use toads_strip::Class;

use super::columns::{Field, RowWriter, STRIPS, Spec, TALLIES, VALUES};
use super::files::Folder;
use super::manifest::ManifestFile;
use super::options::{ExportOptions, ExportProgress, Format, TableName};
use super::parquet::ParquetWriter;
use super::text::{CsvWriter, JsonlWriter};
use crate::answer::Names;
use crate::error::{DatasetError, Result};
use crate::read::{Catalogue, ClassValues, Part, Reader, Selection, Stratum, negative, strip_at};

/// Values whose forms are read at a time.
const BATCH: usize = 4096;

/// Rows between reports of progress.
const REPORT_ROWS: u64 = 1 << 16;

type Source<'s> = (Reader<'s>, Selection);

/// Writes a table; the files it came to.
pub(super) fn write(
    sources: &[Source<'_>],
    folder: &Folder,
    options: &ExportOptions,
    table: TableName,
    progress: &mut dyn FnMut(&ExportProgress) -> ControlFlow<()>,
) -> Result<Vec<ManifestFile>> {
    let mut out = Output {
        folder,
        options,
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

/// Where the rows of a table go: one file, or one for each n.
struct Output<'a> {
    folder: &'a Folder,
    options: &'a ExportOptions,
    table: TableName,
    progress: &'a mut dyn FnMut(&ExportProgress) -> ControlFlow<()>,
    rows_done: u64,
    rows_total: u64,
    current: Option<Current>,
    files: Vec<ManifestFile>,
}

struct Current {
    path: String,
    rows: u64,
    writer: Box<dyn RowWriter>,
}

impl Output<'_> {
    /// Goes on in this file, which is not partitioned.
    fn open(&mut self, columns: &[Spec]) -> Result<()> {
        self.open_at(
            format!("{}.{}", self.table, self.options.format),
            columns,
            0,
            &[],
        )
    }

    fn open_at(
        &mut self,
        path: String,
        columns: &[Spec],
        skip: usize,
        more: &[(&str, String)],
    ) -> Result<()> {
        self.close()?;
        let file = self.folder.file(&path)?;
        let writer: Box<dyn RowWriter> = match self.options.format {
            Format::Csv => Box::new(CsvWriter::new(file, columns)?),
            Format::Jsonl => Box::new(JsonlWriter::new(file, columns)),
            Format::Parquet => {
                let mut metadata = vec![
                    KeyValue::new("toads.table".to_owned(), self.table.to_string()),
                    KeyValue::new("toads.producer".to_owned(), self.options.producer.clone()),
                    KeyValue::new("toads.fingerprint".to_owned(), fingerprint().to_string()),
                    KeyValue::new(
                        "toads.license".to_owned(),
                        env!("CARGO_PKG_LICENSE").to_owned(),
                    ),
                ];
                metadata.extend(
                    more.iter()
                        .map(|(key, value)| KeyValue::new(format!("toads.{key}"), value.clone())),
                );
                Box::new(ParquetWriter::new(file, columns, skip, metadata)?)
            }
        };
        self.current = Some(Current {
            path,
            rows: 0,
            writer,
        });
        Ok(())
    }

    fn row(&mut self, fields: &[Field<'_>]) -> Result<()> {
        let current = self.current.as_mut().expect("a file is open");
        current.writer.row(fields)?;
        current.rows += 1;
        self.rows_done += 1;
        if self.rows_done.is_multiple_of(REPORT_ROWS) {
            self.report()
        } else {
            Ok(())
        }
    }

    fn renumber(&mut self) -> Result<()> {
        self.current
            .as_mut()
            .map_or(Ok(()), |current| current.writer.renumber())
    }

    fn report(&mut self) -> Result<()> {
        let progress = ExportProgress {
            table: self.table,
            rows_done: self.rows_done,
            rows_total: self.rows_total,
        };
        if (self.progress)(&progress).is_break() {
            Err(DatasetError::Stopped)
        } else {
            Ok(())
        }
    }

    fn close(&mut self) -> Result<()> {
        if let Some(Current { path, rows, writer }) = self.current.take() {
            self.files.push(
                writer
                    .finish()?
                    .finish(path, self.table.to_string(), rows)?,
            );
            self.report()?;
        }
        Ok(())
    }
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

/// By id: every value of the strips exported, and every negative of one where mirrors are exported (they always are).
fn values(sources: &[Source<'_>], out: &mut Output<'_>) -> Result<()> {
    let mut catalogue = Catalogue::default();
    for (reader, selection) in sources {
        reader.each_tally(&selection.parts(), |_, result| {
            catalogue.load(reader, result.tally.iter().map(|entry| entry.value))
        })?;
    }
    out.rows_total = catalogue.all().len() as u64;
    let mut codes: Vec<u32> = (0..catalogue.all().len() as u32).collect();
    codes.sort_unstable_by_key(|&code| catalogue.facts(code).id);
    out.open(&VALUES)?;
    let Some((reader, _)) = sources.first() else {
        return Ok(());
    };
    let mut names = Names::new(out.options.max_text);
    for codes in codes.chunks(BATCH) {
        names.load(
            reader,
            &catalogue,
            codes.iter().map(|&code| catalogue.facts(code).id),
        )?;
        let mut forms = rustc_hash::FxHashMap::default();
        let stored = |code: u32| {
            let facts = catalogue.facts(code);
            if facts.stored {
                facts.id
            } else {
                catalogue.facts(facts.negative).id
            }
        };
        let mut ids: Vec<ValueId> = codes.iter().map(|&code| stored(code)).collect();
        ids.sort_unstable();
        ids.dedup();
        reader.each_form(&ids, |form| {
            forms.insert(form.id, form);
            Ok(())
        })?;
        for &code in codes {
            let facts = catalogue.facts(code);
            let form = &forms[&stored(code)];
            let (invariants, left, right) = if facts.stored {
                (form.invariants, form.left.len(), form.right.len())
            } else {
                (negative(form.invariants), form.right.len(), form.left.len())
            };
            out.row(&[
                Field::Text(&facts.id.to_string()),
                Field::Text(names.text(facts.id)),
                Field::Word(Kind::code(invariants.kind).into(), invariants.kind.name()),
                Field::Word(invariants.outcome as u32, &invariants.outcome.to_string()),
                Field::Text(&invariants.left_stop.to_string()),
                Field::Text(&invariants.right_stop.to_string()),
                Field::Text(&invariants.mean.to_string()),
                Field::Text(&invariants.temperature.to_string()),
                Field::Number(invariants.birthday.into()),
                Field::Text(&catalogue.facts(facts.negative).id.to_string()),
                Field::Number(left as u64),
                Field::Number(right as u64),
            ])?;
        }
    }
    Ok(())
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
        let mut tally = reader.tally(reader.shard_of(class))?.tally;
        if !class.is_computed() {
            catalogue.load(reader, tally.iter().map(|entry| entry.value))?;
            for entry in &mut tally {
                let code = catalogue.code(entry.value).expect("loaded above");
                entry.value = catalogue.facts(catalogue.facts(code).negative).id;
                entry.first = entry.first_mirrored;
            }
            tally.sort_unstable_by_key(|entry| entry.value);
        }
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
