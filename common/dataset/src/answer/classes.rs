//! One row for each class.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use toads_strip::Class;

use super::Asked;
use super::summary::Figures;
use super::wanted::Wanted;
use crate::error::Result;
use crate::read::{Counted, Facts, Part, Reader, Selection};
use crate::rows::{Cell, Column, RowSink};

/// `n toads frogs strips distinct numbers P L R N state`, in (n, toads, frogs) order. `state` is `committed`, else
/// `pending` or `quarantined`, with the strips of the class and no other figures.
pub(super) fn classes(asked: &Asked<'_>, sink: &mut dyn RowSink) -> Result<()> {
    let mut columns = FIGURES.map(Column::number).to_vec();
    columns.push(Column::text("state"));
    if asked.begin(&columns, sink).is_break() {
        return Ok(());
    }
    let mut each = |row: &[Cell]| sink.row(row);
    class_rows(&asked.reader, &asked.selection, &asked.wanted, &mut each)
}

const FIGURES: [&str; 10] = [
    "n", "toads", "frogs", "strips", "distinct", "numbers", "P", "L", "R", "N",
];

/// The rows alone, until told to stop.
pub(crate) fn class_rows(
    reader: &Reader<'_>,
    selection: &Selection,
    wanted: &Wanted,
    each_row: &mut dyn FnMut(&[Cell]) -> ControlFlow<()>,
) -> Result<()> {
    let quarantined: Vec<_> = reader
        .store
        .quarantine()?
        .into_iter()
        .map(|record| record.shard)
        .collect();
    let mut known = reader.known_for(&selection.parts())?;
    for stratum in &selection.strata {
        let mut rows = BTreeMap::<Class, Vec<Cell>>::new();
        for part in &stratum.missing {
            let state = if quarantined.contains(&part.shard) {
                "quarantined"
            } else {
                "pending"
            };
            for part in oriented(*part) {
                let mut row = begin(class_of(part));
                row.push(Cell::from(part.shard.class.size()));
                row.resize(FIGURES.len(), Cell::Empty);
                row.push(state.into());
                rows.insert(class_of(part), row);
            }
        }
        let each = |facts: &[Facts], part: Part, counted: &[Counted]| {
            for part in oriented(part) {
                let code = |code: u32| {
                    if part.direct {
                        code
                    } else {
                        facts[code as usize].negative
                    }
                };
                let counts = counted.iter().map(|c| (code(c.code), c.strips));
                let figures = Figures::of(wanted, facts, counts);
                let mut row = begin(class_of(part));
                row.extend([figures.strips, figures.distinct, figures.numbers].map(Cell::from));
                row.extend(figures.outcome_cells());
                row.push("committed".into());
                rows.insert(class_of(part), row);
            }
        };
        reader.each_counted(&mut known, &stratum.parts, each)?;
        for row in rows.values() {
            if each_row(row).is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn begin(class: Class) -> Vec<Cell> {
    [class.n, class.toads, class.frogs].map(Cell::from).to_vec()
}

/// The classes a shard answers for, as far as they are asked about.
fn oriented(part: Part) -> impl Iterator<Item = Part> {
    let parts = [
        Part {
            mirrored: false,
            ..part
        },
        Part {
            direct: false,
            ..part
        },
    ];
    parts
        .into_iter()
        .filter(|part| part.direct || part.mirrored)
}

fn class_of(part: Part) -> Class {
    if part.direct {
        part.shard.class
    } else {
        part.shard.class.mirror()
    }
}
