//! The counts against every strip, evaluated one by one by a naive reader that shares nothing with the crate.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use toads_count::{Columns, Counts, counts, distribution, largest_twice_temperature};

/// Twice the mean, and the swings that survive, largest first.
type Value = (i64, Vec<u32>);

/// A strip, as text: cut wherever a frog has a toad as the next piece to its right, then component by component.
fn value(strip: &[u8]) -> (Value, usize) {
    let mut parts = vec![];
    let mut start = 0;
    for at in 0..strip.len() {
        let next = strip[at + 1..]
            .iter()
            .position(|&square| square != b'.')
            .map(|blanks| at + 1 + blanks);
        if let Some(next) = next.filter(|&next| strip[at] == b'F' && strip[next] == b'T') {
            parts.push(start..at + 1);
            start = next;
        }
    }
    parts.push(start..strip.len());
    let (mut twice_mean, mut swings, mut odd) = (0, BTreeMap::<u32, usize>::new(), 0);
    let last = parts.len() - 1;
    for (i, part) in parts.into_iter().enumerate() {
        // The edges of the strip are reached from the first and the last part only.
        let (worth, swing) = component(&strip[part], i == 0, i == last);
        twice_mean += worth;
        if let Some(swing) = swing {
            *swings.entry(swing).or_default() += 1;
            odd += 1;
        }
    }
    let survivors = swings
        .into_iter()
        .rev()
        .filter(|(_, times)| times % 2 == 1)
        .map(|(swing, _)| swing);
    ((twice_mean, survivors.collect()), odd)
}

/// Twice the mean of toads followed by frogs, and the swing if the gap between them is odd. Blank by blank.
fn component(squares: &[u8], at_left: bool, at_right: bool) -> (i64, Option<u32>) {
    let count = |squares: &[u8], piece: u8| {
        squares
            .iter()
            .map(|&square| i64::from(square == piece))
            .sum::<i64>()
    };
    let (toads, frogs) = (count(squares, b'T'), count(squares, b'F'));
    let (mut twice_mean, mut contested) = (0, 0);
    for (at, _) in squares
        .iter()
        .enumerate()
        .filter(|(_, square)| **square == b'.')
    {
        let toads_behind = count(&squares[..at], b'T');
        let frogs_behind = count(&squares[at..], b'F');
        if toads_behind == toads && frogs_behind == frogs && toads > 0 && frogs > 0 {
            twice_mean += toads - frogs;
            contested += 1;
        } else if toads_behind > 0 && (toads_behind < toads || (frogs == 0 && at_right)) {
            twice_mean += 2 * toads_behind;
        } else if frogs_behind > 0 && (frogs_behind < frogs || (toads == 0 && at_left)) {
            twice_mean -= 2 * frogs_behind;
        }
    }
    (
        twice_mean,
        (contested % 2 == 1).then(|| (toads + frogs - 2) as u32),
    )
}

/// Who wins when Left (`left`) or Right begins: play mean ± h₁ ± h₂ … out, the larger half-swing first.
fn first_player_wins(value: &Value, left: bool) -> bool {
    let (mut twice, mut to_move) = (value.0, if left { 1 } else { -1 });
    for &swing in &value.1 {
        twice += to_move * i64::from(swing);
        to_move = -to_move;
    }
    assert_eq!(twice % 2, 0);
    // The one to move at an integer wins it only if it is on the good side of 0.
    let wins = twice * to_move > 0;
    wins == (to_move == if left { 1 } else { -1 })
}

#[derive(Default)]
struct Tally {
    values: BTreeMap<Value, u32>,
    by_gaps: BTreeMap<usize, u32>,
    numbers_by_gaps: BTreeMap<usize, u32>,
    outcomes: [u32; 4],
}

fn tally(n: u32) -> Tally {
    let mut tally = Tally::default();
    for index in 0..3_u32.pow(n) {
        let strip: Vec<u8> = (0..n)
            .map(|at| b"F.T"[(index / 3_u32.pow(at) % 3) as usize])
            .collect();
        let (value, odd) = value(&strip);
        *tally.by_gaps.entry(odd).or_default() += 1;
        if value.1.is_empty() {
            *tally.numbers_by_gaps.entry(odd).or_default() += 1;
        }
        let outcome = match (
            first_player_wins(&value, true),
            first_player_wins(&value, false),
        ) {
            (false, false) => 0,
            (true, false) => 1,
            (false, true) => 2,
            (true, true) => 3,
        };
        tally.outcomes[outcome] += 1;
        *tally.values.entry(value).or_default() += 1;
    }
    tally
}

fn small(count: &BigUint) -> u32 {
    u32::try_from(count).expect("small")
}

#[test]
fn every_count_equals_that_of_all_strips_to_eleven_squares() {
    let rows: Vec<Counts> = counts(0..=11, Columns::all(), 2).unwrap().collect();
    assert_eq!(rows.len(), 12);
    for row in rows {
        let n = row.n;
        let tally = tally(n);
        assert_eq!(small(&row.strips), 3_u32.pow(n));
        let numbers: u32 = tally
            .values
            .iter()
            .filter(|((_, swings), _)| swings.is_empty())
            .map(|(_, count)| count)
            .sum();
        assert_eq!(small(&row.numbers.unwrap()), numbers, "numbers, n = {n}");
        let zeros = tally.values[&(0, vec![])];
        assert_eq!(small(&row.zeros.unwrap()), zeros, "zeros, n = {n}");
        let outcomes = row.outcomes.unwrap();
        let outcomes = [outcomes.p, outcomes.l, outcomes.r, outcomes.n].map(|count| small(&count));
        assert_eq!(outcomes, tally.outcomes, "outcomes, n = {n}");
        assert_eq!(
            small(&row.distinct.unwrap()) as usize,
            tally.values.len(),
            "distinct, n = {n}"
        );
        let by_gaps: BTreeMap<usize, u32> = row
            .odd_gaps
            .unwrap()
            .iter()
            .map(small)
            .enumerate()
            .collect();
        assert_eq!(by_gaps, tally.by_gaps, "n = {n}");
        let in_pairs = row.numbers_by_odd_gaps.unwrap();
        let numbers_by_gaps: BTreeMap<usize, u32> = in_pairs
            .iter()
            .map(small)
            .enumerate()
            .map(|(pairs, count)| (2 * pairs, count))
            .collect();
        assert_eq!(numbers_by_gaps, tally.numbers_by_gaps, "n = {n}");
        let hottest = tally
            .values
            .keys()
            .map(|(_, swings)| swings.first().map_or(-2, |&swing| i64::from(swing)))
            .max();
        assert_eq!(hottest, Some(largest_twice_temperature(n)), "n = {n}");
    }
}

#[test]
fn the_distribution_is_that_of_all_strips_to_eleven_squares() {
    for n in 0..=11 {
        let found: Vec<(Vec<u32>, i64, u32)> = distribution(n, 2)
            .unwrap()
            .into_iter()
            .map(|row| (row.swings, row.twice_mean, small(&row.strips)))
            .collect();
        assert!(found.is_sorted());
        let expected = tally(n).values;
        let found: BTreeMap<Value, u32> = found
            .into_iter()
            .map(|(swings, twice_mean, strips)| ((twice_mean, swings), strips))
            .collect();
        assert_eq!(found, expected, "n = {n}");
    }
}
