//! Depth, subpositions, atomic weights and reduced canonical forms.

mod common;

use std::collections::HashSet;

use common::{arena, values_to};
use toads_game::notation::{display, parse};
use toads_game::{Arena, DeepInvariants, Dyadic, Invariants, Relation, Uptimals, Value};

fn weight(arena: &Arena, text: &str) -> Option<String> {
    let value = parse(arena, text).unwrap();
    let weight = DeepInvariants::default().atomic_weight(arena, value);
    weight.unwrap().map(|weight| display(arena, weight))
}

/// Whether both players can move at every position or none can, by walking down the form.
fn is_all_small(arena: &Arena, value: Value) -> bool {
    let mut seen = HashSet::new();
    let mut stack = vec![value];
    while let Some(top) = stack.pop() {
        let (left, right) = (arena.left_options(top), arena.right_options(top));
        if (left.len() == 0) != (right.len() == 0) {
            return false;
        }
        stack.extend(left.chain(right).filter(|&option| seen.insert(option)));
    }
    true
}

/// Sums of a few all-small values and options made of them, beside those of strips.
fn all_small(arena: &Arena) -> Vec<Value> {
    let small: Vec<Value> = [
        "0", "*", "*2", "^", "v*", "^*", "^^", "v3", "^<2>", "v<2>*", "^[2]*", "vv*2", "{^^|v}",
        "{^3|v3}",
    ]
    .iter()
    .map(|text| parse(arena, text).unwrap())
    .collect();
    let mut values = values_to(arena, 9);
    for &a in &small {
        for &b in &small {
            values.push(arena.canonical(&[a], &[b]).unwrap());
            for &c in &small {
                values.push(arena.canonical(&[a, b], &[c]).unwrap());
                values.push(arena.canonical(&[a], &[b, c]).unwrap());
            }
        }
    }
    values.retain(|&value| is_all_small(arena, value));
    values.sort_unstable();
    values.dedup();
    values
}

#[test]
fn atomic_weights_of_known_values() {
    let arena = Arena::new();
    for (value, expected) in [
        ("0", "0"),
        ("*", "0"),
        ("*5", "0"),
        ("^", "1"),
        ("^*", "1"),
        ("v", "-1"),
        ("^^", "2"),
        ("^^*", "2"),
        ("^7*3", "7"),
        ("^<2>", "0"),
        ("^[3]", "1"),
        ("{0|^}", "2"), // ⇑*
        ("{0|v}", "0"),
        ("{^|v}", "0"),
        ("{^^|vv}", "*"), // {2 - 2 | -2 + 2}
        ("{^^^|vvv}", "+-1"),
    ] {
        assert_eq!(weight(&arena, value).as_deref(), Some(expected), "{value}");
    }
    for other in ["1", "1/2", "{1|-1}", "Tiny(1)", "1*"] {
        assert_eq!(weight(&arena, other), None, "{other}");
    }
}

