//! Aligned columns for people: numbers to the right, words to the left, two blanks between, no borders.

use std::io::{self, Write};

use comfy_table::{CellAlignment, ContentArrangement};

use super::{Cell, Layout};

/// Rows that are aligned together. A longer table goes out in parts, each at least as wide as the part before it.
const PART: usize = 5_000;

/// The layout; holds the rows of one part.
#[derive(Default)]
pub(super) struct Text {
    rows: Vec<Vec<Cell>>,
    widths: Vec<u16>,
    header_is_out: bool,
}

impl Text {
    fn flush(&mut self, out: &mut dyn Write, columns: &[String]) -> io::Result<()> {
        if self.rows.is_empty() && self.header_is_out {
            return Ok(());
        }
        let mut table = comfy_table::Table::new();
        table.load_preset(comfy_table::presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        let is_number: Vec<bool> = (0..columns.len())
            .map(|at| {
                let mut cells = self.rows.iter().map(|row| &row[at]).filter(|cell| **cell != Cell::Empty).peekable();
                cells.peek().is_some() && cells.all(Cell::is_number)
            })
            .collect();
        let aligned = |text: String, at: usize| {
            let side = if is_number[at] { CellAlignment::Right } else { CellAlignment::Left };
            comfy_table::Cell::new(text).set_alignment(side)
        };
        if !self.header_is_out {
            table.set_header(columns.iter().enumerate().map(|(at, column)| aligned(column.clone(), at)));
        }
        for row in &self.rows {
            table.add_row(row.iter().enumerate().map(|(at, cell)| aligned(cell.to_string(), at)));
        }
        for at in 0..columns.len() {
            if let Some(column) = table.column_mut(at) {
                column.set_padding((0, 2));
                if let Some(&width) = self.widths.get(at) {
                    let least = comfy_table::Width::Fixed(width + 2);
                    column.set_constraint(comfy_table::ColumnConstraint::LowerBoundary(least));
                }
            }
        }
        let widths = table.column_max_content_widths();
        self.widths = widths.iter().enumerate().map(|(at, &w)| w.max(self.widths.get(at).copied().unwrap_or(0))).collect();
        for line in table.lines() {
            writeln!(out, "{}", line.trim_end())?;
        }
        self.header_is_out = true;
        self.rows.clear();
        Ok(())
    }
}

impl Layout for Text {
    fn begin(&mut self, _: &mut dyn Write, _: &[String]) -> io::Result<()> {
        Ok(())
    }

    fn row(&mut self, out: &mut dyn Write, columns: &[String], row: &[Cell]) -> io::Result<()> {
        self.rows.push(row.to_vec());
        if self.rows.len() == PART { self.flush(out, columns) } else { Ok(()) }
    }

    fn end(&mut self, out: &mut dyn Write, columns: &[String]) -> io::Result<()> {
        self.flush(out, columns)
    }
}
