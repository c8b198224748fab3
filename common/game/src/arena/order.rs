//! The partial order of values.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::bounds::Bounds;
use super::memo::OrderMemo;
use super::{Arena, Outcome, Relation, Value};

/// A value with its bounds at hand.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) value: Value,
    pub(super) bounds: Bounds,
}

/// A way to compare, with a memo of its results.
#[derive(Clone, Copy)]
pub(super) struct Order<'a> {
    arena: &'a Arena,
    memo: &'a OrderMemo,
}

impl Order<'_> {
    /// [`Arena::leq`] of values whose bounds are at hand.
    #[inline]
    pub(super) fn leq(self, g: Known, h: Known) -> bool {
        if g.value == h.value {
            return true;
        }
        match g.bounds.leq(h.bounds) {
            Some(decided) => decided,
            None => self.leq_by_options(g, h),
        }
    }

    fn leq_by_options(self, g: Known, h: Known) -> bool {
        if let Some(known) = self.memo.get(g.value, h.value) {
            return known;
        }
        let arena = self.arena;
        let by_left = |gl: Value| self.leq(h, arena.known(gl));
        let by_right = |hr: Value| self.leq(arena.known(hr), g);
        let leq = !arena.left_options(g.value).any(by_left)
            && !arena.right_options(h.value).any(by_right);
        self.memo.put(g.value, h.value, leq);
        leq
    }
}

/// The memos of an arena: one for everybody, and one for each of the threads that compare much. Threads that write
/// to one memo would fetch each other's cache lines all the time.
pub(super) struct OrderMemos {
    bits: u32,
    shared: OrderMemo,
    own: Box<[OnceLock<OrderMemo>]>,
    /// Those of `own` that nobody uses.
    free: Mutex<Vec<usize>>,
}

/// Threads beyond this number share one memo.
const MOST_OWN: usize = 256;

impl OrderMemos {
    /// Each with 2^`bits` entries.
    pub(super) fn new(bits: u32) -> Self {
        Self {
            bits,
            shared: OrderMemo::new(bits),
            own: (0..MOST_OWN).map(|_| OnceLock::new()).collect(),
            free: Mutex::new((0..MOST_OWN).rev().collect()),
        }
    }

    fn free(&self) -> MutexGuard<'_, Vec<usize>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A memo that one thread has for itself for a while.
pub(super) struct OwnOrder<'a> {
    arena: &'a Arena,
    at: Option<usize>,
}

impl<'a> OwnOrder<'a> {
    pub(super) fn of(arena: &'a Arena) -> Self {
        let at = arena.order_memos.free().pop();
        Self { arena, at }
    }

    /// To compare by; only while this is there.
    pub(super) fn order(&self) -> Order<'a> {
        let memos = &self.arena.order_memos;
        let memo = match self.at {
            Some(at) => memos.own[at].get_or_init(|| OrderMemo::new(memos.bits)),
            None => &memos.shared,
        };
        Order {
            arena: self.arena,
            memo,
        }
    }
}

impl Drop for OwnOrder<'_> {
    fn drop(&mut self) {
        self.arena.order_memos.free().extend(self.at);
    }
}

impl Arena {
    /// G ≤ H: no Gᴸ ≥ H and no Hᴿ ≤ G. Decided by the bounds where they can; else by the options, memoised.
    pub fn leq(&self, g: Value, h: Value) -> bool {
        self.order().leq(self.known(g), self.known(h))
    }

    /// By the memo for everybody.
    pub(super) fn order(&self) -> Order<'_> {
        Order {
            arena: self,
            memo: &self.order_memos.shared,
        }
    }

    /// The value with its bounds.
    #[inline]
    pub(super) fn known(&self, value: Value) -> Known {
        let bounds = self.bounds_of(value);
        Known { value, bounds }
    }

    /// How G and H compare.
    pub fn compare(&self, g: Value, h: Value) -> Relation {
        match (self.leq(g, h), self.leq(h, g)) {
            (true, true) => Relation::Equal,
            (true, false) => Relation::Less,
            (false, true) => Relation::Greater,
            (false, false) => Relation::Confused,
        }
    }

    /// Who wins `value`; constant time, by its bounds.
    pub fn outcome(&self, value: Value) -> Outcome {
        let bounds = self.bounds_of(value);
        match (bounds.upper <= 0, bounds.lower >= 0) {
            (true, true) => Outcome::P,
            (true, false) => Outcome::R,
            (false, true) => Outcome::L,
            (false, false) => Outcome::N,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_has_a_memo_of_its_own_as_long_as_there_are_some() {
        let arena = Arena::new();
        let star = arena.canonical(&[Value::ZERO], &[Value::ZERO]).unwrap();
        let up = arena.canonical(&[Value::ZERO], &[star]).unwrap();
        let (up, star) = (arena.known(up), arena.known(star));
        let memo_of = |own: &OwnOrder<'_>| std::ptr::from_ref(own.order().memo);
        let owns: Vec<_> = (0..MOST_OWN + 2).map(|_| OwnOrder::of(&arena)).collect();
        for own in &owns {
            // Up and star are confused, and nothing but their options tells so.
            assert!(!own.order().leq(up, star) && !own.order().leq(star, up));
        }
        assert_ne!(memo_of(&owns[0]), memo_of(&owns[1]));
        let shared = std::ptr::from_ref(&arena.order_memos.shared);
        assert!(owns[MOST_OWN..].iter().all(|own| memo_of(own) == shared));
        drop(owns);
        assert_eq!(arena.order_memos.free().len(), MOST_OWN);
    }
}
