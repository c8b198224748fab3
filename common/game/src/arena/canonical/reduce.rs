//! Domination and reversibility, by comparison.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::super::Value;
use super::super::bounds::Bounds;
use super::super::order::Known;
use super::Canonicalizer;
use crate::arena::Arena;
use crate::arena::set_key::{SetKey, SideKey};
use crate::error::Result;

/// The options of one player.
pub(super) type Options = SmallVec<[Known; 16]>;

/// A form {L | R} that is not a number, while it is being canonicalised.
#[derive(Default)]
pub(super) struct Form {
    pub(super) left: Options,
    pub(super) right: Options,
    pub(super) bounds: Bounds,
    /// The values of the options, when they are done.
    values: [SmallVec<[Value; 16]>; 2],
}

impl Form {
    /// Without options.
    pub(super) fn clear(&mut self, bounds: Bounds) {
        self.left.clear();
        self.right.clear();
        self.bounds = bounds;
    }

    pub(super) fn key(&self) -> SetKey {
        let side = |options: &Options| SideKey::of(options.iter().map(|option| option.value));
        SetKey::of(side(&self.left), side(&self.right))
    }

    fn intern(&mut self, arena: &Arena) -> Result<Value> {
        let [left, right] = &mut self.values;
        for (values, options) in [(&mut *left, &self.left), (&mut *right, &self.right)] {
            values.clear();
            values.extend(options.iter().map(|option| option.value));
        }
        arena.intern(left, right, self.bounds)
    }
}

/// What is known of X ≤ G and X ≥ G for the form G at hand. There are a handful of X in most cases: those are looked for one by one.
#[derive(Default)]
pub(super) struct WithForm {
    few: SmallVec<[(Value, bool, bool); FEW]>,
    more: HashMap<(Value, bool), bool, FxBuildHasher>,
}

const FEW: usize = 16;

impl WithForm {
    fn clear(&mut self) {
        self.few.clear();
        if !self.more.is_empty() {
            self.more.clear();
        }
    }

    /// Whether X ≤ G (`is_leq`) or X ≥ G.
    fn get(&self, x: Value, is_leq: bool) -> Option<bool> {
        let found = self
            .few
            .iter()
            .find(|known| (known.0, known.1) == (x, is_leq));
        match found {
            Some(known) => Some(known.2),
            None if self.few.len() < FEW => None,
            None => self.more.get(&(x, is_leq)).copied(),
        }
    }

    fn put(&mut self, x: Value, is_leq: bool, holds: bool) {
        if self.few.len() < FEW {
            self.few.push((x, is_leq, holds));
        } else {
            self.more.insert((x, is_leq), holds);
        }
    }
}

impl Canonicalizer<'_> {
    /// The canonical form of `form`.
    pub(super) fn canonicalise(&mut self, form: &mut Form) -> Result<Value> {
        self.stats.canonicalised += 1;
        let arena = self.arena;
        let order = self.order;
        let below = |worse, better| order.leq(worse, better);
        let above = |worse, better| order.leq(better, worse);
        let mut is_new_set = remove_dominated(&mut form.left, below);
        is_new_set |= remove_dominated(&mut form.right, above);
        self.with_form.clear();
        if self.bypass_left(form) {
            is_new_set = true;
            remove_dominated(&mut form.left, below);
        }
        if self.bypass_right(form) {
            is_new_set = true;
            remove_dominated(&mut form.right, above);
        }
        if !is_new_set {
            return form.intern(arena);
        }
        // Most forms that lose options become one that is known; and the memo answers sooner than the intern table.
        let key = form.key();
        if let Some(value) = arena.set_memo.get(key) {
            return Ok(value);
        }
        let value = form.intern(arena)?;
        arena.set_memo.put(key, value);
        Ok(value)
    }

    /// Replaces each Left option with a reply Gᴸᴿ ≤ G by the Left options of that reply, until no Left option is
    /// reversible. Whether an option is reversible depends on the value of G alone, so each is examined once. Says
    /// whether anything was replaced.
    fn bypass_left(&mut self, form: &mut Form) -> bool {
        let arena = self.arena;
        let (mut at, mut replaced) = (0, false);
        while at < form.left.len() {
            match arena
                .right_options(form.left[at].value)
                .find(|&reply| self.leq_form(reply, form))
            {
                Some(reply) => {
                    form.left.swap_remove(at);
                    push_new(arena, &mut form.left, arena.left_options(reply));
                    replaced = true;
                }
                None => at += 1,
            }
        }
        replaced
    }

    /// The same for Right: a reply Gᴿᴸ ≥ G.
    fn bypass_right(&mut self, form: &mut Form) -> bool {
        let arena = self.arena;
        let (mut at, mut replaced) = (0, false);
        while at < form.right.len() {
            match arena
                .left_options(form.right[at].value)
                .find(|&reply| self.geq_form(reply, form))
            {
                Some(reply) => {
                    form.right.swap_remove(at);
                    push_new(arena, &mut form.right, arena.right_options(reply));
                    replaced = true;
                }
                None => at += 1,
            }
        }
        replaced
    }

    /// X ≤ G for the form G: no Xᴸ ≥ G and no Gᴿ ≤ X.
    fn leq_form(&mut self, x: Value, form: &Form) -> bool {
        let (arena, order) = (self.arena, self.order);
        let known = arena.known(x);
        if let Some(decided) = known.bounds.leq(form.bounds) {
            return decided;
        }
        if let Some(before) = self.with_form.get(x, true) {
            return before;
        }
        let leq = !form.right.iter().any(|&gr| order.leq(gr, known))
            && !arena.left_options(x).any(|xl| self.geq_form(xl, form));
        self.with_form.put(x, true, leq);
        leq
    }

    /// X ≥ G for the form G: no Xᴿ ≤ G and no Gᴸ ≥ X.
    fn geq_form(&mut self, x: Value, form: &Form) -> bool {
        let (arena, order) = (self.arena, self.order);
        let known = arena.known(x);
        if let Some(decided) = form.bounds.leq(known.bounds) {
            return decided;
        }
        if let Some(before) = self.with_form.get(x, false) {
            return before;
        }
        let geq = !form.left.iter().any(|&gl| order.leq(known, gl))
            && !arena.right_options(x).any(|xr| self.leq_form(xr, form));
        self.with_form.put(x, false, geq);
        geq
    }
}

fn push_new(arena: &Arena, options: &mut Options, more: impl Iterator<Item = Value>) {
    for value in more {
        if !options.iter().any(|option| option.value == value) {
            options.push(arena.known(value));
        }
    }
}

/// Removes every option that another one makes superfluous; says whether there was one. The options are distinct values, so no
/// two can remove each other.
fn remove_dominated(options: &mut Options, dominated_by: impl Fn(Known, Known) -> bool) -> bool {
    let (mut at, before) = (0, options.len());
    while at < options.len() {
        let option = options[at];
        if options
            .iter()
            .any(|&other| other.value != option.value && dominated_by(option, other))
        {
            options.swap_remove(at);
        } else {
            at += 1;
        }
    }
    options.len() < before
}
