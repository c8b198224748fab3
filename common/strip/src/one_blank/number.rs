//! The numbers that one-blank strips are made of, with denominators of any size.

use std::fmt;

/// q/4 + s/2ᵏ with s = −1, 0 or 1: values, stops, means and temperatures of strips with one blank are of this kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Number {
    quarters: i64,
    sign: i8,
    exponent: u64,
}

/// Fractions with denominators up to 2^40 are written as such, as far as `toads_game::Dyadic` goes.
const LARGEST_WRITTEN: u64 = 40;

impl Number {
    /// An integer, below 2⁶⁰ in magnitude.
    pub(super) fn integer(integer: u64) -> Self {
        Self::quarters(4 * integer as i64)
    }

    /// q/4.
    pub(super) fn quarters(quarters: i64) -> Self {
        Self {
            quarters,
            sign: 0,
            exponent: 0,
        }
    }

    /// 1/2ᵏ.
    pub(super) fn reciprocal(exponent: u64) -> Self {
        Self {
            quarters: 0,
            sign: 1,
            exponent,
        }
    }

    /// The sum of q/4 and this 1/2ᵏ or −1/2ᵏ.
    pub(super) fn plus_quarters(self, quarters: i64) -> Self {
        Self {
            quarters: self.quarters + quarters,
            ..self
        }
    }

    /// The numerator and k of the reduced fraction m/2ᵏ; `None` for k above 40 and numerators beyond 2⁶².
    pub fn as_fraction(self) -> Option<(i64, u32)> {
        let k = self.exponent.max(2);
        if k > LARGEST_WRITTEN {
            return None;
        }
        let k = k as u32;
        let numerator = i128::from(self.quarters) << (k - 2);
        let unit = i128::from(self.sign) << (u64::from(k) - self.exponent.min(u64::from(k)));
        let numerator = i64::try_from(numerator + unit).ok()?;
        let reduce = numerator.trailing_zeros().min(k);
        Some((numerator >> reduce, k - reduce))
    }

    /// Whether it is an integer.
    pub fn is_integer(self) -> bool {
        matches!(self.as_fraction(), Some((_, 0)))
    }
}

impl std::ops::Neg for Number {
    type Output = Self;

    fn neg(self) -> Self {
        Self {
            quarters: -self.quarters,
            sign: -self.sign,
            ..self
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (self.as_fraction(), other.as_fraction()) {
            (None, None) => {
                (self.quarters, self.sign, self.exponent)
                    == (other.quarters, other.sign, other.exponent)
            }
            (mine, others) => mine == others,
        }
    }
}

impl Eq for Number {}

impl fmt::Display for Number {
    /// `3`, `-1/2`, `5/4`; beyond a denominator of 2^40 `1/2^5000` or `3/2+1/2^5000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_fraction() {
            Some((numerator, 0)) => f.pad(&numerator.to_string()),
            Some((numerator, k)) => f.pad(&format!("{numerator}/{}", 1_u64 << k)),
            None => {
                let sign = if self.sign < 0 { "-" } else { "+" };
                let rest = format!("{sign}1/2^{}", self.exponent);
                if self.quarters == 0 {
                    f.pad(rest.trim_start_matches('+'))
                } else {
                    f.pad(&format!("{}{rest}", Self::quarters(self.quarters)))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Number;

    #[test]
    fn fractions_are_reduced_and_long_ones_kept_apart() {
        for (number, text) in [
            (Number::integer(3), "3"),
            (Number::quarters(-6), "-3/2"),
            (Number::reciprocal(0), "1"),
            (Number::reciprocal(40), "1/1099511627776"),
            (Number::reciprocal(2).plus_quarters(1), "1/2"),
            (-Number::reciprocal(3).plus_quarters(4), "-9/8"),
            (Number::reciprocal(5000), "1/2^5000"),
            (-Number::reciprocal(5000), "-1/2^5000"),
            ((-Number::reciprocal(5000)).plus_quarters(6), "3/2-1/2^5000"),
        ] {
            assert_eq!(number.to_string(), text);
        }
        assert_eq!(Number::reciprocal(0), Number::integer(1));
        assert_ne!(Number::reciprocal(50), Number::reciprocal(51));
        assert!(!Number::reciprocal(4000).is_integer());
    }
}
