//! Numbers of squares far beyond a census.

use std::ops::RangeInclusive;
use std::str::FromStr;

use toads_count::Column;

/// `20`, or `1..1000` with both ends included; from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Squares {
    pub(super) first: u32,
    pub(super) last: u32,
}

impl Squares {
    pub(super) fn range(self) -> RangeInclusive<u32> {
        self.first..=self.last
    }
}

impl FromStr for Squares {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let most = Column::OddGaps.limit();
        let number = |text: &str| match text.trim().parse::<u64>() {
            Ok(n) if n <= u64::from(most) => Ok(n as u32),
            Ok(n) => Err(format!("{n} squares are out of range; counts go to {most}")),
            Err(_) => Err(format!(
                "`{text}` is not a number of squares; write 20 or 1..1000"
            )),
        };
        let (first, last) = match text.split_once("..") {
            Some((first, last)) => (
                number(first)?,
                number(last.strip_prefix('=').unwrap_or(last))?,
            ),
            None => (number(text)?, number(text)?),
        };
        if first > last {
            return Err(format!("the range is empty; did you mean {last}..{first}?"));
        }
        Ok(Self { first, last })
    }
}

#[cfg(test)]
mod tests {
    use super::Squares;

    #[test]
    fn ranges_are_inclusive_and_go_far() {
        let squares = |first, last| Ok(Squares { first, last });
        assert_eq!("1..1000".parse(), squares(1, 1000));
        assert_eq!("0..=20".parse(), squares(0, 20));
        assert_eq!(" 7 ".parse(), squares(7, 7));
        for text in [
            "",
            "a",
            "-1",
            "3..2",
            "1..",
            "10001",
            "1..99999999999999999999",
        ] {
            let error = text.parse::<Squares>().unwrap_err();
            assert!(!error.is_empty() && !error.contains('\n'), "{error}");
        }
    }
}
