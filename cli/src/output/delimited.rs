//! Tab- and comma-separated values.

use std::io::{self, Write};

use super::{Cell, Layout};

/// Tab-separated: a tab or a line break inside a cell becomes a blank, nothing is quoted.
pub(super) struct Tsv;

impl Tsv {
    fn line<'a>(
        out: &mut dyn Write,
        cells: impl Iterator<Item = &'a dyn ToString>,
    ) -> io::Result<()> {
        for (at, cell) in cells.enumerate() {
            if at > 0 {
                out.write_all(b"\t")?;
            }
            let text = cell.to_string();
            if text.contains(['\t', '\n', '\r']) {
                out.write_all(text.replace(['\t', '\n', '\r'], " ").as_bytes())?;
            } else {
                out.write_all(text.as_bytes())?;
            }
        }
        out.write_all(b"\n")
    }
}

impl Layout for Tsv {
    fn begin(&mut self, out: &mut dyn Write, columns: &[String]) -> io::Result<()> {
        Self::line(out, columns.iter().map(|column| column as &dyn ToString))
    }

    fn row(&mut self, out: &mut dyn Write, _: &[String], row: &[Cell]) -> io::Result<()> {
        Self::line(out, row.iter().map(|cell| cell as &dyn ToString))
    }

    fn end(&mut self, _: &mut dyn Write, _: &[String]) -> io::Result<()> {
        Ok(())
    }
}

/// Comma-separated, quoted where RFC 4180 asks for it; lines end in a line feed.
pub(super) struct Csv;

impl Csv {
    fn line(out: &mut dyn Write, cells: impl Iterator<Item = String>) -> io::Result<()> {
        let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
        writer
            .write_record(cells.map(String::into_bytes))
            .map_err(io::Error::other)?;
        let line = writer
            .into_inner()
            .map_err(|error| io::Error::other(error.to_string()))?;
        out.write_all(&line)
    }
}

impl Layout for Csv {
    fn begin(&mut self, out: &mut dyn Write, columns: &[String]) -> io::Result<()> {
        Self::line(out, columns.iter().cloned())
    }

    fn row(&mut self, out: &mut dyn Write, _: &[String], row: &[Cell]) -> io::Result<()> {
        Self::line(out, row.iter().map(ToString::to_string))
    }

    fn end(&mut self, _: &mut dyn Write, _: &[String]) -> io::Result<()> {
        Ok(())
    }
}
