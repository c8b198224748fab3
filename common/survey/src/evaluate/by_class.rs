//! The evaluator that always works: closed forms, and the tables of whole classes where they fit into memory.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use toads_census::kernel::table_bytes;
use toads_census::{EvaluateError, EvaluatedClass, MAX_CENSUS_SQUARES, Shard};
use toads_game::notation::Writer;
use toads_game::{Arena, GameError, Value, kind_of};
use toads_strip::hopless::{self, ClosedForm, FoldError};
use toads_strip::{Square, Strip, Variant, walls};

use super::{CellControl, CellEvaluator, Evaluation, Question, Resources};
use crate::outcome::{CellOutcome, Exact, MAX_TEXT_BYTES};

/// Closed forms with more swings than this stay closed forms: written out they have 2^k leaves.
const MOST_SWINGS: usize = 12;

/// Numbers beyond this stay closed forms: as a canonical form an integer n has n + 1 positions.
const LARGEST_NUMBER: u64 = 1 << 20;

/// Values by closed form or class table. Tables are kept while there is room, so that the neighbours of a cell, which are
/// of the same class, cost nothing.
pub struct ClassEvaluator {
    resources: Resources,
    desk: Mutex<Desk>,
}

/// The arena, and the tables in its terms.
struct Desk {
    arena: Arc<Arena>,
    /// The oldest first.
    tables: VecDeque<Arc<EvaluatedClass>>,
}

/// Why there is no value.
enum Stuck {
    ArenaFull,
    Over,
    Other(String),
}

impl From<GameError> for Stuck {
    fn from(error: GameError) -> Self {
        match error {
            GameError::ArenaFull { .. } => Self::ArenaFull,
            other => Self::Other(other.to_string()),
        }
    }
}

impl From<EvaluateError> for Stuck {
    fn from(error: EvaluateError) -> Self {
        match error {
            EvaluateError::Game(error) => error.into(),
            EvaluateError::Cancelled => Self::Over,
            EvaluateError::Sink(what) => Self::Other(what),
        }
    }
}

impl ClassEvaluator {
    /// Nothing known yet. Half of the memory is the arena's, half is for tables.
    pub fn new(resources: Resources) -> Self {
        Self {
            resources,
            desk: Mutex::new(Desk::new(resources)),
        }
    }

    fn outcome(&self, question: &Question<'_>, control: &CellControl) -> CellOutcome {
        if question.variant == Variant::Hopless {
            let form = hopless::analyse(question.strip);
            if form.swings().len() > MOST_SWINGS || form.birthday() >= LARGEST_NUMBER {
                return closed_form(&form);
            }
        }
        let mut desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        let mut value = desk.value(question, self.resources, control);
        if matches!(value, Err(Stuck::ArenaFull)) {
            // What earlier questions left fills it; a second failure is this question's own.
            *desk = Desk::new(self.resources);
            value = desk.value(question, self.resources, control);
        }
        match value {
            Ok((value, how)) => desk.exact(value, how),
            Err(Stuck::Other(message)) => CellOutcome::failed(message),
            Err(Stuck::Over) => CellOutcome::failed(format!(
                "the time of the budget ({} ms) is over; ask with more",
                question.budget.milliseconds
            )),
            Err(Stuck::ArenaFull) => CellOutcome::failed(format!(
                "its values take more than half of the {} bytes of this worker; give it --memory {} or more, then ask with --retry",
                self.resources.memory_bytes,
                self.resources.memory_bytes.saturating_mul(2)
            )),
        }
    }
}

impl CellEvaluator for ClassEvaluator {
    fn evaluate(&self, question: &Question<'_>, control: &CellControl) -> Evaluation {
        let outcome = self.outcome(question, control);
        let nodes = control.nodes().load(Ordering::Relaxed);
        Evaluation { outcome, nodes }
    }
}

impl Desk {
    fn new(resources: Resources) -> Self {
        Self {
            arena: Arc::new(Arena::with_capacity_bytes(resources.memory_bytes / 2)),
            tables: VecDeque::new(),
        }
    }

