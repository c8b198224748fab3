//! Surveys: a family of strips over a box of parameters, cell by cell.
//!
//! A [`Survey`] is a list of cells, each a strip with the parameters that made it. Its id is the hash of what it asks, so
//! whoever asks the same again goes on with what is there. A coordinator leases the cells of the [`Board`] to workers; a
//! worker has a [`CellEvaluator`] find the [`CellOutcome`]: an exact value, or the tightest relations found within the
//! budget, or why there is neither.
//!
//! Pure: no input or output, no clock, no logging. Times are parameters, in milliseconds.
//!
//! # The tour
//!
//! | module | what lives there |
//! |---|---|
//! | [`definition`] | [`Survey`], [`Cell`], [`Budget`]: what is asked, and the id that follows from it |
//! | [`outcome`] | [`CellOutcome`], [`CellRecord`]: what is known of a cell, and which of two records stays |
//! | [`board`] | [`Board`]: which cell is open, leased or done; leases, epochs, deadlines |
//! | [`evaluate`] | [`CellEvaluator`], and [`ClassEvaluator`], the one that always works: closed form or class table |
//!
//! # Example
//!
//! ```
//! use toads_strip::Variant;
//! use toads_survey::{Budget, Cell, CellControl, CellEvaluator, ClassEvaluator, Question, Resources, Survey};
//!
//! let cells = (1..=3).map(|a| Cell::new([("a", a)], format!("T^{a} . F"))).collect();
//! let survey = Survey::new("T^a . F", Variant::Hop, Budget::default(), cells)?;
//! let evaluator = ClassEvaluator::new(Resources { threads: 1, memory_bytes: 64 << 20 });
//! let cell = &survey.cells()[1];
//! let question = Question { variant: survey.variant(), strip: &cell.squares()?, budget: survey.budget() };
//! let found = evaluator.evaluate(&question, &CellControl::default());
//! assert_eq!(found.outcome.exact().map(|exact| exact.text.as_str()), Some("{1/2|0}"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
pub mod definition;
pub mod evaluate;
pub mod outcome;

pub use board::{
    Board, BoardConfig, CellKey, Counts, Ending, Grant, Lost, Offer, SheetState, Standing,
};
pub use definition::{Budget, Cell, MAX_CELLS, Survey, SurveyError, SurveyId};
pub use evaluate::{
    CellControl, CellEvaluator, ClassEvaluator, Evaluation, EvaluatorSource, Question, Resources,
};
pub use outcome::{Bound, CellOutcome, CellRecord, Effort, Exact, MAX_TEXT_BYTES, Merge, Relation};
