//! What is read off the closed form: outcome, stops, mean, temperature, birthday, and what sort of value it is.
//!
//! All from the lemmas, for the position as they show it; the mirror image negates.
//!
//! * *Steps.* In x of Lemmas 4.8 and 4.9 Left can move to 0 (it is ∗, or minus a value {… | 0}), and nowhere else. So its Left stop is
//!   0, and Oᵏ(x) = {0 | Oᵏ⁻¹(x)}, k ≥ 1, is no number and has both stops 0. Lemma 4.8 has the stops a−1 and 0; Right who moves
//!   first loses, as Left answers to 0: the outcome is L. Lemma 4.9 has both stops 0, and whoever begins wins: Left, as her threat
//!   of a−2 makes Right answer to Oᵇ⁺¹(x), from where she moves to 0; and Right by moving to 0.
//! * *Temperatures.* What has both stops 0 has mean and temperature 0. In Lemma 4.8 with a ≥ 2, x is ∗ or minus a value of Lemma 4.9
//!   (Lemma 4.7 would need a = 1), so {a−1 | Oᵇ(x)} has mean and temperature (a−1)/2.
//! * *Lemma 4.6* is the number 1/2ᵇ for a = 1, else a switch.
//! * *Lemma 4.7.* Let H = {a−2 | 1/2ᵇ}. Left's wall of {H | 0} is the Right wall of H less t: it stands at 1/2ᵇ up to the
//!   temperature of H, (a−2−1/2ᵇ)/2, and leaves the mast of H from there on. Right's wall is t. They meet at 1/2ᵇ if 3/2ᵇ ≤ a−2,
//!   else at half of the mean of H, (a−2+1/2ᵇ)/4; that is mean and temperature.

use super::form::{End, OneBlank, Step};
use super::number::Number;
use crate::outcome::Outcome;

/// What sort of value it is, the first that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// An integer.
    Integer,
    /// A number that is no integer.
    Dyadic,
    /// ∗.
    Star,
    /// 1∗ or −1∗.
    OneStar,
    /// A multiple of ↑, with or without ∗.
    Up,
    /// {0 || 0 | r} where the mean of r is below 0, or its negative.
    Tiny,
    /// Another value with both stops 0.
    Infinitesimal,
    /// {x | y} of two numbers x > y.
    Switch,
    /// Any other value.
    Hot,
}

/// Outcome, Left stop, Right stop, mean and temperature.
type Reading = (Outcome, Number, Number, Number, Number);

impl OneBlank {
    /// Who wins.
    pub fn outcome(&self) -> Outcome {
        match self.reading().0 {
            Outcome::L if self.mirrored => Outcome::R,
            outcome => outcome,
        }
    }

    /// The number reached when Left begins.
    pub fn left_stop(&self) -> Number {
        let (_, left, right, ..) = self.reading();
        if self.mirrored { -right } else { left }
    }

    /// The number reached when Right begins.
    pub fn right_stop(&self) -> Number {
        let (_, left, right, ..) = self.reading();
        if self.mirrored { -left } else { right }
    }

    /// The mean value.
    pub fn mean(&self) -> Number {
        let mean = self.reading().3;
        if self.mirrored { -mean } else { mean }
    }

    /// The temperature; −1 for an integer, −1/2ᵏ for another number.
    pub fn temperature(&self) -> Number {
        self.reading().4
    }

    /// The birthday. The form is canonical but for the numbers {0 | 1/2ᵏ} in it, so it is the depth of the form.
    pub fn birthday(&self) -> u64 {
        let end = match self.end {
            End::DeathLeap => 0,
            End::Run { a } => a,
            End::Singles | End::Runs { .. } => 1,
            End::Guarded { a, b } => (a - 1).max(b) + 1,
            End::Facing { a, b } => (a - 2).max(b + 1) + 2,
        };
        self.steps.iter().rev().fold(end, |x, &step| {
            let below = x + step.zeros();
            match step {
                Step::Guarded { a, .. } => (a - 1).max(below) + 1,
                Step::Facing { a, .. } => (a - 2).max(below) + 2,
            }
        })
    }

    /// What sort of value it is.
    pub fn sort(&self) -> Sort {
        match (&self.steps[..], self.end) {
            ([], End::DeathLeap | End::Run { .. }) => Sort::Integer,
            ([], End::Singles | End::Runs { .. }) => Sort::Star,
            ([], End::Guarded { a: 1, .. }) => Sort::Dyadic,
            ([], End::Guarded { a: 2, b: 1 }) => Sort::OneStar,
            ([], End::Guarded { .. } | End::Facing { a: 2, .. }) => Sort::Switch,
            // O(∗) = ↑, and so on.
            ([Step::Guarded { a: 1, .. }], End::Singles) => Sort::Up,
            // {0 || 0 | r} where the mean of r is below 0.
            ([Step::Guarded { a: 1, b: 0 | 1, .. }], End::Facing { .. })
            | (
                [
                    Step::Guarded { a: 1, b: 0, .. },
                    Step::Facing { a: 3.., .. },
                    ..,
                ],
                _,
            ) => Sort::Tiny,
            ([Step::Guarded { a: 1, .. } | Step::Facing { .. }, ..], _) => Sort::Infinitesimal,
            _ => Sort::Hot,
        }
    }

    /// Of the position as the first lemma shows it.
    fn reading(&self) -> Reading {
        let zero = Number::default();
        if let Some(step) = self.steps.first() {
            return match *step {
                Step::Guarded { a, .. } => {
                    let half = Number::quarters(2 * (a as i64 - 1));
                    (Outcome::L, Number::integer(a - 1), zero, half, half)
                }
                Step::Facing { .. } => (Outcome::N, zero, zero, zero, zero),
            };
        }
        match self.end {
            End::DeathLeap => (Outcome::P, zero, zero, zero, -Number::integer(1)),
            End::Run { a } => {
                let a = Number::integer(a);
                (Outcome::L, a, a, a, -Number::integer(1))
            }
            End::Singles | End::Runs { .. } => (Outcome::N, zero, zero, zero, zero),
            End::Guarded { a: 1, b } => {
                let x = Number::reciprocal(b);
                (Outcome::L, x, x, x, -x)
            }
            End::Guarded { a, b } => {
                let (left, right) = (Number::integer(a - 1), Number::reciprocal(b - 1));
                let (half, halved) = (2 * (a as i64 - 1), Number::reciprocal(b));
                let mean = halved.plus_quarters(half);
                let temperature = (-halved).plus_quarters(half);
                (Outcome::L, left, right, mean, temperature)
            }
            End::Facing { a, b } => {
                let left = Number::reciprocal(if a == 2 { b + 1 } else { b });
                let meets_below = a > 2 && (b >= 2 || a - 2 >= if b == 0 { 3 } else { 2 });
                let mean = if meets_below {
                    Number::reciprocal(b)
                } else {
                    Number::reciprocal(b + 2).plus_quarters(a as i64 - 2)
                };
                (Outcome::N, left, zero, mean, mean)
            }
        }
    }
}
