//! The value of a single strip, however it is cheapest: closed form where there is one, else by its options.

mod answer;
mod hop;
mod hopless;
mod reading;

use std::collections::HashMap;

use toads_game::{Arena, Invariants, Value};
use toads_strip::{Strip, Variant};

pub(crate) use answer::{Answer, Explanation, clip};
pub(crate) use reading::{Subject, read};

use crate::failure::Result;

/// Evaluates strips one after another; what one of them taught helps the next.
pub(crate) struct Evaluator<'a> {
    arena: &'a Arena,
    invariants: Invariants<'a>,
    /// Hop strips without walls, by squares.
    known: HashMap<Strip, Value>,
    /// Different positions that one strip may take before it counts as too large.
    limit: usize,
    threads: usize,
}

impl<'a> Evaluator<'a> {
    /// Nothing known yet; `limit` positions for each strip.
    pub(crate) fn new(arena: &'a Arena, limit: usize, threads: usize) -> Self {
        Self { arena, invariants: Invariants::new(arena), known: HashMap::new(), limit, threads }
    }

    /// The value of a subject with all that is printed of it, and the reasons when asked for.
    pub(crate) fn answer(&mut self, subject: &Subject, variant: Variant, explain: bool) -> Result<Answer> {
        match subject {
            Subject::Strip(strip) if variant == Variant::Hopless => self.answer_hopless(strip, explain),
            Subject::Strip(strip) => {
                let value = self.hop(strip)?;
                let explanation = if explain { Some(self.explain_hop(strip)?) } else { None };
                self.describe(subject.to_string(), value, explanation)
            }
            Subject::Value(text) => {
                let value = toads_game::notation::parse(self.arena, text).map_err(crate::failure::Failure::input)?;
                self.describe(text.clone(), value, None)
            }
        }
    }
}
