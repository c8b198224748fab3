//! Hopless strips: the closed form, at any length.

mod data;

use toads_strip::Strip;
use toads_strip::hopless::{self, ClosedForm, FoldError};

use super::{Answer, Evaluator, Explanation};
use crate::failure::{Failure, Result};

/// Values with more swings than this are printed in closed form: their text has 2^k leaves.
const MOST_SWINGS: usize = 12;

/// Numbers beyond this are printed in closed form: as a canonical form an integer n has n + 1 positions.
const LARGEST_NUMBER: i64 = 1 << 20;

impl Evaluator<'_> {
    /// The value of a hopless strip.
    pub(super) fn answer_hopless(&mut self, strip: &Strip, explain: bool) -> Result<Answer> {
        let form = hopless::analyse(strip);
        let subject = super::Subject::Strip(strip.clone()).to_string();
        let explanation = explain.then(|| explanation(strip));
        if form.swings().len() <= MOST_SWINGS && form.birthday() < LARGEST_NUMBER as u64 {
            let value = self.build(&form)?;
            return self.describe(subject, value, explanation);
        }
        let kind = if form.is_number() { "integer" } else { "hot" };
        Ok(Answer {
            subject,
            value: form.to_string(),
            outcome: form.outcome().to_string(),
            left_stop: form.left_stop().to_string(),
            right_stop: form.right_stop().to_string(),
            mean: form.mean().to_string(),
            temperature: form.temperature().to_string(),
            kind: kind.to_owned(),
            birthday: form.birthday(),
            left_options: None,
            right_options: None,
            deep: None,
            explanation,
        })
    }

    /// The canonical form of a closed form.
    pub(super) fn build(&self, form: &ClosedForm) -> Result<toads_game::Value> {
        let integer = |n| self.arena.integer(n);
        let built = form.fold(1 << 16, integer, |left, right| {
            self.arena.canonical(&[left], &[right])
        });
        built.map_err(|error| match error {
            FoldError::TooLarge(error) => Failure::input(error),
            FoldError::Build(error) => error.into(),
        })
    }
}

fn explanation(strip: &Strip) -> Explanation {
    let explained = hopless::explain(strip);
    Explanation {
        text: explained.to_string(),
        data: data::of(&explained),
    }
}
