//! Leases of cells, their results, lost workers.

use std::collections::BTreeSet;
use std::sync::Arc;

use toads_store::{StoreError, SurveyRecord};
use toads_survey::{
    CellKey, CellOutcome, CellRecord, Effort, Ending, Grant, Lost, Merge, Offer, Standing,
};
use tracing::warn;

use crate::core::Core;
use crate::error::CoordinatorError;
use crate::log::{record, wall_ms};
use crate::scheduler::{Event, EventKind, WorkerId};

/// What a worker gets that asks for a cell.
pub(crate) enum Leased {
    /// This one, and the survey it belongs to.
    Cell(Grant, Arc<SurveyRecord>),
    /// Ask again.
    Wait,
    /// Every cell of every survey is done.
    Done,
}

/// A result as it came.
pub(crate) struct Completed {
    pub(crate) worker: WorkerId,
    pub(crate) key: CellKey,
    pub(crate) epoch: u64,
    pub(crate) outcome: CellOutcome,
    pub(crate) effort: Effort,
}

/// What became of it.
pub(crate) enum Verdict {
    /// Stored.
    Stored,
    /// As much was known before.
    Known,
    /// A failure under a lease that is not the worker's any more.
    Stale,
    /// Another value is stored.
    Conflict(String),
}

impl Core {
    /// The next cell for a worker.
    pub(crate) fn lease_cell(&self, worker: WorkerId) -> Leased {
        let offer =
            self.with_surveys(
                |surveys, now_ms| match surveys.board.lease(now_ms, worker.0) {
                    Offer::Cell(grant) => match surveys.records.get(&grant.key.survey) {
                        Some(record) => Leased::Cell(grant, Arc::clone(record)),
                        None => Leased::Wait,
                    },
                    Offer::Wait => Leased::Wait,
                    Offer::Done => Leased::Done,
                },
            );
        if let Leased::Cell(grant, _) = &offer {
            self.log_cell(EventKind::Leased, worker, grant.key, grant.epoch, "");
            self.changed();
        }
        offer
    }

    /// The epoch under which the worker has the cell, if it has it; moves its deadline. A worker that works on a cell since
    /// before our start, or since before its lease ran out, gets it back when nobody else has it.
    pub(crate) fn renew_cell(
        &self,
        worker: WorkerId,
        key: CellKey,
        epoch: u64,
        nodes: u64,
    ) -> Option<u64> {
        let (current, adopted) = self.with_surveys(|surveys, now_ms| {
            if surveys.board.renew(now_ms, worker.0, key, epoch, nodes) {
                (Some(epoch), None)
            } else {
                (None, surveys.board.adopt(now_ms, worker.0, key))
            }
        });
        if let Some(grant) = adopted {
            self.log_cell(EventKind::Leased, worker, key, grant.epoch, "adopted");
        }
        current.or(adopted.map(|grant| grant.epoch))
    }

    /// Takes a cell back unfinished.
    pub(crate) fn release_cell(&self, worker: WorkerId, key: CellKey, epoch: u64) {
        if self.with_surveys(|surveys, _| surveys.board.release(worker.0, key, epoch)) {
            self.log_cell(EventKind::Released, worker, key, epoch, "");
            self.changed();
        }
    }

    /// Stores a result. Goes on although the worker hangs up.
    pub(crate) async fn complete_cell(
        &self,
        completed: Completed,
    ) -> Result<Verdict, CoordinatorError> {
        let Completed {
            key, epoch, worker, ..
        } = completed;
        let standing = self.peek_surveys(|surveys| surveys.board.standing(worker.0, key, epoch));
        match (standing, &completed.outcome) {
            (Standing::Unknown, _) => {
                return Err(CoordinatorError::Input(format!(
                    "{key}: there is no such cell"
                )));
            }
            (Standing::Stale, CellOutcome::Failed { .. }) => {
                self.log_cell(
                    EventKind::Refused,
                    worker,
                    key,
                    epoch,
                    "a failure under a stale lease",
                );
                return Ok(Verdict::Stale);
            }
            _ => {}
        }
        let core = self.clone();
        let finish = tokio::spawn(async move { core.store_cell(completed).await });
        finish
            .await
            .map_err(|error| CoordinatorError::Stopped(error.to_string()))?
    }

