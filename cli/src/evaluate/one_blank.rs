//! Hop strips with one blank: the closed form, at any length.

use serde_json::json;
use toads_game::{Dyadic, GameError, Kind, Value};
use toads_strip::Strip;
use toads_strip::one_blank::{self, FoldError, Number, OneBlank, Sort};

use super::{Answer, Evaluator, Explanation};
use crate::failure::{Failure, Result};

/// Values with more subpositions than this are printed in closed form: their text would be as long.
const MOST_SUBPOSITIONS: u64 = 1_000;

/// Numbers beyond this are printed in closed form: as a canonical form an integer n has n + 1 positions.
const LARGEST_BIRTHDAY: u64 = 1 << 20;

impl Evaluator<'_> {
    /// All that is printed about a strip with one blank.
    pub(super) fn answer_one_blank(
        &mut self,
        strip: &Strip,
        form: &OneBlank,
        explain: bool,
    ) -> Result<Answer> {
        let subject = super::Subject::Strip(strip.clone()).to_string();
        let explanation = if explain { explanation(strip) } else { None };
        if let Some(value) = self.build_one_blank(form)? {
            return self.describe(subject, value, explanation);
        }
        Ok(Answer {
            subject,
            value: form.to_string(),
            outcome: form.outcome().to_string(),
            left_stop: form.left_stop().to_string(),
            right_stop: form.right_stop().to_string(),
            mean: form.mean().to_string(),
            temperature: form.temperature().to_string(),
            kind: kind(form.sort()).to_string(),
            birthday: form.birthday(),
            left_options: None,
            right_options: None,
            deep: None,
            explanation,
        })
    }

    /// The canonical form of a closed form; `None` if it is too large, or has numbers too fine, to be built.
    pub(super) fn build_one_blank(&self, form: &OneBlank) -> Result<Option<Value>> {
        if form.birthday() >= LARGEST_BIRTHDAY {
            return Ok(None);
        }
        let number = |number: Number| match number.as_fraction() {
            Some((numerator, k)) => self.arena.number(Dyadic::new(numerator, k)?),
            None => Err(GameError::NumberOutOfRange {
                what: number.to_string(),
            }),
        };
        let game = |left, right| self.arena.canonical(&[left], &[right]);
        match form.fold(MOST_SUBPOSITIONS, number, game) {
            Ok(value) => Ok(Some(value)),
            Err(FoldError::TooLarge(_) | FoldError::Build(GameError::NumberOutOfRange { .. })) => {
                Ok(None)
            }
            Err(FoldError::Build(error)) => Err(Failure::from(error)),
        }
    }
}

/// The name in tables.
fn kind(sort: Sort) -> Kind {
    match sort {
        Sort::Integer => Kind::Integer,
        Sort::Dyadic => Kind::Dyadic,
        Sort::Star => Kind::Nimber,
        Sort::OneStar => Kind::NumberNimber,
        Sort::Up => Kind::Up,
        Sort::Tiny => Kind::Tiny,
        Sort::Infinitesimal => Kind::Infinitesimal,
        Sort::Switch => Kind::Switch,
        Sort::Hot => Kind::Hot,
    }
}

/// The lemmas on the way, as text and as data; squares are numbered from 1.
pub(super) fn explanation(strip: &Strip) -> Option<Explanation> {
    let explained = one_blank::explain(strip)?;
    let stages = explained.stages.iter().map(|stage| {
        json!({
            "lemma": stage.lemma,
            "mirrored": stage.mirrored,
            "strip": stage.position.as_ref().map(ToString::to_string),
        })
    });
    let data = json!({
        "squares": [explained.matters.start + 1, explained.matters.end],
        "lemmas": stages.collect::<Vec<_>>(),
        "closed_form": explained.form.to_string(),
        "outcome": explained.form.outcome().to_string(),
        "left_stop": explained.form.left_stop().to_string(),
        "right_stop": explained.form.right_stop().to_string(),
        "mean": explained.form.mean().to_string(),
        "temperature": explained.form.temperature().to_string(),
        "birthday": explained.form.birthday(),
    });
    Some(Explanation {
        text: explained.to_string(),
        data,
    })
}

#[cfg(test)]
mod tests {
    use toads_game::{Arena, Invariants};

    use super::*;
    use crate::evaluate::{Budget, Evaluator};

    /// Every lemma and mirror with short runs, in arenas: what is read off a closed form is what the canonical form has.
    #[test]
    fn what_is_read_off_is_what_the_canonical_form_has() {
        let arena = Arena::new();
        let budget = Budget {
            positions: 1000,
            threads: 1,
            memory: 1 << 26,
        };
        let evaluator = Evaluator::new(&arena, budget, |_, _| {});
        let mut invariants = Invariants::new(&arena);
        let mut tested = 0;
        for (a, b, c) in (0..7 * 7 * 7).map(|i| (i / 49, i / 7 % 7, i % 7)) {
            for text in [
                format!("T^{a} . (TF)^{b} F^{c}"),
                format!("T^{a} . F (TF)^{b} T F^{c}"),
                format!("(TF)^{b} T^{a} . F^{c}"),
                format!("T^{c} (TF)^{b} T . F^{a}"),
            ] {
                let strip = Strip::parse(&text).unwrap();
                let form = one_blank::analyse(&strip).unwrap();
                let value = evaluator.build_one_blank(&form).unwrap().unwrap();
                let record = invariants.record(value).unwrap();
                let found = [
                    form.left_stop().to_string(),
                    form.right_stop().to_string(),
                    form.mean().to_string(),
                    form.temperature().to_string(),
                    form.outcome().to_string(),
                    kind(form.sort()).to_string(),
                    form.birthday().to_string(),
                ];
                let expected = [
                    record.left_stop.to_string(),
                    record.right_stop.to_string(),
                    record.mean.to_string(),
                    record.temperature.to_string(),
                    record.outcome.to_string(),
                    record.kind.to_string(),
                    record.birthday.to_string(),
                ];
                assert_eq!(found, expected, "{text} = {form}");
                tested += 1;
            }
        }
        assert_eq!(tested, 4 * 343);
    }
}
