//! Atomic weights of all-small values.
//!
//! Of an all-small g let G = {aw(gᴸ) − 2 | aw(gᴿ) + 2}. Where G is no integer it is the atomic weight. Where it is one, g is
//! compared with a remote star, a nimber larger than any in g: confused with it, g weighs 0; above it, the largest integer n
//! with n ⧏ aw(gᴿ) + 2 for all gᴿ; below it, the smallest integer n with n ⧐ aw(gᴸ) − 2 for all gᴸ.
//! (Siegel, *Combinatorial Game Theory*, II.7.)

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::arena::{Arena, Relation, Value};
use crate::dyadic::Dyadic;
use crate::error::Result;
use crate::walk::{Fold, make_known};

/// Whether the value is infinitesimal, as an all-small one is; a first look.
pub(super) fn may_be_all_small(arena: &Arena, value: Value) -> bool {
    arena.left_stop(value) == Dyadic::ZERO && arena.right_stop(value) == Dyadic::ZERO
}

/// The atomic weights found so far; `None` where a value is not all-small.
#[derive(Default)]
pub(super) struct AtomicWeights {
    known: HashMap<Value, Option<Value>, FxBuildHasher>,
    /// A bound on the nimbers in the form of each of them.
    nimbers: HashMap<Value, u32, FxBuildHasher>,
}

impl AtomicWeights {
    pub(super) fn get(&mut self, arena: &Arena, value: Value) -> Result<Option<Value>> {
        make_known(self, arena, value)?;
        Ok(self.of(arena, value))
    }

    fn of(&self, arena: &Arena, value: Value) -> Option<Value> {
        if value == Value::ZERO {
            return Some(Value::ZERO);
        }
        if may_be_all_small(arena, value) {
            self.known.get(&value).copied().flatten()
        } else {
            None
        }
    }

    /// The weights of `options`, each `shift` more; `None` unless all are all-small.
    fn shifted(
        &self,
        arena: &Arena,
        options: impl Iterator<Item = Value>,
        shift: i64,
    ) -> Result<Option<Vec<Value>>> {
        let shift = arena.integer(shift)?;
        options
            .map(|option| {
                self.of(arena, option)
                    .map(|weight| arena.add(weight, shift))
                    .transpose()
            })
            .collect()
    }

    /// `nimber` is the largest one in the form.
    fn weigh(&self, arena: &Arena, value: Value, nimber: u32) -> Result<Option<Value>> {
        let Some(left) = self.shifted(arena, arena.left_options(value), -2)? else {
            return Ok(None);
        };
        let Some(right) = self.shifted(arena, arena.right_options(value), 2)? else {
            return Ok(None);
        };
        let weight = arena.canonical(&left, &right)?;
        if arena
            .as_number(weight)
            .is_none_or(|number| !number.is_integer())
        {
            return Ok(Some(weight));
        }
        let star = arena.nimber(nimber + 1)?;
        let integer = match arena.compare(value, star) {
            Relation::Confused | Relation::Equal => return Ok(Some(Value::ZERO)),
            Relation::Greater => {
                let largest = right.iter().map(|&weight| largest_not_above(arena, weight));
                least(largest, i64::min)?
            }
            Relation::Less => {
                let smallest = left.iter().map(|&weight| {
                    let negative = arena.neg(weight)?;
                    Ok(-largest_not_above(arena, negative)?)
                });
                least(smallest, i64::max)?
            }
        };
        arena.integer(integer).map(Some)
    }

    /// A k such that no larger nimber is in the form of `value`, whose options are known: *k has k Left options.
    fn nimber(&self, arena: &Arena, value: Value) -> u32 {
        let options = arena.left_options(value).chain(arena.right_options(value));
        let of = |option: Value| self.nimbers.get(&option).copied().unwrap_or(0);
        let own = arena.left_options(value).len() as u32;
        options.map(of).max().unwrap_or(0).max(own)
    }
}

/// The largest integer n with n ⧏ G: not n ≥ G.
fn largest_not_above(arena: &Arena, value: Value) -> Result<i64> {
    let stop = arena.left_stop(value);
    let floor = stop.numerator() >> stop.log2_denominator();
    // Below the left stop n ⧏ G, above it n > G; at the left stop itself it depends.
    let is_above = stop.is_integer() && arena.leq(value, arena.integer(floor)?);
    Ok(floor - i64::from(is_above))
}

fn least(all: impl Iterator<Item = Result<i64>>, of: fn(i64, i64) -> i64) -> Result<i64> {
    let all = all.collect::<Result<Vec<_>>>()?;
    Ok(all
        .into_iter()
        .reduce(of)
        .expect("an all-small value other than 0 has options on both sides"))
}

impl Fold for AtomicWeights {
    fn is_known(&self, arena: &Arena, value: Value) -> bool {
        !may_be_all_small(arena, value) || value == Value::ZERO || self.known.contains_key(&value)
    }

    fn compute(&mut self, arena: &Arena, value: Value) -> Result<()> {
        let nimber = self.nimber(arena, value);
        let weight = self.weigh(arena, value, nimber)?;
        self.nimbers.insert(value, nimber);
        self.known.insert(value, weight);
        Ok(())
    }
}
