//! Answers against the reference figures and against brute force over all 3^n strips, a file for each subject.

#[path = "../support/mod.rs"]
mod support;

mod extremes;
mod figures;
mod missing;
mod strips;
mod values;

use toads_dataset::Table;

/// Squares of the censuses asked about.
const LAST: u8 = 7;

fn text(table: &Table, columns: usize) -> Vec<Vec<String>> {
    table
        .rows
        .iter()
        .map(|row| row[..columns].iter().map(ToString::to_string).collect())
        .collect()
}