    fn value(
        &mut self,
        question: &Question<'_>,
        resources: Resources,
        control: &CellControl,
    ) -> Result<(Value, &'static str), Stuck> {
        if question.variant == Variant::Hopless {
            return Ok((
                self.build(&hopless::analyse(question.strip))?,
                "closed form",
            ));
        }
        let (mut sum, mut how) = (Value::ZERO, "closed form");
        for part in walls::split(question.strip) {
            let value = if never_meet(&part) {
                self.build(&hopless::analyse(&part))?
            } else {
                how = "class table";
                self.in_class(&part, question, resources, control)?
            };
            sum = self.arena.add(sum, value)?;
        }
        Ok((sum, how))
    }

    /// The value of a part without walls, from the table of its class or of the mirror class.
    fn in_class(
        &mut self,
        part: &Strip,
        question: &Question<'_>,
        resources: Resources,
        control: &CellControl,
    ) -> Result<Value, Stuck> {
        let class = part.try_class().ok();
        let class = class.filter(|class| class.n <= MAX_CENSUS_SQUARES).ok_or_else(|| {
            Stuck::Other(format!(
                "{} has {} squares between its walls, the table of a class at most {MAX_CENSUS_SQUARES}; an evaluator that plays would help",
                question.strip.compact(),
                part.len()
            ))
        })?;
        let is_mirrored = !class.is_computed();
        let shard = Shard::whole(
            Variant::Hop,
            if is_mirrored { class.mirror() } else { class },
        );
        let table = self.table(shard, question, resources, control)?;
        if !is_mirrored {
            return Ok(table.value_at(shard.class.rank(part)));
        }
        let value = table.value_at(shard.class.rank(&part.mirror()));
        Ok(self.arena.neg(value)?)
    }

    fn table(
        &mut self,
        shard: Shard,
        question: &Question<'_>,
        resources: Resources,
        control: &CellControl,
    ) -> Result<Arc<EvaluatedClass>, Stuck> {
        if let Some(kept) = self.tables.iter().find(|table| table.shard() == shard) {
            return Ok(Arc::clone(kept));
        }
        let (strips, budget) = (shard.strips(), question.budget.nodes);
        if budget > 0 && strips > budget {
            return Err(Stuck::Other(format!(
                "the class {} has {strips} strips, the budget is {budget} nodes; ask with more",
                shard.class
            )));
        }
        // The table itself, and the stops of its strips while they are evaluated.
        let (needed, room) = (
            table_bytes(shard).saturating_mul(3),
            resources.memory_bytes / 2,
        );
        if needed > room {
            return Err(Stuck::Other(format!(
                "the table of the class {} takes {needed} bytes, half of this worker's memory is {room}; give it --memory {} or more, then ask with --retry",
                shard.class,
                needed.saturating_mul(2)
            )));
        }
        let kept = |tables: &VecDeque<Arc<EvaluatedClass>>| -> u64 {
            tables.iter().map(|table| table_bytes(table.shard())).sum()
        };
        while kept(&self.tables) + needed > room {
            self.tables.pop_front();
        }
        let table =
            toads_census::evaluate(&self.arena, shard, resources.threads, control.kernel())?;
        let table = Arc::new(table);
        self.tables.push_back(Arc::clone(&table));
        Ok(table)
    }

    fn build(&self, form: &ClosedForm) -> Result<Value, Stuck> {
        let integer = |n| self.arena.integer(n);
        let switch = |left, right| self.arena.canonical(&[left], &[right]);
        form.fold(1 << 16, integer, switch)
            .map_err(|error| match error {
                FoldError::TooLarge(error) => Stuck::Other(error.to_string()),
                FoldError::Build(error) => error.into(),
            })
    }

    fn exact(&self, value: Value, how: &str) -> CellOutcome {
        let text = Writer::new(&self.arena).display_limited(value, MAX_TEXT_BYTES - 2);
        let value = Exact {
            text,
            id: Some(self.arena.id(value)),
            kind: kind_of(&self.arena, value).to_string(),
        };
        CellOutcome::Exact {
            value,
            how: how.to_owned(),
        }
    }
}

/// A hopless value that is too large to be written out, as a sum of a number and swings.
fn closed_form(form: &ClosedForm) -> CellOutcome {
    let mut text = form.to_string();
    crate::outcome::cut(&mut text);
    let kind = if form.is_number() { "integer" } else { "hot" };
    CellOutcome::Exact {
        value: Exact {
            text,
            id: None,
            kind: kind.to_owned(),
        },
        how: "closed form".to_owned(),
    }
}

