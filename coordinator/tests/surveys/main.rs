//! Surveys: coordinator and workers in one process, over real loopback sockets, on the in-memory store.

mod by_hand;
mod sharing;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use toads_coordinator::{Config, Coordinator, SurveyPhase};
use toads_store::{Keep, MemoryStore, Store};
use toads_strip::{Strip, Variant};
use toads_survey::{
    Budget, Cell, CellControl, CellEvaluator, CellOutcome, CellRecord, ClassEvaluator, Evaluation,
    EvaluatorSource, Question, Resources, Survey,
};
use toads_worker::{ExitReason, Shutdown};

const LIMIT: Duration = Duration::from_secs(60);

fn worker(url: &str, name: &str, evaluator: EvaluatorSource) -> toads_worker::Config {
    toads_worker::Config {
        coordinator: url.to_owned(),
        name: name.to_owned(),
        threads: 1,
        memory_bytes: 64 << 20,
        exit_when_done: true,
        drain_grace: Duration::from_secs(1),
        evaluator,
        ..toads_worker::Config::default()
    }
}

/// T^a .^b F^c for all small a, b and c.
fn survey(variant: Variant) -> Survey {
    let mut cells = Vec::new();
    for a in 1..=3 {
        for b in 1..=3 {
            for c in 1..=3 {
                let strip = format!("T^{a} .^{b} F^{c}");
                cells.push(Cell::new([("a", a), ("b", b), ("c", c)], strip));
            }
        }
    }
    Survey::new("T^a .^b F^c", variant, Budget::default(), cells).unwrap()
}

/// The outcomes as one evaluator finds them, one after the other.
fn plainly(survey: &Survey) -> Vec<CellOutcome> {
    let evaluator = ClassEvaluator::new(Resources {
        threads: 1,
        memory_bytes: 64 << 20,
    });
    let outcome = |cell: &Cell| {
        let strip = cell.squares().unwrap();
        let question = Question {
            variant: survey.variant(),
            strip: &strip,
            budget: survey.budget(),
        };
        evaluator
            .evaluate(&question, &CellControl::default())
            .outcome
    };
    survey.cells().iter().map(outcome).collect()
}

fn outcomes(cells: &[(u32, CellRecord)]) -> Vec<CellOutcome> {
    cells.iter().map(|(_, cell)| cell.outcome.clone()).collect()
}

/// Events of a kind that are about cells, without what comes after the cell.
fn cell_events(store: &dyn Store, kind: &str) -> Vec<String> {
    let events = store.events(1, usize::MAX).unwrap().into_iter();
    events
        .filter(|event| event.kind == kind && event.detail.starts_with("cell "))
        .map(|event| {
            event
                .detail
                .split(':')
                .next()
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

/// Waits a little before each answer, and counts the answers.
struct Slow {
    inner: ClassEvaluator,
    pause: Duration,
    answers: Arc<AtomicUsize>,
}

impl CellEvaluator for Slow {
    fn evaluate(&self, question: &Question<'_>, control: &CellControl) -> Evaluation {
        let end = std::time::Instant::now() + self.pause;
        while std::time::Instant::now() < end && !control.is_over() {
            std::thread::sleep(Duration::from_millis(2));
        }
        self.answers.fetch_add(1, Ordering::Relaxed);
        self.inner.evaluate(question, control)
    }
}

fn slow(pause: Duration, answers: &Arc<AtomicUsize>) -> EvaluatorSource {
    let answers = Arc::clone(answers);
    EvaluatorSource::new(move |resources| {
        Box::new(Slow {
            inner: ClassEvaluator::new(resources),
            pause,
            answers: Arc::clone(&answers),
        })
    })
}

async fn ended(coordinator: &Coordinator, survey: &Survey) -> SurveyPhase {
    let waited = tokio::time::timeout(LIMIT, coordinator.wait_survey(survey.id()));
    waited.await.unwrap().unwrap().phase
}
