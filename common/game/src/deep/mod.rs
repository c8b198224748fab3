//! Invariants that need the whole form, or forms that are not there yet: computed for the values somebody asks about,
//! and not recorded with a census.
//!
//! | invariant | what it is | file |
//! |---|---|---|
//! | depth | the longest play until a number is reached | here |
//! | subpositions | how many different positions the canonical form has | here |
//! | atomic weight | how many ↑ an all-small value is worth | `atomic_weight.rs` |
//! | reduced canonical form | the simplest value infinitesimally close | `reduced.rs` |

mod atomic_weight;
mod reduced;

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

use crate::arena::{Arena, Value};
use crate::error::Result;
use crate::walk::{Fold, make_known};
use atomic_weight::AtomicWeights;
use reduced::ReducedForms;

/// Invariants of the values of one arena, computed when first asked for and remembered.
///
/// A value with more different positions than the budget has neither subpositions, atomic weight nor reduced form: `None`.
/// So an answer takes bounded time, and it is the same whatever was asked before. Atomic weights and reduced forms are
/// values of the same arena, to which they are added, with what it takes to find them.
pub struct DeepInvariants {
    budget: usize,
    depths: Depths,
    weights: AtomicWeights,
    reduced: ReducedForms,
}

impl DeepInvariants {
    /// The budget that people get who name none: positions of one canonical form.
    pub const BUDGET: usize = 20_000;

    /// None computed yet; of values with at most `budget` positions.
    pub fn new(budget: usize) -> Self {
        Self {
            budget,
            depths: Depths::default(),
            weights: AtomicWeights::default(),
            reduced: ReducedForms::default(),
        }
    }

    /// The moves of the longest play through the canonical form that ends when a number is reached: 0 for a number, 1 for a
    /// switch of numbers. (To the very end it takes as many moves as the birthday says.)
    pub fn depth(&mut self, arena: &Arena, value: Value) -> u32 {
        make_known(&mut self.depths, arena, value).expect("depths cannot fail");
        self.depths.of(arena, value)
    }

    /// The number of different positions of the canonical form, itself among them; `None` past the budget. Linear in it.
    pub fn subpositions(&self, arena: &Arena, value: Value) -> Option<usize> {
        let mut seen = HashSet::<Value, FxBuildHasher>::default();
        let mut stack = vec![value];
        seen.insert(value);
        while let Some(top) = stack.pop() {
            if seen.len() > self.budget {
                return None;
            }
            let options = arena.left_options(top).chain(arena.right_options(top));
            stack.extend(options.filter(|&option| seen.insert(option)));
        }
        Some(seen.len())
    }

    /// The atomic weight of an all-small value: one in whose form both players can move, or none can, at every position.
    /// `None` for other values, and past the budget.
    ///
    /// (Siegel, *Combinatorial Game Theory*, II.7; *Winning Ways*, chapter 8.)
    pub fn atomic_weight(&mut self, arena: &Arena, value: Value) -> Result<Option<Value>> {
        if !atomic_weight::may_be_all_small(arena, value) || !self.affords(arena, value) {
            return Ok(None);
        }
        self.weights.get(arena, value)
    }

    /// The reduced canonical form: the simplest value whose difference from this one is infinitesimal. `None` past the
    /// budget, and where a stop has more than 23 binary digits behind the point.
    ///
    /// (Grossman and Siegel, *Reductions of partizan games*, in *Games of No Chance 3*; Calistrate had the idea.)
    pub fn reduced(&mut self, arena: &Arena, value: Value) -> Result<Option<Value>> {
        if let Some(number) = reduced::numberish(arena, value) {
            return arena.number(number).map(Some);
        }
        if !self.affords(arena, value) {
            return Ok(None);
        }
        self.reduced.get(arena, value)
    }

    fn affords(&self, arena: &Arena, value: Value) -> bool {
        self.subpositions(arena, value).is_some()
    }
}

impl Default for DeepInvariants {
    fn default() -> Self {
        Self::new(Self::BUDGET)
    }
}

/// The depth of values that are no numbers.
#[derive(Default)]
struct Depths {
    known: HashMap<Value, u32, FxBuildHasher>,
}

impl Depths {
    fn of(&self, arena: &Arena, value: Value) -> u32 {
        match arena.as_number(value) {
            Some(_) => 0,
            None => self.known[&value],
        }
    }
}

impl Fold for Depths {
    fn is_known(&self, arena: &Arena, value: Value) -> bool {
        arena.as_number(value).is_some() || self.known.contains_key(&value)
    }

    fn compute(&mut self, arena: &Arena, value: Value) -> Result<()> {
        let options = arena.left_options(value).chain(arena.right_options(value));
        let deepest = options.map(|option| self.of(arena, option)).max();
        self.known.insert(value, 1 + deepest.unwrap_or(0));
        Ok(())
    }
}
