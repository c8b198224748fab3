//! The transposition table: for each sum, between which numbers it is known to lie.
//!
//! The number in a sum is not part of the key. For the rest X an entry tells for which numbers s the statements X ≥ s and
//! X ≤ s are known to be true, or false; both are monotone in s, so four thresholds say it all. X and −X share an entry.
//!
//! *Trust.* An entry matches when all 128 bits of the key's fingerprint do: the words are stored xored with a mix of
//! the data, so that an entry torn between two writers does not match either. A bucket has two entries, so a look-up
//! is wrong with a probability of at most 2^−127 for fingerprints that behave like random ones; a search of 2^40
//! nodes errs with less than 2^−80. Certificates do not depend on it.
//!
//! *Size.* 32 bytes an entry, fixed when made; between searches a table can be exchanged for a larger one. Of a full bucket
//! the entry that took more work stays.

use std::sync::atomic::{AtomicU64, Ordering};

use toads_game::zeroed::{Zeroed, zeroed};

/// Thresholds count in units of 2^−13; what is finer is part of the key.
const FINE_BITS: u32 = 27;

/// Thresholds stay below this magnitude.
const LIMIT: i64 = (1 << 29) - 2;

const FIELD: u64 = (1 << 30) - 1;
const ENTRY: usize = 4;
const BUCKET: usize = 2 * ENTRY;

/// A question about X: is X ≥ s, or X ≤ s?
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    key: u128,
    threshold: i32,
    at_least: bool,
}

impl Question {
    /// The question whether X ≥ `number` (in units of 2^−40), or ≤, about X with this fingerprint, −X having the other.
    /// `None` for numbers too large to remember.
    #[inline]
    pub(crate) fn new(hash: u128, mirror: u128, number: i64, at_least: bool) -> Option<Self> {
        let (hash, number, at_least) = if hash <= mirror {
            (hash, number, at_least)
        } else {
            (mirror, -number, !at_least)
        };
        let threshold = number >> FINE_BITS;
        let fine = (number - (threshold << FINE_BITS)) as u128;
        (threshold.abs() < LIMIT).then(|| Self {
            key: hash.wrapping_add(fine.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)),
            threshold: threshold as i32,
            at_least,
        })
    }
}

/// Four thresholds, each as a strength: 0 when nothing is known, larger when more is.
#[derive(Clone, Copy, Default)]
struct Thresholds {
    /// X ≥ s for s up to this; less the bias.
    at_least: u64,
    /// Not X ≥ s for s from this on; the bias less it.
    not_at_least: u64,
    /// X ≤ s for s from this on; the bias less it.
    at_most: u64,
    /// Not X ≤ s for s up to this; less the bias.
    not_at_most: u64,
    work: u64,
}

const BIAS: i64 = 1 << 29;

impl Thresholds {
    fn unpack(first: u64, second: u64) -> Self {
        Self {
            at_least: first & FIELD,
            not_at_least: first >> 30 & FIELD,
            at_most: second & FIELD,
            not_at_most: second >> 30 & FIELD,
            work: first >> 60,
        }
    }

    fn pack(self) -> (u64, u64) {
        (
            self.at_least | self.not_at_least << 30 | self.work << 60,
            self.at_most | self.not_at_most << 30,
        )
    }

    fn answer(self, question: Question) -> Option<bool> {
        let up = (i64::from(question.threshold) + BIAS) as u64;
        let down = (BIAS - i64::from(question.threshold)) as u64;
        if question.at_least {
            if up <= self.at_least {
                Some(true)
            } else if down <= self.not_at_least || down < self.at_most {
                Some(false)
            } else {
                None
            }
        } else if down <= self.at_most {
            Some(true)
        } else if up <= self.not_at_most || up < self.at_least {
            Some(false)
        } else {
            None
        }
    }

    fn learn(&mut self, question: Question, answer: bool, work: u64) {
        let up = (i64::from(question.threshold) + BIAS) as u64;
        let down = (BIAS - i64::from(question.threshold)) as u64;
        let (field, strength) = match (question.at_least, answer) {
            (true, true) => (&mut self.at_least, up),
            (true, false) => (&mut self.not_at_least, down),
            (false, true) => (&mut self.at_most, down),
            (false, false) => (&mut self.not_at_most, up),
        };
        *field = strength.max(*field);
        self.work = self.work.max(work);
    }
}

