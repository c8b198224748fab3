//! The value of a strip without jumps: mean ± h₁ ± h₂ …, and what is read off it.

use super::block::blocks;
use super::component::Worth;
use super::half::Half;
use crate::outcome::Outcome;
use crate::square::Square;
use smallvec::SmallVec;
use std::fmt;
use std::ops::{Add, Neg};

/// The value of a strip in the hopless variant. One pass, no allocation for small strips: O(n) and the sorting of the
/// swings of its odd components, fewer than n/3 small numbers.
pub fn analyse(squares: &[Square]) -> ClosedForm {
    let mut sum = Sum::default();
    for block in blocks(squares) {
        sum.add(block.worth());
    }
    sum.finish()
}

/// A value mean ± h₁ ± h₂ … ± hₖ with h₁ > h₂ > … > hₖ ≥ 0; ± 0 is ∗.
///
/// Two strips have the same hopless value exactly when their closed forms are equal (Theorem 4 of the
/// [module](super) gives different canonical forms for different ones). Everything is held doubled, in
/// integers: the mean as `twice_mean`, the half-swing h as the swing s = 2h, the difference of the two options.
/// The mean may be a half-integer; mean ± h₁ ± h₂ …, with all signs chosen, is always an integer.
///
/// In the canonical form {mean + h₁ ± h₂ … | mean − h₁ ± h₂ …} each player has exactly one move until an integer
/// is reached after k moves. So alternate play is forced, and the methods only have to follow it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClosedForm {
    twice_mean: i64,
    /// 2·h₁ > 2·h₂ > … ≥ 0.
    swings: SmallVec<[i64; 4]>,
}

impl ClosedForm {
    /// The sum of these components.
    ///
    /// # Panics
    /// When a switch {x | y} has x < y: no component has.
    pub fn sum(worths: impl IntoIterator<Item = Worth>) -> Self {
        let mut sum = Sum::default();
        for worth in worths {
            sum.add(worth);
        }
        sum.finish()
    }

    /// An integer.
    pub fn integer(integer: i64) -> Self {
        Self {
            twice_mean: 2 * integer,
            swings: SmallVec::new(),
        }
    }

    /// The mean value.
    pub fn mean(&self) -> Half {
        Half::from_twice(self.twice_mean)
    }

    /// The swings that survive cancellation, 2·h₁ > 2·h₂ > … ≥ 0. A last one of 0 is a star.
    pub fn swings(&self) -> &[i64] {
        &self.swings
    }

    /// The half-swings h₁ > h₂ > … ≥ 0.
    pub fn half_swings(&self) -> impl ExactSizeIterator<Item = Half> + DoubleEndedIterator + '_ {
        self.swings.iter().map(|&swing| Half::from_twice(swing))
    }

    /// Whether a star survives, ± 0.
    pub fn has_star(&self) -> bool {
        self.swings.last() == Some(&0)
    }

    /// Whether the value is a number. It is then an integer.
    pub fn is_number(&self) -> bool {
        self.swings.is_empty()
    }

    /// The integer the value is, or `None` if it is no number.
    pub fn as_integer(&self) -> Option<i64> {
        if self.is_number() {
            self.mean().as_integer()
        } else {
            None
        }
    }

    /// Whether the value is exactly ∗.
    pub fn is_star(&self) -> bool {
        self.twice_mean == 0 && self.swings[..] == [0]
    }

    /// The integer reached when Left begins: mean + h₁ − h₂ + h₃ − …
    pub fn left_stop(&self) -> i64 {
        i64::midpoint(self.twice_mean, self.alternating())
    }

    /// The integer reached when Right begins: mean − h₁ + h₂ − h₃ + …
    pub fn right_stop(&self) -> i64 {
        i64::midpoint(self.twice_mean, -self.alternating())
    }

    /// s₁ − s₂ + s₃ − …
    fn alternating(&self) -> i64 {
        self.swings
            .iter()
            .rev()
            .fold(0, |rest, &swing| swing - rest)
    }

    /// Who wins. After k forced moves a stop x is reached; if k is even the player who began is to move there
    /// and needs x on the good side of 0, if k is odd the other is to move, and x = 0 is good enough.
    pub fn outcome(&self) -> Outcome {
        let slack = i64::from(self.swings.len() % 2 == 1);
        Outcome::from_first_player_wins(self.left_stop() + slack > 0, self.right_stop() - slack < 0)
    }

    /// The temperature: −1 for an integer, else h₁.
    ///
    /// Proof, by induction on k: the walls of {mean + h₁ + K | mean − h₁ + K}, K = ± h₂ ± h₃ …, lie 2(h₁ − t) −
    /// d apart at temperature t, where d is how far apart those of K lie. By induction 0 ≤ d ≤ 2·max(h₂ − t,
    /// 0), so the distance is at most 2(h₁ − t), positive for t < h₁, and 0 at t = h₁. ∗ freezes at 0 = h₁.
    pub fn temperature(&self) -> Half {
        Half::from_twice(self.swings.first().copied().unwrap_or(-2))
    }

    /// The birthday: the depth of the canonical form, k + |mean| + h₁ + h₂ + …
    ///
    /// Proof: all leaves lie k moves deep, an integer x is born on day |x|, and the largest |x| among the leaves
    /// mean ± h₁ ± h₂ … is |mean| + h₁ + h₂ + …, reached with all signs equal to the sign of the mean.
    pub fn birthday(&self) -> u64 {
        self.swings.len() as u64
            + self
                .twice_mean
                .unsigned_abs()
                .midpoint(self.swings.iter().sum::<i64>() as u64)
    }

    /// How many integer leaves the canonical form has, written out as a tree: 2^k with k swings; `None` from
    /// 2^128 on.
    pub fn number_of_leaves(&self) -> Option<u128> {
        1_u128.checked_shl(self.swings.len() as u32)
    }
}

