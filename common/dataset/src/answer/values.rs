//! The values that occur, most frequent first.

use rustc_hash::FxHashMap;
use toads_census::ValueForm;
use toads_game::ValueId;

use super::seen::{First, Seen, seen};
use super::{Asked, Names};
use crate::error::Result;
use crate::read::{Catalogue, Facts};
use crate::rows::{Cell, Column, RowSink};

/// Rows whose texts are built at a time.
const BATCH: usize = 1024;

/// A row to be.
#[derive(Clone, Copy, Debug)]
struct Row {
    id: ValueId,
    /// Of the form that is stored: the value's own, or its negative's.
    stored: ValueId,
    count: u64,
    first: First,
}

impl Row {
    /// Most frequent first, ties by first strip, smallest n first.
    fn rank(&self) -> (std::cmp::Reverse<u64>, First) {
        (std::cmp::Reverse(self.count), self.first)
    }
}

/// `value count first_n first_strip kind outcome mean temperature birthday value_id`.
pub(super) fn values(
    asked: &Asked<'_>,
    limit: Option<u64>,
    max_text: Option<usize>,
    sink: &mut dyn RowSink,
) -> Result<()> {
    let columns = [
        Column::text("value"),
        Column::number("count"),
        Column::number("first_n"),
        Column::text("first_strip"),
        Column::text("kind"),
        Column::text("outcome"),
        Column::text("mean"),
        Column::text("temperature"),
        Column::number("birthday"),
        Column::text("value_id"),
    ];
    if asked.begin(&columns, sink).is_break() {
        return Ok(());
    }
    let limit = limit.map_or(usize::MAX, |limit| limit as usize);
    let rows = most_frequent(asked, limit)?;
    let (mut catalogue, mut names) = (Catalogue::default(), Names::new(max_text));
    for rows in rows.chunks(BATCH) {
        catalogue.load(&asked.reader, rows.iter().map(|row| row.stored))?;
        names.load(&asked.reader, &catalogue, rows.iter().map(|row| row.id))?;
        let forms = forms(asked, rows)?;
        for row in rows {
            let facts = facts_of(&catalogue, row.id);
            let of_form = &forms[&row.stored].invariants;
            let mean = if row.id == row.stored {
                of_form.mean
            } else {
                -of_form.mean
            };
            let cells = [
                Cell::from(names.text(row.id)),
                Cell::from(row.count),
                Cell::from(row.first.n),
                Cell::from(row.first.strip().to_string()),
                Cell::from(facts.kind.name()),
                Cell::from(facts.outcome.to_string()),
                Cell::from(mean.to_string()),
                Cell::from(facts.temperature.to_string()),
                Cell::from(of_form.birthday),
                Cell::from(row.id.to_string()),
            ];
            if sink.row(&cells).is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn facts_of(catalogue: &Catalogue, id: ValueId) -> &Facts {
    catalogue.facts(
        catalogue
            .code(id)
            .expect("rows are made of values in the catalogue"),
    )
}

/// The stored forms behind some rows.
fn forms(asked: &Asked<'_>, rows: &[Row]) -> Result<FxHashMap<ValueId, ValueForm>> {
    let mut ids: Vec<ValueId> = rows.iter().map(|row| row.stored).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut forms = FxHashMap::default();
    asked.reader.each_form(&ids, |form| {
        forms.insert(form.id, form);
        Ok(())
    })?;
    Ok(forms)
}

/// The `limit` most frequent values that are wanted, in order.
fn most_frequent(asked: &Asked<'_>, limit: usize) -> Result<Vec<Row>> {
    let parts = asked.selection.parts();
    let mut known = asked.reader.known_for(&parts)?;
    let seen = seen(asked, &mut known, &parts)?;
    let facts = known.facts();
    let row = |(facts_of, seen): (&Facts, &Seen)| {
        let first = seen.first.filter(|_| asked.wanted.admits(facts_of))?;
        Some(Row {
            id: facts_of.id,
            stored: facts_of.stored_id(facts),
            count: seen.strips,
            first,
        })
    };
    let mut rows: Vec<Row> = facts.iter().zip(&seen).filter_map(row).collect();
    if limit < rows.len() {
        rows.select_nth_unstable_by_key(limit, Row::rank);
        rows.truncate(limit);
    }
    rows.sort_unstable_by_key(Row::rank);
    Ok(rows)
}