/// No toad stands left of a frog: the two kinds only move apart, and the closed form of hopless strips holds.
fn never_meet(strip: &Strip) -> bool {
    let first_toad = strip.iter().position(|&square| square == Square::Toad);
    let last_frog = strip.iter().rposition(|&square| square == Square::Frog);
    first_toad
        .zip(last_frog)
        .is_none_or(|(toad, frog)| frog < toad)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Budget;

    const MEMORY: u64 = 64 << 20;

    fn ask(evaluator: &ClassEvaluator, variant: Variant, strip: &str, nodes: u64) -> Evaluation {
        let strip = Strip::parse(strip).unwrap();
        let budget = Budget {
            nodes,
            milliseconds: 0,
        };
        let question = Question {
            variant,
            strip: &strip,
            budget,
        };
        evaluator.evaluate(&question, &CellControl::default())
    }

    fn evaluator(memory_bytes: u64) -> ClassEvaluator {
        ClassEvaluator::new(Resources {
            threads: 1,
            memory_bytes,
        })
    }

    fn text(evaluation: &Evaluation) -> &str {
        match &evaluation.outcome {
            CellOutcome::Exact { value, .. } => &value.text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn neighbours_of_one_class_share_its_table_and_mirrors_are_negatives() {
        let evaluator = evaluator(MEMORY);
        let first = ask(&evaluator, Variant::Hop, "TT.F", 0);
        assert_eq!(text(&first), "{1/2|0}");
        assert_eq!(first.nodes, 12, "the strips of the class (4; 2, 1)");
        assert_eq!(ask(&evaluator, Variant::Hop, "T.TF", 0).nodes, 0);
        let mirrored = ask(&evaluator, Variant::Hop, "T.FF", 0);
        assert_eq!((text(&mirrored), mirrored.nodes), ("{0|-1/2}", 0));
        assert_eq!(text(&ask(&evaluator, Variant::Hop, "T . F", 0)), "*");
    }

    #[test]
    fn walls_and_pieces_that_have_passed_need_no_table() {
        let evaluator = evaluator(MEMORY);
        let passed = ask(&evaluator, Variant::Hop, "F^3 .^30 T^2 .^10", 0);
        assert_eq!((text(&passed), passed.nodes), ("20", 0));
        let hopless = ask(&evaluator, Variant::Hopless, "TT.F", 0);
        assert_eq!(text(&hopless), "{1|0}");
        let long = ask(&evaluator, Variant::Hopless, "T^1100 .^1000", 0);
        let CellOutcome::Exact { value, how } = long.outcome else {
            panic!("{long:?}");
        };
        assert_eq!((value.id, how.as_str()), (None, "closed form"));
        assert_eq!(value.text, "1100000");
    }

    #[test]
    fn what_does_not_fit_says_what_would_help() {
        let message = |evaluation: Evaluation| match evaluation.outcome {
            CellOutcome::Failed { message } => message,
            other => panic!("{other:?}"),
        };
        let small = evaluator(4 << 20);
        let says = message(ask(&small, Variant::Hop, "T^5 .^5 F^5", 0));
        assert!(says.contains("--memory"), "{says}");
        let says = message(ask(&small, Variant::Hop, "T^2 .^30 F^2", 0));
        assert!(says.contains("34 squares"), "{says}");
        let says = message(ask(&small, Variant::Hop, "T^2 .^2 F^2", 10));
        assert!(says.contains("budget is 10 nodes"), "{says}");
    }

    #[test]
    fn an_evaluation_that_is_over_says_so() {
        let evaluator = evaluator(1 << 30);
        let strip = Strip::parse("T^5 .^5 F^5").unwrap();
        let question = Question {
            variant: Variant::Hop,
            strip: &strip,
            budget: Budget {
                nodes: 0,
                milliseconds: 7,
            },
        };
        let control = CellControl::default();
        control.settle();
        let CellOutcome::Failed { message } = evaluator.evaluate(&question, &control).outcome
        else {
            panic!("it was told to stop");
        };
        assert!(message.contains("7 ms"), "{message}");
        assert!(!control.is_cancelled());
    }
}
