//! The values that occur.

use std::collections::HashMap;

use toads_dataset::{Filters, Question};
use toads_game::{Invariants, Kind, Outcome, Value, notation};
use toads_store::Keep;
use toads_strip::{Strip, Variant};

use crate::support::{Referee, ask, census};
use crate::{LAST, text};

/// `value count first_n first_strip` by brute force, most frequent first, ties by first strip.
fn frequencies(
    variant: Variant,
    admits: impl Fn(&Strip, Value, &Referee) -> bool,
) -> Vec<Vec<String>> {
    let mut referee = Referee::new(variant);
    let mut seen = HashMap::<Value, (usize, Strip)>::new();
    for n in 1..=LAST {
        for (strip, value) in referee.all(n) {
            if admits(&strip, value, &referee) {
                seen.entry(value).or_insert((0, strip)).0 += 1;
            }
        }
    }
    let mut rows: Vec<_> = seen.into_iter().collect();
    rows.sort_by(|(_, a), (_, b)| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let row = |(value, (count, first)): (Value, (usize, Strip))| {
        vec![
            notation::display(&referee.arena, value),
            count.to_string(),
            first.len().to_string(),
            first.to_string(),
        ]
    };
    rows.into_iter().map(row).collect()
}

#[test]
fn values_are_those_of_brute_force() {
    for variant in Variant::ALL {
        let store = census(variant, LAST, Keep::Tallies);
        let expected = frequencies(variant, |_, _, _| true);
        for limit in [None, Some(1), Some(7), Some(60)] {
            let table = ask(
                &store,
                &Question::Values {
                    filters: Filters::of(variant),
                    limit,
                    max_text: None,
                },
            );
            let expected = &expected
                [..limit.map_or(expected.len(), |limit| expected.len().min(limit as usize))];
            assert_eq!(text(&table, 4), expected);
        }
    }
}

#[test]
fn values_obey_the_filters() {
    let store = census(Variant::Hop, LAST, Keep::Tallies);
    let ask = |filters| {
        text(
            &ask(
                &store,
                &Question::Values {
                    filters,
                    limit: None,
                    max_text: None,
                },
            ),
            4,
        )
    };
    let outcome = Filters {
        outcome: Some(Outcome::R),
        ..Filters::default()
    };
    assert_eq!(
        ask(outcome),
        frequencies(Variant::Hop, |_, value, referee| referee
            .arena
            .outcome(value)
            == Outcome::R)
    );
    let kind = Filters {
        kind: Some(Kind::Switch),
        ..Filters::default()
    };
    let is_switch =
        |value, referee: &Referee| Invariants::new(&referee.arena).kind(value) == Kind::Switch;
    assert_eq!(
        ask(kind),
        frequencies(Variant::Hop, |_, value, referee| is_switch(value, referee))
    );
    // Fewer toads than frogs: only mirror images answer.
    let counts = Filters {
        toads: Some(0..=1),
        frogs: Some(2..=3),
        ..Filters::default()
    };
    let few = |strip: &Strip| strip.toads() <= 1 && (2..=3).contains(&strip.frogs());
    assert_eq!(
        ask(counts),
        frequencies(Variant::Hop, |strip, _, _| few(strip))
    );
    let value = Filters::default().value("-1/2");
    let mut referee_rows = frequencies(Variant::Hop, |_, _, _| true);
    referee_rows.retain(|row| row[0] == "-1/2");
    assert_eq!(ask(value), referee_rows);
}

#[test]
fn texts_are_shortened_where_asked() {
    let store = census(Variant::Hop, LAST, Keep::Blocks);
    let question = Question::Values {
        filters: Filters::default(),
        limit: None,
        max_text: Some(4),
    };
    let table = ask(&store, &question);
    assert!(
        table
            .rows
            .iter()
            .all(|row| row[0].to_string().chars().count() <= 5)
    );
    assert!(
        table
            .rows
            .iter()
            .any(|row| row[0].to_string().ends_with('…'))
    );
}
