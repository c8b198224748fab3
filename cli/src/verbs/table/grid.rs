//! Cells as a grid: the first parameter downwards, the second to the right.

use toads_strip::family::Cells;

use super::answer::Answer;
use crate::evaluate::clip;
use crate::failure::Result;
use crate::output::{Cell, Format, Table};

/// Shows the findings of one or two ranges, in the order of the cells.
pub(super) fn show(
    cells: &Cells,
    answers: &[Answer],
    format: Format,
    max_text: usize,
) -> Result<()> {
    let ranges = cells.ranges();
    let (down, rows) = &ranges[0];
    let (corner, headings): (String, Vec<String>) = match ranges.get(1) {
        Some((right, columns)) => (
            format!("{down}\\{right}"),
            columns.clone().map(|value| value.to_string()).collect(),
        ),
        None => (down.to_string(), vec!["value".to_owned()]),
    };
    let width = headings.len();
    let mut table = Table::open(format, std::iter::once(corner).chain(headings))?;
    for (row, cells) in rows.clone().zip(answers.chunks(width)) {
        let shown = cells
            .iter()
            .map(|cell| Cell::text(clip(cell.short(), max_text)));
        let row: Vec<_> = std::iter::once(Cell::Integer(row.into()))
            .chain(shown)
            .collect();
        table.row(&row)?;
    }
    table.close()?;
    if let Some(why) = answers.iter().find_map(Answer::trouble) {
        crate::console::line(&format!("note: a cell has no answer: {why}"));
    }
    Ok(())
}
