//! Every relation found by play is that of the canonical forms.

mod support;

use proptest::prelude::*;
use support::Forms;
use toads_game::{Arena, Relation, Value};
use toads_search::{Answer, Limits, Searcher, Sum, Summand};
use toads_strip::{Square, Strip, Variant};

/// Values that strips are compared with.
const MARKS: [&str; 8] = ["0", "*", "1", "-1", "1/2", "^", "v*", "{2|-1/4}"];

fn marks(arena: &Arena) -> Vec<Value> {
    let read = |text: &&str| toads_game::notation::parse(arena, text).unwrap();
    MARKS.iter().map(read).collect()
}

fn expected(answer: Answer, relation: Relation, what: impl std::fmt::Display) {
    assert_eq!(answer.relation(), Some(relation), "{what}: {answer}");
}

/// All strips of these squares against all marks.
fn strips_against_marks(
    variant: Variant,
    squares: usize,
    searcher: &mut Searcher<'_>,
    forms: &mut Forms<'_>,
) {
    for index in 0..3_u128.pow(squares as u32) {
        let strip = Strip::from_index(squares, index).unwrap();
        let value = forms.value(&strip, variant);
        for mark in marks(forms.arena()) {
            let answer = searcher
                .compare(&strip.clone().into(), &mark.into())
                .unwrap();
            expected(answer, forms.arena().compare(value, mark), &strip);
        }
    }
}

#[test]
fn every_small_strip_against_values() {
    for variant in Variant::ALL {
        let arena = Arena::new();
        let mut searcher = Searcher::new(&arena, variant, Limits::default());
        let mut forms = Forms::new(&arena);
        for squares in 1..=6 {
            strips_against_marks(variant, squares, &mut searcher, &mut forms);
        }
    }
}

/// Nothing is evaluated, everything is played, and a table of two entries forgets nearly all of it.
#[test]
fn every_small_strip_without_values_and_with_a_tiny_table() {
    let arena = Arena::new();
    let mut searcher = Searcher::new(&arena, Variant::Hop, Limits::default())
        .with_small_classes(0)
        .with_table_bytes(64);
    let mut forms = Forms::new(&arena);
    for squares in 1..=7 {
        strips_against_marks(Variant::Hop, squares, &mut searcher, &mut forms);
    }
}

/// A closed form is asked for every part with one blank; a wrong one would show.
#[test]
fn one_blank_has_a_hook() {
    let arena = Arena::new();
    let strip = Sum::from(Strip::parse("TT.TF").unwrap());
    let plain = Searcher::new(&arena, Variant::Hop, Limits::default()).compare(&strip, &Sum::new());
    assert_eq!(plain.unwrap().relation(), Some(Relation::Greater)); // {1|1/2 …}
    let mut wrong =
        Searcher::new(&arena, Variant::Hop, Limits::default()).with_one_blank(|arena, squares| {
            assert_eq!(squares.len(), 5);
            arena.integer(-7).ok()
        });
    assert_eq!(
        wrong.compare(&strip, &Sum::new()).unwrap().relation(),
        Some(Relation::Less)
    );
}

/// 1/2^(b−1) for b past the 40 binary digits of the arena: played out instead.
#[test]
fn long_strips_with_one_blank() {
    let arena = Arena::new();
    let mut searcher = Searcher::new(&arena, Variant::Hop, Limits::default());
    for (text, relation) in [
        ("T^3 .(TF)^10", "||"),
        ("T .(TF)^60", ">"),
        (".(TF)^63", "="),
    ] {
        let strip = Sum::from(Strip::parse(text).unwrap());
        let mark = arena.number("1/512".parse().unwrap()).unwrap();
        let mark = if relation == "||" {
            mark.into()
        } else {
            Sum::new()
        };
        let answer = searcher.compare(&strip, &mark).unwrap();
        assert_eq!(answer.to_string(), relation, "{text}");
    }
}

fn strip(squares: std::ops::Range<usize>) -> impl Strategy<Value = Strip> {
    prop::collection::vec(prop::sample::select(&Square::ALL[..]), squares).prop_map(Strip::from)
}

/// Strips with a little room, of which more is to be played.
fn open_strip(squares: std::ops::Range<usize>) -> impl Strategy<Value = Strip> {
    let square = prop::sample::select(vec![
        Square::Blank,
        Square::Blank,
        Square::Toad,
        Square::Frog,
    ]);
    prop::collection::vec(square, squares).prop_map(Strip::from)
}

fn value_of(forms: &mut Forms<'_>, sum: &[(bool, Strip)], variant: Variant) -> Value {
    let mut total = Value::ZERO;
    for (negated, strip) in sum {
        let value = forms.value(strip, variant);
        total = if *negated {
            forms.arena().sub(total, value).unwrap()
        } else {
            forms.arena().add(total, value).unwrap()
        };
    }
    total
}

fn sum_of(sum: &[(bool, Strip)]) -> Sum {
    sum.iter().fold(Sum::new(), |total, (negated, strip)| {
        let strip = Summand::Strip(strip.clone());
        if *negated {
            total.minus(strip)
        } else {
            total.plus(strip)
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn strips_against_strips(
        g in open_strip(6..10), h in open_strip(6..10), small in prop::sample::select(vec![0, 30, 20_000]),
        bytes in prop::sample::select(vec![64, 4096, 1 << 22]), variant in prop::sample::select(&Variant::ALL[..]),
    ) {
        let arena = Arena::new();
        let mut forms = Forms::new(&arena);
        let mut searcher = Searcher::new(&arena, variant, Limits::default())
            .with_small_classes(small)
            .with_table_bytes(bytes);
        let relation = arena.compare(forms.value(&g, variant), forms.value(&h, variant));
        let answer = searcher.compare(&g.clone().into(), &h.clone().into()).unwrap();
        expected(answer, relation, format!("{g} {h} {variant}"));
    }

    #[test]
    fn sums_of_three_and_a_value(
        g in prop::collection::vec((any::<bool>(), strip(3..7)), 0..4),
        h in prop::collection::vec((any::<bool>(), strip(3..7)), 0..2),
        mark in 0..MARKS.len(),
        small in prop::sample::select(vec![0, 12, 20_000]),
        variant in prop::sample::select(&Variant::ALL[..]),
        threads in 1_usize..3,
    ) {
        let arena = Arena::new();
        let mut forms = Forms::new(&arena);
        let limits = Limits { threads, ..Limits::default() };
        let mut searcher = Searcher::new(&arena, variant, limits).with_small_classes(small);
        let mark = marks(&arena)[mark];
        let left = arena.add(value_of(&mut forms, &g, variant), mark).unwrap();
        let right = value_of(&mut forms, &h, variant);
        let answer = searcher.compare(&sum_of(&g).plus(Summand::Value(mark)), &sum_of(&h)).unwrap();
        expected(answer, arena.compare(left, right), format!("{g:?} + {mark:?} vs {h:?} {variant}"));
    }

    #[test]
    fn two_threads_agree_on_longer_strips(g in open_strip(11..13)) {
        let arena = Arena::new();
        let mut forms = Forms::new(&arena);
        let limits = Limits { threads: 2, ..Limits::default() };
        let mut searcher = Searcher::new(&arena, Variant::Hop, limits).with_small_classes(100).with_table_bytes(1 << 16);
        let value = forms.value(&g, Variant::Hop);
        for mark in marks(&arena) {
            let answer = searcher.compare(&g.clone().into(), &mark.into()).unwrap();
            expected(answer, arena.compare(value, mark), &g);
        }
    }
}