/// Bounded, lock-free, shared by all threads.
pub(crate) struct Table {
    words: Zeroed<AtomicU64>,
    buckets: u64,
}

#[inline]
fn mix(first: u64, second: u64) -> (u64, u64) {
    (
        first.wrapping_mul(0xd6e8_feb8_6659_fd93) ^ second.rotate_left(32),
        second.wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ first.rotate_left(25),
    )
}

impl Table {
    /// A table of at most this many bytes, but at least one bucket of 64.
    pub(crate) fn new(bytes: u64) -> Self {
        let buckets = (bytes / 64).max(1);
        Self {
            words: zeroed(buckets as usize * BUCKET),
            buckets,
        }
    }

    /// How many entries fit.
    pub(crate) fn entries(&self) -> u64 {
        self.buckets * 2
    }

    /// How many bytes it takes once every page was touched.
    pub(crate) fn bytes(&self) -> u64 {
        self.buckets * 64
    }

    /// A table of this many bytes with the same entries, as far as they fit.
    pub(crate) fn grown(&self, bytes: u64) -> Self {
        let larger = Self::new(bytes);
        let word = |entry: &[AtomicU64], at: usize| entry[at].load(Ordering::Relaxed);
        for entry in self.words.chunks_exact(ENTRY) {
            let (first, second) = (word(entry, 2), word(entry, 3));
            if first | second == 0 {
                continue;
            }
            let (a, b) = mix(first, second);
            let key = u128::from(word(entry, 1) ^ b) << 64 | u128::from(word(entry, 0) ^ a);
            let (one, other) = larger.bucket(key).split_at(ENTRY);
            let is_free = word(one, 2) | word(one, 3) == 0;
            write(
                if is_free { one } else { other },
                key,
                Thresholds::unpack(first, second),
            );
        }
        larger
    }

    #[inline]
    fn bucket(&self, key: u128) -> &[AtomicU64] {
        let high = u128::from((key >> 64) as u64);
        let at = ((high * u128::from(self.buckets)) >> 64) as usize * BUCKET;
        &self.words[at..at + BUCKET]
    }

    /// What is known about the question.
    #[inline]
    pub(crate) fn probe(&self, question: Question) -> Option<bool> {
        let bucket = self.bucket(question.key);
        bucket
            .chunks_exact(ENTRY)
            .find_map(|entry| read(entry, question.key))
            .and_then(|known| known.answer(question))
    }

    /// Remembers an answer that took `nodes` nodes. Returns whether an empty entry was filled.
    pub(crate) fn store(&self, question: Question, answer: bool, nodes: u64) -> bool {
        let bucket = self.bucket(question.key);
        let (first, second) = bucket.split_at(ENTRY);
        let work = u64::from((nodes + 1).ilog2() / 2).min(15);
        for entry in [first, second] {
            if let Some(mut known) = read(entry, question.key) {
                known.learn(question, answer, work);
                write(entry, question.key, known);
                return false;
            }
        }
        let mut new = Thresholds::default();
        new.learn(question, answer, work);
        let loaded = |entry: &[AtomicU64], at: usize| entry[at].load(Ordering::Relaxed);
        let (kept, kept_too) = (loaded(first, 2), loaded(first, 3));
        if kept == 0 && kept_too == 0 {
            write(first, question.key, new);
            return true;
        }
        let empty = loaded(second, 2) == 0 && loaded(second, 3) == 0;
        if work >= kept >> 60 {
            for (to, from) in second.iter().zip(first) {
                to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
            }
            write(first, question.key, new);
        } else {
            write(second, question.key, new);
        }
        empty
    }
}

#[inline]
fn read(entry: &[AtomicU64], key: u128) -> Option<Thresholds> {
    let first = entry[2].load(Ordering::Relaxed);
    let second = entry[3].load(Ordering::Relaxed);
    let (a, b) = mix(first, second);
    let matches = entry[0].load(Ordering::Relaxed) ^ a == key as u64
        && entry[1].load(Ordering::Relaxed) ^ b == (key >> 64) as u64;
    matches.then(|| Thresholds::unpack(first, second))
}

