//! Many independent forms at a time.
//!
//! The memo of option sets is far larger than the processor's caches: nearly every look-up misses them, and one at a time
//! each would cost a trip to memory. So the entry of an option set is only *asked for* when the set is known, and
//! read when many have been asked for; the trips then overlap.

use std::hint::select_unpredictable;

use smallvec::SmallVec;

use super::Canonicalizer;
use super::reduce::{Form as Reduction, Options};
use crate::arena::Value;
use crate::arena::bounds::Bounds;
use crate::arena::memo::SetView;
use crate::arena::narrow::NarrowStops;
use crate::arena::order::Known;
use crate::arena::set_key::{SetKey, SideKey};
use crate::error::Result;

/// The most options a side that a [`Deferred`] form may be offered.
pub const MOST_OPTIONS: usize = 8;

/// Forms that wait to be settled.
#[derive(Default)]
pub(super) struct Batch {
    /// The first `waiting` of them wait; the others are room for more.
    forms: Vec<Form>,
    waiting: usize,
    /// The places of those that were not in the memo.
    unknown: Vec<u32>,
}

impl Batch {
    pub(super) fn forget(&mut self) {
        self.waiting = 0;
        self.unknown.clear();
    }
}

/// A form that is no number and whose value is not known yet.
#[derive(Clone, Copy, Default)]
struct Form {
    tag: u32,
    stops: NarrowStops,
    key: SetKey,
    left: Side,
    right: Side,
}

/// The options of one player, as they were offered: there may be repeated ones.
#[derive(Clone, Copy, Default)]
struct Side {
    options: [Value; MOST_OPTIONS],
    stops: [NarrowStops; MOST_OPTIONS],
    len: usize,
}

impl Side {
    fn as_slice(&self) -> &[Value] {
        &self.options[..self.len]
    }

    /// Each option once.
    fn put_into(&self, known: &mut Options) {
        for (at, &value) in self.as_slice().iter().enumerate() {
            if !self.options[..at].contains(&value) {
                let bounds = self.stops[at].widen();
                known.push(Known { value, bounds });
            }
        }
    }

    /// Few sides have more than two.
    #[inline]
    fn key(&self) -> SideKey {
        let [first, second, ..] = self.options;
        if self.len <= 2 {
            // Without a branch: whether there is a second one is as good as random.
            SideKey::of_two(first, select_unpredictable(self.len == 2, second, first))
        } else {
            self.key_of_many()
        }
    }

    #[cold]
    fn key_of_many(&self) -> SideKey {
        let mut once = SmallVec::<[Value; MOST_OPTIONS]>::new();
        for &option in self.as_slice() {
            if !once.contains(&option) {
                once.push(option);
            }
        }
        SideKey::of(once.into_iter())
    }
}

/// A form to which options are added one by one, at most [`MOST_OPTIONS`] a side; repeated ones are welcome. It waits to be settled
/// when it is told to ([`Self::wait`]).
///
/// What is counted is counted here, and not beside the options: reading back what was written a moment ago is slow.
pub struct Deferred<'b> {
    memo: SetView<'b>,
    waiting: &'b mut usize,
    form: &'b mut Form,
    above: i32,
    below: i32,
    lefts: usize,
    rights: usize,
}

impl Deferred<'_> {
    /// Adds a Left option with these stops. Without branches: which options matter is as good as random.
    #[inline]
    pub fn left(&mut self, of: NarrowStops, option: Value) {
        // An option below a bound of another one is dominated; this leaves one number a side at most, the one at the bound.
        let matters = of.upper + i32::from(of.is_number()) > self.above;
        let next = self.lefts % MOST_OPTIONS;
        self.form.left.options[next] = option;
        self.form.left.stops[next] = of;
        self.lefts += usize::from(matters);
    }

    /// Adds a Right option with these stops.
    #[inline]
    pub fn right(&mut self, of: NarrowStops, option: Value) {
        let matters = of.lower - i32::from(of.is_number()) < self.below;
        let next = self.rights % MOST_OPTIONS;
        self.form.right.options[next] = option;
        self.form.right.stops[next] = of;
        self.rights += usize::from(matters);
    }

    /// All options are there: from now on it waits for [`Canonicalizer::settle`].
    #[inline]
    pub fn wait(self) {
        debug_assert!(self.lefts.max(self.rights) <= MOST_OPTIONS, "too many");
        let form = self.form;
        (form.left.len, form.right.len) = (self.lefts, self.rights);
        form.key = SetKey::of(form.left.key(), form.right.key());
        self.memo.prefetch(form.key);
        *self.waiting += 1;
    }
}