    async fn store_cell(&self, completed: Completed) -> Result<Verdict, CoordinatorError> {
        let Completed {
            worker,
            key,
            epoch,
            outcome,
            effort,
        } = completed;
        let ending = Ending::from(&outcome);
        let label = self.peek(|scheduler| scheduler.worker_name(worker));
        let cell = CellRecord {
            outcome,
            effort,
            worker: label.clone(),
            finished_ms: wall_ms(),
        };
        let core = self.clone();
        let write = self.writer.write(self, move |store, log| {
            let stored = store.cell(key.survey, key.index)?;
            let is_news = stored.is_none_or(|stored| cell.over(&stored) != Merge::Keep);
            let kind = if is_news {
                EventKind::Committed
            } else {
                EventKind::Duplicate
            };
            let event = cell_event(kind, label, key, epoch, how(&cell));
            core.tell(&event);
            let event = record(event, cell.finished_ms);
            let mut merge = Merge::Keep;
            log.append(vec![event], |events| {
                merge = store.put_cell(key.survey, key.index, &cell, events)?;
                Ok(())
            })?;
            Ok(merge)
        });
        let verdict = match write.await {
            Ok(Merge::Take) => Verdict::Stored,
            Ok(_) => Verdict::Known,
            Err(CoordinatorError::Store(error @ StoreError::CellConflict { .. })) => {
                let text = error.to_string();
                warn!(%key, text, "two values for one cell");
                self.log_cell(EventKind::Refused, worker, key, epoch, &text);
                return Ok(Verdict::Conflict(text));
            }
            Err(error) => return Err(error),
        };
        self.with_surveys(|surveys, _| surveys.board.complete(key, ending));
        self.changed();
        Ok(verdict)
    }

    /// Looks at the deadlines of cells, and takes back what workers hold that are gone.
    pub(crate) fn reap_cells(&self) {
        let alive: BTreeSet<u64> = self.peek(|scheduler| {
            let workers = scheduler.workers();
            workers.into_iter().map(|worker| worker.id.0).collect()
        });
        let lost = self.with_surveys(|surveys, now_ms| {
            let is_gone = |worker| !alive.contains(&worker);
            let mut lost = surveys.board.lose_workers(is_gone, "its worker is gone");
            lost.extend(surveys.board.tick(now_ms));
            lost
        });
        for lost in lost {
            let Lost {
                key,
                worker,
                epoch,
                why,
                given_up,
            } = lost;
            self.log_cell(EventKind::Expired, WorkerId(worker), key, epoch, &why);
            if given_up {
                tokio::spawn(self.clone().give_up(key, WorkerId(worker), epoch, why));
            }
            self.changed();
        }
    }

    /// A worker says goodbye: what it holds is for others.
    pub(crate) fn dismiss_cells(&self, worker: WorkerId) {
        for (key, epoch) in self.with_surveys(|surveys, _| surveys.board.dismiss(worker.0)) {
            self.log_cell(EventKind::Released, worker, key, epoch, "goodbye");
        }
    }

    /// Stores that a cell was lost too often. The board counts it as failed already.
    async fn give_up(self, key: CellKey, worker: WorkerId, epoch: u64, why: String) {
        let outcome = CellOutcome::failed(format!(
            "it lost one worker after the other, the last one because of this: {why}; give workers more --memory, then ask with --retry"
        ));
        let effort = Effort::default();
        let completed = Completed {
            worker,
            key,
            epoch,
            outcome,
            effort,
        };
        if let Err(error) = self.store_cell(completed).await {
            warn!(%key, %error, "a cell that was given up could not be stored");
        }
    }

    fn log_cell(&self, kind: EventKind, worker: WorkerId, key: CellKey, epoch: u64, more: &str) {
        let label = self.peek(|scheduler| scheduler.worker_name(worker));
        let event = cell_event(kind, label, key, epoch, more);
        self.log(event.kind, &event.worker, event.epoch, &event.detail);
    }
}

fn how(cell: &CellRecord) -> &str {
    match &cell.outcome {
        CellOutcome::Exact { how, .. } | CellOutcome::Bounded { how, .. } => how,
        CellOutcome::Failed { .. } => "failed",
    }
}

fn cell_event(kind: EventKind, worker: String, key: CellKey, epoch: u64, more: &str) -> Event {
    let detail = if more.is_empty() {
        key.to_string()
    } else {
        format!("{key}: {more}")
    };
    Event {
        kind,
        shard: None,
        worker,
        epoch,
        detail,
    }
}
