//! The partial order of values.

use super::bounds::Bounds;
use super::{Arena, Outcome, Relation, Value};

/// A value with its bounds at hand.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) value: Value,
    pub(super) bounds: Bounds,
}

impl Arena {
    /// G ≤ H: no Gᴸ ≥ H and no Hᴿ ≤ G. Decided by the bounds where they can; else by the options, memoised.
    pub fn leq(&self, g: Value, h: Value) -> bool {
        self.leq_known(self.known(g), self.known(h))
    }

    /// The value with its bounds.
    #[inline]
    pub(super) fn known(&self, value: Value) -> Known {
        let bounds = self.bounds_of(value);
        Known { value, bounds }
    }

    /// [`Self::leq`] of values whose bounds are at hand.
    #[inline]
    pub(super) fn leq_known(&self, g: Known, h: Known) -> bool {
        if g.value == h.value {
            return true;
        }
        match g.bounds.leq(h.bounds) {
            Some(decided) => decided,
            None => self.leq_by_options(g, h),
        }
    }

    fn leq_by_options(&self, g: Known, h: Known) -> bool {
        if let Some(known) = self.order_memo.get(g.value, h.value) {
            return known;
        }
        let by_left = |gl: Value| self.leq_known(h, self.known(gl));
        let by_right = |hr: Value| self.leq_known(self.known(hr), g);
        let leq =
            !self.left_options(g.value).any(by_left) && !self.right_options(h.value).any(by_right);
        self.order_memo.put(g.value, h.value, leq);
        leq
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
