//! What is printed about a value.

use toads_game::Value;

use super::Evaluator;
use crate::failure::{Failure, Result};

/// A value and its invariants, as text: closed forms may have values that no arena holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// What was asked about.
    pub(crate) subject: String,
    /// The value, as CGSuite prints it; a closed form where that would be too long.
    pub(crate) value: String,
    /// `P`, `L`, `R` or `N`.
    pub(crate) outcome: String,
    /// The left stop.
    pub(crate) left_stop: String,
    /// The right stop.
    pub(crate) right_stop: String,
    /// The mean value.
    pub(crate) mean: String,
    /// The temperature.
    pub(crate) temperature: String,
    /// What sort of value.
    pub(crate) kind: String,
    /// The birthday.
    pub(crate) birthday: u64,
    /// Canonical Left options; `None` where the form was not built.
    pub(crate) left_options: Option<Vec<String>>,
    /// Canonical Right options.
    pub(crate) right_options: Option<Vec<String>>,
    /// What needs the form; `None` where it was not built.
    pub(crate) deep: Option<Deep>,
    /// The reasons, when asked for.
    pub(crate) explanation: Option<Explanation>,
}

/// Invariants that need the form; `None` where a value has none, or its form is past the budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Deep {
    pub(crate) depth: u32,
    pub(crate) subpositions: Option<usize>,
    /// Of a number.
    pub(crate) denominator: Option<u64>,
    pub(crate) atomic_weight: Option<String>,
    /// The reduced canonical form.
    pub(crate) reduced: Option<String>,
}

/// Why a strip is worth what it is worth, for people and for programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Explanation {
    /// Lines to read.
    pub(crate) text: String,
    /// The same as data.
    pub(crate) data: serde_json::Value,
}

impl Evaluator<'_> {
    /// The text of a value.
    pub(super) fn text(&self, value: Value) -> String {
        toads_game::notation::display(self.arena, value)
    }

    /// All that is printed about a value of the arena.
    pub(super) fn describe(
        &mut self,
        subject: String,
        value: Value,
        explanation: Option<Explanation>,
    ) -> Result<Answer> {
        let record = self.invariants.record(value).map_err(Failure::input)?;
        let texts = |options: Vec<Value>| {
            options
                .into_iter()
                .map(|option| self.text(option))
                .collect()
        };
        Ok(Answer {
            subject,
            value: self.text(value),
            outcome: record.outcome.to_string(),
            left_stop: record.left_stop.to_string(),
            right_stop: record.right_stop.to_string(),
            mean: record.mean.to_string(),
            temperature: record.temperature.to_string(),
            kind: record.kind.to_string(),
            birthday: record.birthday.into(),
            left_options: Some(texts(self.arena.left_options(value).collect())),
            right_options: Some(texts(self.arena.right_options(value).collect())),
            deep: Some(self.deep(value)?),
            explanation,
        })
    }

    fn deep(&mut self, value: Value) -> Result<Deep> {
        let (arena, deep) = (self.arena, &mut self.deep);
        let weight = deep.atomic_weight(arena, value).map_err(Failure::input)?;
        let reduced = deep.reduced(arena, value).map_err(Failure::input)?;
        let (depth, subpositions) = (deep.depth(arena, value), deep.subpositions(arena, value));
        let denominator = arena
            .as_number(value)
            .map(|number| 1 << number.log2_denominator());
        Ok(Deep {
            depth,
            subpositions,
            denominator,
            atomic_weight: weight.map(|weight| self.text(weight)),
            reduced: reduced.map(|reduced| self.text(reduced)),
        })
    }
}

/// The text, or its first `limit` characters and how long it is.
pub(crate) fn clip(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}… ({} characters)", &text[..at], text.chars().count()),
    }
}

#[cfg(test)]
mod tests {
    use super::clip;

    #[test]
    fn long_texts_say_how_long_they_are() {
        assert_eq!(clip("{1|0}", 5), "{1|0}");
        assert_eq!(clip("{1|0}", 3), "{1|… (5 characters)");
        assert_eq!(clip("□□□", 1), "□… (3 characters)");
    }
}
