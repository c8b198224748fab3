//! Reduced canonical forms.
//!
//! G ≥ H *up to an infinitesimal* iff the right stop of G − H is at least 0. A value with equal stops x is infinitesimally
//! close to the number x, which is its reduced form. Of any other {L | R} the options are reduced, then those are removed
//! that are dominated, and those bypassed that are reversible, where every ≤ is meant up to an infinitesimal; what is left is
//! the reduced canonical form. (Grossman and Siegel, *Reductions of partizan games*, sections 3 and 4.)
//!
//! The stops of G − H are stops of positions of G less stops of positions of H: no finer than these. So where they
//! have at most [`LARGEST_DENOMINATOR`] binary digits, the right stop of G − H is at least 0 iff it is more than
//! −ε, ε = [`EPSILON`], and G ≥ H up to an infinitesimal iff G + ε ≥ H, an ordinary comparison.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::arena::{Arena, Value};
use crate::dyadic::Dyadic;
use crate::error::Result;
use crate::walk::{Fold, make_known};

/// log2 of 1/ε.
const EPSILON: u32 = 24;

/// Binary digits behind the point that a stop may have. Strips of n squares have at most n/2.
const LARGEST_DENOMINATOR: u32 = EPSILON - 1;

/// The number that the value is infinitesimally close to, if there is one.
pub(super) fn numberish(arena: &Arena, value: Value) -> Option<Dyadic> {
    let stop = arena.left_stop(value);
    (stop == arena.right_stop(value)).then_some(stop)
}

/// The reduced forms found so far, of values with unequal stops; `None` where a stop is too fine for the comparison up to
/// an infinitesimal.
#[derive(Default)]
pub(super) struct ReducedForms {
    known: HashMap<Value, Option<Value>, FxBuildHasher>,
}

impl ReducedForms {
    pub(super) fn get(&mut self, arena: &Arena, value: Value) -> Result<Option<Value>> {
        make_known(self, arena, value)?;
        self.of(arena, value)
    }

    fn of(&self, arena: &Arena, value: Value) -> Result<Option<Value>> {
        match numberish(arena, value) {
            Some(number) => arena.number(number).map(Some),
            None => Ok(self.known[&value]),
        }
    }

    fn all(
        &self,
        arena: &Arena,
        options: impl Iterator<Item = Value>,
    ) -> Result<Option<Vec<Value>>> {
        options
            .map(|option| self.of(arena, option).transpose())
            .collect::<Option<Result<_>>>()
            .transpose()
    }

    fn find(&self, arena: &Arena, value: Value) -> Result<Option<Value>> {
        let mut stops = [arena.left_stop(value), arena.right_stop(value)].into_iter();
        if stops.any(|stop| stop.log2_denominator() > LARGEST_DENOMINATOR) {
            return Ok(None);
        }
        let Some(left) = self.all(arena, arena.left_options(value))? else {
            return Ok(None);
        };
        let Some(right) = self.all(arena, arena.right_options(value))? else {
            return Ok(None);
        };
        let close = arena.canonical(&left, &right)?;
        reduce(arena, close).map(Some)
    }
}

impl Fold for ReducedForms {
    fn is_known(&self, arena: &Arena, value: Value) -> bool {
        numberish(arena, value).is_some() || self.known.contains_key(&value)
    }

    fn compute(&mut self, arena: &Arena, value: Value) -> Result<()> {
        let reduced = self.find(arena, value)?;
        self.known.insert(value, reduced);
        Ok(())
    }
}

/// The reduced form of a value whose options are reduced.
fn reduce(arena: &Arena, value: Value) -> Result<Value> {
    let epsilon = arena.number(Dyadic::new(1, EPSILON)?)?;
    let close = |worse: Value, better: Value| -> Result<bool> {
        Ok(arena.leq(worse, arena.add(better, epsilon)?))
    };
    let left = side(arena.left_options(value).collect(), &close, |option| {
        let reply = first(arena.right_options(option), |reply| close(reply, value))?;
        Ok(reply.map(|reply| arena.left_options(reply).collect()))
    })?;
    let right = side(
        arena.right_options(value).collect(),
        &|worse, better| close(better, worse),
        |option| {
            let reply = first(arena.left_options(option), |reply| close(value, reply))?;
            Ok(reply.map(|reply| arena.right_options(reply).collect()))
        },
    )?;
    arena.canonical(&left, &right)
}

/// One side without reversible and without dominated options, up to an infinitesimal. `bypass` says what takes the place of
/// a reversible option.
fn side(
    mut options: Vec<Value>,
    is_dominated_by: &dyn Fn(Value, Value) -> Result<bool>,
    bypass: impl Fn(Value) -> Result<Option<Vec<Value>>>,
) -> Result<Vec<Value>> {
    let mut settled = Vec::new();
    while let Some(option) = options.pop() {
        match bypass(option)? {
            Some(instead) => options.extend(instead),
            None => settled.push(option),
        }
    }
    settled.sort_unstable();
    settled.dedup();
    let mut kept = Vec::new();
    for &option in &settled {
        let mut others = settled.iter().filter(|&&other| other != option);
        // Two different reduced forms are not infinitesimally close, so of two options one goes at most.
        let dominating = others.try_fold(false, |dominated, &other| -> Result<bool> {
            Ok(dominated || is_dominated_by(option, other)?)
        })?;
        if !dominating {
            kept.push(option);
        }
    }
    Ok(kept)
}

fn first(
    mut values: impl Iterator<Item = Value>,
    wanted: impl Fn(Value) -> Result<bool>,
) -> Result<Option<Value>> {
    values
        .find_map(|value| match wanted(value) {
            Ok(true) => Some(Ok(value)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        })
        .transpose()
}
