//! Stops in 32 bits each, for tables with a pair beside every strip.
//!
//! The stops of a strip of n squares are at most n²/4 in magnitude, and their denominators are small. So a table can
//! hold the bounds of [`super::bounds`] themselves, 22 binary digits behind the point, and most option sets are decided
//! without looking into the arena at all.

use std::hint::select_unpredictable;
use std::sync::atomic::{AtomicU32, Ordering};

use super::bounds::Bounds;
use super::{Arena, Value};
use crate::dyadic::{Dyadic, FRACTION_BITS};
use crate::error::{GameError, Result};

/// Binary digits behind the point.
const DIGITS: u32 = 22;
const DROPPED: u32 = FRACTION_BITS - DIGITS;

/// The best bound when Left has no option: below every number.
pub const NO_LEFT: i32 = i32::MIN;
/// The best bound when Right has no option: above every number.
pub const NO_RIGHT: i32 = i32::MAX;

/// The two stops of a value with the sides they are approached from, comparable as they are.
///
/// `upper` belongs to the left stop, `lower` to the right stop; they are equal iff the value is a number. The form
/// {L | R} is decided by the largest `lower` of L and the smallest `upper` of R; see [`NarrowStops::of_form`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)] // in this order both are read and written as one word
pub struct NarrowStops {
    /// Twice the right stop in units of 2^−22, and one less when the value is not at least its right stop.
    pub lower: i32,
    /// Twice the left stop, and one more when the value is not at most its left stop.
    pub upper: i32,
}

impl Arena {
    /// The stops of `value` in short; an error when they are 255 or more, or finer than 2^−22.
    #[inline]
    pub fn narrow_stops(&self, value: Value) -> Result<NarrowStops> {
        self.bounds
            .narrow(self.stops_of(value))
            .ok_or_else(|| too_fine(self.left_stop(value)))
    }
}

impl Arena {
    /// Hands out the place of each of `values`, the value, and its stops ([`NarrowStops::to_bits`]). The error of
    /// [`Self::narrow_stops`] when there are values whose stops do not fit, after all were handed out.
    #[inline]
    pub fn each_narrow_stops(
        &self,
        values: &[AtomicU32],
        mut each: impl FnMut(usize, u32, u64),
    ) -> Result<()> {
        let mut fit = true;
        // As slices: what `each` writes might otherwise be where the tables begin, as far as the compiler can tell.
        let (nodes, narrow) = (&self.nodes[..], self.bounds.narrow_words());
        for (at, value) in values.iter().enumerate() {
            let value = value.load(Ordering::Relaxed);
            let stops = super::stops_in(nodes[value as usize].load(Ordering::Relaxed));
            let word = narrow[stops.index() as usize].load(Ordering::Relaxed);
            fit &= word != UNFIT;
            each(at, value, word);
        }
        if fit {
            return Ok(());
        }
        for value in values {
            self.narrow_stops(Value(value.load(Ordering::Relaxed)))?;
        }
        Ok(())
    }
}

/// What [`pack`] gives for bounds that do not fit.
pub(super) const UNFIT: u64 = (i32::MAX as u32 as u64) << 32;

/// Both bounds in a word.
pub(super) fn pack(bounds: Bounds) -> u64 {
    match (narrow(bounds.upper), narrow(-bounds.lower)) {
        (Some(upper), Some(lower)) => NarrowStops {
            upper,
            lower: -lower,
        }
        .to_bits(),
        _ => UNFIT,
    }
}

#[inline]
pub(super) fn unpack(word: u64) -> Option<NarrowStops> {
    (word != UNFIT).then_some(NarrowStops::from_bits(word))
}

impl NarrowStops {
    /// The stops of {L | R}, when `above` is the largest `lower` of L ([`NO_LEFT`] without options) and `below` the smallest
    /// `upper` of R ([`NO_RIGHT`]). They are equal iff the form is a number. An error when the number is 255 or more, or finer
    /// than 2^−22. No branch depends on the arguments but the one for errors: the outcome is as good as random.
    #[inline]
    pub fn of_form(above: i32, below: i32) -> Result<Self> {
        // The numbers strictly between, in units of 2^−22. Without options the bound is 2^30 away.
        let (low, high) = ((above >> 1) + 1, (below - 1) >> 1);
        let is_number = low <= high;
        // Their magnitudes; 0 is the least one if it is between them.
        let (least, most) = (
            low.max(high.wrapping_neg()).max(0),
            high.max(low.wrapping_neg()),
        );
        let sign = high >> 31;
        let simplest = (simplest_positive(least, most) ^ sign).wrapping_sub(sign);
        let too_large = is_number & (simplest.unsigned_abs() >= LIMIT);
        // Between a number and the next one of this resolution lies a finer one.
        let too_fine = (above & 1) | (below.wrapping_sub(above) ^ 2) == 0;
        if too_large | too_fine {
            return Err(self::too_fine(number(above / 2)));
        }
        let number = simplest << 1;
        Ok(Self {
            upper: select_unpredictable(is_number, number, above.wrapping_add(1)),
            lower: select_unpredictable(is_number, number, below.wrapping_sub(1)),
        })
    }

