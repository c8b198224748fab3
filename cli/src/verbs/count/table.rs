//! One row for each number of squares.

use std::collections::HashMap;

use toads_count::{Column, Columns, Rows};

use super::cells;
use super::squares::Squares;
use crate::failure::Result;
use crate::output::{Cell, Format, Table};

/// The columns that are always there.
const FIXED: [&str; 9] = [
    "n", "strips", "numbers", "zeros", "P", "L", "R", "N", "distinct",
];

/// Prints the counts.
pub(super) fn print(squares: Squares, columns: Columns, rows: Rows, format: Format) -> Result<()> {
    let names = names(squares, columns);
    let mut table = Table::open(format, &names)?;
    for row in rows {
        let by_name: HashMap<_, _> = cells(&row).into_iter().collect();
        let mut line = vec![Cell::from(row.n), Cell::exact(&row.strips)];
        line.extend(
            names[2..]
                .iter()
                .map(|name| by_name.get(name).map_or(Cell::Empty, Cell::exact)),
        );
        table.row(&line)?;
    }
    table.close().map(drop)
}

fn names(squares: Squares, columns: Columns) -> Vec<String> {
    let mut names: Vec<String> = FIXED.map(str::to_owned).into();
    // Where they were not asked for, the first three stand for all of them.
    let gaps = squares.last / 3;
    let gaps = if columns.contains(Column::OddGaps) {
        gaps.max(2)
    } else {
        2
    };
    names.extend((0..=gaps).map(|j| format!("odd{j}")));
    if columns.contains(Column::NumbersByOddGaps) {
        names.extend((0..=squares.last / 6).map(|pairs| format!("number{}", 2 * pairs)));
    }
    names
}
