//! Values in a sum: canonical forms with their mean position taken out, so that `1*`, `2*` and `*` are one term.

use rustc_hash::FxHashMap;
use toads_game::{Arena, GameError, Value};

use crate::board::scramble;
use crate::number::raw;

/// A value less the number half-way between its stops; what is left has stops x and −x. Taking that number out commutes
/// with negation, which taking out one stop would not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Centred {
    /// The rest; zero if the value is a number.
    pub(crate) value: Value,
    /// The number, in units of 2^−40.
    pub(crate) number: i64,
}

/// A centred value that is no number, with what play asks of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    pub(crate) value: Value,
    pub(crate) negative: Value,
    /// A bound on the size of its form written as a tree.
    pub(crate) weight: u32,
    /// The left stop x; the right stop is −x.
    pub(crate) stop: i64,
}

impl Term {
    pub(crate) fn hash(self) -> u128 {
        hash_of(self.value)
    }

    pub(crate) fn mirror_hash(self) -> u128 {
        hash_of(self.negative)
    }
}

fn hash_of(value: Value) -> u128 {
    scramble([value.index() as u64, 0x51ab, 0x7a3f, 0x11], 255)
}

/// Entries kept before a memo starts over.
const MEMO_LIMIT: usize = 1 << 16;

/// Sums whose weights multiply to more than this stay sums.
const HEAVIEST: u64 = 4096;

/// One thread's knowledge of terms: the shared arena behind memos without locks.
pub(crate) struct Terms<'a> {
    arena: &'a Arena,
    centred: FxHashMap<Value, Centred>,
    known: FxHashMap<Value, Term>,
    sums: FxHashMap<(Value, Value), Centred>,
    weights: FxHashMap<Value, u32>,
}

fn tidy<K, V>(memo: &mut FxHashMap<K, V>) {
    if memo.len() >= MEMO_LIMIT {
        memo.clear();
    }
}

impl<'a> Terms<'a> {
    pub(crate) fn new(arena: &'a Arena) -> Self {
        Self {
            arena,
            centred: FxHashMap::default(),
            known: FxHashMap::default(),
            sums: FxHashMap::default(),
            weights: FxHashMap::default(),
        }
    }

    pub(crate) fn arena(&self) -> &'a Arena {
        self.arena
    }

    /// The value less its middle number. A middle that needs more than 40 binary digits stays in.
    pub(crate) fn centre(&mut self, value: Value) -> Result<Centred, GameError> {
        if let Some(number) = self.arena.as_number(value) {
            return Ok(Centred {
                value: Value::ZERO,
                number: raw(number),
            });
        }
        if let Some(&known) = self.centred.get(&value) {
            return Ok(known);
        }
        let (left, right) = (self.arena.left_stop(value), self.arena.right_stop(value));
        let middle = left.checked_add(right)?.half();
        let centred = match middle {
            Ok(middle) => Centred {
                value: self.arena.sub(value, self.arena.number(middle)?)?,
                number: raw(middle),
            },
            Err(_) => Centred { value, number: 0 },
        };
        tidy(&mut self.centred);
        self.centred.insert(value, centred);
        Ok(centred)
    }

    /// A centred value that is no number.
    pub(crate) fn term(&mut self, value: Value) -> Result<Term, GameError> {
        if let Some(&known) = self.known.get(&value) {
            return Ok(known);
        }
        let term = Term {
            value,
            negative: self.arena.neg(value)?,
            weight: self.weight(value),
            stop: raw(self.arena.left_stop(value)).max(-raw(self.arena.right_stop(value))),
        };
        tidy(&mut self.known);
        self.known.insert(value, term);
        Ok(term)
    }

    /// The sum of two terms, unless it might be large.
    pub(crate) fn sum(&mut self, a: Term, b: Term) -> Result<Option<Centred>, GameError> {
        if a.negative == b.value {
            return Ok(Some(Centred {
                value: Value::ZERO,
                number: 0,
            }));
        }
        if u64::from(a.weight) * u64::from(b.weight) > HEAVIEST {
            return Ok(None);
        }
        let key = (a.value.min(b.value), a.value.max(b.value));
        if let Some(&known) = self.sums.get(&key) {
            return Ok(Some(known));
        }
        let sum = self.arena.add(a.value, b.value)?;
        let sum = self.centre(sum)?;
        tidy(&mut self.sums);
        self.sums.insert(key, sum);
        Ok(Some(sum))
    }

    fn weight(&mut self, value: Value) -> u32 {
        if self.arena.as_number(value).is_some() {
            return 1;
        }
        if let Some(&known) = self.weights.get(&value) {
            return known;
        }
        let arena = self.arena;
        let options = arena.left_options(value).chain(arena.right_options(value));
        let weight = options.fold(1_u32, |sum, option| sum.saturating_add(self.weight(option)));
        tidy(&mut self.weights);
        self.weights.insert(value, weight);
        weight
    }
}
