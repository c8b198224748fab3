//! The strips themselves, in index order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use toads_strip::Class;

use super::strips_of_value::Hits;
use super::{Asked, Names};
use crate::error::{DatasetError, Result};
use crate::read::{Catalogue, ClassValues, Part, Stratum, StripValue, strip_at};
use crate::rows::{Cell, Column, RowSink};

/// Strips of one n that are listed without asking for one value: their values are held at 4 bytes a strip.
const MAX_LISTED: u64 = 150_000_000;

/// Rows whose texts are built at a time.
const BATCH: usize = 4096;

/// `strip value`.
pub(super) fn strips(
    asked: &Asked<'_>,
    limit: Option<u64>,
    max_text: Option<usize>,
    sink: &mut dyn RowSink,
) -> Result<()> {
    if asked
        .begin(&[Column::text("strip"), Column::text("value")], sink)
        .is_break()
    {
        return Ok(());
    }
    let mut left = limit.unwrap_or(u64::MAX);
    let mut names = Names::new(max_text);
    for stratum in &asked.selection.strata {
        if left == 0 || stratum.parts.is_empty() {
            continue;
        }
        let more = match asked.wanted.value {
            Some((id, negative)) => {
                of_value(asked, stratum, (id, negative), left, &mut names, sink)?
            }
            None => all(asked, stratum, left, &mut names, sink)?,
        };
        match more {
            Some(rows) => left -= rows,
            None => return Ok(()),
        }
    }
    Ok(())
}

/// The strips with one value; how many, or `None` when the sink broke off.
fn of_value(
    asked: &Asked<'_>,
    stratum: &Stratum,
    (id, negative): (toads_game::ValueId, toads_game::ValueId),
    limit: u64,
    names: &mut Names,
    sink: &mut dyn RowSink,
) -> Result<Option<u64>> {
    let mut hits = Hits::new(limit);
    hits.find(&asked.reader, stratum, (id, negative))?;
    let found = hits.sorted();
    if found.is_empty() {
        return Ok(Some(0));
    }
    let mut catalogue = Catalogue::default();
    let stored = if asked.reader.store.missing_values(&[id])?.is_empty() {
        id
    } else {
        negative
    };
    catalogue.load(&asked.reader, [stored])?;
    let facts = catalogue.code(id).map(|code| catalogue.facts(code));
    if asked.wanted.asks_for_facts() && !facts.is_some_and(|facts| asked.wanted.admits(facts)) {
        return Ok(Some(0));
    }
    names.load(&asked.reader, &catalogue, [id])?;
    let text = Cell::from(names.text(id));
    let mut row = [Cell::Empty, text];
    for &index in &found {
        row[0] = Cell::Text(strip_at(stratum.n, index).to_string());
        if sink.row(&row).is_break() {
            return Ok(None);
        }
    }
    Ok(Some(found.len() as u64))
}

/// All strips whose values are wanted; how many, or `None` when the sink broke off.
fn all(
    asked: &Asked<'_>,
    stratum: &Stratum,
    limit: u64,
    names: &mut Names,
    sink: &mut dyn RowSink,
) -> Result<Option<u64>> {
    let strips: u64 = stratum.parts.iter().copied().map(Part::strips).sum();
    if strips > MAX_LISTED {
        return Err(DatasetError::Question(format!(
            "{strips} strips of {} squares are too many to list in order; ask for one --value, fewer --toads and \
             --frogs, or use `toads export`",
            stratum.n
        )));
    }
    let mut catalogue = Catalogue::default();
    let opened = |class: Class| ClassValues::open_with(&asked.reader, &mut catalogue, class);
    let classes = stratum
        .classes()
        .into_iter()
        .map(opened)
        .collect::<Result<Vec<_>>>()?;
    if asked.wanted.asks_for_facts() {
        let stored: Vec<_> = classes
            .iter()
            .flat_map(|class| class.values().iter().copied())
            .filter(|&id| catalogue.code(id).is_none())
            .collect();
        catalogue.load(&asked.reader, stored)?;
    }
    let mut streams: Vec<_> = classes.iter().map(ClassValues::iter).collect();
    let mut next = |at: usize| {
        streams[at]
            .next()
            .map(|StripValue { index, code }| Reverse((index, at, code)))
    };
    let mut heap: BinaryHeap<_> = (0..classes.len()).filter_map(&mut next).collect();
    let mut rows = 0;
    let mut batch = Vec::with_capacity(BATCH);
    while let Some(Reverse((index, at, code))) = heap.pop() {
        heap.extend(next(at));
        let id = classes[at].values()[code as usize];
        let wanted = !asked.wanted.asks_for_facts()
            || catalogue
                .code(id)
                .is_some_and(|code| asked.wanted.admits(catalogue.facts(code)));
        if wanted && rows < limit {
            batch.push((index, id));
            rows += 1;
        }
        let done = heap.is_empty() || rows == limit;
        if batch.len() == BATCH || done {
            names.load(&asked.reader, &catalogue, batch.iter().map(|&(_, id)| id))?;
            for (index, id) in batch.drain(..) {
                let row = [
                    Cell::Text(strip_at(stratum.n, index).to_string()),
                    Cell::from(names.text(id)),
                ];
                if sink.row(&row).is_break() {
                    return Ok(None);
                }
            }
        }
        if done {
            break;
        }
    }
    Ok(Some(rows))
}
