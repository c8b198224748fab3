//! The columns as sequences: growth rates and b-files.

use std::fs;
use std::path::Path;

use num_bigint::BigUint;
use toads_count::{Rows, bfile, growth};

use super::cells;
use super::squares::Squares;
use crate::failure::{Failure, Result};
use crate::output::{Cell, Format, Table};

/// Of strips by odd contested gaps the first so many are treated as sequences of their own.
const GAPS: usize = 6;

/// The columns, each from the first number of squares on, and the rows of the triangle of odd contested gaps.
struct Sequences {
    first: u32,
    columns: Vec<(String, Vec<BigUint>)>,
    triangle: Vec<BigUint>,
}

impl Sequences {
    fn of(squares: Squares, rows: Rows) -> Self {
        let mut columns: Vec<(String, Vec<BigUint>)> = vec![];
        let mut triangle = vec![];
        for (before, row) in rows.enumerate() {
            triangle.extend(row.odd_gaps.iter().flatten().cloned());
            for (name, count) in cells(&row) {
                let of_gaps = name.strip_prefix("odd").or(name.strip_prefix("number"));
                if of_gaps
                    .and_then(|j| j.parse().ok())
                    .is_some_and(|j: usize| j >= GAPS)
                {
                    continue;
                }
                let at = columns.iter().position(|(known, _)| *known == name);
                let at = at.unwrap_or_else(|| {
                    // No strip of fewer squares has so many gaps.
                    columns.push((name, vec![BigUint::ZERO; before]));
                    columns.len() - 1
                });
                columns[at].1.push(count.clone());
            }
        }
        Self {
            first: squares.first,
            columns,
            triangle,
        }
    }
}

/// Prints the growth of every column.
pub(super) fn print_growth(squares: Squares, rows: Rows, format: Format) -> Result<()> {
    if squares.last - squares.first < 3 {
        return Err(Failure::input(
            "a growth rate needs four numbers of squares at least; write --squares 1..100, for example",
        ));
    }
    let sequences = Sequences::of(squares, rows);
    let mut table = Table::open(format, ["sequence", "n", "ratio", "root"])?;
    for (name, terms) in &sequences.columns {
        let found = growth(sequences.first, terms);
        let shown = |estimate: Option<toads_count::Estimate>| {
            estimate
                .filter(|estimate| estimate.decimals().is_some())
                .map_or(Cell::Empty, Cell::exact)
        };
        let (ratio, root) =
            found.map_or((None, None), |found| (Some(found.ratio), Some(found.root)));
        table.row(&[
            Cell::text(name),
            Cell::from(squares.last),
            shown(ratio),
            shown(root),
        ])?;
    }
    table.close().map(drop)
}

/// Writes a b-file for every column, and says which.
pub(super) fn write_bfiles(
    squares: Squares,
    rows: Rows,
    folder: &Path,
    format: Format,
) -> Result<()> {
    let sequences = Sequences::of(squares, rows);
    fs::create_dir_all(folder).map_err(|error| Failure::path("make the folder", folder, &error))?;
    let mut table = Table::open(format, ["sequence", "file", "terms"])?;
    let mut write = |name: &str, first: u32, terms: &[BigUint]| -> Result<()> {
        let path = folder.join(format!("b-hopless-{name}.txt"));
        fs::write(&path, bfile(first, terms))
            .map_err(|error| Failure::path("write", &path, &error))?;
        table.row(&[
            Cell::text(name),
            Cell::text(path.display()),
            Cell::from(terms.len()),
        ])
    };
    for (name, terms) in &sequences.columns {
        write(name, sequences.first, terms)?;
    }
    if !sequences.triangle.is_empty() {
        // Read by rows the entries of s(n, j) are numbered on; rows below n have ⌊i/3⌋ + 1 entries each.
        let before: u32 = (0..sequences.first).map(|n| n / 3 + 1).sum();
        write("odd-gaps-triangle", before, &sequences.triangle)?;
    }
    table.close().map(drop)
}
