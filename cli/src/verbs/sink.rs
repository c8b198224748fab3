//! Answers of the dataset on their way to standard output.

use std::ops::ControlFlow;

use toads_dataset::{Cancelled, Cell as DataCell, Column, RowSink};

use crate::console;
use crate::failure::{Failure, Result};
use crate::output::{Cell, Format, Table};

/// Prints an answer as it comes. Notes go to standard error.
pub(crate) struct Printed {
    format: Format,
    limit: Option<u64>,
    rows: u64,
    table: Option<Table>,
    failure: Option<Failure>,
    quiet: bool,
    cancelled: Cancelled,
}

impl Printed {
    /// Prints everything; after `limit` rows it says that there are more.
    pub(crate) fn new(format: Format, limit: Option<u64>, quiet: bool) -> Self {
        Self {
            format,
            limit,
            rows: 0,
            table: None,
            failure: None,
            quiet,
            cancelled: Cancelled::default(),
        }
    }

    /// The same, until the answer is not wanted any more.
    pub(crate) fn until(self, cancelled: Cancelled) -> Self {
        Self { cancelled, ..self }
    }

    /// Ends the table. What went wrong on the way out comes first, then what went wrong with the answer.
    pub(crate) fn finish(self, answered: Result<()>) -> Result<()> {
        let closed = self.table.map_or(Ok(0), Table::close).map(drop);
        self.failure.map_or(Ok(()), Err).and(answered).and(closed)
    }

    fn kept(&mut self, done: Result<()>) -> ControlFlow<()> {
        match done {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                self.failure = Some(failure);
                ControlFlow::Break(())
            }
        }
    }
}

impl RowSink for Printed {
    fn cancelled(&self) -> Cancelled {
        self.cancelled.clone()
    }

    fn columns(&mut self, columns: &[Column]) -> ControlFlow<()> {
        let opened = Table::open(self.format, columns.iter().map(|column| &column.name));
        let done = opened.map(|table| self.table = Some(table));
        self.kept(done)
    }

    fn row(&mut self, cells: &[DataCell]) -> ControlFlow<()> {
        if self.limit == Some(self.rows) {
            self.note(&format!(
                "there is more; the first {} rows are shown, --limit N shows N",
                self.rows
            ));
            return ControlFlow::Break(());
        }
        self.rows += 1;
        let row: Vec<_> = cells.iter().map(cell).collect();
        let done = self.table.as_mut().map_or(Ok(()), |table| table.row(&row));
        self.kept(done)
    }

    fn note(&mut self, text: &str) {
        if !self.quiet {
            console::line(&format!("note: {text}"));
        }
    }
}

fn cell(cell: &DataCell) -> Cell {
    match cell {
        DataCell::Int(number) => Cell::Integer(*number),
        DataCell::Text(text) => Cell::Text(text.clone()),
        DataCell::Real(real) => Cell::Real(real.get()),
        DataCell::Empty => Cell::Empty,
    }
}
