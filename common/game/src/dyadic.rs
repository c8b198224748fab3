//! Exact dyadic rationals, the numbers of short games.

use std::fmt;
use std::str::FromStr;

use crate::error::{GameError, Result};

/// Binary digits behind the point.
pub(crate) const FRACTION_BITS: u32 = 40;

/// Numbers stay below this magnitude, so that a doubled raw value still fits in an `i64` with room for a sum.
const INTEGER_LIMIT: i64 = 1 << 21;

/// An exact dyadic rational m/2^k with |m/2^k| < 2^21 and k ≤ 40.
///
/// The range is far above what strips can reach (the largest integer at n squares is ⌊n²/4⌋, the largest denominator
/// 2^(n/2)); every operation that could leave it is checked and reports [`GameError::NumberOutOfRange`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Dyadic(i64);

impl Dyadic {
    /// Zero.
    pub const ZERO: Self = Self(0);

    /// The integer `n`.
    pub fn integer(n: i64) -> Result<Self> {
        Self::new(n, 0)
    }

    /// The number `numerator / 2^log2_denominator`, reduced or not.
    pub fn new(numerator: i64, log2_denominator: u32) -> Result<Self> {
        let out_of_range = || GameError::NumberOutOfRange {
            what: match log2_denominator {
                0 => numerator.to_string(),
                k => format!("{numerator}/2^{k}"),
            },
        };
        let trailing = numerator.trailing_zeros().min(log2_denominator);
        let (numerator, k) = (numerator >> trailing, log2_denominator - trailing);
        if k > FRACTION_BITS {
            return Err(out_of_range());
        }
        numerator
            .checked_mul(1 << (FRACTION_BITS - k))
            .filter(|raw| raw.unsigned_abs() >> FRACTION_BITS < INTEGER_LIMIT as u64)
            .map(Self)
            .ok_or_else(out_of_range)
    }

    /// The number with this many units of 2^−40.
    pub(crate) const fn from_raw(raw: i64) -> Self {
        Self(raw)
    }

    /// Units of 2^−40.
    pub(crate) const fn raw(self) -> i64 {
        self.0
    }

    /// The numerator of the reduced fraction.
    pub fn numerator(self) -> i64 {
        self.0 >> (FRACTION_BITS - self.log2_denominator())
    }

    /// k, where 2^k is the denominator of the reduced fraction.
    pub fn log2_denominator(self) -> u32 {
        FRACTION_BITS.saturating_sub(self.0.trailing_zeros())
    }

    /// Whether the number is an integer.
    pub fn is_integer(self) -> bool {
        self.log2_denominator() == 0
    }

    /// The integer itself, when it is one.
    pub fn as_integer(self) -> Option<i64> {
        self.is_integer().then_some(self.0 >> FRACTION_BITS)
    }

    /// The sum.
    pub fn checked_add(self, other: Self) -> Result<Self> {
        self.in_range(self.0.checked_add(other.0), '+', other)
    }

    /// The difference.
    pub fn checked_sub(self, other: Self) -> Result<Self> {
        self.in_range(self.0.checked_sub(other.0), '-', other)
    }

    /// Half the number; an error where the denominator would exceed 2^40.
    pub fn half(self) -> Result<Self> {
        if self.0 & 1 == 0 {
            Ok(Self(self.0 >> 1))
        } else {
            Err(GameError::NumberOutOfRange {
                what: format!("({self})/2"),
            })
        }
    }

    /// The magnitude.
    #[must_use]
    pub fn abs(self) -> Self {
        Self(self.0.abs())
    }

    /// The sign: −1, 0 or 1.
    pub fn signum(self) -> i64 {
        self.0.signum()
    }

    /// The nearest floating-point number, for pictures and progress; never for a decision.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / (1u64 << FRACTION_BITS) as f64
    }

    fn in_range(self, raw: Option<i64>, operator: char, other: Self) -> Result<Self> {
        raw.filter(|raw| raw.unsigned_abs() >> FRACTION_BITS < INTEGER_LIMIT as u64)
            .map(Self)
            .ok_or_else(|| GameError::NumberOutOfRange {
                what: format!("{self} {operator} {other}"),
            })
    }
}

impl std::ops::Neg for Dyadic {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.log2_denominator() {
            0 => write!(f, "{}", self.numerator()),
            k => write!(f, "{}/{}", self.numerator(), 1u64 << k),
        }
    }
}

impl fmt::Debug for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Dyadic {
    type Err = GameError;

