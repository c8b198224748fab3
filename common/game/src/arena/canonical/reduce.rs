//! Domination and reversibility, by comparison.

use smallvec::SmallVec;

use super::super::Value;
use super::super::bounds::Bounds;
use super::Canonicalizer;
use crate::error::Result;

type Options = SmallVec<[Value; 16]>;

/// A form {L | R} that is not a number, while it is being canonicalised.
#[derive(Default)]
pub(super) struct Form {
    left: Options,
    right: Options,
    bounds: Bounds,
}

impl Form {
    pub(super) fn set(&mut self, left: &[Value], right: &[Value], bounds: Bounds) {
        self.left.clear();
        self.left.extend_from_slice(left);
        self.right.clear();
        self.right.extend_from_slice(right);
        self.bounds = bounds;
    }
}

impl Canonicalizer<'_> {
    /// The canonical form of `form`.
    pub(super) fn canonicalise(&mut self, form: &mut Form) -> Result<Value> {
        self.stats.canonicalised += 1;
        let arena = self.arena;
        remove_dominated(&mut form.left, |worse, better| arena.leq(worse, better));
        remove_dominated(&mut form.right, |worse, better| arena.leq(better, worse));
        self.with_form.clear();
        if self.bypass_left(form) {
            remove_dominated(&mut form.left, |worse, better| arena.leq(worse, better));
        }
        if self.bypass_right(form) {
            remove_dominated(&mut form.right, |worse, better| arena.leq(better, worse));
        }
        arena.intern(&mut form.left, &mut form.right, form.bounds)
    }

    /// Replaces each Left option with a reply Gᴸᴿ ≤ G by the Left options of that reply, until no Left option is
    /// reversible. Whether an option is reversible depends on the value of G alone, so each is examined once. Says
    /// whether anything was replaced.
    fn bypass_left(&mut self, form: &mut Form) -> bool {
        let arena = self.arena;
        let (mut at, mut replaced) = (0, false);
        while at < form.left.len() {
            match arena
                .right_options(form.left[at])
                .find(|&reply| self.leq_form(reply, form))
            {
                Some(reply) => {
                    form.left.swap_remove(at);
                    push_new(&mut form.left, arena.left_options(reply));
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
                .left_options(form.right[at])
                .find(|&reply| self.geq_form(reply, form))
            {
                Some(reply) => {
                    form.right.swap_remove(at);
                    push_new(&mut form.right, arena.right_options(reply));
                    replaced = true;
                }
                None => at += 1,
            }
        }
        replaced
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
