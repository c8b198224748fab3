//! An array of objects, one a line, written as it comes.

use std::io::{self, Write};

use super::{Cell, Layout};

/// The layout; remembers whether a comma is due.
#[derive(Default)]
pub(crate) struct Json {
    begun: bool,
}

impl Json {
    /// A cell as JSON.
    fn cell(out: &mut dyn Write, cell: &Cell) -> io::Result<()> {
        match cell {
            Cell::Text(text) | Cell::Exact(text) => Ok(serde_json::to_writer(out, text)?),
            Cell::Integer(number) => write!(out, "{number}"),
            Cell::Nested(value) => Ok(serde_json::to_writer(out, value)?),
            Cell::Measure(number) if number.is_finite() => {
                write!(out, "{}", Cell::Measure(*number))
            }
            Cell::Real(number) if number.is_finite() => write!(out, "{number:?}"),
            Cell::Empty | Cell::Measure(_) | Cell::Real(_) => out.write_all(b"null"),
        }
    }
}

impl Layout for Json {
    fn begin(&mut self, out: &mut dyn Write, _: &[String]) -> io::Result<()> {
        out.write_all(b"[")
    }

    fn row(&mut self, out: &mut dyn Write, columns: &[String], row: &[Cell]) -> io::Result<()> {
        out.write_all(if self.begun { b",\n{" } else { b"\n{" })?;
        self.begun = true;
        for (at, (column, cell)) in columns.iter().zip(row).enumerate() {
            if at > 0 {
                out.write_all(b",")?;
            }
            serde_json::to_writer(&mut *out, column)?;
            out.write_all(b":")?;
            Self::cell(out, cell)?;
        }
        out.write_all(b"}")
    }

    fn end(&mut self, out: &mut dyn Write, _: &[String]) -> io::Result<()> {
        out.write_all(if self.begun { b"\n]\n" } else { b"]\n" })
    }
}
