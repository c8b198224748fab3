//! From any options to the canonical form: numbers by simplicity, then domination and reversibility.
//!
//! (Siegel, *Combinatorial Game Theory*, II.2: a form without dominated and without reversible options is canonical.)

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::bounds::{Bounds, Decided, UNBOUNDED};
use super::memo::SetKey;
use super::{Arena, Value};
use crate::dyadic::Dyadic;
use crate::error::Result;

type Options = SmallVec<[Value; 16]>;

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
}

const NUMBER_CACHE: usize = 1 << 8;

/// One thread's way into an arena: scratch space and counters, so that a strip costs no allocation.
///
/// Either hand it all options at once ([`Self::canonical`]), or one by one: [`Self::start`], then [`Self::left`] and
/// [`Self::right`] in any order, then [`Self::finish`].
pub struct Canonicalizer<'a> {
    arena: &'a Arena,
    left: Side,
    right: Side,
    /// Direct mapped, by number.
    numbers: Box<[(Dyadic, Value); NUMBER_CACHE]>,
    form: Form,
    /// Comparisons with the form being canonicalised, below its direct options.
    with_form: HashMap<(Value, bool), bool, FxBuildHasher>,
    stats: CanonicalizerStats,
}

/// The options of one player as they come.
struct Side {
    options: Vec<(Value, Bounds)>,
    /// The largest `lower` of the Left options, or the smallest `upper` of the Right options.
    best: i64,
}

/// A form {L | R} that is not a number, while it is being canonicalised.
#[derive(Default)]
struct Form {
    left: Options,
    right: Options,
    bounds: Bounds,
}

impl Arena {
    /// The canonical form of {left | right}. Allocates; in a loop use a [`Canonicalizer`].
    pub fn canonical(&self, left: &[Value], right: &[Value]) -> Result<Value> {
        Canonicalizer::new(self).canonical(left, right)
    }
}

