//! The tables of values, as CGSuite prints them.

mod common;

use common::{Strips, arena};
use toads_game::notation::{display, parse};
use toads_game::{Arena, Writer};

const HOP_8: &str = include_str!("../../../tests/golden/values-hop-8.tsv");
const HOPLESS_8: &str = include_str!("../../../tests/golden/values-hopless-8.tsv");
const HOP_10: &str = include_str!("../../../tests/golden/values-hop-10.tsv");
const VALUE_IDS: &str = include_str!("../../../tests/golden/value-ids.tsv");

fn rows(table: &str) -> Vec<(&str, &str)> {
    table
        .lines()
        .filter(|line| !line.is_empty())
        .map(|line| line.split_once('\t').expect("two columns"))
        .collect()
}

fn check(table: &str, hop: bool, expected_rows: usize) {
    let arena = arena();
    let mut strips = Strips::new(&arena, hop);
    let mut writer = Writer::new(&arena);
    let rows = rows(table);
    assert_eq!(rows.len(), expected_rows);
    for (strip, text) in rows {
        let value = strips.value(strip);
        assert_eq!(writer.display(value), text, "{strip}");
        assert_eq!(parse(&arena, text), Ok(value), "{strip} {text}");
    }
}

#[test]
fn hop_strips_of_8_squares() {
    check(HOP_8, true, 6561);
}

#[test]
fn hopless_strips_of_8_squares() {
    check(HOPLESS_8, false, 6561);
}

#[test]
fn the_hardest_hop_strips_of_10_squares() {
    check(HOP_10, true, 807);
}

#[test]
fn every_text_reads_back_in_a_fresh_arena() {
    for table in [HOP_8, HOPLESS_8, HOP_10] {
        let arena = arena();
        let mut writer = Writer::new(&arena);
        for (_, text) in rows(table) {
            let value = parse(&arena, text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(writer.display(value), text);
        }
    }
}

#[test]
fn value_ids_are_those_of_the_vectors() {
    let arena = Arena::new();
    let vectors = &rows(VALUE_IDS)[1..];
    assert!(vectors.len() >= 10);
    for &(text, id) in vectors {
        let value = parse(&arena, text).unwrap();
        assert_eq!(arena.id(value).to_string(), id, "{text}");
        assert_eq!(display(&arena, value), text);
    }
}
