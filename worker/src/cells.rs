//! Cells of surveys: what a worker does when there is no shard for it.
//!
//! One cell at a time, with all threads and all memory: what an evaluator keeps between two cells is worth more than
//! cells side by side. A cell that has begun is finished before the next shard is asked for.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use toads_strip::Strip;
use toads_survey::{
    CellControl, CellEvaluator, CellKey, CellOutcome, Effort, Evaluation, EvaluatorSource,
    Question, Resources,
};
use toads_wire::client::Channel;
use toads_wire::v1::surveys_client::SurveysClient;
use toads_wire::{convert, v1};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, sleep, timeout};
use tonic::Code;
use tracing::{debug, info, warn};

use crate::evaluate::panic_text;
use crate::link::CallError;
use crate::process::Crew;

/// The evaluator, while there are cells, and the cell that is being evaluated.
pub(crate) struct Cells {
    source: EvaluatorSource,
    resources: Resources,
    evaluator: Mutex<Option<Arc<dyn CellEvaluator>>>,
    present: Mutex<Option<Arc<CellControl>>>,
}

/// A cell on its way from the lease to the verdict.
pub(crate) struct LeasedCell {
    key: CellKey,
    /// Changes when the cell is leased to us again after a coordinator came back.
    epoch: AtomicU64,
    request: v1::LeaseCellResponse,
    control: Arc<CellControl>,
}

/// What the coordinator says to a worker that asks for a cell.
pub(crate) enum NextCell {
    /// This one.
    Cell(Box<LeasedCell>),
    /// Ask again after a while.
    Wait(Duration),
    /// Every cell of every survey is done, or the coordinator has no surveys.
    Done,
    /// No new leases.
    Drain,
    /// The worker is ending.
    Ending,
}

impl Cells {
    pub(crate) fn new(source: EvaluatorSource, resources: Resources) -> Self {
        Self {
            source,
            resources,
            evaluator: Mutex::new(None),
            present: Mutex::new(None),
        }
    }

    /// Frees what the evaluator keeps: shards need the memory.
    pub(crate) fn put_away(&self) {
        lock(&self.evaluator).take();
    }

    /// Stops the evaluation; the cell is given back.
    pub(crate) fn cancel(&self) {
        if let Some(control) = lock(&self.present).as_ref() {
            control.cancel();
        }
    }

    /// The evaluator, made when there is none; and whether it was made now.
    fn evaluator(&self) -> (Arc<dyn CellEvaluator>, bool) {
        let mut evaluator = lock(&self.evaluator);
        let is_new = evaluator.is_none();
        let make = || Arc::from(self.source.make(self.resources));
        (Arc::clone(evaluator.get_or_insert_with(make)), is_new)
    }

    /// Blocks for as long as it takes. A panic is an outcome, and costs the evaluator.
    fn evaluate(&self, cell: &LeasedCell) -> Evaluation {
        let failed = |message: String| Evaluation {
            outcome: CellOutcome::failed(message),
            nodes: cell.control.nodes().load(Ordering::Relaxed),
        };
        let read = convert::variant(cell.request.variant)
            .map_err(|error| error.to_string())
            .and_then(|variant| {
                let strip = Strip::parse(&cell.request.strip).map_err(|error| error.to_string())?;
                Ok((variant, strip))
            });
        let (variant, strip) = match read {
            Ok(read) => read,
            Err(what) => return failed(format!("this build does not understand the cell: {what}")),
        };
        let question = Question {
            variant,
            strip: &strip,
            budget: convert::budget(cell.request.budget.as_ref()),
        };
        let (evaluator, _) = self.evaluator();
        let answer = || evaluator.evaluate(&question, &cell.control);
        catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|panic| {
            self.put_away();
            failed(format!(
                "the evaluator panicked: {}; this is a defect of toads",
                panic_text(panic.as_ref())
            ))
        })
    }
}

impl Crew {
    /// Asks for a cell.
    pub(crate) async fn next_cell(&self) -> NextCell {
        let answer = self.link.call(|_, key| {
            let mut client = self.link.surveys();
            let worker = Some(key);
            async move { client.lease(v1::LeaseCellRequest { worker }).await }
        });
        let response = match answer.await {
            Ok(response) => response,
            Err(CallError::Ending) => return NextCell::Ending,
            // An older coordinator: there are no surveys.
            Err(CallError::Refused(status)) if status.code() == Code::Unimplemented => {
                return NextCell::Done;
            }
            Err(CallError::Refused(status)) => {
                warn!(error = status.message(), "no cell");
                return NextCell::Wait(self.config.max_backoff);
            }
        };
        match response.next() {
            v1::Next::Work => match convert::cell_key(response.key.as_ref()) {
                Ok((key, epoch)) => NextCell::Cell(Box::new(LeasedCell {
                    key,
                    epoch: AtomicU64::new(epoch),
                    request: response,
                    control: Arc::default(),
                })),
                Err(error) => {
                    warn!(%error, "a cell that this build does not understand");
                    NextCell::Wait(self.config.max_backoff)
                }
            },
            v1::Next::Done => NextCell::Done,
            v1::Next::Drain => NextCell::Drain,
            v1::Next::Wait | v1::Next::Unspecified => {
                let wait_ms = response.wait_ms.clamp(5, 60_000).into();
                NextCell::Wait(Duration::from_millis(wait_ms))
            }
        }
    }

