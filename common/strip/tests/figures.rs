//! Published and golden figures of the hopless census, from the closed form.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use toads_strip::hopless::{ClosedForm, analyse, odd_gaps};
use toads_strip::{Outcome, Strip};

fn strips(squares: usize) -> impl Iterator<Item = Strip> {
    (0..3_u128.pow(squares as u32)).map(move |index| Strip::from_index(squares, index).unwrap())
}

fn golden(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/golden")
        .join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn strips_by_odd_contested_gaps() {
    let mut by_gaps = [0; 4];
    let mut two_and_a_number = Vec::new();
    for strip in (1..=9).flat_map(strips) {
        let gaps = odd_gaps(&strip);
        by_gaps[gaps] += 1;
        let form = analyse(&strip);
        match gaps {
            0 => assert!(form.is_number(), "{strip}"),
            1 => assert!(!form.is_number(), "{strip}"),
            2 if form.is_number() => two_and_a_number.push(strip.clone()),
            _ => {}
        }
        assert_eq!(
            form.is_number(),
            form.as_integer().is_some(),
            "{strip}: all numbers are integers"
        );
    }
    assert_eq!(by_gaps, [22_186, 6_985, 351, 1]);
    assert_eq!(two_and_a_number.len(), 143);
    assert_eq!(two_and_a_number[0].to_string(), "T.FT.F");
    assert_eq!(analyse(&two_and_a_number[0]), ClosedForm::integer(0));
}

#[test]
fn strips_worth_a_number() {
    let numbers = |squares| {
        strips(squares)
            .filter(|strip| analyse(strip).is_number())
            .count()
    };
    assert_eq!((1..=8).map(numbers).sum::<usize>(), 7_784);
    assert_eq!((4..=8).map(numbers).sum::<usize>(), 7_746);
    assert_eq!((1..=9).map(numbers).sum::<usize>(), 22_329);
}

#[test]
fn the_largest_birthday_and_integer_are_a_quarter_of_the_square() {
    for squares in 1..=10 {
        let forms: HashSet<_> = strips(squares).map(|strip| analyse(&strip)).collect();
        let expected = (squares * squares / 4) as u64;
        assert_eq!(forms.iter().map(ClosedForm::birthday).max(), Some(expected));
        assert_eq!(
            forms.iter().filter_map(ClosedForm::as_integer).max(),
            Some(expected as i64)
        );
    }
}

#[test]
fn the_golden_census() {
    let text = golden("census-hopless.tsv");
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("n\tstrips\tdistinct\tnumbers\tintegers\tzeros\tstars\tP\tL\tR\tN")
    );
    let mut rows = 0;
    for line in lines {
        let row: Vec<usize> = line.split('\t').map(|cell| cell.parse().unwrap()).collect();
        let forms: Vec<_> = strips(row[0]).map(|strip| analyse(&strip)).collect();
        let count =
            |wanted: &dyn Fn(&ClosedForm) -> bool| forms.iter().filter(|form| wanted(form)).count();
        let outcome = |outcome| count(&|form| form.outcome() == outcome);
        let found = [
            row[0],
            forms.len(),
            forms.iter().collect::<HashSet<_>>().len(),
            count(&ClosedForm::is_number),
            count(&|form| form.as_integer().is_some()),
            count(&|form| form.as_integer() == Some(0)),
            count(&ClosedForm::is_star),
            outcome(Outcome::P),
            outcome(Outcome::L),
            outcome(Outcome::R),
            outcome(Outcome::N),
        ];
        assert_eq!(found[..], row[..], "{line}");
        rows += 1;
    }
    assert_eq!(rows, 10);
}

/// Another program's texts: the same text exactly when the same closed form, and integers and n∗ read alike.
#[test]
fn the_golden_values_of_eight_squares() {
    let text = golden("values-hopless-8.tsv");
    let mut text_of = HashMap::new();
    let mut form_of = HashMap::new();
    for line in text.lines() {
        let (strip, value) = line.split_once('\t').unwrap();
        let form = analyse(&strip.parse::<Strip>().unwrap());
        assert_eq!(
            *text_of.entry(form.clone()).or_insert(value),
            value,
            "{strip}"
        );
        assert_eq!(
            *form_of.entry(value).or_insert_with(|| form.clone()),
            form,
            "{strip}"
        );
        assert_eq!(form.as_integer(), value.parse().ok(), "{strip} = {value}");
        if form.is_number() || form.swings() == [0] {
            assert_eq!(
                form.canonical_tree(2).unwrap().to_string(),
                value,
                "{strip}"
            );
        }
        if let [swing] = form.swings()
            && *swing > 0
        {
            let written = match form.mean().twice() {
                0 => format!("+-{}", form.left_stop()),
                _ => form.canonical_tree(2).unwrap().to_string(),
            };
            assert_eq!(written, value, "{strip}");
        }
    }
    assert_eq!(text_of.len(), 113);
}
