//! One cell: the question, the answer, and who can be asked.
//!
//! | file | what lives there |
//! |---|---|
//! | `by_class` | [`ClassEvaluator`]: closed form, or the table of the strip's class |

mod by_class;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use toads_census::Control;
use toads_strip::{Strip, Variant};

pub use by_class::ClassEvaluator;

use crate::definition::Budget;
use crate::outcome::CellOutcome;

/// What is asked of an evaluator.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The rules.
    pub variant: Variant,
    /// The strip.
    pub strip: &'a Strip,
    /// What it may take. The evaluator minds the nodes; the caller has a clock and minds the time, by
    /// [`CellControl::settle`].
    pub budget: Budget,
}

/// What an evaluator answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// What was found. After [`CellControl::cancel`] nobody reads it.
    pub outcome: CellOutcome,
    /// Positions looked at for this question.
    pub nodes: u64,
}

/// Finds the value of a strip, or relations, or says what would help.
///
/// One question at a time: the caller leaves all threads and all memory to it, so what it keeps between two questions
/// (tables, values) may take all of [`Resources::memory_bytes`]. The answer depends on the question alone, except where
/// the time runs out.
pub trait CellEvaluator: Send + Sync {
    /// Answers. Blocks for as long as that takes; looks at `control` several times a second and counts nodes there, because
    /// a lease whose nodes stand still for minutes is lost.
    fn evaluate(&self, question: &Question<'_>, control: &CellControl) -> Evaluation;
}

/// How an evaluation is watched and stopped from outside.
#[derive(Debug, Default)]
pub struct CellControl {
    /// Its `cancelled` is set by both ways of stopping; its `strips_done` are the nodes.
    control: Control,
    cancelled: AtomicBool,
}

impl CellControl {
    /// Stop: the cell is given back, the answer is not wanted.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
        self.settle();
    }

    /// The time is over: answer with what is known.
    pub fn settle(&self) {
        self.control.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the answer is not wanted any more.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Whether to stop, for either reason.
    pub fn is_over(&self) -> bool {
        self.control.cancelled.load(Ordering::Relaxed)
    }

    /// The flag behind [`CellControl::is_over`], for code that watches a flag.
    pub fn over(&self) -> &Arc<AtomicBool> {
        &self.control.cancelled
    }

    /// Positions looked at so far; only grows.
    pub fn nodes(&self) -> &AtomicU64 {
        &self.control.strips_done
    }

    /// For the kernel of the census, which counts strips where others count nodes.
    pub fn kernel(&self) -> &Control {
        &self.control
    }
}

/// What an evaluator may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resources {
    /// Threads, at least 1.
    pub threads: usize,
    /// Memory for everything it keeps, in bytes.
    pub memory_bytes: u64,
}

/// Makes evaluators: one when a worker begins with cells, another one when one of them panicked.
#[derive(Clone)]
pub struct EvaluatorSource(Arc<dyn Fn(Resources) -> Box<dyn CellEvaluator> + Send + Sync>);

impl EvaluatorSource {
    /// Makes them so.
    pub fn new(make: impl Fn(Resources) -> Box<dyn CellEvaluator> + Send + Sync + 'static) -> Self {
        Self(Arc::new(make))
    }

    /// A new one, with nothing in memory.
    pub fn make(&self, resources: Resources) -> Box<dyn CellEvaluator> {
        (self.0)(resources)
    }
}

impl Default for EvaluatorSource {
    /// [`ClassEvaluator`].
    fn default() -> Self {
        Self::new(|resources| Box::new(ClassEvaluator::new(resources)))
    }
}

impl fmt::Debug for EvaluatorSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EvaluatorSource")
    }
}
