//! The values that occur, most frequent first.

use rustc_hash::FxHashMap;
use toads_census::ValueForm;
use toads_game::ValueId;

use super::{Asked, Names};
use crate::error::Result;
use crate::read::{Catalogue, Facts, strip_at};
use crate::rows::{Cell, Column, RowSink};

/// Rows whose texts are built at a time.
const BATCH: usize = 1024;

/// The smallest index at the smallest n.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct First {
    n: u8,
    index: u64,
}

/// What the tallies say of one stored value before its negative is known: of the strips that have it, and of those
/// whose mirror images have it (which have the negative).
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    direct: u64,
    mirrored: u64,
    first_direct: Option<First>,
    first_mirrored: Option<First>,
}

fn earlier(a: Option<First>, b: Option<First>) -> Option<First> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// A row to be.
#[derive(Clone, Copy, Debug)]
struct Row {
    id: ValueId,
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
    let mut catalogue = Catalogue::default();
    let rows = most_frequent(asked, &seen(asked)?, &mut catalogue, limit)?;
    let mut names = Names::new(max_text);
    for rows in rows.chunks(BATCH) {
        names.load(&asked.reader, &catalogue, rows.iter().map(|row| row.id))?;
        let forms = forms(asked, &catalogue, rows)?;
        for row in rows {
            let facts = facts_of(&catalogue, row.id);
            let of_form = &forms[&if facts.stored {
                facts.id
            } else {
                catalogue.facts(facts.negative).id
            }]
                .invariants;
            let mean = if facts.stored {
                of_form.mean
            } else {
                -of_form.mean
            };
            let cells = [
                Cell::from(names.text(row.id)),
                Cell::from(row.count),
                Cell::from(row.first.n),
                Cell::from(strip_at(row.first.n, row.first.index).to_string()),
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
fn forms(
    asked: &Asked<'_>,
    catalogue: &Catalogue,
    rows: &[Row],
) -> Result<FxHashMap<ValueId, ValueForm>> {
    let stored = |row: &Row| {
        let facts = facts_of(catalogue, row.id);
        if facts.stored {
            facts.id
        } else {
            catalogue.facts(facts.negative).id
        }
    };
    let mut ids: Vec<ValueId> = rows.iter().map(stored).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut forms = FxHashMap::default();
    asked.reader.each_form(&ids, |form| {
        forms.insert(form.id, form);
        Ok(())
    })?;
    Ok(forms)
}

/// Adds up the tallies.
fn seen(asked: &Asked<'_>) -> Result<FxHashMap<ValueId, Seen>> {
    let mut seen = FxHashMap::<ValueId, Seen>::default();
    let only = asked.wanted.value;
    asked
        .reader
        .each_tally(&asked.selection.parts(), |part, result| {
            let n = part.shard.class.n;
            let wanted =
                |id: ValueId| only.is_none_or(|(value, negative)| id == value || id == negative);
            for entry in result.tally.iter().filter(|entry| wanted(entry.value)) {
                let seen = seen.entry(entry.value).or_default();
                if part.direct {
                    seen.direct += entry.count;
                    seen.first_direct = earlier(
                        seen.first_direct,
                        Some(First {
                            n,
                            index: entry.first,
                        }),
                    );
                }
                if part.mirrored {
                    seen.mirrored += entry.count;
                    seen.first_mirrored = earlier(
                        seen.first_mirrored,
                        Some(First {
                            n,
                            index: entry.first_mirrored,
                        }),
                    );
                }
            }
            Ok(())
        })?;
    Ok(seen)
}

/// The `limit` most frequent values that are wanted, in order.
///
/// A value's strips are those that have it and the mirror images of those that have its negative; which value is the
/// negative is known only from its form. So forms are read in the order of the larger of the two counts, m: once
/// `limit` rows have more than 2m strips, none of the values not looked at can come before them.
fn most_frequent(
    asked: &Asked<'_>,
    seen: &FxHashMap<ValueId, Seen>,
    catalogue: &mut Catalogue,
    limit: usize,
) -> Result<Vec<Row>> {
    let larger = |seen: &Seen| seen.direct.max(seen.mirrored);
    let mut order: Vec<(u64, ValueId)> =
        seen.iter().map(|(&id, seen)| (larger(seen), id)).collect();
    order.sort_unstable_by(|a, b| b.cmp(a));
    let mut rows: Vec<Row> = Vec::new();
    let mut done = rustc_hash::FxHashSet::default();
    let batch = limit.saturating_mul(4).clamp(256, 1 << 16);
    for part in order.chunks(batch) {
        if rows.len() >= limit && rows[limit - 1].count > 2 * part[0].0 {
            break;
        }
        catalogue.load(&asked.reader, part.iter().map(|&(_, id)| id))?;
        for &(_, id) in part {
            let negative = catalogue.facts(facts_of(catalogue, id).negative).id;
            for (id, opposite) in [(id, negative), (negative, id)] {
                let facts = facts_of(catalogue, id);
                if !done.insert(id) || !asked.wanted.admits(facts) {
                    continue;
                }
                let (here, there) = (
                    seen.get(&id).copied().unwrap_or_default(),
                    seen.get(&opposite).copied().unwrap_or_default(),
                );
                if let Some(first) = earlier(here.first_direct, there.first_mirrored) {
                    rows.push(Row {
                        id,
                        count: here.direct + there.mirrored,
                        first,
                    });
                }
            }
        }
        rows.sort_unstable_by_key(Row::rank);
        rows.truncate(limit);
    }
    Ok(rows)
}
