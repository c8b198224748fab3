//! What a single strip is worth: its exact value in the cheapest sound way, else the tightest relations to numbers that a
//! budget allows.
//!
//! A cell of a table (`T^(a+1) .^b F^a`) is one strip. [`Surveyor::survey`] tries, in this order,
//!
//! 1. closed forms: hopless strips, one blank, pieces that never meet;
//! 2. the positions that can be reached from it, or the table of its class where that is smaller ([`toads_census::Reach`],
//!    [`toads_census::NarrowClass`], the kernel of the census);
//! 3. play against numbers ([`toads_search`]): between which numbers the value lies, and whether it is a number plus one of
//!    0, ∗, ↑, ↓, ↑∗, ↓∗, which is exact again.
//!
//! ```
//! use toads_strip::{Strip, Variant};
//! use toads_surveyor::{Budget, Finding, Surveyor};
//!
//! let budget = Budget::default();
//! let arena = budget.arena();
//! let mut surveyor = Surveyor::new(&arena, Variant::Hop, budget);
//! let found = surveyor.survey(&Strip::parse("T^4 .^3 F^3")?)?;
//! assert!(matches!(found, Finding::Exact { value, .. } if value == "{1||1/2|0}"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bounds;
mod evaluator;
mod exact;

use std::fmt;

use toads_census::{Control, EvaluateError, Reach};
use toads_game::{Arena, GameError, Kind, Relation, ValueId};
use toads_search::{Limits, SearchError, Searcher};
use toads_strip::{Strip, Variant};

pub use evaluator::StripEvaluator;
pub use exact::How;

/// What a survey of one strip may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Bytes in all, 64 MiB at least.
    pub memory: u64,
    /// Threads for tables and play.
    pub threads: usize,
    /// Positions that may be remembered on the way to an exact value; some 50 bytes and 1–2 µs each.
    pub positions: usize,
    /// Strips of a class that may be evaluated for it.
    pub class: u64,
    /// Nodes of play for one strip; about 2 µs each.
    pub nodes: u64,
}

impl Default for Budget {
    /// 1 GiB, one thread, a million positions, a class of ten million strips, four million nodes: some seconds for each strip.
    fn default() -> Self {
        Self {
            memory: 1 << 30,
            threads: 1,
            positions: 1_000_000,
            class: 10_000_000,
            nodes: 4_000_000,
        }
    }
}

impl Budget {
    /// An arena with a quarter of the memory.
    pub fn arena(&self) -> Arena {
        Arena::with_capacity_bytes(self.memory.max(1 << 26) / 4)
    }

    fn limits(&self) -> Limits {
        Limits {
            memory: self.memory.max(1 << 26) / 4,
            threads: self.threads,
            nodes: self.nodes,
        }
    }
}

/// What was found out about a strip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Its value.
    Exact {
        /// In CGSuite notation, or in closed form where the canonical form is too large to be built.
        value: String,
        /// The content id, where the canonical form was built.
        id: Option<ValueId>,
        /// The first kind that fits; none where the canonical form was not built.
        kind: Option<Kind>,
        /// How it was found.
        how: How,
    },
    /// How it compares with numbers, the tightest first; empty when the budget did not suffice for one comparison.
    Bounded {
        /// Such as (`>`, `5/2`).
        relations: Vec<(Relation, String)>,
        /// Nodes of play.
        nodes: u64,
    },
}

impl fmt::Display for Finding {
    /// `{1|0}`, or `> 5/2, < 3`, or `?`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact { value, .. } => f.write_str(value),
            Self::Bounded { relations, .. } if relations.is_empty() => f.write_str("?"),
            Self::Bounded { relations, .. } => {
                for (at, (relation, number)) in relations.iter().enumerate() {
                    let comma = if at == 0 { "" } else { ", " };
                    write!(f, "{comma}{relation} {number}")?;
                }
                Ok(())
            }
        }
    }
}

/// Why nothing can be said about a strip.
#[derive(Debug, thiserror::Error)]
pub enum SurveyError {
    /// The arena could not hold a value.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The search could not begin.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// Stopped from outside, or out of room.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
}

/// Surveys strips one after another; what one of them taught helps the next.
pub struct Surveyor<'a> {
    arena: &'a Arena,
    variant: Variant,
    budget: Budget,
    reach: Reach<'a>,
    searcher: Searcher<'a>,
}

impl<'a> Surveyor<'a> {
    /// Nothing known yet. Values are values of `arena` ([`Budget::arena`]).
    pub fn new(arena: &'a Arena, variant: Variant, budget: Budget) -> Self {
        Self {
            arena,
            variant,
            budget,
            reach: Reach::new(arena, budget.remembered()),
            searcher: Searcher::new(arena, variant, budget.limits()),
        }
    }

    /// The off switch and the counters of play, for another thread to hold.
    pub fn control(&self) -> std::sync::Arc<toads_search::Control> {
        self.searcher.control()
    }

    /// The exact value, or the tightest relations found within the budget.
    pub fn survey(&mut self, strip: &Strip) -> Result<Finding, SurveyError> {
        self.survey_under(strip, &Control::default())
    }

    /// [`Self::survey`], where the evaluation of a class can be watched and stopped through `control`.
    pub fn survey_under(
        &mut self,
        strip: &Strip,
        control: &Control,
    ) -> Result<Finding, SurveyError> {
        if let Some(exact) = self.exact(strip, control)? {
            return Ok(exact);
        }
        self.bounds(strip)
    }
}
