//! The value of a single strip, however it is cheapest: closed form where there is one, else by its options.

mod answer;
mod hop;
mod hopless;
mod one_blank;
mod reading;
mod sum;

use std::collections::HashMap;

use toads_game::{Arena, DeepInvariants, Invariants, Value};
use toads_strip::{Strip, Variant};

pub(crate) use answer::{Answer, Explanation, clip};
pub(crate) use reading::{Subject, read, read_value};
pub(crate) use sum::{Term, read_sum};

use crate::failure::Result;

/// Evaluates strips one after another; what one of them taught helps the next.
pub(crate) struct Evaluator<'a> {
    arena: &'a Arena,
    invariants: Invariants<'a>,
    deep: DeepInvariants,
    /// Hop strips without walls, by squares.
    known: HashMap<Strip, Value>,
    /// Different positions that one strip may take before it counts as too large.
    limit: usize,
    threads: usize,
    /// Bytes that the table of a class, or a set of positions, may take.
    table_bytes: u64,
    /// Told how many strips of a class are evaluated, of how many.
    progress: Box<dyn FnMut(u64, u64) + 'a>,
}

/// What evaluation may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Different positions for one strip.
    pub(crate) positions: usize,
    /// Threads for the table of a class.
    pub(crate) threads: usize,
    /// Memory for canonical forms and the table of a class, in bytes.
    pub(crate) memory: u64,
}

impl Budget {
    /// An arena for these subjects: a small one, unless one of them is large.
    pub(crate) fn arena<'s>(&self, mut subjects: impl Iterator<Item = &'s Subject>) -> Arena {
        let is_large = |subject: &Subject| match subject {
            Subject::Strip(strip) => strip.try_class().is_ok_and(|class| class.size() > 1 << 20),
            Subject::Value(_) => false,
        };
        if subjects.any(is_large) {
            Arena::with_capacity_bytes(self.memory / 2)
        } else {
            Arena::new()
        }
    }
}

impl<'a> Evaluator<'a> {
    /// Nothing known yet. `progress` hears of the evaluation of large classes ten times a second.
    pub(crate) fn new(
        arena: &'a Arena,
        budget: Budget,
        progress: impl FnMut(u64, u64) + 'a,
    ) -> Self {
        Self {
            arena,
            invariants: Invariants::new(arena),
            deep: DeepInvariants::default(),
            known: HashMap::new(),
            limit: budget.positions,
            threads: budget.threads,
            table_bytes: budget.memory / 4,
            progress: Box::new(progress),
        }
    }

    /// The value of a subject with all that is printed of it, and the reasons when asked for.
    pub(crate) fn answer(
        &mut self,
        subject: &Subject,
        variant: Variant,
        explain: bool,
    ) -> Result<Answer> {
        match subject {
            Subject::Strip(strip) if variant == Variant::Hopless => {
                self.answer_hopless(strip, explain)
            }
            Subject::Strip(strip) => {
                if let Some(form) = toads_strip::one_blank::analyse(strip) {
                    return self.answer_one_blank(strip, &form, explain);
                }
                let value = self.hop(strip)?;
                let explanation = if explain {
                    Some(self.explain_hop(strip)?)
                } else {
                    None
                };
                self.describe(subject.to_string(), value, explanation)
            }
            Subject::Value(text) => {
                let value = toads_game::notation::parse(self.arena, text)
                    .map_err(crate::failure::Failure::input)?;
                self.describe(text.clone(), value, None)
            }
        }
    }
}
