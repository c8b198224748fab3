//! From any options to the canonical form: numbers by simplicity, then domination and reversibility.
//!
//! (Siegel, *Combinatorial Game Theory*, II.2: a form without dominated and without reversible options is canonical.)
//!
//! | file | what it does |
//! |---|---|
//! | `mod.rs` | one form at a time |
//! | `batch.rs` | many forms at a time, with their stops at hand |
//! | `reduce.rs` | domination and reversibility, by comparison |
//! | `recent.rs` | one thread's small cache of numbers |

mod batch;
mod recent;
mod reduce;

use super::bounds::{Bounds, Decided, UNBOUNDED};
use super::memo::SetView;
use super::order::{Order, OwnOrder};
use super::{Arena, Value};
use crate::error::Result;
use batch::Batch;
pub use batch::{Deferred, MOST_OPTIONS};
use recent::RecentNumbers;
use reduce::{Form, WithForm};

/// How often each way of deciding an option set was taken, by one [`Canonicalizer`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CanonicalizerStats {
    /// Numbers, by the bounds of the options alone.
    pub numbers: u64,
    /// Found in the memo of option sets.
    pub memo_hits: u64,
    /// Canonicalised from scratch.
    pub canonicalised: u64,
}

impl CanonicalizerStats {
    /// The sums, figure by figure.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            numbers: self.numbers + other.numbers,
            memo_hits: self.memo_hits + other.memo_hits,
            canonicalised: self.canonicalised + other.canonicalised,
        }
    }

    /// The option sets looked up in the memo that were there, as a fraction; 0 when there were none.
    pub fn hit_rate(self) -> f64 {
        let asked = self.memo_hits + self.canonicalised;
        if asked == 0 {
            0.0
        } else {
            self.memo_hits as f64 / asked as f64
        }
    }
}

/// One thread's way into an arena: scratch space and counters, so that a strip costs no allocation.
///
/// Either hand it the options of one form ([`Self::canonical`]); or, for very many independent forms whose stops are at
/// hand, ask [`NarrowStops::of_form`](crate::NarrowStops::of_form) about each, [`Self::begin`] those that are no numbers, and
/// [`Self::settle`] them together.
pub struct Canonicalizer<'a> {
    arena: &'a Arena,
    order: Order<'a>,
    /// The memo behind `order`, if it is this one's own.
    _own: Option<OwnOrder<'a>>,
    /// The memo of option sets as it was a moment ago.
    memo: SetView<'a>,
    numbers: RecentNumbers,
    batch: Batch,
    form: Option<Box<Form>>,
    /// Comparisons with the form being canonicalised, below its direct options.
    with_form: WithForm,
    stats: CanonicalizerStats,
}

impl Arena {
    /// The canonical form of {left | right}. Allocates; in a loop use a [`Canonicalizer`].
    pub fn canonical(&self, left: &[Value], right: &[Value]) -> Result<Value> {
        Canonicalizer::new(self).canonical(left, right)
    }
}

/// The scratch space of a [`Canonicalizer`] that is done, for the next one, in whatever arena.
#[derive(Default)]
pub struct CanonicalizerScratch {
    numbers: RecentNumbers,
    batch: Batch,
    form: Option<Box<Form>>,
    with_form: WithForm,
}

impl<'a> Canonicalizer<'a> {
    /// Scratch space for one thread, about 5 KiB.
    pub fn new(arena: &'a Arena) -> Self {
        Self::with(arena, arena.order(), None, CanonicalizerScratch::default())
    }

    /// For millions of forms: with the scratch space of another one ([`Self::into_scratch`]), and an order memo of its own
    /// (128 KiB, which the arena keeps for the next one).
    pub fn with_scratch(arena: &'a Arena, mut scratch: CanonicalizerScratch) -> Self {
        scratch.numbers.forget();
        let own = OwnOrder::of(arena);
        Self::with(arena, own.order(), Some(own), scratch)
    }

    fn with(
        arena: &'a Arena,
        order: Order<'a>,
        own: Option<OwnOrder<'a>>,
        scratch: CanonicalizerScratch,
    ) -> Self {
        Self {
            arena,
            order,
            _own: own,
            memo: arena.set_memo.view(),
            numbers: scratch.numbers,
            batch: scratch.batch,
            form: scratch.form,
            with_form: scratch.with_form,
            stats: CanonicalizerStats::default(),
        }
    }

    /// Leaves the scratch space for the next one. What is deferred is forgotten.
    pub fn into_scratch(mut self) -> CanonicalizerScratch {
        self.batch.forget();
        CanonicalizerScratch {
            numbers: self.numbers,
            batch: self.batch,
            form: self.form,
            with_form: self.with_form,
        }
    }

    /// The arena.
    pub fn arena(&self) -> &'a Arena {
        self.arena
    }

    /// What was done so far.
    pub fn stats(&self) -> CanonicalizerStats {
        self.stats
    }

    /// The canonical form of {left | right}; repeated and dominated options are welcome.
    ///
    /// Most forms are decided by the bounds of their options (numbers) or by the memo; the others cost comparisons.
    pub fn canonical(&mut self, left: &[Value], right: &[Value]) -> Result<Value> {
        let arena = self.arena;
        let lowers = left.iter().map(|&option| arena.bounds_of(option).lower);
        let uppers = right.iter().map(|&option| arena.bounds_of(option).upper);
        let above = lowers.max().unwrap_or(-UNBOUNDED);
        let below = uppers.min().unwrap_or(UNBOUNDED);
        match Bounds::decide(above, below)? {
            Decided::Number(number) => {
                self.stats.numbers += 1;
                arena.number(number)
            }
            Decided::Other(bounds) => self.resolve_now(bounds, left, right),
        }
    }
}
