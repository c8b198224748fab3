//! What is recorded of a value beside its form: kind, outcome, stops, mean, temperature, birthday.

use crate::arena::{Arena, Outcome, Value};
use crate::dyadic::Dyadic;
use crate::error::Result;
use crate::kind::Kind;
use crate::thermograph::Thermographs;
use crate::tiny::Tiny;
use crate::uptimal::Uptimals;
use crate::walk::{Fold, make_known};

/// The invariants of one value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ValueInvariants {
    /// What sort of value.
    pub kind: Kind,
    /// Who wins.
    pub outcome: Outcome,
    /// The left stop.
    pub left_stop: Dyadic,
    /// The right stop, at most the left stop.
    pub right_stop: Dyadic,
    /// The mean value.
    pub mean: Dyadic,
    /// The temperature: −1 for an integer, −1/2^k for a number with denominator 2^k, else at least 0.
    pub temperature: Dyadic,
    /// The depth of the canonical form.
    pub birthday: u32,
}

/// Invariants of the values of one arena, computed when first asked for.
///
/// 8 bytes for each handle up to the largest asked for, and a hash table entry for each value with equal stops that is
/// no number. Nothing is added to the arena. Quickest in the order of handles, where options come before values.
pub struct Invariants<'a> {
    arena: &'a Arena,
    thermographs: Thermographs<'a>,
    uptimals: Uptimals<'a>,
    birthdays: Birthdays,
}

impl<'a> Invariants<'a> {
    /// None computed yet.
    pub fn new(arena: &'a Arena) -> Self {
        Self {
            arena,
            thermographs: Thermographs::new(arena),
            uptimals: Uptimals::new(arena),
            birthdays: Birthdays::default(),
        }
    }

    /// Everything recorded of `value`. An error where a mean leaves the range of [`Dyadic`]: not for strips.
    pub fn record(&mut self, value: Value) -> Result<ValueInvariants> {
        Ok(ValueInvariants {
            kind: self.kind(value),
            outcome: self.arena.outcome(value),
            left_stop: self.arena.left_stop(value),
            right_stop: self.arena.right_stop(value),
            mean: self.thermographs.mean(value)?,
            temperature: self.thermographs.temperature(value)?,
            birthday: self.birthday(value),
        })
    }

    /// The thermographs.
    pub fn thermographs(&mut self) -> &mut Thermographs<'a> {
        &mut self.thermographs
    }

    /// The uptimals.
    pub fn uptimals(&mut self) -> &mut Uptimals<'a> {
        &mut self.uptimals
    }

    /// What sort of value it is.
    pub fn kind(&mut self, value: Value) -> Kind {
        let arena = self.arena;
        if let Some(number) = arena.as_number(value) {
            return if number.is_integer() {
                Kind::Integer
            } else {
                Kind::Dyadic
            };
        }
        let stops = (arena.left_stop(value), arena.right_stop(value));
        if stops.0 != stops.1 {
            // Of two numbers on a side one would be dominated.
            let mut options = arena.left_options(value).chain(arena.right_options(value));
            let is_switch = options.all(|option| arena.as_number(option).is_some());
            return if is_switch { Kind::Switch } else { Kind::Hot };
        }
        if let Some(uptimal) = self.uptimals.get(value) {
            return match (uptimal.ups.len(), uptimal.number.signum()) {
                (0, 0) => Kind::Nimber,
                (0, _) => Kind::NumberNimber,
                (1, _) => Kind::Up,
                _ => Kind::Uptimal,
            };
        }
        if Tiny::find(arena, &mut self.thermographs, value).is_some() {
            Kind::Tiny
        } else if stops.0 == Dyadic::ZERO {
            Kind::Infinitesimal
        } else {
            Kind::Numberish
        }
    }

    /// The birthday: the depth of the canonical form (of an integer, its magnitude).
    pub fn birthday(&mut self, value: Value) -> u32 {
        if let Some(number) = self.arena.as_number(value) {
            return birthday_of_number(number);
        }
        make_known(&mut self.birthdays, self.arena, value).expect("birthdays cannot fail");
        self.birthdays.of(self.arena, value)
    }

    /// The numbers of canonical Left and Right options.
    pub fn option_counts(&self, value: Value) -> (usize, usize) {
        (
            self.arena.left_options(value).len(),
            self.arena.right_options(value).len(),
        )
    }
}

/// |n| for an integer; for another number one more than the whole part for the first binary digit, and one for each
/// digit behind it (the options of m/2^k are (m ± 1)/2^k).
fn birthday_of_number(number: Dyadic) -> u32 {
    let k = number.log2_denominator();
    let whole = number.abs().numerator() >> k;
    whole as u32 + if k == 0 { 0 } else { k + 1 }
}

/// By handle: the birthday of a value that is no number, or 0 where it is not known.
#[derive(Default)]
struct Birthdays {
    days: Vec<u32>,
}

impl Birthdays {
    fn of(&self, arena: &Arena, value: Value) -> u32 {
        arena
            .as_number(value)
            .map_or_else(|| self.days[value.index()], birthday_of_number)
    }
}

impl Fold for Birthdays {
    fn is_known(&self, arena: &Arena, value: Value) -> bool {
        arena.as_number(value).is_some()
            || self.days.get(value.index()).is_some_and(|&day| day != 0)
    }

    fn compute(&mut self, arena: &Arena, value: Value) -> Result<()> {
        let options = arena.left_options(value).chain(arena.right_options(value));
        let day = options
            .map(|option| self.of(arena, option))
            .max()
            .map_or(0, |latest| latest + 1);
        if self.days.len() <= value.index() {
            self.days.resize(arena.len().max(value.index() + 1), 0);
        }
        self.days[value.index()] = day;
        Ok(())
    }
}