/// Components as they come; cancels at the end.
#[derive(Default)]
struct Sum {
    twice_mean: i64,
    swings: SmallVec<[i64; 16]>,
}

impl Sum {
    fn add(&mut self, worth: Worth) {
        match worth {
            Worth::Integer(integer) => self.twice_mean += 2 * integer,
            Worth::Switch { left, right } => {
                assert!(
                    left >= right,
                    "the switch {{{left} | {right}}} is cold; components have left >= right"
                );
                self.twice_mean += left + right;
                self.swings.push(left - right);
            }
        }
    }

    fn finish(mut self) -> ClosedForm {
        self.swings.sort_unstable_by(|a, b| b.cmp(a));
        // An odd number of equal swings leaves one.
        let survivors = self
            .swings
            .chunk_by(|a, b| a == b)
            .filter(|equal| equal.len() % 2 == 1)
            .map(|equal| equal[0]);
        ClosedForm {
            twice_mean: self.twice_mean,
            swings: survivors.collect(),
        }
    }
}

impl Add for &ClosedForm {
    type Output = ClosedForm;

    /// The sum of two values; equal swings cancel.
    fn add(self, other: &ClosedForm) -> ClosedForm {
        let twice_mean = self.twice_mean + other.twice_mean;
        Sum {
            twice_mean,
            swings: self.swings.iter().chain(&other.swings).copied().collect(),
        }
        .finish()
    }
}

impl Neg for ClosedForm {
    type Output = Self;

    /// The negative: ± h is its own.
    fn neg(self) -> Self {
        Self {
            twice_mean: -self.twice_mean,
            ..self
        }
    }
}

impl fmt::Display for ClosedForm {
    /// `3`, `1/2 ± 1/2`, `±1`, `*`, `2 ± 3/2 + *`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        if self.twice_mean != 0 || self.is_number() {
            text = self.mean().to_string();
        }
        for half_swing in self.half_swings() {
            text += match (text.is_empty(), half_swing.twice()) {
                (true, 0) => "*",
                (false, 0) => " + *",
                (true, _) => "±",
                (false, _) => " ± ",
            };
            if half_swing.twice() != 0 {
                text += &half_swing.to_string();
            }
        }
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::{ClosedForm, analyse};
    use crate::{Outcome, Square, Strip};
    use proptest::prelude::*;

    fn read(text: &str) -> ClosedForm {
        analyse(&Strip::parse(text).unwrap())
    }

    #[test]
    fn texts() {
        for (strip, text) in [
            ("...", "0"),
            ("T.F", "*"),
            ("T.FT.F", "0"),
            ("TT.F", "1/2 ± 1/2"),
            ("TT.FF", "±1"),
            ("TT.FFT.F", "±1 + *"),
            ("TT.FT.FTT..", "9/2 ± 1/2 + *"),
            ("TT.FT.FFTT..", "4"),
        ] {
            assert_eq!(read(strip).to_string(), text, "{strip}");
            assert_eq!(read(strip).has_star(), text.ends_with('*'), "{strip}");
        }
    }

    #[test]
    fn a_hot_strip_read_off() {
        let form = read("TTT.FFTT.F"); // ±3/2 + 1/2 and 1/2 ± 1/2
        assert_eq!((form.mean().twice(), form.swings()), (2, &[3, 1][..]));
        assert_eq!((form.left_stop(), form.right_stop()), (2, 0));
        assert_eq!(form.outcome(), Outcome::L);
        assert_eq!(form.temperature().to_string(), "3/2");
        assert_eq!((form.birthday(), form.number_of_leaves()), (5, Some(4)));
    }

    #[test]
    fn a_million_squares() {
        // TTT..TT . FF..F units of equal size: an even number of them, so all cancel.
        let form = read("(T^49 . F^50)^10000");
        assert_eq!(form.as_integer(), Some(-5000));
        // One of each size that fits.
        let text = (1..=1300)
            .map(|toads| format!("T{toads}.F"))
            .collect::<Vec<_>>()
            .concat();
        let form = read(&text);
        assert_eq!(form.swings().len(), 1300);
        assert_eq!(form.number_of_leaves(), None);
    }

    proptest! {
        #[test]
        fn sums_and_negatives(
            a in prop::collection::vec(prop::sample::select(&Square::ALL[..]), 0..60),
            b in prop::collection::vec(prop::sample::select(&Square::ALL[..]), 0..60),
        ) {
            let (x, y) = (analyse(&a), analyse(&b));
            prop_assert_eq!(&x + &-x.clone(), ClosedForm::integer(0));
            prop_assert_eq!(&x + &y, &y + &x);
            prop_assert_eq!(analyse(&Strip::new(&a).mirror()), -x.clone());
            let wall = Strip::parse("TTFF").unwrap();
            let both = [&a[..], &wall, &b[..]].concat();
            prop_assert_eq!(analyse(&both), &x + &y);
        }

        #[test]
        fn leaves_are_integers(a in prop::collection::vec(prop::sample::select(&Square::ALL[..]), 0..90)) {
            let form = analyse(&a);
            prop_assert_eq!((form.mean().twice() + form.swings().iter().sum::<i64>()).rem_euclid(2), 0);
            prop_assert!(form.swings().is_sorted_by(|a, b| a > b));
            prop_assert!(form.left_stop() >= form.right_stop());
        }
    }
}
