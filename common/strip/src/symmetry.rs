//! Mirrors and dead ends: what leaves the value alone, or negates it, in both variants.

use crate::square::Square;
use crate::strip::Strip;
use std::ops::Range;

impl Strip {
    /// The strip read from right to left with toads and frogs exchanged. Its value is the negative of this one's.
    #[must_use]
    pub fn mirror(&self) -> Self {
        self.iter().rev().map(|square| square.mirror()).collect()
    }

    /// How many frogs lead the strip, what is between, how many toads trail it.
    ///
    /// A frog on the leftmost square never moves and nothing passes it, nor a toad on the rightmost: these
    /// *dead ends* change no value. What is left, the core, starts with `T` or `.` and ends with `F` or `.`, or
    /// is empty.
    pub fn core(&self) -> (usize, Self, usize) {
        let range = core_range(self);
        (
            range.start,
            Self::new(&self[range.clone()]),
            self.len() - range.end,
        )
    }

    /// Whether there are no dead ends: the strip is its own [core](Strip::core).
    pub fn is_core(&self) -> bool {
        self.first() != Some(&Square::Frog) && self.last() != Some(&Square::Toad)
    }
}

/// The squares between the dead ends; see [`Strip::core`].
pub fn core_range(squares: &[Square]) -> Range<usize> {
    let start = squares
        .iter()
        .position(|&square| square != Square::Frog)
        .unwrap_or(squares.len());
    let end = squares
        .iter()
        .rposition(|&square| square != Square::Toad)
        .map_or(0, |last| last + 1);
    start..end.max(start)
}

#[cfg(test)]
mod tests {
    use crate::{Square, Strip};
    use proptest::prelude::*;

    #[test]
    fn cores() {
        for (text, frogs, core, toads) in [
            ("T.F", 0, "T.F", 0),
            ("FFT.FT", 2, "T.F", 1),
            ("FF", 2, "", 0),
            ("TT", 0, "", 2),
            ("FFT", 2, "", 1),
            ("F.T", 1, ".", 1),
            ("TF", 0, "TF", 0),
        ] {
            let (leading, middle, trailing) = Strip::parse(text).unwrap().core();
            assert_eq!(
                (leading, middle.to_string().as_str(), trailing),
                (frogs, core, toads),
                "{text}"
            );
        }
    }

    #[test]
    fn mirror_reverses_and_exchanges() {
        assert_eq!(Strip::parse("TT.F.").unwrap().mirror().to_string(), ".T.FF");
    }

    proptest! {
        #[test]
        fn mirror_undoes_itself_and_mirrors_the_class(
            squares in prop::collection::vec(prop::sample::select(&Square::ALL[..]), 0..41)
        ) {
            let strip = Strip::from(squares);
            prop_assert_eq!(strip.mirror().mirror(), strip.clone());
            prop_assert_eq!(strip.mirror().class(), strip.class().mirror());
        }

        #[test]
        fn core_and_ends_make_the_strip(
            squares in prop::collection::vec(prop::sample::select(&Square::ALL[..]), 0..41)
        ) {
            let strip = Strip::from(squares);
            let (frogs, core, toads) = strip.core();
            prop_assert!(core.is_core());
            prop_assert_eq!(core.core(), (0, core.clone(), 0));
            let ends = "F".repeat(frogs) + &core.to_string() + &"T".repeat(toads);
            prop_assert_eq!(ends, strip.to_string());
        }
    }
}