    /// Those of the negative.
    #[inline]
    #[must_use]
    pub fn negative(self) -> Self {
        Self {
            upper: -self.lower,
            lower: -self.upper,
        }
    }

    /// Both in a word.
    #[inline]
    pub fn to_bits(self) -> u64 {
        u64::from(self.upper as u32) << 32 | u64::from(self.lower as u32)
    }

    /// What [`Self::to_bits`] made a word of.
    #[inline]
    pub fn from_bits(word: u64) -> Self {
        Self {
            upper: (word >> 32) as i32,
            lower: word as i32,
        }
    }

    /// Whether these are the stops of a number.
    #[inline]
    pub fn is_number(self) -> bool {
        self.upper == self.lower
    }

    #[inline]
    pub(super) fn widen(self) -> Bounds {
        Bounds {
            upper: widen(self.upper),
            lower: -widen(-self.lower),
        }
    }
}

/// A bound from above, in doubled units, when it fits.
#[inline]
fn narrow(bound: i64) -> Option<i32> {
    let (stop, beyond) = (bound >> 1, bound & 1);
    let short = stop >> DROPPED;
    (short << DROPPED == stop && short.unsigned_abs() < u64::from(LIMIT))
        .then_some((short * 2 + beyond) as i32)
}

#[inline]
fn widen(bound: i32) -> i64 {
    (i64::from(bound >> 1) << (DROPPED + 1)) | i64::from(bound & 1)
}

/// A number in units of 2^−22.
pub(super) fn number(short: i32) -> Dyadic {
    Dyadic::from_raw(i64::from(short) << DROPPED)
}

/// Stops and numbers stay below 255, in units of 2^−22: half of the way to "no option", less one.
const LIMIT: u32 = (1 << 30) - (1 << DIGITS);

/// The simplest of `low..=high`, all positive or 0: an integer, else the fraction of the least denominator.
#[inline]
fn simplest_positive(low: i32, high: i32) -> i32 {
    let unit = 1 << DIGITS;
    let integer = low.wrapping_add(unit - 1) & !(unit - 1);
    // From the first digit on in which the bounds differ, `high` may be cut; they do differ. The 1 is for other arguments.
    let differ = (low.wrapping_sub(1) ^ high) | 1;
    let cut = high & !(((u32::MAX >> differ.leading_zeros()) >> 1) as i32);
    select_unpredictable(integer <= high, integer, cut)
}

fn too_fine(near: Dyadic) -> GameError {
    GameError::NumberOutOfRange {
        what: format!("a stop near {near}, below 255 and with at most {DIGITS} binary digits,"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::bounds::UNBOUNDED;

    #[test]
    fn narrow_bounds_widen_to_what_they_were() {
        for stop in [
            0,
            1,
            -1,
            5 << 20,
            -(7 << 19),
            LIMIT as i32 - 1,
            1 - LIMIT as i32,
        ] {
            for beyond in [0, 1] {
                let wide = (i64::from(stop) << (DROPPED + 1)) + beyond;
                assert_eq!(narrow(wide).map(widen), Some(wide), "{stop} {beyond}");
            }
        }
        assert_eq!(narrow(255 << (FRACTION_BITS + 1)), None, "255 is too large");
        assert_eq!(narrow(1 << DROPPED), None, "2^-23 is too fine");
    }

    #[test]
    fn the_simplest_number_is_the_one_that_the_wide_bounds_give() {
        let arena = Arena::new();
        let bounds: Vec<i32> = (-40..40)
            .map(|step| ((step / 2) << 21) + step % 2)
            .collect();
        for &above in bounds.iter().chain(&[NO_LEFT]) {
            for &below in bounds.iter().chain(&[NO_RIGHT]) {
                let wide = crate::dyadic::simplest_between(
                    if above == NO_LEFT {
                        -UNBOUNDED
                    } else {
                        -widen(-above)
                    },
                    if below == NO_RIGHT {
                        UNBOUNDED
                    } else {
                        widen(below)
                    },
                );
                let short = NarrowStops::of_form(above, below).ok();
                let short = short.filter(|stops| stops.is_number());
                assert_eq!(
                    short.map(|stops| number(stops.upper / 2)),
                    wide.ok().flatten(),
                    "{above} {below}"
                );
            }
        }
        let half = arena.number("1/2".parse().unwrap()).unwrap();
        assert_eq!(
            arena.narrow_stops(half),
            Ok(NarrowStops {
                upper: 1 << 22,
                lower: 1 << 22
            })
        );
    }
}
