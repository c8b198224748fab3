//! One row for each class.

use std::collections::BTreeMap;

use toads_strip::Class;

use super::Asked;
use super::summary::Figures;
use crate::error::Result;
use crate::read::{Counted, Facts, Part};
use crate::rows::{Cell, Column, RowSink};

/// `n toads frogs strips distinct numbers P L R N state`, in (n, toads, frogs) order. `state` is `committed`, else
/// `pending` or `quarantined`, with the strips of the class and no other figures.
pub(super) fn classes(asked: &Asked<'_>, sink: &mut dyn RowSink) -> Result<()> {
    let names = [
        "n", "toads", "frogs", "strips", "distinct", "numbers", "P", "L", "R", "N",
    ];
    let mut columns = names.map(Column::number).to_vec();
    columns.push(Column::text("state"));
    if asked.begin(&columns, sink).is_break() {
        return Ok(());
    }
    let quarantined: Vec<_> = asked
        .reader
        .store
        .quarantine()?
        .into_iter()
        .map(|record| record.shard)
        .collect();
    let mut known = asked.reader.known_for(&asked.selection.parts())?;
    for stratum in &asked.selection.strata {
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
                row.resize(names.len(), Cell::Empty);
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
                let figures = Figures::of(asked, facts, counts);
                let mut row = begin(class_of(part));
                row.extend([figures.strips, figures.distinct, figures.numbers].map(Cell::from));
                row.extend(figures.outcome_cells());
                row.push("committed".into());
                rows.insert(class_of(part), row);
            }
        };
        asked
            .reader
            .each_counted(&mut known, &stratum.parts, each)?;
        for row in rows.values() {
            if sink.row(row).is_break() {
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
