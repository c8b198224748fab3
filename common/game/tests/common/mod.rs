//! A small evaluator of strips: the rules as they are told, one memo, recursion. It feeds the tests of this crate.

#![allow(dead_code)] // each test file uses its part

use std::collections::HashMap;

use toads_game::{Arena, Canonicalizer, Value};

/// Strips of one variant, evaluated in one arena.
pub(crate) struct Strips<'a> {
    canonicalizer: Canonicalizer<'a>,
    hop: bool,
    memo: HashMap<Vec<u8>, Value>,
}

impl<'a> Strips<'a> {
    pub(crate) fn new(arena: &'a Arena, hop: bool) -> Self {
        Self {
            canonicalizer: Canonicalizer::new(arena),
            hop,
            memo: HashMap::new(),
        }
    }

    /// The value of a strip of `t`, `f` and `.`, in either case.
    pub(crate) fn value(&mut self, strip: &str) -> Value {
        self.evaluate(&strip.to_ascii_lowercase().into_bytes())
    }

    fn evaluate(&mut self, strip: &[u8]) -> Value {
        if let Some(&known) = self.memo.get(strip) {
            return known;
        }
        let left: Vec<_> = moves(strip, self.hop)
            .iter()
            .map(|strip| self.evaluate(strip))
            .collect();
        // Right's moves are Left's in the mirror.
        let right: Vec<_> = moves(&mirror(strip), self.hop)
            .iter()
            .map(|strip| self.evaluate(&mirror(strip)))
            .collect();
        let value = self.canonicalizer.canonical(&left, &right).unwrap();
        self.memo.insert(strip.to_vec(), value);
        value
    }

    /// The values of all strips of `n` squares.
    pub(crate) fn all(&mut self, n: usize) -> Vec<Value> {
        let mut values = Vec::new();
        for mut index in 0..3usize.pow(n as u32) {
            let mut strip = Vec::with_capacity(n);
            for _ in 0..n {
                strip.push(b"f.t"[index % 3]);
                index /= 3;
            }
            values.push(self.evaluate(&strip));
        }
        values.sort_unstable();
        values.dedup();
        values
    }
}

fn moves(strip: &[u8], hop: bool) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for from in 0..strip.len() {
        if strip[from] != b't' {
            continue;
        }
        let step = (strip.get(from + 1) == Some(&b'.')).then_some(from + 1);
        let jump =
            (hop && strip.get(from + 1) == Some(&b'f') && strip.get(from + 2) == Some(&b'.'))
                .then_some(from + 2);
        for to in step.into_iter().chain(jump) {
            let mut after = strip.to_vec();
            after.swap(from, to);
            found.push(after);
        }
    }
    found
}

fn mirror(strip: &[u8]) -> Vec<u8> {
    let turned = |&square: &u8| match square {
        b't' => b'f',
        b'f' => b't',
        other => other,
    };
    strip.iter().rev().map(turned).collect()
}

/// An arena for the strips of up to 10 squares.
pub(crate) fn arena() -> Arena {
    Arena::with_capacity_bytes(1 << 30)
}

/// The values of all strips of 1 to `n` squares of both variants, each once.
pub(crate) fn values_to(arena: &Arena, n: usize) -> Vec<Value> {
    let mut values = Vec::new();
    for hop in [true, false] {
        let mut strips = Strips::new(arena, hop);
        (1..=n).for_each(|n| values.extend(strips.all(n)));
    }
    values.sort_unstable();
    values.dedup();
    values
}