    /// One cell from the lease to the verdict.
    pub(crate) async fn process_cell(self, cell: LeasedCell, permit: OwnedSemaphorePermit) {
        let cell = Arc::new(cell);
        *lock(&self.cells.present) = Some(Arc::clone(&cell.control));
        if self.cells.evaluator().1 {
            // What the shards before left in memory is the evaluator's now.
            self.arenas.clear();
        }
        let beating = tokio::spawn(renew(self.clone(), Arc::clone(&cell)));
        let start = Instant::now();
        let evaluation = self.evaluate_cell(&cell).await;
        // Before the cell is given back: a beat would have us adopt it again.
        beating.abort();
        let effort = Effort {
            nodes: evaluation.nodes,
            milliseconds: start.elapsed().as_millis() as u64,
        };
        if cell.control.is_cancelled() {
            self.release_cell(&cell).await;
        } else {
            self.complete_cell(&cell, &evaluation.outcome, effort).await;
        }
        lock(&self.cells.present).take();
        drop(permit);
    }

    /// Evaluates on a blocking thread, and ends it when the time of the budget is over.
    async fn evaluate_cell(&self, cell: &Arc<LeasedCell>) -> Evaluation {
        let budget = convert::budget(cell.request.budget.as_ref());
        let (cells, of) = (Arc::clone(&self.cells), Arc::clone(cell));
        let mut work = tokio::task::spawn_blocking(move || cells.evaluate(&of));
        if budget.milliseconds > 0 {
            let limit = Duration::from_millis(budget.milliseconds);
            if let Ok(ended) = timeout(limit, &mut work).await {
                return ended.unwrap_or_else(|error| lost(&error));
            }
            cell.control.settle();
        }
        work.await.unwrap_or_else(|error| lost(&error))
    }

    async fn complete_cell(&self, cell: &LeasedCell, outcome: &CellOutcome, effort: Effort) {
        let answer = self.link.call(|_, key| {
            let mut client = self.link.surveys();
            let request = v1::CompleteCellRequest {
                worker: Some(key),
                key: Some(cell.key()),
                result: Some(convert::to_result(outcome, effort)),
            };
            async move { client.complete(request).await }
        });
        match answer.await {
            Ok(response) if response.verdict() == v1::CellVerdict::Conflict => {
                warn!(cell = %cell.key, message = response.message, "another value is stored");
            }
            Ok(response) => debug!(cell = %cell.key, verdict = ?response.verdict(), "done"),
            Err(CallError::Ending) => {}
            Err(CallError::Refused(status)) => {
                warn!(cell = %cell.key, error = status.message(), "the result of a cell was refused");
            }
        }
    }

    async fn release_cell(&self, cell: &LeasedCell) {
        let Ok(worker) = self.link.key().await else {
            return;
        };
        let request = v1::ReleaseCellRequest {
            worker: Some(worker),
            key: Some(cell.key()),
        };
        let _ = timeout(Duration::from_secs(1), self.link.surveys().release(request)).await;
    }
}

impl LeasedCell {
    fn key(&self) -> v1::CellLeaseKey {
        convert::to_cell_key(self.key, self.epoch.load(Ordering::Relaxed))
    }
}

/// Beats for a cell until told to stop. A lease that is not ours any more ends the evaluation.
async fn renew(crew: Crew, cell: Arc<LeasedCell>) {
    loop {
        sleep(crew.link.beat()).await;
        let answer = crew.link.call(|_, key| {
            let mut client = crew.link.surveys();
            let request = v1::RenewCellRequest {
                worker: Some(key),
                key: Some(cell.key()),
                nodes: cell.control.nodes().load(Ordering::Relaxed),
            };
            async move { client.renew(request).await }
        });
        match answer.await {
            Ok(response) if response.current => {
                cell.epoch.store(response.epoch, Ordering::Relaxed);
            }
            Ok(_) => {
                info!(cell = %cell.key, "the lease of the cell was taken back");
                cell.control.cancel();
                return;
            }
            Err(CallError::Ending) => return,
            Err(CallError::Refused(status)) => {
                warn!(cell = %cell.key, error = status.message(), "the beat of a cell was refused");
            }
        }
    }
}

fn lost(error: &tokio::task::JoinError) -> Evaluation {
    Evaluation {
        outcome: CellOutcome::failed(format!("the evaluation was lost: {error}")),
        nodes: 0,
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The client of the service.
pub(crate) type Client = SurveysClient<Channel>;
