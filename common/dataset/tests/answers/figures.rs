//! One row for each n, or for each n and class, kind or temperature.

use std::collections::{BTreeMap, HashSet};

use toads_dataset::{Filters, Question};
use toads_game::{Invariants, Outcome, Value};
use toads_store::Keep;
use toads_strip::Variant;

use crate::support::{Referee, ask, census, golden};
use crate::{LAST, text};

#[test]
fn summaries_are_the_reference_figures() {
    for (variant, name) in [
        (Variant::Hop, "census-hop.tsv"),
        (Variant::Hopless, "census-hopless.tsv"),
    ] {
        for keep in [Keep::Blocks, Keep::Tallies] {
            let store = census(variant, 8, keep);
            let table = ask(
                &store,
                &Question::Summary {
                    filters: Filters::of(variant),
                },
            );
            let expected: String = golden(name)
                .lines()
                .take(9)
                .flat_map(|line| [line, "\n"])
                .collect();
            assert_eq!(table.to_tsv(), expected);
            assert_eq!(table.notes, [""; 0]);
        }
    }
}

#[test]
fn outcomes_are_those_of_the_summary() {
    let store = census(Variant::Hop, LAST, Keep::Tallies);
    let summary = ask(
        &store,
        &Question::Summary {
            filters: Filters::default(),
        },
    );
    let outcomes = ask(
        &store,
        &Question::Outcomes {
            filters: Filters::default(),
        },
    );
    for (summary, outcomes) in summary.rows.iter().zip(&outcomes.rows) {
        assert_eq!(
            (&summary[0], &summary[7..11]),
            (&outcomes[0], &outcomes[1..])
        );
    }
}

#[test]
fn kinds_temperatures_and_classes_are_those_of_brute_force() {
    for variant in Variant::ALL {
        let store = census(variant, LAST, Keep::Tallies);
        let mut referee = Referee::new(variant);
        let (mut kinds, mut temperatures, mut classes) = (vec![], vec![], vec![]);
        for n in 1..=LAST {
            let all = referee.all(n);
            let mut invariants = Invariants::new(&referee.arena);
            let (mut by_kind, mut by_temperature, mut by_class) = (
                BTreeMap::<_, Vec<Value>>::new(),
                BTreeMap::<_, Vec<Value>>::new(),
                BTreeMap::<_, Vec<Value>>::new(),
            );
            for (strip, value) in &all {
                let record = invariants.record(*value).unwrap();
                by_kind.entry(record.kind).or_default().push(*value);
                by_temperature
                    .entry(record.temperature)
                    .or_default()
                    .push(*value);
                by_class.entry(strip.class()).or_default().push(*value);
            }
            let counts = |values: Vec<Value>| {
                let strips = values.len();
                let distinct = values.into_iter().collect::<HashSet<_>>().len();
                [strips.to_string(), distinct.to_string()]
            };
            for (kind, values) in by_kind {
                let [strips, distinct] = counts(values);
                kinds.push(vec![n.to_string(), kind.to_string(), strips, distinct]);
            }
            for (temperature, values) in by_temperature {
                let [strips, distinct] = counts(values);
                temperatures.push(vec![
                    n.to_string(),
                    temperature.to_string(),
                    strips,
                    distinct,
                ]);
            }
            for (class, values) in by_class {
                let numbers = values
                    .iter()
                    .filter(|&&value| referee.arena.as_number(value).is_some())
                    .count();
                let outcome = |outcome| {
                    values
                        .iter()
                        .filter(|&&value| referee.arena.outcome(value) == outcome)
                        .count()
                };
                let outcomes = [Outcome::P, Outcome::L, Outcome::R, Outcome::N]
                    .map(outcome)
                    .map(|count| count.to_string());
                let mut row: Vec<String> = [class.n, class.toads, class.frogs]
                    .map(|count| count.to_string())
                    .into();
                row.extend(counts(values.clone()));
                row.push(numbers.to_string());
                row.extend(outcomes);
                row.push("committed".to_owned());
                classes.push(row);
            }
        }
        let filters = Filters::of(variant);
        assert_eq!(
            text(
                &ask(
                    &store,
                    &Question::Kinds {
                        filters: filters.clone()
                    }
                ),
                4
            ),
            kinds
        );
        assert_eq!(
            text(
                &ask(
                    &store,
                    &Question::Temperatures {
                        filters: filters.clone()
                    }
                ),
                4
            ),
            temperatures
        );
        assert_eq!(
            text(&ask(&store, &Question::Classes { filters }), 11),
            classes
        );
    }
}
