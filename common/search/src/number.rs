//! Numbers as they are added up in play: dyadics in units of 2^−40.

use toads_game::{Dyadic, GameError};

/// Binary digits behind the point.
const FRACTION_BITS: u32 = 40;

/// One.
pub(crate) const UNIT: i64 = 1 << FRACTION_BITS;

/// The number in units of 2^−40.
pub(crate) fn raw(number: Dyadic) -> i64 {
    number.numerator() << (FRACTION_BITS - number.log2_denominator())
}

/// The number of this many units.
pub(crate) fn dyadic(raw: i64) -> Result<Dyadic, GameError> {
    Dyadic::new(raw, FRACTION_BITS)
}

/// What Left can move the number to in its canonical form.
pub(crate) fn left_option(raw: i64) -> Option<i64> {
    let place = 1 << raw.trailing_zeros().min(FRACTION_BITS);
    (place < UNIT || raw > 0).then(|| raw - place)
}

/// What Right can move the number to in its canonical form.
pub(crate) fn right_option(raw: i64) -> Option<i64> {
    left_option(-raw).map(|option| -option)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> i64 {
        raw(text.parse().unwrap())
    }

    #[test]
    fn options_are_those_of_the_canonical_form() {
        for (number, left, right) in [
            ("0", None, None),
            ("3", Some("2"), None),
            ("-2", None, Some("-1")),
            ("1/2", Some("0"), Some("1")),
            ("-3/4", Some("-1"), Some("-1/2")),
            ("5/2", Some("2"), Some("3")),
        ] {
            assert_eq!(left_option(read(number)), left.map(read), "{number}");
            assert_eq!(right_option(read(number)), right.map(read), "{number}");
        }
    }
}
