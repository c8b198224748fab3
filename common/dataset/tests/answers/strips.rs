//! Strips with their values, listed and looked up.

use toads_dataset::{ClassValues, Filters, Question, Reader};
use toads_game::{Invariants, Kind, notation};
use toads_store::{Keep, MemoryStore};
use toads_strip::{Class, Strip, Variant};

use crate::support::{Referee, ask, census, golden};
use crate::{LAST, text};

#[test]
fn strips_of_a_value_are_those_of_brute_force_from_blocks_and_by_evaluating() {
    for variant in Variant::ALL {
        let mut referee = Referee::new(variant);
        let all = referee.all(LAST);
        for keep in [Keep::Blocks, Keep::Tallies] {
            let store = census(variant, LAST, keep);
            for text in ["0", "*", "1", "-1/2", "{1|0}", "-3", "{2|0}"] {
                let value = notation::parse(&referee.arena, text).unwrap();
                let id = referee.arena.id(value);
                let expected: Vec<String> = all
                    .iter()
                    .filter(|(_, other)| *other == value)
                    .map(|(strip, _)| strip.to_string())
                    .collect();
                for asked in [text.to_owned(), id.to_string()] {
                    if asked != text && expected.is_empty() {
                        continue;
                    }
                    let filters = Filters::of(variant).squares(LAST..=LAST).value(asked);
                    for limit in [None, Some(3)] {
                        let table = ask(
                            &store,
                            &Question::Strips {
                                filters: filters.clone(),
                                limit,
                                max_text: None,
                            },
                        );
                        let found: Vec<String> =
                            table.rows.iter().map(|row| row[0].to_string()).collect();
                        let expected = &expected[..limit.map_or(expected.len(), |limit: u64| {
                            expected.len().min(limit as usize)
                        })];
                        assert_eq!(found, expected, "{variant} {keep} {text}");
                        assert!(table.rows.iter().all(|row| row[1].to_string() == text));
                    }
                }
            }
        }
    }
}

#[test]
fn all_strips_are_listed_with_their_values_in_index_order() {
    for (name, variant) in [
        ("values-hop-8.tsv", Variant::Hop),
        ("values-hopless-8.tsv", Variant::Hopless),
    ] {
        let store = census(variant, 8, Keep::Blocks);
        let table = ask(
            &store,
            &Question::Strips {
                filters: Filters::of(variant).squares(8..=8),
                limit: None,
                max_text: None,
            },
        );
        let found: Vec<Vec<String>> = text(&table, 2);
        let strip = |row: &Vec<String>| Strip::parse(&row[0]).unwrap();
        assert!(found.is_sorted_by(|a, b| strip(a) < strip(b)));
        let mut expected: Vec<Vec<String>> = golden(name)
            .lines()
            .map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>())
            .map(|row| vec![row[0].to_uppercase(), row[1].clone()])
            .collect();
        expected.sort_by_key(strip);
        assert_eq!(found, expected);
    }
}

#[test]
fn listed_strips_obey_the_filters() {
    let store = census(Variant::Hop, 5, Keep::Blocks);
    let mut referee = Referee::new(Variant::Hop);
    let mut expected = Vec::new();
    for n in 4..=5 {
        let all = referee.all(n);
        let mut invariants = Invariants::new(&referee.arena);
        for (strip, value) in all {
            if strip.toads() == 1 && invariants.kind(value) == Kind::Switch {
                expected.push(strip.to_string());
            }
        }
    }
    let filters = Filters {
        toads: Some(1..=1),
        kind: Some(Kind::Switch),
        ..Filters::default().squares(4..=5)
    };
    let table = ask(
        &store,
        &Question::Strips {
            filters: filters.clone(),
            limit: None,
            max_text: None,
        },
    );
    assert_eq!(text(&table, 1).concat(), expected);
    let table = ask(
        &store,
        &Question::Strips {
            filters,
            limit: Some(2),
            max_text: None,
        },
    );
    assert_eq!(text(&table, 1).concat(), expected[..2]);
}

#[test]
fn single_strips_are_looked_up_or_evaluated() {
    for variant in Variant::ALL {
        let stores = [
            census(variant, 6, Keep::Blocks),
            census(variant, 6, Keep::Tallies),
            MemoryStore::new(),
        ];
        let mut referee = Referee::new(variant);
        for (strip, value) in referee.all(6).into_iter().step_by(7) {
            let record = Invariants::new(&referee.arena).record(value).unwrap();
            let expected = [
                strip.to_string(),
                notation::display(&referee.arena, value),
                record.outcome.to_string(),
                record.left_stop.to_string(),
                record.right_stop.to_string(),
                record.mean.to_string(),
                record.temperature.to_string(),
                record.kind.to_string(),
                record.birthday.to_string(),
                referee.arena.id(value).to_string(),
            ];
            for store in &stores {
                let question = Question::Value {
                    strip: strip.compact(),
                    variant,
                    max_text: None,
                };
                assert_eq!(
                    text(&ask(store, &question), 10),
                    std::slice::from_ref(&expected)
                );
            }
        }
    }
}

#[test]
fn every_class_tells_the_value_of_each_of_its_strips() {
    for keep in [Keep::Blocks, Keep::Tallies] {
        let store = census(Variant::Hop, LAST, keep);
        let reader = Reader::new(&store, Variant::Hop).unwrap();
        let mut referee = Referee::new(Variant::Hop);
        for n in 1..=LAST {
            for class in Class::all(n) {
                let values = ClassValues::open(&reader, class).unwrap();
                let mut met = 0;
                for (strip, found) in class.strips().zip(values.iter()) {
                    let value = referee.value(&strip);
                    let expected = referee.arena.id(value);
                    assert_eq!(u128::from(found.index), strip.index().unwrap());
                    assert_eq!(values.values()[found.code as usize], expected, "{strip}");
                    assert_eq!(values.value(&strip), expected);
                    met += 1;
                }
                assert_eq!(
                    (met, values.iter().count() as u64),
                    (class.size(), class.size())
                );
            }
        }
    }
}
