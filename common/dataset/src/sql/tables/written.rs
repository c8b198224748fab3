//! Rows that are few and written out when a table is read.

use crate::error::Result;
use crate::rows::Cell;
use crate::sql::virtual_table::{Out, Rows};

/// Rows in memory.
pub(super) struct Written {
    rows: std::vec::IntoIter<Vec<Cell>>,
    row: Vec<Cell>,
}

impl Written {
    pub(super) fn boxed(rows: Vec<Vec<Cell>>) -> Box<dyn Rows> {
        Box::new(Self {
            rows: rows.into_iter(),
            row: Vec::new(),
        })
    }
}

impl Rows for Written {
    fn advance(&mut self) -> Result<bool> {
        match self.rows.next() {
            Some(row) => {
                self.row = row;
                Ok(true)
            }
            None => Ok(false),
        }
    }

    fn cell(&self, column: usize, out: &mut Out<'_>) -> Result<()> {
        put(&self.row[column], out);
        Ok(())
    }
}

/// Hands out a cell.
pub(super) fn put(cell: &Cell, out: &mut Out<'_>) {
    match cell {
        Cell::Int(integer) => out.integer(*integer),
        Cell::Text(text) => out.text(text),
        Cell::Real(real) => out.real(real.get()),
        Cell::Empty => {}
    }
}
