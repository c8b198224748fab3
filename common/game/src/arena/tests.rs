//! Laws of the arena, and the two counts everybody knows.

use std::collections::BTreeSet;

use super::*;

/// The values whose options are subsets of `born`.
fn next_day(arena: &Arena, born: &[Value]) -> Vec<Value> {
    // Only antichains matter: a dominated option never changes the value.
    let mut antichains: Vec<Vec<Value>> = vec![vec![]];
    for &value in born {
        let more: Vec<_> = antichains
            .iter()
            .filter(|chain| {
                chain
                    .iter()
                    .all(|&other| arena.compare(value, other) == Relation::Confused)
            })
            .map(|chain| chain.iter().copied().chain([value]).collect())
            .collect();
        antichains.extend(more);
    }
    let mut values = BTreeSet::new();
    for left in &antichains {
        for right in &antichains {
            values.insert(arena.canonical(left, right).unwrap());
        }
    }
    values.into_iter().collect()
}

#[test]
fn twenty_two_games_are_born_by_day_two_and_1474_by_day_three() {
    let arena = Arena::new();
    let mut born = vec![];
    let mut counts = vec![];
    for _ in 0..=3 {
        born = next_day(&arena, &born);
        counts.push(born.len());
    }
    assert_eq!(counts, [1, 4, 22, 1474]);
}

#[test]
fn value_ids_are_those_of_the_vectors() {
    let arena = Arena::new();
    let text = include_str!("../../../../tests/golden/value-ids.tsv");
    let half = Dyadic::new(1, 1).unwrap();
    let star = arena.nimber(1).unwrap();
    let up = arena.up().unwrap();
    let mut seen = 0;
    for line in text.lines().skip(1) {
        let (name, id) = line.split_once('\t').unwrap();
        let value = match name {
            "1/2" => arena.number(half),
            "*" => Ok(star),
            "*2" => arena.nimber(2),
            "^" => Ok(up),
            "^*" => arena.add(up, star),
            "{1|0}" => arena.canonical(&[arena.integer(1).unwrap()], &[Value::ZERO]),
            integer => match integer.parse() {
                Ok(n) => arena.integer(n),
                Err(_) => continue, // read back by the notation's own test
            },
        };
        assert_eq!(arena.id(value.unwrap()).to_string(), id, "{name}");
        seen += 1;
    }
    assert!(seen >= 10, "{seen}");
}

#[test]
fn day_two_is_an_ordered_group_under_the_arena() {
    let arena = Arena::new();
    let mut born = vec![];
    for _ in 0..=2 {
        born = next_day(&arena, &born);
    }
    for &g in &born {
        let negative = arena.neg(g).unwrap();
        assert_eq!(arena.add(g, negative).unwrap(), Value::ZERO);
        assert_eq!(arena.negative_id(g), arena.id(negative));
        for &h in &born {
            let difference = arena.sub(g, h).unwrap();
            let expected = match arena.outcome(difference) {
                Outcome::P => Relation::Equal,
                Outcome::L => Relation::Greater,
                Outcome::R => Relation::Less,
                Outcome::N => Relation::Confused,
            };
            assert_eq!(arena.compare(g, h), expected);
        }
    }
}

#[test]
fn stops_of_known_values() {
    let arena = Arena::new();
    let integer = |n| arena.integer(n).unwrap();
    let switch = arena.canonical(&[integer(3)], &[integer(-1)]).unwrap();
    assert_eq!(arena.left_stop(switch).to_string(), "3");
    assert_eq!(arena.right_stop(switch).to_string(), "-1");
    assert_eq!(arena.outcome(switch), Outcome::N);
    let tiny = {
        let threat = arena.canonical(&[Value::ZERO], &[integer(-2)]).unwrap();
        arena.canonical(&[Value::ZERO], &[threat]).unwrap()
    };
    assert_eq!(arena.outcome(tiny), Outcome::L);
    assert_eq!(arena.left_stop(tiny), Dyadic::ZERO);
    assert_eq!(arena.right_stop(tiny), Dyadic::ZERO);
}

#[test]
fn a_full_arena_says_so_and_stays_usable() {
    let capacity = Capacity {
        values: 10,
        options: 64,
        set_memo_bits: 4,
        order_memo_bits: 4,
    };
    let arena = Arena::with_capacity(capacity);
    let error = arena.integer(100).unwrap_err();
    assert!(error.to_string().contains("full"), "{error}");
    assert_eq!(arena.len(), 10);
    assert_eq!(
        arena
            .as_number(arena.integer(5).unwrap())
            .unwrap()
            .to_string(),
        "5"
    );
    assert!(arena.integer(1 << 30).is_err());
}

#[test]
fn nimbers_are_the_canonical_forms_of_their_options_and_add_by_exclusive_or() {
    let arena = Arena::new();
    let nimber = |k| arena.nimber(k).unwrap();
    for k in 0..=8 {
        let smaller: Vec<Value> = (0..k).map(nimber).collect();
        assert_eq!(arena.canonical(&smaller, &smaller).unwrap(), nimber(k));
        for l in 0..=8 {
            assert_eq!(arena.add(nimber(k), nimber(l)).unwrap(), nimber(k ^ l));
        }
    }
    assert_eq!(arena.left_options(nimber(300)).len(), 300);
}
