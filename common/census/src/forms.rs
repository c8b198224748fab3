//! Values leave the arena: their forms, options first.

use toads_game::{Arena, GameError, Invariants, Value, ValueId};

use crate::result::ValueForm;

/// A set of handles of one arena, a bit each.
#[derive(Clone, Debug, Default)]
pub struct KnownValues {
    words: Vec<u64>,
}

impl KnownValues {
    /// Adds `value`; whether it was new.
    pub fn insert(&mut self, value: Value) -> bool {
        let (word, bit) = (value.index() / 64, 1 << (value.index() % 64));
        if word >= self.words.len() {
            self.words.resize((word + 1).next_power_of_two(), 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Whether it holds `value`.
    pub fn contains(&self, value: Value) -> bool {
        self.words
            .get(value.index() / 64)
            .is_some_and(|word| word >> (value.index() % 64) & 1 == 1)
    }

    /// Takes `value` out again.
    pub fn remove(&mut self, value: Value) {
        if let Some(word) = self.words.get_mut(value.index() / 64) {
            *word &= !(1 << (value.index() % 64));
        }
    }
}

/// `values` and their subpositions that `known` does not hold yet, in increasing order of handle, so options first.
/// Marks them known.
pub fn closure(arena: &Arena, values: &[Value], known: &mut KnownValues) -> Vec<Value> {
    let mut found: Vec<Value> = values
        .iter()
        .copied()
        .filter(|&value| known.insert(value))
        .collect();
    let mut at = 0;
    while at < found.len() {
        let value = found[at];
        at += 1;
        found.extend(
            arena
                .left_options(value)
                .filter(|&option| known.insert(option)),
        );
        found.extend(
            arena
                .right_options(value)
                .filter(|&option| known.insert(option)),
        );
    }
    found.sort_unstable();
    found
}

/// Writes forms with their invariants; keeps what it learned of each value.
pub struct Forms<'a> {
    arena: &'a Arena,
    invariants: Invariants<'a>,
}

impl<'a> Forms<'a> {
    /// A writer over `arena`.
    pub fn new(arena: &'a Arena) -> Self {
        Self {
            arena,
            invariants: Invariants::new(arena),
        }
    }

    /// The form of `value`. One hash and one thermograph for each subposition not met before.
    pub fn form(&mut self, value: Value) -> Result<ValueForm, GameError> {
        let mut left: Vec<ValueId> = self
            .arena
            .left_options(value)
            .map(|option| self.arena.id(option))
            .collect();
        let mut right: Vec<ValueId> = self
            .arena
            .right_options(value)
            .map(|option| self.arena.id(option))
            .collect();
        left.sort_unstable();
        right.sort_unstable();
        Ok(ValueForm {
            id: self.arena.id(value),
            negative: self.arena.negative_id(value),
            left,
            right,
            invariants: self.invariants.record(value)?,
        })
    }
}
