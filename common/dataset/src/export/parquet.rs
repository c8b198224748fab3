//! Parquet: zstd, dictionaries for what repeats, plain strings for readers.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::builder::{StringBuilder, UInt8Builder, UInt32Builder, UInt64Builder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field as ArrowField, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;
use rustc_hash::FxHashMap;

use super::columns::{Field, Holds, RowWriter, Spec};
use super::files::{HashedFile, io_error};
use crate::error::{DatasetError, Result};

/// Rows held back.
const BATCH_ROWS: usize = 1 << 16;

/// Rows of a row group.
const GROUP_ROWS: usize = 1 << 20;

/// Bytes of distinct texts in a row group before they are written out one by one.
const DICTIONARY_BYTES: usize = 128 << 20;

/// Writes one Parquet file.
pub(super) struct ParquetWriter {
    path: PathBuf,
    writer: ArrowWriter<HashedFile>,
    schema: SchemaRef,
    columns: Vec<Column>,
    /// Leading fields that the file is without: they are in its path.
    skip: usize,
    rows: usize,
}

enum Column {
    U8(UInt8Builder),
    U32(UInt32Builder),
    U64(UInt64Builder),
    Text(StringBuilder),
    Words {
        keys: Vec<i32>,
        places: FxHashMap<u32, i32>,
        words: StringBuilder,
    },
}

impl ParquetWriter {
    /// The first `skip` columns are left out.
    pub(super) fn new(
        file: HashedFile,
        columns: &[Spec],
        skip: usize,
        metadata: Vec<KeyValue>,
    ) -> Result<Self> {
        let path = file.path().to_owned();
        let columns = &columns[skip..];
        let fields: Vec<ArrowField> = columns
            .iter()
            .map(|spec| ArrowField::new(spec.name, arrow_type(spec.holds), spec.optional))
            .collect();
        let schema = Arc::new(Schema::new(fields));
        let level = ZstdLevel::try_new(3).expect("a level that zstd has");
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(level))
            .set_max_row_group_row_count(Some(GROUP_ROWS))
            .set_dictionary_page_size_limit(DICTIONARY_BYTES)
            .set_created_by(concat!("toads ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(metadata));
        for spec in columns {
            let path = ColumnPath::from(spec.name);
            properties = match spec.holds {
                Holds::U64 => properties
                    .set_column_dictionary_enabled(path.clone(), false)
                    .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED),
                Holds::Text => properties.set_column_dictionary_enabled(path, false),
                Holds::U8 | Holds::U32 | Holds::Words => properties,
            };
        }
        let options = ArrowWriterOptions::new()
            .with_properties(properties.build())
            .with_skip_arrow_metadata(true);
        let writer = ArrowWriter::try_new_with_options(file, Arc::clone(&schema), options)
            .map_err(error_at(&path))?;
        let columns = columns.iter().map(|spec| Column::new(spec.holds)).collect();
        Ok(Self {
            path,
            writer,
            schema,
            columns,
            skip,
            rows: 0,
        })
    }

    fn flush(&mut self) -> Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let arrays = self.columns.iter_mut().map(Column::take).collect();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), arrays)
            .expect("every column has a cell for each row");
        self.rows = 0;
        self.writer.write(&batch).map_err(error_at(&self.path))
    }
}

fn error_at(path: &std::path::Path) -> impl FnOnce(ParquetError) -> DatasetError + '_ {
    move |source| match source {
        // What the file system said, such as that the disk is full.
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(cause) => io_error(path)(*cause),
            Err(cause) => DatasetError::Parquet {
                path: path.to_owned(),
                source: ParquetError::External(cause),
            },
        },
        source => DatasetError::Parquet {
            path: path.to_owned(),
            source,
        },
    }
}

fn arrow_type(holds: Holds) -> DataType {
    match holds {
        Holds::U8 => DataType::UInt8,
        Holds::U32 => DataType::UInt32,
        Holds::U64 => DataType::UInt64,
        Holds::Text => DataType::Utf8,
        Holds::Words => DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
    }
}

impl Column {
    fn new(holds: Holds) -> Self {
        match holds {
            Holds::U8 => Self::U8(UInt8Builder::new()),
            Holds::U32 => Self::U32(UInt32Builder::new()),
            Holds::U64 => Self::U64(UInt64Builder::new()),
            Holds::Text => Self::Text(StringBuilder::new()),
            Holds::Words => Self::Words {
                keys: Vec::new(),
                places: FxHashMap::default(),
                words: StringBuilder::new(),
            },
        }
    }

    fn push(&mut self, field: Field<'_>) {
        match (self, field) {
            (Self::U8(numbers), Field::Number(number)) => {
                numbers.append_value(number.try_into().expect("it fits the column"));
            }
            (Self::U32(numbers), Field::Number(number)) => {
                numbers.append_value(number.try_into().expect("it fits the column"));
            }
            (Self::U64(numbers), Field::Number(number)) => numbers.append_value(number),
            (Self::U32(numbers), Field::Null) => numbers.append_null(),
            (Self::U64(numbers), Field::Null) => numbers.append_null(),
            (Self::Text(texts), Field::Null) => texts.append_null(),
            (Self::Text(texts), Field::Text(text) | Field::Word(_, text)) => {
                texts.append_value(text);
            }
            (
                Self::Words {
                    keys,
                    places,
                    words,
                },
                Field::Word(number, text),
            ) => {
                let key = *places.entry(number).or_insert_with(|| {
                    words.append_value(text);
                    arrow_array::builder::ArrayBuilder::len(words) as i32 - 1
                });
                keys.push(key);
            }
            (_, field) => panic!("{field:?} does not go into this column"),
        }
    }

    fn take(&mut self) -> ArrayRef {
        match self {
            Self::U8(numbers) => Arc::new(numbers.finish()),
            Self::U32(numbers) => Arc::new(numbers.finish()),
            Self::U64(numbers) => Arc::new(numbers.finish()),
            Self::Text(texts) => Arc::new(texts.finish()),
            Self::Words {
                keys,
                places,
                words,
            } => {
                places.clear();
                let words: StringArray = words.finish();
                let keys = Int32Array::from(std::mem::take(keys));
                Arc::new(DictionaryArray::<Int32Type>::new(keys, Arc::new(words)))
            }
        }
    }
}

impl RowWriter for ParquetWriter {
    fn row(&mut self, fields: &[Field<'_>]) -> Result<()> {
        for (column, field) in self.columns.iter_mut().zip(&fields[self.skip..]) {
            column.push(*field);
        }
        self.rows += 1;
        if self.rows == BATCH_ROWS {
            self.flush()
        } else {
            Ok(())
        }
    }

    fn renumber(&mut self) -> Result<()> {
        self.flush()
    }

    fn finish(mut self: Box<Self>) -> Result<HashedFile> {
        self.flush()?;
        let Self { path, writer, .. } = *self;
        writer.into_inner().map_err(error_at(&path))
    }
}
