//! Uptimals: number + d₁·↑ + d₂·↑² + … + *m, the tame ones among values with equal stops.
//!
//! ↑ᵏ = {0 | ↓[k−1] + *} where ↑[k] = ↑ + ↑² + … + ↑ᵏ (Siegel, *Combinatorial Game Theory*, II.3; *Winning Ways*,
//! chapter 8). In notation ↑ᵏ is `^<k>` and ↑[k] is `^[k]`.
//!
//! Every position of such a canonical form is one itself, with the same number (so with the same stops), which rejects
//! most others at the first look. What remains is decided by arithmetic in an arena of our own ([`infinitesimal`]):
//! the options are known sums, so the form is rebuilt there and compared with the few sums that can have them.

mod build;
mod infinitesimal;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use crate::arena::{Arena, Value};
use crate::dyadic::Dyadic;
use crate::error::Result;
use crate::walk::{Fold, make_known};
use infinitesimal::Infinitesimals;

/// A value number + d₁·↑ + d₂·↑² + … + *m. Every such sum has one form of this kind.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Uptimal {
    /// The number.
    pub number: Dyadic,
    /// d₁, d₂, …; the last one is not 0. Slices compare as the notation orders them: by coefficients, then by length.
    pub ups: SmallVec<[i32; 4]>,
    /// m.
    pub nimber: u32,
}

impl Uptimal {
    /// The number alone.
    pub fn of_number(number: Dyadic) -> Self {
        Self {
            number,
            ups: SmallVec::new(),
            nimber: 0,
        }
    }

    /// Whether it is a number.
    pub fn is_number(&self) -> bool {
        self.ups.is_empty() && self.nimber == 0
    }

    /// Whether it is a nimber other than 0.
    pub fn is_nimber(&self) -> bool {
        self.ups.is_empty() && self.nimber > 0 && self.number == Dyadic::ZERO
    }

    /// Whether it has neither a number nor a nimber: ups alone.
    pub fn is_ups(&self) -> bool {
        !self.ups.is_empty() && self.nimber == 0 && self.number == Dyadic::ZERO
    }
}

/// The uptimals among the values of one arena, recognised when first asked for and remembered.
///
/// Numbers and values with unequal stops are answered at once and cost no memory; the others a hash table entry.
/// Sums with more than some thousand ups or a nimber past [`Self::LARGEST_NIMBER`] are not recognised.
pub struct Uptimals<'a> {
    arena: &'a Arena,
    known: Known,
}

#[derive(Default)]
struct Known {
    /// Values with equal stops that are no numbers, to 1 + an index into `parts`, or 0 where it is no uptimal.
    ids: HashMap<Value, u32, FxBuildHasher>,
    /// Ups and nimber, and the same in the arena of infinitesimals.
    parts: Infinitesimals,
}

impl<'a> Uptimals<'a> {
    /// The largest nimber recognised.
    pub const LARGEST_NIMBER: u32 = 31;

    /// None recognised yet.
    pub fn new(arena: &'a Arena) -> Self {
        Self {
            arena,
            known: Known::default(),
        }
    }

    /// The uptimal `value` is, if it is one. Numbers are.
    pub fn get(&mut self, value: Value) -> Option<Uptimal> {
        if let Some(number) = self.arena.as_number(value) {
            return Some(Uptimal::of_number(number));
        }
        let number = self.arena.left_stop(value);
        if number != self.arena.right_stop(value) {
            return None;
        }
        make_known(&mut self.known, self.arena, value).ok()?;
        let id = *self.known.ids.get(&value)?;
        let (ups, nimber) = self.known.parts.sum(id.checked_sub(1)?);
        Some(Uptimal {
            number,
            ups: SmallVec::from_slice(ups),
            nimber,
        })
    }
}

/// The uptimal `value` is, if it is one. In a loop ask one [`Uptimals`] instead.
pub fn uptimal_of(arena: &Arena, value: Value) -> Option<Uptimal> {
    Uptimals::new(arena).get(value)
}

impl Known {
    /// The options less `number`, if each of them is a sum with that number.
    fn sums(
        &self,
        arena: &Arena,
        options: impl Iterator<Item = Value>,
        number: Dyadic,
    ) -> Option<SmallVec<[u32; 8]>> {
        options
            .map(|option| {
                if arena.left_stop(option) != number || arena.right_stop(option) != number {
                    return None;
                }
                match arena.as_number(option) {
                    Some(_) => Some(Infinitesimals::ZERO),
                    None => self.ids.get(&option)?.checked_sub(1),
                }
            })
            .collect()
    }
}

impl Fold for Known {
    fn is_known(&self, arena: &Arena, value: Value) -> bool {
        self.ids.contains_key(&value)
            || arena.as_number(value).is_some()
            || arena.left_stop(value) != arena.right_stop(value)
    }

    fn compute(&mut self, arena: &Arena, value: Value) -> Result<()> {
        let number = arena.left_stop(value);
        let left = self.sums(arena, arena.left_options(value), number);
        let right = self.sums(arena, arena.right_options(value), number);
        let id = left
            .zip(right)
            .and_then(|(left, right)| self.parts.find(&left, &right));
        self.ids.insert(value, id.map_or(0, |id| id + 1));
        Ok(())
    }
}
