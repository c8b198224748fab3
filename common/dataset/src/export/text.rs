//! CSV and JSON lines.

use std::io::{self, Write as _};

use super::columns::{Field, RowWriter, Spec};
use super::files::{HashedFile, io_error};
use crate::error::{DatasetError, Result};

/// Comma separated values with a header; quotes where needed. What is not there is empty.
pub(super) struct CsvWriter {
    path: std::path::PathBuf,
    csv: csv::Writer<HashedFile>,
}

impl CsvWriter {
    pub(super) fn new(file: HashedFile, columns: &[Spec]) -> Result<Self> {
        let path = file.path().to_owned();
        let mut writer = Self {
            path,
            csv: csv::WriterBuilder::new().from_writer(file),
        };
        let header = columns.iter().map(|column| column.name);
        writer
            .csv
            .write_record(header)
            .map_err(|error| csv_error(&writer.path, error))?;
        Ok(writer)
    }
}

fn csv_error(path: &std::path::Path, error: csv::Error) -> DatasetError {
    let source = match error.into_kind() {
        csv::ErrorKind::Io(source) => source,
        other => io::Error::other(format!("{other:?}")),
    };
    DatasetError::Io {
        path: path.to_owned(),
        source,
    }
}

impl RowWriter for CsvWriter {
    fn row(&mut self, fields: &[Field<'_>]) -> Result<()> {
        for field in fields {
            let written = match *field {
                Field::Number(number) => self.csv.write_field(number.to_string()),
                Field::Text(text) | Field::Word(_, text) => self.csv.write_field(text),
                Field::Null => self.csv.write_field(""),
            };
            written.map_err(|error| csv_error(&self.path, error))?;
        }
        self.csv
            .write_record(None::<&[u8]>)
            .map_err(|error| csv_error(&self.path, error))
    }

    fn renumber(&mut self) -> Result<()> {
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<HashedFile> {
        let Self { path, csv } = *self;
        csv.into_inner().map_err(|error| {
            let cause = error.error();
            let source = io::Error::new(cause.kind(), cause.to_string());
            DatasetError::Io { path, source }
        })
    }
}

/// A JSON object a line, its members in the order of the columns. What is not there is null.
pub(super) struct JsonlWriter {
    file: HashedFile,
    /// `{"name":` or `,"name":` of each column.
    names: Vec<String>,
    line: Vec<u8>,
}

impl JsonlWriter {
    pub(super) fn new(file: HashedFile, columns: &[Spec]) -> Self {
        let name = |(at, column): (usize, &Spec)| {
            format!("{}\"{}\":", if at == 0 { '{' } else { ',' }, column.name)
        };
        Self {
            file,
            names: columns.iter().enumerate().map(name).collect(),
            line: Vec::new(),
        }
    }
}

impl RowWriter for JsonlWriter {
    fn row(&mut self, fields: &[Field<'_>]) -> Result<()> {
        self.line.clear();
        for (name, field) in self.names.iter().zip(fields) {
            self.line.extend_from_slice(name.as_bytes());
            match *field {
                Field::Number(number) => {
                    write!(self.line, "{number}").expect("memory takes every write");
                }
                Field::Text(text) | Field::Word(_, text) => {
                    serde_json::to_writer(&mut self.line, text).expect("memory takes every write");
                }
                Field::Null => self.line.extend_from_slice(b"null"),
            }
        }
        self.line.extend_from_slice(b"}\n");
        let written = self.file.write_all(&self.line);
        written.map_err(io_error(self.file.path()))
    }

    fn renumber(&mut self) -> Result<()> {
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<HashedFile> {
        Ok(self.file)
    }
}
