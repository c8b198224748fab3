//! One row for each n, or for each n and kind or temperature.

use std::collections::BTreeMap;

use toads_game::{Kind, Outcome};

use super::Asked;
use super::counts::Counts;
use super::wanted::Wanted;
use crate::error::Result;
use crate::read::{Facts, Stratum, star_id, zero_id};
use crate::rows::{Cell, Column, RowSink};

/// What is counted of a set of strips.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Figures {
    pub(super) strips: u64,
    pub(super) distinct: u64,
    pub(super) numbers: u64,
    integers: u64,
    zeros: u64,
    stars: u64,
    /// P, L, R, N.
    outcomes: [u64; 4],
}

impl Figures {
    /// The figures of strips by code, each code once, as far as their values are wanted.
    pub(super) fn of(
        wanted: &Wanted,
        known: &[Facts],
        counts: impl Iterator<Item = (u32, u64)>,
    ) -> Self {
        let (zero, star) = (zero_id(), star_id());
        let mut figures = Self::default();
        for (code, strips) in counts {
            let facts = &known[code as usize];
            if !wanted.admits(facts) {
                continue;
            }
            figures.strips += strips;
            figures.distinct += 1;
            figures.numbers += if matches!(facts.kind, Kind::Integer | Kind::Dyadic) {
                strips
            } else {
                0
            };
            figures.integers += if facts.kind == Kind::Integer {
                strips
            } else {
                0
            };
            figures.zeros += if facts.id == zero { strips } else { 0 };
            figures.stars += if facts.id == star { strips } else { 0 };
            figures.outcomes[place(facts.outcome)] += strips;
        }
        figures
    }

    pub(super) fn outcome_cells(&self) -> [Cell; 4] {
        self.outcomes.map(Cell::from)
    }
}

fn place(outcome: Outcome) -> usize {
    match outcome {
        Outcome::P => 0,
        Outcome::L => 1,
        Outcome::R => 2,
        Outcome::N => 3,
    }
}

/// `n strips distinct numbers integers zeros stars P L R N`.
pub(super) fn summary(asked: &Asked<'_>, sink: &mut dyn RowSink) -> Result<()> {
    let columns = [
        "n", "strips", "distinct", "numbers", "integers", "zeros", "stars", "P", "L", "R", "N",
    ]
    .map(Column::number);
    by_n(asked, &columns, sink, |known, counts, n| {
        let figures = Figures::of(&asked.wanted, known, counts.iter());
        let Figures {
            strips,
            distinct,
            numbers,
            integers,
            zeros,
            stars,
            ..
        } = figures;
        let mut row = vec![Cell::from(n)];
        row.extend([strips, distinct, numbers, integers, zeros, stars].map(Cell::from));
        row.extend(figures.outcome_cells());
        vec![row]
    })
}

/// `n P L R N`.
pub(super) fn outcomes(asked: &Asked<'_>, sink: &mut dyn RowSink) -> Result<()> {
    by_n(
        asked,
        &["n", "P", "L", "R", "N"].map(Column::number),
        sink,
        |known, counts, n| {
            let mut row = vec![Cell::from(n)];
            row.extend(Figures::of(&asked.wanted, known, counts.iter()).outcome_cells());
            vec![row]
        },
    )
}

/// `n kind strips distinct`.
pub(super) fn kinds(asked: &Asked<'_>, sink: &mut dyn RowSink) -> Result<()> {
    grouped(asked, Column::text("kind"), sink, |facts| Some(facts.kind))
}

/// `n temperature strips distinct`.
pub(super) fn temperatures(asked: &Asked<'_>, sink: &mut dyn RowSink) -> Result<()> {
    grouped(asked, Column::text("temperature"), sink, |facts| {
        Some(facts.temperature)
    })
}

/// `n denominator strips distinct`, of numbers.
pub(super) fn denominators(asked: &Asked<'_>, sink: &mut dyn RowSink) -> Result<()> {
    grouped(
        asked,
        Column::number("denominator"),
        sink,
        Facts::denominator,
    )
}

fn grouped<K: Ord + Into<Cell>>(
    asked: &Asked<'_>,
    named: Column,
    sink: &mut dyn RowSink,
    key: impl Fn(&Facts) -> Option<K>,
) -> Result<()> {
    let columns = [
        Column::number("n"),
        named,
        Column::number("strips"),
        Column::number("distinct"),
    ];
    by_n(asked, &columns, sink, |known, counts, n| {
        let mut groups = BTreeMap::<K, (u64, u64)>::new();
        for (code, strips) in counts.iter() {
            let facts = &known[code as usize];
            let key = key(facts).filter(|_| asked.wanted.admits(facts));
            if let Some(key) = key {
                let group = groups.entry(key).or_default();
                group.0 += strips;
                group.1 += 1;
            }
        }
        let row = |(key, (strips, distinct)): (K, _)| {
            vec![
                Cell::from(n),
                key.into(),
                Cell::from(strips),
                Cell::from(distinct),
            ]
        };
        groups.into_iter().map(row).collect()
    })
}

/// The rows of each n of which something is committed. Where something is missing every row says of how many classes
/// it speaks: `classes_done classes_total`.
fn by_n(
    asked: &Asked<'_>,
    columns: &[Column],
    sink: &mut dyn RowSink,
    rows: impl Fn(&[Facts], &Counts, u8) -> Vec<Vec<Cell>>,
) -> Result<()> {
    let is_partial = asked.selection.is_partial();
    let mut columns = columns.to_vec();
    if is_partial {
        columns.extend([
            Column::number("classes_done"),
            Column::number("classes_total"),
        ]);
    }
    if asked.begin(&columns, sink).is_break() {
        return Ok(());
    }
    let mut known = asked.reader.known_for(&asked.selection.parts())?;
    let begun = |stratum: &&Stratum| !stratum.parts.is_empty();
    for stratum in asked.selection.strata.iter().filter(begun) {
        let counts = Counts::of(asked, &mut known, &stratum.parts)?;
        for mut row in rows(known.facts(), &counts, stratum.n) {
            if is_partial {
                row.extend([stratum.parts.len(), stratum.total()].map(Cell::from));
            }
            if sink.row(&row).is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}