impl<'a> Canonicalizer<'a> {
    /// Scratch space for one thread.
    pub fn new(arena: &'a Arena) -> Self {
        Self {
            arena,
            left: Side {
                options: Vec::with_capacity(32),
                best: -UNBOUNDED,
            },
            right: Side {
                options: Vec::with_capacity(32),
                best: UNBOUNDED,
            },
            numbers: Box::new([(Dyadic::ZERO, Value::ZERO); NUMBER_CACHE]),
            form: Form::default(),
            with_form: HashMap::default(),
            stats: CanonicalizerStats::default(),
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
        self.start();
        for &option in left {
            self.left(option);
        }
        for &option in right {
            self.right(option);
        }
        self.finish()
    }

    /// Begins a form without options.
    #[inline]
    pub fn start(&mut self) {
        self.left.options.clear();
        self.left.best = -UNBOUNDED;
        self.right.options.clear();
        self.right.best = UNBOUNDED;
    }

    /// Adds a Left option.
    #[inline]
    pub fn left(&mut self, option: Value) {
        let bounds = self.arena.bounds_of(option);
        self.left.best = self.left.best.max(bounds.lower);
        self.left.options.push((option, bounds));
    }

    /// Adds a Right option.
    #[inline]
    pub fn right(&mut self, option: Value) {
        let bounds = self.arena.bounds_of(option);
        self.right.best = self.right.best.min(bounds.upper);
        self.right.options.push((option, bounds));
    }

    /// The canonical form of the options since [`Self::start`].
    #[inline]
    pub fn finish(&mut self) -> Result<Value> {
        let (above, below) = (self.left.best, self.right.best);
        if above < 0 && below > 0 {
            self.stats.numbers += 1;
            return Ok(Value::ZERO);
        }
        match Bounds::decide(above, below)? {
            Decided::Number(number) => self.number(number),
            Decided::Other(bounds) => self.other(bounds),
        }
    }

    /// A form that is no number: from the memo, or from scratch.
    fn other(&mut self, bounds: Bounds) -> Result<Value> {
        // An option below a bound of another one is dominated; this leaves one number a side at most.
        let (above, below) = (self.left.best, self.right.best);
        let mut key = SetKey::default();
        let form = &mut self.form;
        form.bounds = bounds;
        form.left.clear();
        for &(option, Bounds { upper, lower }) in &self.left.options {
            let dominated = if upper == lower {
                lower != above
            } else {
                upper <= above
            };
            if !dominated && !form.left.contains(&option) {
                key = key.with(option, true);
                form.left.push(option);
            }
        }
        form.right.clear();
        for &(option, Bounds { upper, lower }) in &self.right.options {
            let dominated = if upper == lower {
                upper != below
            } else {
                lower >= below
            };
            if !dominated && !form.right.contains(&option) {
                key = key.with(option, false);
                form.right.push(option);
            }
        }
        if let Some(known) = self.arena.set_memo.get(key) {
            self.stats.memo_hits += 1;
            return Ok(known);
        }
        let mut form = std::mem::take(&mut self.form);
        let value = self.canonicalise(&mut form);
        self.form = form;
        let value = value?;
        self.arena.set_memo.put(key, value, self.arena.len());
        Ok(value)
    }

    #[inline]
    fn number(&mut self, number: Dyadic) -> Result<Value> {
        self.stats.numbers += 1;
        let raw = number.raw() as u64;
        let slot = (raw ^ raw >> 35).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
        let cached = &mut self.numbers[slot as usize];
        if cached.0 != number {
            *cached = (number, self.arena.number(number)?);
        }
        Ok(cached.1)
    }

    fn canonicalise(&mut self, form: &mut Form) -> Result<Value> {
        self.stats.canonicalised += 1;
        self.bypass_reversible(form);
        let arena = self.arena;
        remove_dominated(&mut form.left, |worse, better| arena.leq(worse, better));
        remove_dominated(&mut form.right, |worse, better| arena.leq(better, worse));
        arena.intern(&mut form.left, &mut form.right, form.bounds)
    }

    /// Replaces each Left option with a reply Gᴸᴿ ≤ G by the Left options of that reply, and likewise for Right,
    /// until no option is reversible. Whether an option is reversible depends on the value of G alone, so each is
    /// examined once.
    fn bypass_reversible(&mut self, form: &mut Form) {
        let arena = self.arena;
        remove_dominated(&mut form.left, |worse, better| arena.leq(worse, better));
        remove_dominated(&mut form.right, |worse, better| arena.leq(better, worse));
        self.with_form.clear();
        let mut at = 0;
        while at < form.left.len() {
            let option = form.left[at];
            match arena
                .right_options(option)
                .find(|&reply| self.leq_form(reply, form))
            {
                Some(reply) => {
                    form.left.swap_remove(at);
                    push_new(&mut form.left, arena.left_options(reply));
                }
                None => at += 1,
            }
        }
        let mut at = 0;
        while at < form.right.len() {
            let option = form.right[at];
            match arena
                .left_options(option)
                .find(|&reply| self.geq_form(reply, form))
            {
                Some(reply) => {
                    form.right.swap_remove(at);
                    push_new(&mut form.right, arena.right_options(reply));
                }
                None => at += 1,
            }
        }
    }

    /// X ≤ G for the form G: no Xᴸ ≥ G and no Gᴿ ≤ X.
    fn leq_form(&mut self, x: Value, form: &Form) -> bool {
        let arena = self.arena;
        if let Some(decided) = arena.bounds_of(x).leq(form.bounds) {
            return decided;
        }
        if let Some(&known) = self.with_form.get(&(x, true)) {
            return known;
        }
        let leq = !form.right.iter().any(|&gr| arena.leq(gr, x))
            && !arena.left_options(x).any(|xl| self.geq_form(xl, form));
        self.with_form.insert((x, true), leq);
        leq
    }

    /// X ≥ G for the form G: no Xᴿ ≤ G and no Gᴸ ≥ X.
    fn geq_form(&mut self, x: Value, form: &Form) -> bool {
        let arena = self.arena;
        if let Some(decided) = form.bounds.leq(arena.bounds_of(x)) {
            return decided;
        }
        if let Some(&known) = self.with_form.get(&(x, false)) {
            return known;
        }
        let geq = !form.left.iter().any(|&gl| arena.leq(x, gl))
            && !arena.right_options(x).any(|xr| self.leq_form(xr, form));
        self.with_form.insert((x, false), geq);
        geq
    }
}

fn push_new(options: &mut Options, more: impl Iterator<Item = Value>) {
    for option in more {
        if !options.contains(&option) {
            options.push(option);
        }
    }
}

/// Removes every option that another one makes superfluous. The options are distinct values, so no two can remove
/// each other.
fn remove_dominated(options: &mut Options, dominated_by: impl Fn(Value, Value) -> bool) {
    let mut at = 0;
    while at < options.len() {
        let option = options[at];
        if options
            .iter()
            .any(|&other| other != option && dominated_by(option, other))
        {
            options.swap_remove(at);
        } else {
            at += 1;
        }
    }
}
