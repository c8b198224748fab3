//! Dyadic rationals of the checker: m/2^k in lowest terms, |m| < 2^60, k ≤ 60.

use std::cmp::Ordering;
use std::fmt;

const LARGEST: u128 = 1 << 60;
const MOST_PLACES: u32 = 60;

/// A number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Number {
    numerator: i128,
    places: u32,
}

impl Number {
    pub(crate) const ZERO: Self = Self {
        numerator: 0,
        places: 0,
    };

    /// m/2^k; `None` out of range.
    pub(crate) fn new(numerator: i128, places: u32) -> Option<Self> {
        let spare = if numerator == 0 {
            places
        } else {
            numerator.trailing_zeros().min(places)
        };
        let number = Self {
            numerator: numerator >> spare,
            places: places - spare,
        };
        (number.numerator.unsigned_abs() < LARGEST && number.places <= MOST_PLACES)
            .then_some(number)
    }

    pub(crate) fn integer(integer: i64) -> Option<Self> {
        Self::new(integer.into(), 0)
    }

    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        let places = self.places.max(other.places);
        let widened = |number: Self| number.numerator << (places - number.places);
        Self::new(widened(self) + widened(other), places)
    }

    pub(crate) fn negative(self) -> Self {
        Self {
            numerator: -self.numerator,
            ..self
        }
    }

    /// The largest integer that is no larger.
    pub(crate) fn floor(self) -> Option<Self> {
        Self::new(self.numerator >> self.places, 0)
    }

    /// Left's move in the canonical form: n is {n − 1 | } for n > 0, m/2^k is {(m − 1)/2^k | (m + 1)/2^k}.
    pub(crate) fn left_option(self) -> Option<Self> {
        if self.places > 0 || self.numerator > 0 {
            Self::new(self.numerator - 1, self.places)
        } else {
            None
        }
    }

    /// Right's move, likewise.
    pub(crate) fn right_option(self) -> Option<Self> {
        self.negative().left_option().map(Self::negative)
    }

    /// Reads `7`, `-3/4`, in lowest terms.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let number = match text.split_once('/') {
            None => Self::new(text.parse().ok()?, 0),
            Some((numerator, denominator)) => {
                let denominator: u64 = denominator.parse().ok()?;
                let places = denominator
                    .is_power_of_two()
                    .then(|| denominator.trailing_zeros())?;
                Self::new(numerator.parse().ok()?, places)
            }
        }?;
        (number.to_string() == text).then_some(number)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        // Below 2^60 · 2^60.
        (self.numerator << other.places).cmp(&(other.numerator << self.places))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.numerator)?;
        if self.places > 0 {
            write!(f, "/{}", 1_u64 << self.places)?;
        }
        Ok(())
    }
}