fn write(entry: &[AtomicU64], key: u128, thresholds: Thresholds) {
    let (first, second) = thresholds.pack();
    let (a, b) = mix(first, second);
    entry[0].store(key as u64 ^ a, Ordering::Relaxed);
    entry[1].store((key >> 64) as u64 ^ b, Ordering::Relaxed);
    entry[2].store(first, Ordering::Relaxed);
    entry[3].store(second, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::{Question, Table};
    use crate::number::UNIT;
    use proptest::prelude::*;

    const HALF: i64 = UNIT / 2;
    const FINE: i64 = 1;

    fn ask(table: &Table, hash: u128, mirror: u128, number: i64, at_least: bool) -> Option<bool> {
        table.probe(Question::new(hash, mirror, number, at_least)?)
    }

    fn learn(table: &Table, hash: u128, mirror: u128, number: i64, at_least: bool, answer: bool) {
        table.store(
            Question::new(hash, mirror, number, at_least).unwrap(),
            answer,
            1,
        );
    }

    #[test]
    fn an_answer_serves_other_numbers_and_the_negative() {
        let table = Table::new(1 << 12);
        learn(&table, 7, 9, HALF, true, true); // X ≥ 1/2
        assert_eq!(ask(&table, 7, 9, HALF, true), Some(true));
        assert_eq!(ask(&table, 7, 9, -3 * UNIT, true), Some(true));
        assert_eq!(ask(&table, 7, 9, UNIT, true), None);
        assert_eq!(ask(&table, 7, 9, 0, false), Some(false)); // not X ≤ 0
        assert_eq!(ask(&table, 7, 9, HALF, false), None);
        // −X ≤ −1/2, and not −X ≥ 0.
        assert_eq!(ask(&table, 9, 7, -HALF, false), Some(true));
        assert_eq!(ask(&table, 9, 7, 0, true), Some(false));
        learn(&table, 7, 9, 2 * UNIT, true, false);
        assert_eq!(ask(&table, 7, 9, 3 * UNIT, true), Some(false));
        assert_eq!(ask(&table, 7, 9, UNIT, true), None);
        assert_eq!(ask(&table, 8, 9, 0, true), None);
    }

    #[test]
    fn fine_numbers_are_told_apart_and_large_ones_left_out() {
        let table = Table::new(1 << 12);
        learn(&table, 7, 9, UNIT + FINE, true, true);
        assert_eq!(ask(&table, 7, 9, UNIT + FINE, true), Some(true));
        assert_eq!(ask(&table, 7, 9, UNIT, true), None); // another key: no more than forgotten
        assert_eq!(ask(&table, 9, 7, -UNIT - FINE, false), Some(true));
        assert!(Question::new(7, 9, UNIT << 20, true).is_none());
    }

    proptest! {
        /// A table of one bucket, about a few X of which we know the values: numbers. Whatever is forgotten, nothing is wrong.
        #[test]
        fn answers_are_true(
            bytes in prop::sample::select(vec![64_u64, 256, 1 << 14]),
            steps in prop::collection::vec((0_i64..9, -12_i64..12, any::<bool>(), any::<bool>()), 1..200),
        ) {
            let mut table = Table::new(bytes);
            for (at, (x, number, at_least, store)) in steps.into_iter().enumerate() {
                // X is the number x − 4 quarters; its key and that of −X are exchanged.
                let key = |x: i64| u128::from(x as u64 + 1) * 0x9e37_79b9_7f4a_7c15_0000_0001_0000_0001;
                let (hash, mirror) = (key(x), key(8 - x));
                let (value, number) = ((x - 4) * (UNIT / 4), number * (UNIT / 8));
                let truth = if at_least { value >= number } else { value <= number };
                if store {
                    learn(&table, hash, mirror, number, at_least, truth);
                } else if let Some(answer) = ask(&table, hash, mirror, number, at_least) {
                    prop_assert_eq!(answer, truth);
                }
                if at % 50 == 49 {
                    let bytes = table.bytes() * 4;
                    table = table.grown(bytes);
                }
            }
        }
    }

    #[test]
    fn a_grown_table_forgets_nothing() {
        let table = Table::new(1 << 16);
        let key = |i: u128| i.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        for i in 1..200 {
            learn(&table, key(i), u128::MAX, i as i64 * UNIT, true, true);
        }
        let known = |table: &Table| {
            (1..200)
                .filter(|&i| ask(table, key(i), u128::MAX, i as i64 * UNIT, true) == Some(true))
                .count()
        };
        let before = known(&table);
        let grown = table.grown(1 << 18);
        assert!(before > 190 && known(&grown) == before, "{before}");
        assert_eq!(grown.bytes(), 1 << 18);
    }
}
