//! Where the rows of a table go: one file, or one for each n.

use std::ops::ControlFlow;

use parquet::file::metadata::KeyValue;

use super::columns::{Field, RowWriter, Spec};
use super::files::Folder;
use super::manifest::{Manifest, ManifestFile};
use super::options::{ExportOptions, ExportProgress, Format, TableName};
use super::parquet::ParquetWriter;
use super::text::{CsvWriter, JsonlWriter};
use crate::error::{DatasetError, Result};

/// Rows between reports of progress.
const REPORT_ROWS: u64 = 1 << 16;

/// The rows of a table on their way into files.
pub(super) struct Output<'a> {
    pub(super) folder: &'a Folder,
    pub(super) options: &'a ExportOptions,
    /// What is exported, without its files.
    pub(super) manifest: &'a Manifest,
    pub(super) table: TableName,
    pub(super) progress: &'a mut dyn FnMut(&ExportProgress) -> ControlFlow<()>,
    pub(super) rows_done: u64,
    pub(super) rows_total: u64,
    pub(super) current: Option<Current>,
    pub(super) files: Vec<ManifestFile>,
}

/// The file that is being written.
pub(super) struct Current {
    path: String,
    rows: u64,
    writer: Box<dyn RowWriter>,
}

impl Output<'_> {
    /// Goes on in this file, which is not partitioned.
    pub(super) fn open(&mut self, columns: &[Spec]) -> Result<()> {
        self.open_at(
            format!("{}.{}", self.table, self.options.format),
            columns,
            0,
            &[],
        )
    }

    pub(super) fn open_at(
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
                let Manifest {
                    producer,
                    license,
                    fingerprint,
                    digest,
                    partial,
                    ..
                } = self.manifest;
                let all = [
                    ("table", self.table.to_string()),
                    ("producer", producer.clone()),
                    ("license", license.clone()),
                    ("fingerprint", fingerprint.clone()),
                    ("digest", digest.clone()),
                    ("partial", partial.to_string()),
                ];
                let entry = |(key, value): &(&str, String)| {
                    KeyValue::new(format!("toads.{key}"), value.clone())
                };
                let metadata = all.iter().chain(more).map(entry).collect();
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

    pub(super) fn row(&mut self, fields: &[Field<'_>]) -> Result<()> {
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

    pub(super) fn renumber(&mut self) -> Result<()> {
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

    pub(super) fn close(&mut self) -> Result<()> {
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
