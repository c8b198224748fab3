//! Content ids of values and of their negatives, computed when first asked for.

use std::sync::atomic::{AtomicU64, Ordering};

use smallvec::SmallVec;

use super::{Arena, Value, reserved};
use crate::id::ValueId;
use crate::zeroed::Zeroed;

/// Two words an id; a zero second word means "not computed" (an id that has one is recomputed each time).
pub(super) struct IdTable {
    own: Zeroed<AtomicU64>,
    negative: Zeroed<AtomicU64>,
    computed: AtomicU64,
}

impl IdTable {
    pub(super) fn new(values: usize, is_small: bool) -> Self {
        Self {
            own: reserved(values * 2, is_small),
            negative: reserved(values * 2, is_small),
            computed: AtomicU64::new(0),
        }
    }

    pub(super) fn memory_bytes(&self) -> u64 {
        self.computed.load(Ordering::Relaxed) * 16
    }

    fn side(&self, negated: bool) -> &[AtomicU64] {
        if negated { &self.negative } else { &self.own }
    }

    fn get(&self, value: Value, negated: bool) -> Option<ValueId> {
        let at = value.index() * 2;
        let words = &self.side(negated)[at..at + 2];
        let second = words[1].load(Ordering::Acquire);
        if second == 0 {
            return None;
        }
        let mut id = [0; 16];
        id[..8].copy_from_slice(&words[0].load(Ordering::Relaxed).to_le_bytes());
        id[8..].copy_from_slice(&second.to_le_bytes());
        Some(ValueId(id))
    }

    fn put(&self, value: Value, negated: bool, id: ValueId) {
        let word =
            |at: usize| u64::from_le_bytes(id.0[at..at + 8].try_into().expect("eight bytes"));
        let at = value.index() * 2;
        let words = &self.side(negated)[at..at + 2];
        words[0].store(word(0), Ordering::Relaxed);
        words[1].store(word(8), Ordering::Release);
        self.computed.fetch_add(1, Ordering::Relaxed);
    }
}

impl Arena {
    /// The content id of `value`. One hash for each subposition not asked for before.
    pub fn id(&self, value: Value) -> ValueId {
        self.id_of(value, false)
    }

    /// The content id of −`value`, which need not be in the arena.
    pub fn negative_id(&self, value: Value) -> ValueId {
        self.id_of(value, true)
    }

    fn id_of(&self, value: Value, negated: bool) -> ValueId {
        if let Some(id) = self.ids.get(value, negated) {
            return id;
        }
        // Depth first with a stack of our own: an integer is a chain as long as itself.
        let mut stack = vec![value];
        while let Some(&top) = stack.last() {
            let before = stack.len();
            let missing = |option: &Value| self.ids.get(*option, negated).is_none();
            stack.extend(self.left_options(top).filter(missing));
            stack.extend(self.right_options(top).filter(missing));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let known = |option: Value| self.ids.get(option, negated).expect("options come first");
            let mut left: SmallVec<[ValueId; 8]> = self.left_options(top).map(known).collect();
            let mut right: SmallVec<[ValueId; 8]> = self.right_options(top).map(known).collect();
            let id = if negated {
                ValueId::of(&mut right, &mut left)
            } else {
                ValueId::of(&mut left, &mut right)
            };
            self.ids.put(top, negated, id);
        }
        self.ids.get(value, negated).expect("just computed")
    }
}
