//! Many independent forms at a time.
//!
//! The memo of option sets is far larger than the processor's caches: nearly every look-up misses them, and one at a time
//! each would cost a trip to memory. So the entry of an option set is only *asked for* when the set is known, and
//! read when many have been asked for; the trips then overlap.

use super::Canonicalizer;
use crate::arena::Value;
use crate::arena::bounds::Bounds;
use crate::arena::memo::SetKey;
use crate::arena::narrow::{self, NarrowStops};
use crate::error::Result;

/// What the stops of the options say about a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// It is this number.
    Number(Value, NarrowStops),
    /// It is no number, and has these stops.
    Other(NarrowStops),
}

/// Sets that wait, and their options one after another.
#[derive(Default)]
pub(super) struct Batch {
    waiting: Vec<Deferred>,
    /// Those that were not in the memo.
    unknown: Vec<Deferred>,
    options: Vec<Value>,
}

/// A form that is no number and whose value is not known yet.
#[derive(Clone, Copy)]
pub struct Deferred {
    tag: u32,
    stops: NarrowStops,
    set: OptionSet,
}

/// Options without repetitions.
#[derive(Clone, Copy)]
struct OptionSet {
    key: SetKey,
    /// Left options from here in [`Batch::options`],
    left: u32,
    /// Right options from here
    right: u32,
    /// to here.
    end: u32,
}

impl Batch {
    /// Begins the next set.
    #[inline]
    fn begin(&mut self) -> OptionSet {
        let at = self.options.len() as u32;
        OptionSet {
            key: SetKey::default(),
            left: at,
            right: at,
            end: at,
        }
    }

    /// Adds a Left option; all of them come before the first Right option.
    #[inline]
    fn left(&mut self, set: &mut OptionSet, option: Value) {
        if !self.options[set.left as usize..].contains(&option) {
            set.key = set.key.with(option, true);
            self.options.push(option);
            set.right += 1;
            set.end += 1;
        }
    }

    #[inline]
    fn right(&mut self, set: &mut OptionSet, option: Value) {
        if !self.options[set.right as usize..].contains(&option) {
            set.key = set.key.with(option, false);
            self.options.push(option);
            set.end += 1;
        }
    }
}

