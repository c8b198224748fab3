//! Uptimals, kinds and birthdays.

mod common;

use std::collections::{BTreeMap, HashMap, HashSet};

use common::{Strips, arena, values_to};
use toads_game::notation::parse;
use toads_game::{
    Arena, DeepInvariants, Dyadic, Invariants, Kind, Outcome, Uptimal, Uptimals, Value, kind_of,
    uptimal_of,
};

/// The sum an uptimal stands for, by addition.
fn build(arena: &Arena, sum: &Uptimal) -> Value {
    let mut value = arena.number(sum.number).unwrap();
    for (at, &count) in sum.ups.iter().enumerate() {
        let unit = parse(
            arena,
            &format!("{}<{}>", if count < 0 { 'v' } else { '^' }, at + 1),
        )
        .unwrap();
        for _ in 0..count.abs() {
            value = arena.add(value, unit).unwrap();
        }
    }
    arena.add(value, arena.nimber(sum.nimber).unwrap()).unwrap()
}

fn coefficients(length: usize, most: i32) -> Vec<Vec<i32>> {
    let mut all = vec![vec![]];
    for _ in 0..length {
        all = all
            .iter()
            .flat_map(|list| (-most..=most).map(|next| [&list[..], &[next]].concat()))
            .collect();
    }
    for list in &mut all {
        while list.last() == Some(&0) {
            list.pop();
        }
    }
    all
}

#[test]
fn every_small_uptimal_is_recognised() {
    let arena = arena();
    let mut uptimals = Uptimals::new(&arena);
    let mut checked = HashSet::new();
    for ups in coefficients(3, 3).into_iter().chain(coefficients(5, 1)) {
        for number in ["0", "-1", "3/4"] {
            for nimber in 0..5 {
                let sum = Uptimal {
                    number: number.parse().unwrap(),
                    ups: ups[..].into(),
                    nimber,
                };
                let value = build(&arena, &sum);
                assert_eq!(uptimals.get(value).as_ref(), Some(&sum));
                checked.insert(value);
            }
        }
    }
    assert!(checked.len() > 5000, "{}", checked.len());
}

#[test]
fn long_uptimals_are_recognised() {
    let arena = Arena::new();
    for ups in [
        &[300][..],
        &[0, 0, 0, 0, 0, 0, 0, -1],
        &[1; 50],
        &[-2, 3, -1, 0, 2, -4],
        &[40, 0, -1],
    ] {
        let sum = Uptimal {
            number: Dyadic::ZERO,
            ups: ups.into(),
            nimber: 9,
        };
        assert_eq!(uptimal_of(&arena, build(&arena, &sum)), Some(sum));
    }
}

#[test]
fn what_is_recognised_is_that_sum() {
    let arena = arena();
    let mut values = values_to(&arena, 9);
    // Games of few positions, most of them no uptimals.
    let small: Vec<_> = [
        "0", "*", "*2", "^", "v*", "^*", "^^", "1", "-1", "^<2>", "v<2>*", "^[2]*", "1*",
    ]
    .iter()
    .map(|text| parse(&arena, text).unwrap())
    .collect();
    for &a in &small {
        for &b in &small {
            for &c in &small {
                values.push(arena.canonical(&[a, b], &[c]).unwrap());
                values.push(arena.canonical(&[a], &[b, c]).unwrap());
            }
        }
    }
    let mut uptimals = Uptimals::new(&arena);
    let (mut recognised, mut others) = (HashSet::new(), HashSet::new());
    for value in values {
        match uptimals.get(value) {
            Some(sum) => {
                assert_eq!(build(&arena, &sum), value, "{sum:?}");
                recognised.insert(value);
            }
            None => {
                others.insert(value);
            }
        }
    }
    assert!(
        recognised.len() > 150 && others.len() > 200,
        "{} {}",
        recognised.len(),
        others.len()
    );
}

#[test]
fn recognition_adds_nothing_to_the_arena() {
    let arena = arena();
    let values = values_to(&arena, 8);
    let before = arena.len();
    let mut invariants = Invariants::new(&arena);
    for value in values {
        invariants.record(value).unwrap();
    }
    assert_eq!(arena.len(), before);
}