#[test]
fn the_atomic_weight_of_an_uptimal_is_its_first_coefficient() {
    let arena = arena();
    let values = all_small(&arena);
    let mut uptimals = Uptimals::new(&arena);
    let mut deep = DeepInvariants::default();
    let mut checked = 0;
    for value in values {
        if let Some(uptimal) = uptimals.get(value) {
            let expected = uptimal.ups.first().copied().unwrap_or(0);
            let weight = deep.atomic_weight(&arena, value).unwrap().unwrap();
            assert_eq!(weight, arena.integer(expected.into()).unwrap());
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
}

/// g ≥ ☆ iff its atomic weight is at least 1 (*Winning Ways*, chapter 8): with g less n ups, the weight compares with every
/// integer as the game does with a remote star.
#[test]
fn atomic_weights_compare_with_integers_as_the_values_with_a_remote_star() {
    let arena = arena();
    let mut deep = DeepInvariants::default();
    let star = arena.nimber(32).unwrap();
    let up = arena.up().unwrap();
    let mut others = 0;
    for value in all_small(&arena) {
        let weight = deep.atomic_weight(&arena, value).unwrap().unwrap();
        let mut ups = arena.neg(parse(&arena, "^4").unwrap()).unwrap();
        for n in -4..=4 {
            let shifted = arena.sub(value, ups).unwrap();
            assert_eq!(
                arena.leq(star, shifted),
                arena.leq(arena.integer(n + 1).unwrap(), weight),
                "{} less {n} ups",
                display(&arena, value)
            );
            ups = arena.add(ups, up).unwrap();
        }
        others += usize::from(arena.as_number(weight).is_none());
    }
    assert!(others > 20, "{others}");
}

#[test]
fn atomic_weights_add_up() {
    let arena = arena();
    let mut deep = DeepInvariants::default();
    let values = all_small(&arena);
    let mut weigh = |value| deep.atomic_weight(&arena, value).unwrap().unwrap();
    for (at, &g) in values.iter().enumerate() {
        let h = values[at * 7 % values.len()];
        let sum = arena.add(weigh(g), weigh(h)).unwrap();
        assert_eq!(weigh(arena.add(g, h).unwrap()), sum);
        assert_eq!(weigh(arena.neg(g).unwrap()), arena.neg(weigh(g)).unwrap());
    }
    assert!(values.len() > 100, "{}", values.len());
}

/// G ≤ H up to an infinitesimal, by the sum itself.
fn is_at_most(arena: &Arena, g: Value, h: Value) -> bool {
    arena.right_stop(arena.sub(h, g).unwrap()) >= Dyadic::ZERO
}

/// Values of strips, spread over the kinds, few enough to be added in pairs.
fn some(arena: &Arena, n: usize, step: usize) -> Vec<Value> {
    values_to(arena, n).into_iter().step_by(step).collect()
}

#[test]
fn reduced_forms_are_infinitesimally_close_and_have_nothing_to_reduce() {
    let arena = arena();
    let mut deep = DeepInvariants::default();
    let (mut hot, mut shorter) = (0, 0);
    for value in some(&arena, 9, 1) {
        let reduced = deep.reduced(&arena, value).unwrap().unwrap();
        let rest = arena.sub(value, reduced).unwrap();
        assert_eq!(
            (arena.left_stop(rest), arena.right_stop(rest)),
            (Dyadic::ZERO, Dyadic::ZERO),
            "{}",
            display(&arena, value)
        );
        assert_eq!(deep.reduced(&arena, reduced).unwrap(), Some(reduced));
        shorter += usize::from(reduced != value);
        if arena.as_number(reduced).is_some() {
            continue;
        }
        hot += 1;
        for (options, is_left) in [
            (arena.left_options(reduced).collect::<Vec<_>>(), true),
            (arena.right_options(reduced).collect(), false),
        ] {
            let better = |a, b| {
                if is_left {
                    is_at_most(&arena, a, b)
                } else {
                    is_at_most(&arena, b, a)
                }
            };
            for &option in &options {
                let dominated = options
                    .iter()
                    .any(|&other| other != option && better(option, other));
                assert!(!dominated);
                let replies: Vec<_> = if is_left {
                    arena.right_options(option).collect()
                } else {
                    arena.left_options(option).collect()
                };
                assert!(!replies.into_iter().any(|reply| better(reply, reduced)));
            }
        }
    }
    assert!(hot > 300 && shorter > 300, "{hot} {shorter}");
}

#[test]
fn reduced_forms_forget_infinitesimals_and_keep_sums() {
    let arena = arena();
    let mut deep = DeepInvariants::default();
    let mut reduce = |value| deep.reduced(&arena, value).unwrap().unwrap();
    let values = some(&arena, 7, 3);
    let infinitesimals = ["*", "^", "v*2", "Tiny(1)", "{^^|vv}", "Miny({1|0})"];
    for (at, &g) in values.iter().enumerate() {
        let small = parse(&arena, infinitesimals[at % infinitesimals.len()]).unwrap();
        assert_eq!(reduce(arena.add(g, small).unwrap()), reduce(g));
        assert_eq!(reduce(arena.neg(g).unwrap()), arena.neg(reduce(g)).unwrap());
        let h = values[at * 5 % values.len()];
        let sum = arena.add(reduce(g), reduce(h)).unwrap();
        assert_eq!(reduce(arena.add(g, h).unwrap()), reduce(sum));
    }
    assert!(values.len() > 30, "{}", values.len());
}

#[test]
fn reduced_forms_of_known_values() {
    let arena = Arena::new();
    for (value, expected) in [
        ("3/4*", "3/4"),
        ("Tiny(2)", "0"),
        ("{1|0}", "{1|0}"),
        ("{1*|0^}", "{1|0}"),
        ("{2||1|0}", "{2||1|0}"),
        ("{1||1|0}", "1"),
        ("{2|1||0}", "{2|1||0}"),
        ("+-(1*)", "+-1"),
    ] {
        let reduced = DeepInvariants::default().reduced(&arena, parse(&arena, value).unwrap());
        assert_eq!(
            display(&arena, reduced.unwrap().unwrap()),
            expected,
            "{value}"
        );
    }
}

#[test]
fn depths_and_subpositions() {
    let arena = arena();
    let mut deep = DeepInvariants::default();
    for (text, depth, subpositions) in [
        ("0", 0, 1),
        ("5", 0, 6),
        ("3/4", 0, 4),
        ("*", 1, 2),
        ("{1|0}", 1, 3),
        ("{2||1|0}", 2, 5),
        ("*3", 3, 4),
    ] {
        let value = parse(&arena, text).unwrap();
        assert_eq!(deep.depth(&arena, value), depth, "{text}");
        assert_eq!(
            deep.subpositions(&arena, value),
            Some(subpositions),
            "{text}"
        );
    }
    let mut invariants = Invariants::new(&arena);
    for value in values_to(&arena, 8) {
        // A play that stops at a number is part of a play to the end, and meets a new position at each move.
        let (depth, birthday) = (deep.depth(&arena, value), invariants.birthday(value));
        assert!(depth <= birthday);
        assert!(deep.subpositions(&arena, value).unwrap() > birthday as usize);
        assert_eq!(depth == 0, arena.as_number(value).is_some());
    }
}

#[test]
fn past_the_budget_nothing_is_said() {
    let arena = Arena::new();
    let value = parse(&arena, "{3|1||0|-2}").unwrap();
    let star = parse(&arena, "^4*").unwrap();
    let (mut poor, mut rich) = (DeepInvariants::new(5), DeepInvariants::default());
    assert_eq!(rich.subpositions(&arena, value), Some(9));
    assert_eq!(poor.subpositions(&arena, value), None);
    assert_eq!(poor.reduced(&arena, value).unwrap(), None);
    assert_eq!(poor.atomic_weight(&arena, star).unwrap(), None);
    // What is known already does not change the answer.
    let deeper = DeepInvariants::new(9).reduced(&arena, value).unwrap();
    assert_eq!(deeper, Some(value));
    // ε is too coarse for finer stops.
    let fine = parse(&arena, "{1|1/16777216}").unwrap();
    assert_eq!(rich.reduced(&arena, fine).unwrap(), None);
    assert_eq!(arena.compare(fine, Value::ZERO), Relation::Greater);
}
