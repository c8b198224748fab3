//! Many independent forms at a time.
//!
//! The memo of option sets is far larger than the processor's caches: nearly every look-up misses them, and one at a time
//! each would cost a trip to memory. So the entry of an option set is only *asked for* when the set is known, and
//! read when many have been asked for; the trips then overlap.

use super::Canonicalizer;
use super::reduce::{Form, Options};
use crate::arena::bounds::Bounds;
use crate::arena::memo::SetKey;
use crate::arena::narrow::NarrowStops;
use crate::arena::order::Known;
use crate::arena::{Arena, Value};
use crate::error::Result;

/// The most options a side that a [`Deferred`] form may be offered.
pub const MOST_OPTIONS: usize = 8;

/// Forms that wait to be settled.
#[derive(Default)]
pub(super) struct Batch {
    waiting: Vec<Deferred>,
    /// The places in `waiting` of those that were not in the memo.
    unknown: Vec<u32>,
}

/// A form that is no number and whose value is not known yet. Its options are added one by one, at most [`MOST_OPTIONS`] a
/// side; repeated ones are welcome.
#[derive(Clone, Copy)]
pub struct Deferred {
    tag: u32,
    stops: NarrowStops,
    key: SetKey,
    left: Side,
    right: Side,
}

/// Options without repetitions; [`Side::NONE`] behind them.
#[derive(Clone, Copy)]
struct Side {
    options: [Value; MOST_OPTIONS],
    stops: [NarrowStops; MOST_OPTIONS],
    len: u32,
}

impl Side {
    /// No arena holds so many values.
    const NONE: Value = Value(u32::MAX);

    const EMPTY: Self = Self {
        options: [Self::NONE; MOST_OPTIONS],
        stops: [NarrowStops { upper: 0, lower: 0 }; MOST_OPTIONS],
        len: 0,
    };

    /// Adds an option that `matters`, unless it is there. Without branches: which options matter is as good as random.
    #[inline]
    fn add(&mut self, option: Value, stops: NarrowStops, matters: bool) {
        let is_there = self
            .options
            .iter()
            .fold(false, |there, &other| there | (other == option));
        let is_new = matters & !is_there;
        debug_assert!(!is_new || (self.len as usize) < MOST_OPTIONS, "too many");
        let next = self.len as usize % MOST_OPTIONS;
        self.options[next] = if is_new { option } else { Self::NONE };
        self.stops[next] = stops;
        self.len += u32::from(is_new);
    }

    /// Adds the options to a key. Few sides have more than two.
    #[inline]
    fn add_to(&self, key: &mut SetKey, is_left: bool) {
        key.add(self.options[0], is_left, self.len > 0);
        key.add(self.options[1], is_left, self.len > 1);
        for &option in self.as_slice().get(2..).unwrap_or(&[]) {
            key.add(option, is_left, true);
        }
    }

    fn as_slice(&self) -> &[Value] {
        &self.options[..self.len as usize]
    }

    fn known(&self) -> impl Iterator<Item = Known> + '_ {
        let known = |(&value, stops): (&Value, &NarrowStops)| Known {
            value,
            bounds: stops.widen(),
        };
        self.as_slice().iter().zip(&self.stops).map(known)
    }

    /// Asks for what is known about the order of options that their stops do not decide.
    fn prefetch_order(&self, arena: &Arena) {
        let (options, stops) = (self.as_slice(), &self.stops);
        for (i, &g) in options.iter().enumerate() {
            for (j, &h) in options.iter().enumerate() {
                if i != j && stops[i].upper <= stops[j].upper && stops[i].lower <= stops[j].lower {
                    arena.prefetch_order(g, h);
                }
            }
        }
    }
}

impl Deferred {
    /// Adds a Left option with these stops.
    #[inline]
    pub fn left(&mut self, of: NarrowStops, option: Value) {
        // An option below a bound of another one is dominated; this leaves one number a side at most.
        let above = self.stops.upper - 1;
        let matters = (of.upper > above) | ((of.upper == above) & (of.lower == above));
        self.left.add(option, of, matters);
    }

    /// Adds a Right option with these stops.
    #[inline]
    pub fn right(&mut self, of: NarrowStops, option: Value) {
        let below = self.stops.lower + 1;
        let matters = (of.lower < below) | ((of.lower == below) & (of.upper == below));
        self.right.add(option, of, matters);
    }
}