    /// Reads `7`, `-3`, `3/4`, `-1/2`; the denominator must be a power of two.
    fn from_str(text: &str) -> Result<Self> {
        let wrong = || GameError::NotDyadic {
            text: text.to_owned(),
        };
        let (numerator, denominator) = match text.split_once('/') {
            Some((n, d)) => (n, d.trim().parse::<u64>().map_err(|_| wrong())?),
            None => (text, 1),
        };
        let numerator: i64 = numerator.trim().parse().map_err(|_| wrong())?;
        if !denominator.is_power_of_two() {
            return Err(wrong());
        }
        Self::new(numerator, denominator.trailing_zeros())
    }
}

/// The simplest number x with `above < 2x < below` in doubled raw units, if one exists.
///
/// This is the simplicity theorem (Siegel, *Combinatorial Game Theory*, II.3): the integer of least magnitude, else
/// the fraction of least denominator. An interval that is not empty but too narrow for 40 binary digits is an error.
#[inline]
pub(crate) fn simplest_between(above: i64, below: i64) -> Result<Option<Dyadic>> {
    let low = above.div_euclid(2) + 1;
    let high = (below - 1).div_euclid(2);
    if low > high {
        if above & 1 == 0 && below - above == 2 {
            return Err(GameError::NumberOutOfRange {
                what: format!("a number above {}", Dyadic(above / 2)),
            });
        }
        return Ok(None);
    }
    let raw = if low <= 0 && 0 <= high {
        0
    } else if low > 0 {
        simplest_positive(low, high)
    } else {
        -simplest_positive(-high, -low)
    };
    Ok(Some(Dyadic(raw)))
}

#[inline]
/// The simplest of the raw values `low..=high`, all positive.
fn simplest_positive(low: i64, high: i64) -> i64 {
    let unit = 1i64 << FRACTION_BITS;
    // `low` may be near the top of the range when the right side has no option; the sum cannot overflow (2^61 + 2^40).
    let integer = (low + (unit - 1)) & !(unit - 1);
    if integer <= high {
        return integer;
    }
    // The multiple of the largest power of two in (low − 1, high]: keep the common prefix and the first differing bit.
    let first_difference = 63 - ((low - 1) ^ high).leading_zeros();
    high & !((1i64 << first_difference) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(text: &str) -> Dyadic {
        text.parse().unwrap()
    }

    fn simplest(above: &str, below: &str) -> String {
        simplest_between(d(above).raw() * 2, d(below).raw() * 2)
            .unwrap()
            .unwrap()
            .to_string()
    }

    #[test]
    fn text_is_reduced_and_reads_back() {
        for text in ["0", "1", "-7", "3/4", "-1/2", "1023/1024"] {
            assert_eq!(d(text).to_string(), text);
        }
        assert_eq!(d("6/8").to_string(), "3/4");
        assert!("1/3".parse::<Dyadic>().is_err());
        assert!("1/0".parse::<Dyadic>().is_err());
        assert!("".parse::<Dyadic>().is_err());
        assert!("99999999999".parse::<Dyadic>().is_err());
    }

    #[test]
    fn the_simplest_number_is_the_integer_of_least_magnitude_or_the_least_denominator() {
        assert_eq!(simplest("-3", "5"), "0");
        assert_eq!(simplest("0", "1"), "1/2");
        assert_eq!(simplest("2", "5"), "3");
        assert_eq!(simplest("-5", "-2"), "-3");
        assert_eq!(simplest("1/2", "1"), "3/4");
        assert_eq!(simplest("5/8", "15/16"), "3/4");
        assert_eq!(simplest("-1", "-1/2"), "-3/4");
        assert_eq!(simplest("3/8", "1/2"), "7/16");
    }

    #[test]
    fn an_interval_too_narrow_is_an_error_and_an_empty_one_is_none() {
        assert!(simplest_between(4, 6).is_err());
        assert_eq!(simplest_between(4, 5).unwrap(), None);
        assert_eq!(simplest_between(4, 4).unwrap(), None);
        assert_eq!(simplest_between(3, 5).unwrap(), Some(Dyadic(2)));
    }

    #[test]
    fn arithmetic_leaves_the_range_with_an_error() {
        assert_eq!(d("1/2").checked_add(d("1/4")).unwrap(), d("3/4"));
        assert!(d("2000000").checked_add(d("2000000")).is_err());
        assert!(Dyadic::new(1, 40).unwrap().half().is_err());
        assert_eq!(d("3").half().unwrap(), d("3/2"));
    }
}
