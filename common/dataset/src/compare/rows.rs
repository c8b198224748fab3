//! Rows of an exported Parquet file, batch by batch.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::{UInt8Type, UInt64Type};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::errors::ParquetError;
use toads_game::ValueId;
use toads_strip::{Class, Strip, Variant};

use crate::error::{DatasetError, Result};

/// What is compared of a strip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct StripRow {
    pub(super) index: u64,
    pub(super) toads: u8,
    pub(super) frogs: u8,
    pub(super) value: ValueId,
}

/// What is compared of a tally entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TallyRow {
    pub(super) variant: Variant,
    pub(super) class: Class,
    pub(super) value: ValueId,
    pub(super) count: u64,
    /// The index of the first strip.
    pub(super) first: u64,
}

/// A row of a table, and the columns it is made of.
pub(super) trait Row: Sized {
    const COLUMNS: &'static [&'static str];

    /// The row at a place of a batch with these columns; `None` when a cell is not what it must be.
    fn read(batch: &RecordBatch, at: usize) -> Option<Self>;
}

fn number(batch: &RecordBatch, column: &str, at: usize) -> Option<u64> {
    let column = batch.column_by_name(column)?;
    if let Some(small) = column.as_primitive_opt::<UInt8Type>() {
        return Some(small.value(at).into());
    }
    Some(column.as_primitive_opt::<UInt64Type>()?.value(at))
}

fn text<'b>(batch: &'b RecordBatch, column: &str, at: usize) -> Option<&'b str> {
    let column = batch.column_by_name(column)?;
    Some(column.as_string_opt::<i32>()?.value(at))
}

impl Row for StripRow {
    const COLUMNS: &'static [&'static str] = &["idx", "toads", "frogs", "value_id"];

    fn read(batch: &RecordBatch, at: usize) -> Option<Self> {
        Some(Self {
            index: number(batch, "idx", at)?,
            toads: number(batch, "toads", at)?.try_into().ok()?,
            frogs: number(batch, "frogs", at)?.try_into().ok()?,
            value: text(batch, "value_id", at)?.parse().ok()?,
        })
    }
}

impl Row for TallyRow {
    const COLUMNS: &'static [&'static str] = &[
        "variant",
        "n",
        "toads",
        "frogs",
        "value_id",
        "count",
        "first_strip",
    ];

    fn read(batch: &RecordBatch, at: usize) -> Option<Self> {
        let class = Class::new(
            number(batch, "n", at)? as usize,
            number(batch, "toads", at)? as usize,
            number(batch, "frogs", at)? as usize,
        );
        let first = Strip::parse(text(batch, "first_strip", at)?).ok()?;
        Some(Self {
            variant: text(batch, "variant", at)?.parse().ok()?,
            class: class.ok()?,
            value: text(batch, "value_id", at)?.parse().ok()?,
            count: number(batch, "count", at)?,
            first: first.index()? as u64,
        })
    }
}

fn unread(path: &Path, source: ParquetError) -> DatasetError {
    DatasetError::Parquet {
        path: path.to_owned(),
        source,
    }
}

/// What the library reads, or why it does not. It panics at some of what a file can say, such as a column of negative length;
/// what it was reading with is not used again after that.
fn guarded<T>(path: &Path, read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T> {
    let what = || ParquetError::General("the file contradicts itself".to_owned());
    let read = catch_unwind(AssertUnwindSafe(read));
    read.unwrap_or_else(|_| Err(what()))
        .map_err(|source| unread(path, source))
}

/// The rows of a file in order.
pub(super) struct Rows<R> {
    path: PathBuf,
    /// None after an error.
    batches: Option<ParquetRecordBatchReader>,
    batch: Option<RecordBatch>,
    at: usize,
    row: std::marker::PhantomData<R>,
}

impl<R: Row> Rows<R> {
    /// Opens a file; only the columns of the row are read.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|source| DatasetError::Io {
            path: path.to_owned(),
            source,
        })?;
        let batches = guarded(path, || {
            let builder = ParquetRecordBatchReaderBuilder::try_new(file)?;
            let schema = builder.parquet_schema();
            let mask = ProjectionMask::columns(schema, R::COLUMNS.iter().copied());
            builder
                .with_projection(mask)
                .with_batch_size(1 << 14)
                .build()
        });
        Ok(Self {
            path: path.to_owned(),
            batches: Some(batches?),
            batch: None,
            at: 0,
            row: std::marker::PhantomData,
        })
    }
}

impl<R: Row> Iterator for Rows<R> {
    type Item = Result<R>;

    fn next(&mut self) -> Option<Result<R>> {
        let batch = loop {
            match &self.batch {
                Some(batch) if self.at < batch.num_rows() => break batch,
                _ => {
                    let mut batches = self.batches.take()?;
                    match guarded(&self.path, || Ok(batches.next().transpose()?)) {
                        Ok(batch) => (self.batch, self.at) = (Some(batch?), 0),
                        Err(error) => return Some(Err(error)),
                    }
                    self.batches = Some(batches);
                }
            }
        };
        let row = R::read(batch, self.at);
        self.at += 1;
        Some(row.ok_or_else(|| {
            let what = "a cell is not what the columns of this table hold".to_owned();
            unread(&self.path, ParquetError::General(what))
        }))
    }
}
