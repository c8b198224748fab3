//! The partial order of values.

use super::{Arena, Outcome, Relation, Value};

impl Arena {
    /// G ≤ H: no Gᴸ ≥ H and no Hᴿ ≤ G. Decided by the bounds where they can; else by the options, memoised.
    pub fn leq(&self, g: Value, h: Value) -> bool {
        if g == h {
            return true;
        }
        if let Some(decided) = self.bounds_of(g).leq(self.bounds_of(h)) {
            return decided;
        }
        if let Some(known) = self.order_memo.get(g, h) {
            return known;
        }
        let leq = !self.left_options(g).any(|gl| self.leq(h, gl))
            && !self.right_options(h).any(|hr| self.leq(hr, g));
        self.order_memo.put(g, h, leq);
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