impl Canonicalizer<'_> {
    /// The number with these stops.
    #[inline]
    pub fn number(&mut self, stops: NarrowStops) -> Result<Value> {
        self.numbers.get(self.arena, stops.upper >> 1)
    }

    /// The number with these stops, if it is at hand; some value if it is not, or if they are not those of a number. Has no branch.
    #[inline]
    pub fn number_at_hand(&self, stops: NarrowStops) -> (Value, bool) {
        self.numbers.peek(stops.upper >> 1)
    }

    /// Counts numbers that were found.
    pub fn count_numbers(&mut self, numbers: usize) {
        self.stats.numbers += numbers as u64;
    }

    /// Begins a form that is no number, to be settled later; `stops` are those of [`NarrowStops::of_form`].
    #[inline]
    pub fn begin(&mut self, tag: u32, stops: NarrowStops) -> Deferred<'_> {
        let Batch { forms, waiting, .. } = &mut self.batch;
        if *waiting == forms.len() {
            forms.push(Form::default());
        }
        let form = &mut forms[*waiting];
        (form.tag, form.stops) = (tag, stops);
        Deferred {
            memo: self.memo,
            waiting,
            form,
            above: stops.upper - 1,
            below: stops.lower + 1,
            lefts: 0,
            rights: 0,
        }
    }

    /// Finds the canonical forms of everything deferred and hands out each with its tag, in any order. After an error the
    /// others are forgotten.
    #[inline]
    pub fn settle(&mut self, each: impl FnMut(u32, Value)) -> Result<()> {
        if self.batch.waiting == 0 {
            return Ok(());
        }
        let mut batch = std::mem::take(&mut self.batch);
        let outcome = self.settle_all(&mut batch, each);
        self.batch = batch;
        self.batch.forget();
        outcome
    }

    #[inline(never)]
    fn settle_all(&mut self, batch: &mut Batch, mut each: impl FnMut(u32, Value)) -> Result<()> {
        self.memo = self.arena.set_memo.view();
        for (at, form) in (0..).zip(&batch.forms[..batch.waiting]) {
            if let Some(value) = self.memo.get(form.key) {
                self.stats.memo_hits += 1;
                each(form.tag, value);
            } else {
                batch.unknown.push(at);
            }
        }
        for &at in &batch.unknown {
            let form = &batch.forms[at as usize];
            // Asks the memo again: another set of this batch may have been the same one.
            each(form.tag, self.resolve(form)?);
        }
        Ok(())
    }

    /// From the memo, or from scratch. Not inlined, so that profiles tell it from the look-up.
    #[inline(never)]
    fn resolve(&mut self, deferred: &Form) -> Result<Value> {
        self.resolve_set(deferred.key, deferred.stops.widen(), |form| {
            deferred.left.put_into(&mut form.left);
            deferred.right.put_into(&mut form.right);
        })
    }

    /// The form with these bounds, from the memo; or from scratch, when `fill` has put its options there.
    fn resolve_set(
        &mut self,
        key: SetKey,
        bounds: Bounds,
        fill: impl FnOnce(&mut Reduction),
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
        let (mut lefts, mut rights) = (Options::new(), Options::new());
        let add = |options: &mut Options, option: Known| {
            if !options.iter().any(|other| other.value == option.value) {
                options.push(option);
            }
        };
        for option in left.iter().map(|&option| self.arena.known(option)) {
            let of = option.bounds;
            if of.upper > above || of.is_number() && of.lower == above {
                add(&mut lefts, option);
            }
        }
        for option in right.iter().map(|&option| self.arena.known(option)) {
            let of = option.bounds;
            if of.lower < below || of.is_number() && of.upper == below {
                add(&mut rights, option);
            }
        }
        let side = |options: &Options| SideKey::of(options.iter().map(|option| option.value));
        self.resolve_set(SetKey::of(side(&lefts), side(&rights)), bounds, |form| {
            (form.left, form.right) = (lefts, rights);
        })
    }
}
