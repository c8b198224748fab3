//! Tables on standard output: one way to fill them, six ways to show them.
//!
//! | format | for | shape |
//! |---|---|---|
//! | `text` | people | aligned columns, no borders |
//! | `tsv` | scripts | one header line, tabs |
//! | `json` | programs | an array of objects, one a line, written as it comes |
//! | `csv` | spreadsheets | one header line, quoted where needed |
//! | `markdown`, `latex` | documents | a pipe table, a tabular |

mod cell;
mod delimited;
mod json;
mod papers;
mod text;

use std::io::{self, BufWriter, Write};

pub(crate) use cell::Cell;
use delimited::{Csv, Tsv};
pub(crate) use json::Json;
use papers::{Latex, Markdown};
use text::Text;

use crate::failure::{Failure, Result};

/// How a table is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub(crate) enum Format {
    /// Aligned columns for people
    #[default]
    Text,
    /// Tab-separated values with one header line
    Tsv,
    /// An array of objects
    Json,
    /// Comma-separated values with one header line
    Csv,
    /// A pipe table
    Markdown,
    /// A tabular environment
    Latex,
}

impl Format {
    /// Whether people read it: then a table of a family is a grid.
    pub(crate) fn is_for_people(self) -> bool {
        matches!(self, Self::Text | Self::Markdown | Self::Latex)
    }
}

/// Writes rows in one format.
trait Layout {
    /// Called once, before the first row.
    fn begin(&mut self, out: &mut dyn Write, columns: &[String]) -> io::Result<()>;
    /// A row, as long as the header.
    fn row(&mut self, out: &mut dyn Write, columns: &[String], row: &[Cell]) -> io::Result<()>;
    /// Writes rows that are held back.
    fn flush(&mut self, _: &mut dyn Write, _: &[String]) -> io::Result<()> {
        Ok(())
    }
    /// Called once, after the last row.
    fn end(&mut self, out: &mut dyn Write, columns: &[String]) -> io::Result<()>;
}

/// A table on its way to standard output. Rows are written as they come, so a table may be longer than memory.
pub(crate) struct Table {
    out: BufWriter<Box<dyn Write>>,
    layout: Box<dyn Layout>,
    columns: Vec<String>,
    rows: u64,
}

impl Table {
    /// Opens a table with these columns and writes its header.
    pub(crate) fn open<S: ToString>(
        format: Format,
        columns: impl IntoIterator<Item = S>,
    ) -> Result<Self> {
        Self::open_on(
            Box::new(io::stdout()),
            format,
            columns
                .into_iter()
                .map(|column| column.to_string())
                .collect(),
        )
    }

    fn open_on(out: Box<dyn Write>, format: Format, columns: Vec<String>) -> Result<Self> {
        let repeated = (1..columns.len()).find(|&at| columns[..at].contains(&columns[at]));
        if let Some(at) = repeated.filter(|_| format == Format::Json) {
            return Err(Failure::Input(format!(
                "two columns are named `{}`, and a JSON object has each name once; give one of them another name with AS",
                columns[at].escape_debug()
            )));
        }
        let layout: Box<dyn Layout> = match format {
            Format::Text => Box::new(Text::default()),
            Format::Tsv => Box::new(Tsv),
            Format::Json => Box::new(Json::default()),
            Format::Csv => Box::new(Csv),
            Format::Markdown => Box::new(Markdown),
            Format::Latex => Box::new(Latex),
        };
        let mut table = Self {
            out: BufWriter::with_capacity(1 << 16, out),
            layout,
            columns,
            rows: 0,
        };
        table
            .layout
            .begin(&mut table.out, &table.columns)
            .map_err(|error| Failure::output(&error))?;
        Ok(table)
    }

    /// Writes a row.
    ///
    /// # Panics
    /// When the row is not as long as the header.
    pub(crate) fn row(&mut self, row: &[Cell]) -> Result<()> {
        assert_eq!(
            row.len(),
            self.columns.len(),
            "a row has a cell for every column"
        );
        self.rows += 1;
        self.layout
            .row(&mut self.out, &self.columns, row)
            .map_err(|error| Failure::output(&error))
    }

    /// Lets whoever reads see what was written so far.
    pub(crate) fn flush(&mut self) -> Result<()> {
        let done = self
            .layout
            .flush(&mut self.out, &self.columns)
            .and_then(|()| self.out.flush());
        done.map_err(|error| Failure::output(&error))
    }

    /// Writes what is left, and says how many rows there were.
    pub(crate) fn close(mut self) -> Result<u64> {
        let done = self
            .layout
            .end(&mut self.out, &self.columns)
            .and_then(|()| self.out.flush());
        done.map_err(|error| Failure::output(&error))?;
        Ok(self.rows)
    }
}

/// Writes text to standard output.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::output(&error))
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn shown(format: Format, rows: &[[Cell; 3]]) -> String {
        let shared = Shared::default();
        let columns = ["name", "count", "mean"].map(str::to_owned).to_vec();
        let mut table = Table::open_on(Box::new(shared.clone()), format, columns).unwrap();
        for row in rows {
            table.row(row).unwrap();
        }
        table.close().unwrap();
        let bytes = shared.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    fn rows() -> [[Cell; 3]; 2] {
        [
            [
                Cell::from("{1|0},\t\"x\""),
                Cell::from(12u64),
                Cell::exact("3/4"),
            ],
            [Cell::Empty, Cell::from(7u64), Cell::exact("-1")],
        ]
    }

    #[test]
    fn every_format_shows_the_same_table() {
        assert_eq!(
            shown(Format::Tsv, &rows()),
            "name\tcount\tmean\n{1|0}, \"x\"\t12\t3/4\n\t7\t-1\n"
        );
        assert_eq!(
            shown(Format::Csv, &rows()),
            "name,count,mean\n\"{1|0},\t\"\"x\"\"\",12,3/4\n,7,-1\n"
        );
        assert_eq!(
            shown(Format::Json, &rows()),
            "[\n{\"name\":\"{1|0},\\t\\\"x\\\"\",\"count\":12,\"mean\":\"3/4\"},\n\
             {\"name\":null,\"count\":7,\"mean\":\"-1\"}\n]\n"
        );
        let text = shown(Format::Text, &rows());
        assert!(text.starts_with("name"), "{text}");
        assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
        assert_eq!(text.lines().count(), 3);
    }

    #[test]
    fn an_empty_table_is_still_well_formed() {
        assert_eq!(shown(Format::Json, &[]), "[]\n");
        assert_eq!(shown(Format::Tsv, &[]), "name\tcount\tmean\n");
        assert_eq!(shown(Format::Text, &[]), "name  count  mean\n");
    }

    #[test]
    fn long_text_tables_have_one_header() {
        let rows: Vec<_> = (0..25_000u64)
            .map(|k| [Cell::from("x"), Cell::from(k), Cell::Empty])
            .collect();
        let text = shown(Format::Text, &rows);
        assert_eq!(text.lines().count(), 25_001);
        assert_eq!(text.matches("name").count(), 1);
    }
}
