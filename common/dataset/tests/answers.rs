//! Answers against the reference figures and against brute force over all 3^n strips.

mod support;

use std::collections::{BTreeMap, HashMap};

use support::{Referee, ask, census, commit, golden};
use toads_census::plan;
use toads_dataset::{
    Cell, ClassValues, DatasetError, Filters, Question, Reader, Table, answer, answer_with,
};
use toads_game::{Invariants, Kind, Outcome, Value, notation};
use toads_store::{Keep, MemoryStore};
use toads_strip::{Class, Strip, Variant};

const LAST: u8 = 7;

fn text(table: &Table, columns: usize) -> Vec<Vec<String>> {
    table
        .rows
        .iter()
        .map(|row| row[..columns].iter().map(ToString::to_string).collect())
        .collect()
}

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
                let distinct = values
                    .into_iter()
                    .collect::<std::collections::HashSet<_>>()
                    .len();
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

#[test]
fn what_is_missing_is_said_and_marked() {
    let store = census(Variant::Hop, 4, Keep::Blocks);
    let five = plan::shards(Variant::Hop, 5..=5);
    five[..4]
        .iter()
        .for_each(|&shard| commit(&store, shard, Keep::Blocks));
    let table = ask(
        &store,
        &Question::Summary {
            filters: Filters::default(),
        },
    );
    assert_eq!(
        table.notes,
        ["n = 5: 4 of 12 classes committed; figures are partial"]
    );
    let row = table.rows.last().unwrap();
    let strips: u64 = five[..4].iter().map(|shard| shard.strips_answered()).sum();
    assert_eq!((&row[0], &row[1]), (&Cell::from(5u8), &Cell::from(strips)));
    assert_eq!(row[11..], [Cell::from(4u8), Cell::from(12u8)]);
    assert_eq!(table.rows[0][11..], [Cell::from(2u8), Cell::from(2u8)]);
    assert_eq!(table.columns.last().unwrap().name, "classes_total");
    // Ranges that end where the census does are whole, and those past it are said to be empty.
    let asked = |squares| {
        ask(
            &store,
            &Question::Summary {
                filters: Filters::default().squares(squares),
            },
        )
    };
    assert_eq!(asked(1..=4).columns.len(), 11);
    assert_eq!(asked(6..=6).notes, ["n = 6: none of 16 classes committed"]);
    assert!(asked(6..=6).rows.is_empty());
    let classes = ask(
        &store,
        &Question::Classes {
            filters: Filters::default().squares(5..=5),
        },
    );
    assert_eq!(classes.rows.len(), 21);
    let pending = classes
        .rows
        .iter()
        .filter(|row| row[10] == Cell::from("pending"))
        .count();
    assert_eq!(
        pending,
        five[4..]
            .iter()
            .map(|shard| 2 - usize::from(shard.class == shard.class.mirror()))
            .sum::<usize>()
    );
    let empty = ask(
        &MemoryStore::new(),
        &Question::Summary {
            filters: Filters::default(),
        },
    );
    assert_eq!(empty.notes.len(), 1);
}

#[test]
fn questions_that_cannot_be_answered_say_what_to_do() {
    let store = census(Variant::Hop, 6, Keep::Tallies);
    let refused = |question: &Question| {
        let error = answer(&store, question, &mut Table::default()).unwrap_err();
        assert!(error.is_input(), "{error}");
        error.to_string()
    };
    let summary = |filters| Question::Summary { filters };
    assert!(refused(&summary(Filters::default().squares(0..=3))).contains("begin at 1"));
    assert!(refused(&summary(Filters::default().squares(1..=99))).contains("24"));
    assert!(refused(&summary(Filters::default().value("{1|"))).contains("is not a value"));
    assert!(
        refused(&summary(
            Filters::default().value("0123456789abcdef0123456789abcdef")
        ))
        .contains("value with id")
    );
    let bad = Question::Value {
        strip: "TXF".to_owned(),
        variant: Variant::Hop,
        max_text: None,
    };
    assert!(!refused(&bad).is_empty());
    let strips = Question::Strips {
        filters: Filters::default().value("0"),
        limit: None,
        max_text: None,
    };
    let small = |variant| Ok(Reader::new(&store, variant)?.evaluating_up_to(10));
    let error = answer_with(&strips, &mut Table::default(), small).unwrap_err();
    assert!(
        matches!(error, DatasetError::NeedsBlocks { .. })
            && error.to_string().contains("needs --keep blocks"),
        "{error}"
    );
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

#[test]
fn a_sink_that_has_enough_ends_the_answer() {
    struct One(usize);
    impl toads_dataset::RowSink for One {
        fn columns(&mut self, _: &[toads_dataset::Column]) -> std::ops::ControlFlow<()> {
            std::ops::ControlFlow::Continue(())
        }
        fn row(&mut self, _: &[Cell]) -> std::ops::ControlFlow<()> {
            self.0 += 1;
            std::ops::ControlFlow::Break(())
        }
        fn note(&mut self, _: &str) {}
    }
    let store = census(Variant::Hop, 5, Keep::Blocks);
    let filters = Filters::default;
    for question in [
        Question::Summary { filters: filters() },
        Question::Classes { filters: filters() },
        Question::Values {
            filters: filters(),
            limit: None,
            max_text: None,
        },
        Question::Strips {
            filters: filters(),
            limit: None,
            max_text: None,
        },
        Question::Strips {
            filters: filters().value("0"),
            limit: None,
            max_text: None,
        },
    ] {
        let mut sink = One(0);
        answer(&store, &question, &mut sink).unwrap();
        assert_eq!(sink.0, 1, "{question:?}");
    }
}
