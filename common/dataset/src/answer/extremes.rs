//! For each n the hottest value, the oldest, the largest and so on, and the first strip that has it.

use toads_game::Dyadic;

use super::seen::{First, Seen, seen};
use super::{Asked, Names};
use crate::error::Result;
use crate::read::{Catalogue, Facts, Measures, Stratum};
use crate::rows::{Cell, Column, RowSink};

/// A property of which the largest amount is looked for.
struct Property {
    name: &'static str,
    /// What is compared; `None` where a value does not have it.
    amount: fn(&Facts, &Measures) -> Option<Dyadic>,
    /// Whether it is the smallest amount that is looked for.
    least: bool,
}

const fn most(name: &'static str, amount: fn(&Facts, &Measures) -> Option<Dyadic>) -> Property {
    Property {
        name,
        amount,
        least: false,
    }
}

const fn least(name: &'static str, amount: fn(&Facts, &Measures) -> Option<Dyadic>) -> Property {
    Property {
        name,
        amount,
        least: true,
    }
}

const PROPERTIES: [Property; 8] = [
    most("hottest", |facts, _| Some(facts.temperature)),
    least("coldest", |facts, _| {
        Some(facts.temperature).filter(|&temperature| temperature > Dyadic::ZERO)
    }),
    most("largest", |_, measures| Some(measures.mean)),
    least("smallest", |_, measures| Some(measures.mean)),
    most("widest", |_, measures| {
        measures.left_stop.checked_sub(measures.right_stop).ok()
    }),
    most("finest", |facts, _| integer(facts.denominator()?)),
    most("oldest", |_, measures| integer(measures.birthday.into())),
    most("most_options", |_, measures| {
        integer(measures.options.into())
    }),
];

fn integer(count: u64) -> Option<Dyadic> {
    Dyadic::integer(count as i64).ok()
}

/// Where an extreme is reached.
#[derive(Clone, Copy)]
struct Reached {
    amount: Dyadic,
    strips: u64,
    distinct: u64,
    first: First,
    code: usize,
}

/// `n property amount strips distinct value first_strip`.
pub(super) fn extremes(
    asked: &Asked<'_>,
    max_text: Option<usize>,
    sink: &mut dyn RowSink,
) -> Result<()> {
    let columns = [
        Column::number("n"),
        Column::text("property"),
        Column::text("amount"),
        Column::number("strips"),
        Column::number("distinct"),
        Column::text("value"),
        Column::text("first_strip"),
    ];
    if asked.begin(&columns, sink).is_break() {
        return Ok(());
    }
    let mut known = asked.reader.known_for(&asked.selection.parts())?;
    let mut measures = Vec::new();
    let mut names = Names::new(max_text);
    let begun = |stratum: &&Stratum| !stratum.parts.is_empty();
    for stratum in asked.selection.strata.iter().filter(begun) {
        let seen = seen(asked, &mut known, &stratum.parts)?;
        let facts = known.facts();
        if measures.len() != facts.len() {
            measures = asked.reader.measures(&known)?;
        }
        let is_wanted =
            |&code: &usize| seen[code].first.is_some() && asked.wanted.admits(&facts[code]);
        let wanted: Vec<usize> = (0..seen.len()).filter(is_wanted).collect();
        let reached = |property: &'static Property| {
            let reached = reached(property, &wanted, facts, &measures, &seen)?;
            Some((property, reached))
        };
        let found: Vec<_> = PROPERTIES.iter().filter_map(reached).collect();
        let values = || found.iter().map(|(_, reached)| &facts[reached.code]);
        let mut catalogue = Catalogue::default();
        catalogue.load(&asked.reader, values().map(|of| of.stored_id(facts)))?;
        names.load(&asked.reader, &catalogue, values().map(|of| of.id))?;
        for (property, reached) in &found {
            let row = [
                Cell::from(stratum.n),
                Cell::from(property.name),
                Cell::from(reached.amount),
                Cell::from(reached.strips),
                Cell::from(reached.distinct),
                Cell::from(names.text(facts[reached.code].id)),
                Cell::from(reached.first.strip().to_string()),
            ];
            if sink.row(&row).is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn reached(
    property: &Property,
    wanted: &[usize],
    facts: &[Facts],
    measures: &[Measures],
    seen: &[Seen],
) -> Option<Reached> {
    let mut best: Option<Reached> = None;
    for &code in wanted {
        let Some(amount) = (property.amount)(&facts[code], &measures[code]) else {
            continue;
        };
        let Seen { strips, first } = seen[code];
        let new = Reached {
            amount,
            strips,
            distinct: 1,
            first: first?,
            code,
        };
        match &mut best {
            Some(best) if best.amount == amount => {
                best.strips += strips;
                best.distinct += 1;
                if new.first < best.first {
                    (best.first, best.code) = (new.first, code);
                }
            }
            Some(best) if (amount < best.amount) != property.least => {}
            _ => best = Some(new),
        }
    }
    best
}