impl Canonicalizer<'_> {
    /// What the options say of their form, of which `above` is the largest `lower` of Left's
    /// ([`NO_LEFT`](crate::NO_LEFT) when there are none) and `below` the smallest `upper` of Right's.
    #[inline]
    pub fn decide(&mut self, above: i32, below: i32) -> Result<Decision> {
        if let Some(number) = narrow::simplest_between(above, below)? {
            self.stats.numbers += 1;
            let value = self.numbers.get(self.arena, number)?;
            return Ok(Decision::Number(value, NarrowStops::of_number(number)));
        }
        // There are options on both sides: without one of them the form is a number.
        Ok(Decision::Other(NarrowStops {
            upper: above + 1,
            lower: below - 1,
        }))
    }

    /// Begins a form that is no number, to be settled later; `stops` are those of [`Decision::Other`]. Its options follow
    /// one by one: [`Self::left`], then [`Self::right`], then [`Self::end`].
    #[inline]
    pub fn begin(&mut self, tag: u32, stops: NarrowStops) -> Deferred {
        let set = self.batch.begin();
        Deferred { tag, stops, set }
    }

    /// Adds a Left option with these stops, which is only looked at when it matters; repeated ones are welcome.
    #[inline]
    pub fn left(&mut self, form: &mut Deferred, of: NarrowStops, option: impl FnOnce() -> Value) {
        // An option below a bound of another one is dominated; this leaves one number a side at most.
        let above = form.stops.upper - 1;
        let matters = if of.upper == of.lower {
            of.lower == above
        } else {
            of.upper > above
        };
        if matters {
            self.batch.left(&mut form.set, option());
        }
    }

    /// Adds a Right option.
    #[inline]
    pub fn right(&mut self, form: &mut Deferred, of: NarrowStops, option: impl FnOnce() -> Value) {
        let below = form.stops.lower + 1;
        let matters = if of.upper == of.lower {
            of.upper == below
        } else {
            of.lower < below
        };
        if matters {
            self.batch.right(&mut form.set, option());
        }
    }

    /// Ends the form: it waits until [`Self::settle`].
    #[inline]
    pub fn end(&mut self, form: Deferred) {
        self.arena.set_memo.prefetch(form.set.key);
        self.batch.waiting.push(form);
    }

    /// How many forms wait.
    #[inline]
    pub fn waiting(&self) -> usize {
        self.batch.waiting.len()
    }

    /// Finds the canonical forms of everything deferred and hands out each with its tag and stops, in any order. After an
    /// error the others are forgotten.
    pub fn settle(&mut self, each: impl FnMut(u32, Value, NarrowStops)) -> Result<()> {
        if self.batch.waiting.is_empty() {
            return Ok(());
        }
        let waiting = std::mem::take(&mut self.batch.waiting);
        let mut unknown = std::mem::take(&mut self.batch.unknown);
        let outcome = self.settle_all(&waiting, &mut unknown, each);
        (self.batch.waiting, self.batch.unknown) = (waiting, unknown);
        self.batch.waiting.clear();
        self.batch.unknown.clear();
        self.batch.options.clear();
        outcome
    }

    #[inline(never)]
    fn settle_all(
        &mut self,
        waiting: &[Deferred],
        unknown: &mut Vec<Deferred>,
        mut each: impl FnMut(u32, Value, NarrowStops),
    ) -> Result<()> {
        for deferred in waiting {
            let Deferred { tag, stops, set } = *deferred;
            if let Some(value) = self.arena.set_memo.get(set.key) {
                self.stats.memo_hits += 1;
                each(tag, value, stops);
            } else {
                let options = set.left as usize..set.end as usize;
                self.arena.prefetch(&self.batch.options[options]);
                unknown.push(*deferred);
            }
        }
        for &mut Deferred { tag, stops, set } in unknown {
            // Asks the memo again: another set of this batch may have been the same one.
            each(tag, self.resolve(set, stops.widen())?, stops);
        }
        Ok(())
    }

    /// A form that is no number, at once.
    pub(super) fn resolve_now(
        &mut self,
        bounds: Bounds,
        left: &[Value],
        right: &[Value],
    ) -> Result<Value> {
        let (above, below) = (bounds.upper - 1, bounds.lower + 1);
        let mut set = self.batch.begin();
        for &option in left {
            let of = self.arena.bounds_of(option);
            let matters = if of.is_number() {
                of.lower == above
            } else {
                of.upper > above
            };
            if matters {
                self.batch.left(&mut set, option);
            }
        }
        for &option in right {
            let of = self.arena.bounds_of(option);
            let matters = if of.is_number() {
                of.upper == below
            } else {
                of.lower < below
            };
            if matters {
                self.batch.right(&mut set, option);
            }
        }
        let value = self.resolve(set, bounds);
        self.batch.options.truncate(set.left as usize);
        value
    }

    /// From the memo, or from scratch. Not inlined, so that profiles tell it from the look-up.
    #[inline(never)]
    fn resolve(&mut self, set: OptionSet, bounds: Bounds) -> Result<Value> {
        if let Some(value) = self.arena.set_memo.get(set.key) {
            self.stats.memo_hits += 1;
            return Ok(value);
        }
        let mut form = std::mem::take(&mut self.form);
        let options = &self.batch.options;
        form.set(
            &options[set.left as usize..set.right as usize],
            &options[set.right as usize..set.end as usize],
            bounds,
        );
        let value = self.canonicalise(&mut form);
        self.form = form;
        let value = value?;
        self.arena.set_memo.put(set.key, value);
        Ok(value)
    }
}
