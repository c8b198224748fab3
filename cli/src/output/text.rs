//! Aligned columns for people: numbers to the right, words to the left, two blanks between, no borders.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{Cell, Layout};

/// Rows that are aligned together. A longer table goes out in parts, each at least as wide as the part before it.
const PART: usize = 5_000;

/// No cell is padded beyond this many characters: one long value must not push all other rows off the screen.
const WIDEST: usize = 64;

/// The layout; holds the rows of one part.
#[derive(Default)]
pub(super) struct Text {
    rows: Vec<Vec<String>>,
    widths: Vec<usize>,
    /// Columns of numbers, as far as they were seen.
    numeric: Vec<Option<bool>>,
    header_is_out: bool,
}

impl Text {
    fn part(&mut self, out: &mut dyn Write, columns: &[String]) -> io::Result<()> {
        self.widths.resize(columns.len(), 0);
        let header = (!self.header_is_out).then_some(columns);
        let lines: Vec<&[String]> = header
            .into_iter()
            .chain(self.rows.iter().map(Vec::as_slice))
            .collect();
        for line in &lines {
            for (width, cell) in self.widths.iter_mut().zip(*line) {
                *width = cell.chars().count().clamp(*width, WIDEST.max(*width));
            }
        }
        for line in lines {
            let mut text = String::new();
            for (at, (cell, &width)) in line.iter().zip(&self.widths).enumerate() {
                if self.numeric.get(at).copied().flatten() == Some(true) {
                    let _ = write!(text, "{cell:>width$}  ");
                } else {
                    let _ = write!(text, "{cell:<width$}  ");
                }
            }
            writeln!(out, "{}", text.trim_end())?;
        }
        self.header_is_out = true;
        self.rows.clear();
        Ok(())
    }
}

impl Layout for Text {
    fn begin(&mut self, _: &mut dyn Write, columns: &[String]) -> io::Result<()> {
        self.numeric = vec![None; columns.len()];
        Ok(())
    }

    fn row(&mut self, out: &mut dyn Write, columns: &[String], row: &[Cell]) -> io::Result<()> {
        if !self.header_is_out {
            for (numeric, cell) in self
                .numeric
                .iter_mut()
                .zip(row)
                .filter(|(_, cell)| **cell != Cell::Empty)
            {
                *numeric = Some(numeric.unwrap_or(true) && cell.is_number());
            }
        }
        self.rows
            .push(row.iter().map(ToString::to_string).collect());
        if self.rows.len() == PART {
            self.part(out, columns)
        } else {
            Ok(())
        }
    }

    fn flush(&mut self, out: &mut dyn Write, columns: &[String]) -> io::Result<()> {
        self.part(out, columns)
    }

    fn end(&mut self, out: &mut dyn Write, columns: &[String]) -> io::Result<()> {
        self.part(out, columns)
    }
}