#[test]
fn kinds_of_known_values() {
    let arena = Arena::new();
    let cases = [
        (Kind::Integer, "0 5 -7"),
        (Kind::Dyadic, "1/2 -3/4"),
        (Kind::Nimber, "* *2 *7"),
        (Kind::NumberNimber, "1* -1/2*2"),
        (Kind::Up, "^ v ^^* 1v*2 -3^^ ^7"),
        (Kind::Uptimal, "^<2> ^[2]* 1v<3> ^^+^<2>"),
        (Kind::Tiny, "Tiny(1) 1Miny(1/2) Tiny({1|0}) 1/2Tiny(3)"),
        (Kind::Infinitesimal, "Tiny(1)+* Tiny(1)+^ -^+Tiny(3)"),
        (Kind::Numberish, "1+Tiny(1)+* 1/2^+Tiny(2)"),
        (Kind::Switch, "+-1 {3|1} {1/2|-4}"),
        (Kind::Hot, "{2||1|0} +-(1*) {1|v} {{3|1},{4|0}|0}"),
    ];
    for (kind, texts) in cases {
        for text in texts.split(' ') {
            assert_eq!(
                kind_of(&arena, parse(&arena, text).unwrap()),
                kind,
                "{text}"
            );
        }
    }
}

#[test]
fn kinds_and_outcomes_of_all_strips_of_8_squares() {
    let arena = arena();
    let values = Strips::new(&arena, true).all(8);
    let mut invariants = Invariants::new(&arena);
    let mut kinds = BTreeMap::<Kind, usize>::new();
    for &value in &values {
        let record = invariants.record(value).unwrap();
        *kinds.entry(record.kind).or_default() += 1;
        let negative = invariants.record(arena.neg(value).unwrap()).unwrap();
        // The mirror image of every invariant.
        assert_eq!(negative.kind, record.kind);
        assert_eq!(
            (negative.left_stop, negative.right_stop),
            (-record.right_stop, -record.left_stop)
        );
        assert_eq!(
            (negative.mean, negative.temperature),
            (-record.mean, record.temperature)
        );
        assert_eq!(negative.birthday, record.birthday);
        assert_eq!(record.outcome == Outcome::P, value == Value::ZERO);
        assert!(record.right_stop <= record.mean && record.mean <= record.left_stop);
    }
    assert_eq!(kinds.values().sum::<usize>(), values.len());
    assert!(kinds.len() >= 9, "{kinds:?}");
}

fn depth(arena: &Arena, memo: &mut HashMap<Value, u32>, value: Value) -> u32 {
    if let Some(&known) = memo.get(&value) {
        return known;
    }
    let options: Vec<_> = arena
        .left_options(value)
        .chain(arena.right_options(value))
        .collect();
    let depth = options
        .into_iter()
        .map(|option| depth(arena, memo, option) + 1)
        .max()
        .unwrap_or(0);
    memo.insert(value, depth);
    depth
}

#[test]
fn birthdays_are_depths_of_canonical_forms() {
    let arena = arena();
    let mut values = values_to(&arena, 9);
    values.extend(["7/8", "-21/4", "5/1024"].map(|text| parse(&arena, text).unwrap()));
    let mut invariants = Invariants::new(&arena);
    let mut memo = HashMap::new();
    let mut latest = 0;
    // From the last value down, so that options are not there yet.
    for value in values.into_iter().rev() {
        let birthday = invariants.birthday(value);
        assert_eq!(birthday, depth(&arena, &mut memo, value));
        latest = latest.max(birthday);
    }
    assert!(
        latest >= 20,
        "the largest integer at 9 squares is 20: {latest}"
    );
}

#[test]
fn a_chain_of_a_million_positions_needs_no_stack() {
    let arena = Arena::new();
    let integer = arena.integer(1 << 20).unwrap();
    let mut invariants = Invariants::new(&arena);
    let record = invariants.record(integer).unwrap();
    assert_eq!(
        (record.kind, record.birthday, record.temperature.to_string()),
        (Kind::Integer, 1 << 20, "-1".to_owned())
    );
    let deep = DeepInvariants::new(usize::MAX);
    assert_eq!(deep.subpositions(&arena, integer), Some((1 << 20) + 1));
    let hot = arena
        .canonical(&[integer], &[arena.integer(-3).unwrap()])
        .unwrap();
    assert_eq!(invariants.record(hot).unwrap().birthday, (1 << 20) + 1);
    assert_eq!(deep.subpositions(&arena, hot), Some((1 << 20) + 1 + 3 + 1));
    assert_eq!(invariants.option_counts(hot), (1, 1));
}
