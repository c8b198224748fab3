//! Extremes, denominators and first occurrences.

use std::collections::BTreeMap;

use toads_dataset::{Filters, Question};
use toads_game::{Dyadic, Invariants, Kind, Value, ValueInvariants, notation};
use toads_store::Keep;
use toads_strip::{Strip, Variant};

use crate::support::{Referee, ask, census};
use crate::{LAST, text};

type Amount = fn(&ValueInvariants, usize) -> Option<Dyadic>;

fn integer(count: usize) -> Option<Dyadic> {
    Dyadic::integer(count as i64).ok()
}

/// By name: the amount, and whether the least of them is looked for.
const PROPERTIES: [(&str, Amount, bool); 8] = [
    ("hottest", |of, _| Some(of.temperature), false),
    (
        "coldest",
        |of, _| Some(of.temperature).filter(|&amount| amount > Dyadic::ZERO),
        true,
    ),
    ("largest", |of, _| Some(of.mean), false),
    ("smallest", |of, _| Some(of.mean), true),
    (
        "widest",
        |of, _| Some(of.left_stop.checked_sub(of.right_stop).unwrap()),
        false,
    ),
    (
        "finest",
        |of, _| {
            let is_number = matches!(of.kind, Kind::Integer | Kind::Dyadic);
            integer(1 << of.mean.log2_denominator()).filter(|_| is_number)
        },
        false,
    ),
    ("oldest", |of, _| integer(of.birthday as usize), false),
    ("most_options", |_, options| integer(options), false),
];

/// The row of one property by brute force.
fn extreme(
    referee: &Referee,
    strips: &[(Strip, Value)],
    (name, amount, least): (&str, Amount, bool),
) -> Option<Vec<String>> {
    let arena = &referee.arena;
    let mut invariants = Invariants::new(arena);
    let amounts: Vec<_> = strips
        .iter()
        .filter_map(|(strip, value)| {
            let (left, right) = invariants.option_counts(*value);
            let amount = amount(&invariants.record(*value).unwrap(), left + right)?;
            Some((amount, strip, *value))
        })
        .collect();
    let all = amounts.iter().map(|&(amount, ..)| amount);
    let best = if least { all.min() } else { all.max() }?;
    let mut having: Vec<_> = amounts.into_iter().filter(|of| of.0 == best).collect();
    let (_, strip, value) = having[0];
    let count = having.len();
    having.sort_by_key(|of| of.2);
    having.dedup_by_key(|of| of.2);
    Some(vec![
        strip.len().to_string(),
        name.to_owned(),
        best.to_string(),
        count.to_string(),
        having.len().to_string(),
        notation::display(arena, value),
        strip.to_string(),
    ])
}

#[test]
fn extremes_are_those_of_brute_force() {
    for variant in Variant::ALL {
        let store = census(variant, LAST, Keep::Tallies);
        let mut referee = Referee::new(variant);
        for kind in [None, Some(Kind::Hot)] {
            let mut expected = Vec::new();
            for n in 1..=LAST {
                let mut strips = referee.all(n);
                let mut invariants = Invariants::new(&referee.arena);
                strips.retain(|(_, value)| kind.is_none_or(|kind| invariants.kind(*value) == kind));
                let rows = PROPERTIES
                    .iter()
                    .filter_map(|&property| extreme(&referee, &strips, property));
                expected.extend(rows);
            }
            // The whole store, and one n of it, are counted in two ways.
            for squares in [None, Some(4..=4)] {
                let filters = Filters {
                    kind,
                    squares: squares.clone(),
                    ..Filters::of(variant)
                };
                let question = Question::Extremes {
                    filters,
                    max_text: None,
                };
                let mut expected = expected.clone();
                expected.retain(|row| squares.is_none() || row[0] == "4");
                assert_eq!(text(&ask(&store, &question), 7), expected);
            }
        }
    }
}

#[test]
fn denominators_are_those_of_brute_force() {
    let store = census(Variant::Hop, LAST, Keep::Tallies);
    let mut referee = Referee::new(Variant::Hop);
    let mut expected = Vec::new();
    for n in 1..=LAST {
        let mut by_denominator = BTreeMap::<u64, Vec<Value>>::new();
        for (_, value) in referee.all(n) {
            if let Some(number) = referee.arena.as_number(value) {
                let denominator = 1 << number.log2_denominator();
                by_denominator.entry(denominator).or_default().push(value);
            }
        }
        for (denominator, mut values) in by_denominator {
            let strips = values.len();
            values.sort_unstable();
            values.dedup();
            expected.push([n.into(), denominator, strips as u64, values.len() as u64]);
        }
    }
    let question = Question::Denominators {
        filters: Filters::default(),
    };
    let expected = expected
        .iter()
        .map(|row| row.map(|of| of.to_string()).to_vec());
    assert_eq!(
        text(&ask(&store, &question), 4),
        expected.collect::<Vec<_>>()
    );
}

#[test]
fn first_occurrences_are_those_of_brute_force() {
    for variant in Variant::ALL {
        let store = census(variant, LAST, Keep::Tallies);
        let mut referee = Referee::new(variant);
        let all: Vec<_> = (1..=LAST).flat_map(|n| referee.all(n)).collect();
        let mut invariants = Invariants::new(&referee.arena);
        let check = |filters: Filters, admits: &mut dyn FnMut(&Strip, Value) -> bool| {
            let question = Question::First {
                filters,
                max_text: None,
            };
            let found = ask(&store, &question);
            let first = all.iter().find(|(strip, value)| admits(strip, *value));
            let expected = first.map(|(first, value)| {
                let mut same: Vec<_> = all
                    .iter()
                    .filter(|(strip, value)| strip.len() == first.len() && admits(strip, *value))
                    .map(|&(_, value)| value)
                    .collect();
                let strips = same.len();
                same.sort_unstable();
                same.dedup();
                vec![
                    first.len().to_string(),
                    first.to_string(),
                    notation::display(&referee.arena, *value),
                    strips.to_string(),
                    same.len().to_string(),
                ]
            });
            let shown = text(&found, 8)
                .into_iter()
                .map(|row| [0, 1, 2, 5, 6].map(|at| row[at].clone()).to_vec());
            assert_eq!(shown.collect::<Vec<_>>(), Vec::from_iter(expected.clone()));
            assert_eq!(found.notes.is_empty(), expected.is_some());
        };
        for value in ["*2", "{1|0}", "-3/4", "0", "17"] {
            let sought = notation::parse(&referee.arena, value).unwrap();
            check(Filters::of(variant).value(value), &mut |_, value| {
                value == sought
            });
        }
        for kind in Kind::ALL {
            let filters = Filters {
                kind: Some(kind),
                ..Filters::of(variant)
            };
            check(filters, &mut |_, value| invariants.kind(value) == kind);
        }
        let few_toads = Filters {
            toads: Some(1..=1),
            frogs: Some(3..=3),
            kind: Some(Kind::Switch),
            ..Filters::of(variant)
        };
        check(few_toads, &mut |strip, value| {
            strip.toads() == 1 && strip.frogs() == 3 && invariants.kind(value) == Kind::Switch
        });
    }
}