impl Canonicalizer<'_> {
    /// The number with these stops.
    #[inline]
    pub fn number(&mut self, stops: NarrowStops) -> Result<Value> {
        self.stats.numbers += 1;
        self.numbers.get(self.arena, stops.upper / 2)
    }

    /// Begins a form that is no number, to be settled later; `stops` are those of [`NarrowStops::of_form`]. Add its options
    /// to what is returned, then call [`Self::end`].
    #[inline]
    pub fn begin(&mut self, tag: u32, stops: NarrowStops) -> &mut Deferred {
        self.batch.waiting.push(Deferred {
            tag,
            stops,
            key: SetKey::default(),
            left: Side::EMPTY,
            right: Side::EMPTY,
        });
        let last = self.batch.waiting.len() - 1;
        &mut self.batch.waiting[last]
    }

    /// Ends the form begun last: it waits until [`Self::settle`].
    #[inline]
    pub fn end(&mut self) {
        if let Some(form) = self.batch.waiting.last_mut() {
            form.left.add_to(&mut form.key, true);
            form.right.add_to(&mut form.key, false);
            self.arena.set_memo.prefetch(form.key);
        }
    }

    /// Finds the canonical forms of everything deferred and hands out each with its tag, in any order. After an error the
    /// others are forgotten.
    #[inline]
    pub fn settle(&mut self, each: impl FnMut(u32, Value)) -> Result<()> {
        if self.batch.waiting.is_empty() {
            return Ok(());
        }
        let mut batch = std::mem::take(&mut self.batch);
        let outcome = self.settle_all(&mut batch, each);
        self.batch = batch;
        self.batch.waiting.clear();
        self.batch.unknown.clear();
        outcome
    }

    #[inline(never)]
    fn settle_all(&mut self, batch: &mut Batch, mut each: impl FnMut(u32, Value)) -> Result<()> {
        for (at, form) in (0..).zip(&batch.waiting) {
            if let Some(value) = self.arena.set_memo.get(form.key) {
                self.stats.memo_hits += 1;
                each(form.tag, value);
            } else {
                self.arena.prefetch(form.left.as_slice());
                self.arena.prefetch(form.right.as_slice());
                self.arena.set_memo.prefetch_outgrown(form.key);
                batch.unknown.push(at);
            }
        }
        for &at in &batch.unknown {
            let form = &batch.waiting[at as usize];
            form.left.prefetch_order(self.arena);
            form.right.prefetch_order(self.arena);
        }
        for &at in &batch.unknown {
            let form = &batch.waiting[at as usize];
            // Asks the memo again: another set of this batch may have been the same one.
            each(form.tag, self.resolve(form)?);
        }
        Ok(())
    }

    /// From the memo, or from scratch. Not inlined, so that profiles tell it from the look-up.
    #[inline(never)]
    fn resolve(&mut self, deferred: &Deferred) -> Result<Value> {
        self.resolve_set(deferred.key, deferred.stops.widen(), |form| {
            form.left.extend(deferred.left.known());
            form.right.extend(deferred.right.known());
        })
    }

    /// The form with these bounds, from the memo; or from scratch, when `fill` has put its options there.
    fn resolve_set(
        &mut self,
        key: SetKey,
        bounds: Bounds,
        fill: impl FnOnce(&mut Form),
    ) -> Result<Value> {
        let memo = &self.arena.set_memo;
        if let Some(value) = memo.get(key).or_else(|| memo.get_outgrown(key)) {
            self.stats.memo_hits += 1;
            return Ok(value);
        }
        let mut form = self.form.take().unwrap_or_default();
        form.clear(bounds);
        fill(&mut form);
        let value = self.canonicalise(&mut form);
        self.form = Some(form);
        let value = value?;
        self.arena.set_memo.put(key, value);
        Ok(value)
    }

    /// A form that is no number, at once.
    pub(super) fn resolve_now(
        &mut self,
        bounds: Bounds,
        left: &[Value],
        right: &[Value],
    ) -> Result<Value> {
        let (above, below) = (bounds.upper - 1, bounds.lower + 1);
        let mut key = SetKey::default();
        let (mut lefts, mut rights) = (Options::new(), Options::new());
        let add = |key: &mut SetKey, options: &mut Options, option: Known, is_left| {
            if !options.iter().any(|other| other.value == option.value) {
                key.add(option.value, is_left, true);
                options.push(option);
            }
        };
        for option in left.iter().map(|&option| self.arena.known(option)) {
            let of = option.bounds;
            if of.upper > above || of.is_number() && of.lower == above {
                add(&mut key, &mut lefts, option, true);
            }
        }
        for option in right.iter().map(|&option| self.arena.known(option)) {
            let of = option.bounds;
            if of.lower < below || of.is_number() && of.upper == below {
                add(&mut key, &mut rights, option, false);
            }
        }
        self.resolve_set(key, bounds, |form| {
            (form.left, form.right) = (lefts, rights);
        })
    }
}
