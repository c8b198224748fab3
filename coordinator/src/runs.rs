//! What people ask for: runs, quarantine, results that are not believed any more.

use std::ops::RangeInclusive;

use toads_census::{MAX_CENSUS_SQUARES, Shard};
use toads_store::{Keep, RunRecord, RunState, Selection};
use toads_strip::Variant;

use crate::core::Core;
use crate::error::CoordinatorError;
use crate::log::wall_ms;
use crate::scheduler::{RunSummary, Scheduler};

impl Core {
    /// Starts a run, or continues the one of the same variant, range and keep.
    pub(crate) async fn submit_run(
        &self,
        variant: Variant,
        squares: RangeInclusive<u8>,
        keep: Keep,
    ) -> Result<RunSummary, CoordinatorError> {
        let (first_n, last_n) = squares.into_inner();
        if first_n < 1 || last_n < first_n || last_n > MAX_CENSUS_SQUARES {
            let text = format!(
                "{first_n}..{last_n} squares is not a range within 1..{MAX_CENSUS_SQUARES}"
            );
            return Err(CoordinatorError::Input(text));
        }
        let _admin = self.admin.lock().await;
        let (same, next) = self.peek(|scheduler| {
            let same = |run: &&RunRecord| {
                (run.variant, run.first_n, run.last_n, run.keep) == (variant, first_n, last_n, keep)
            };
            let next = scheduler.runs().map(|run| run.id).max().unwrap_or(0) + 1;
            (scheduler.runs().find(same).cloned(), next)
        });
        if let Some(run) = same {
            if run.state != RunState::Active {
                self.store_run_state(run.id, RunState::Active).await?;
            }
            return self.summary(run.id);
        }
        let run = RunRecord {
            id: next,
            variant,
            first_n,
            last_n,
            keep,
            state: RunState::Active,
            created_ms: wall_ms(),
        };
        let stored = run.clone();
        self.writer
            .write(self, move |store, _| store.put_run(&stored))
            .await?;
        self.with(|scheduler, now| scheduler.submit(now, run));
        self.summary(next)
    }

    /// Pauses, resumes or cancels.
    pub(crate) async fn set_run_state(
        &self,
        id: u32,
        state: RunState,
    ) -> Result<RunSummary, CoordinatorError> {
        let _admin = self.admin.lock().await;
        self.store_run_state(id, state).await?;
        self.summary(id)
    }

    /// The record is on disk before the scheduler acts on it.
    async fn store_run_state(&self, id: u32, state: RunState) -> Result<(), CoordinatorError> {
        let run = self.peek(|scheduler| scheduler.runs().find(|run| run.id == id).cloned());
        let run = RunRecord {
            state,
            ..run.ok_or_else(|| no_run(id))?
        };
        self.writer
            .write(self, move |store, _| store.put_run(&run))
            .await?;
        self.with(|scheduler, now| scheduler.set_run_state(now, id, state));
        Ok(())
    }

    /// Where a run stands.
    pub(crate) fn summary(&self, id: u32) -> Result<RunSummary, CoordinatorError> {
        self.peek(|scheduler| scheduler.summary(id))
            .ok_or_else(|| no_run(id))
    }

    /// All runs, by number.
    pub(crate) fn summaries(&self) -> Vec<RunSummary> {
        let all = |scheduler: &Scheduler| {
            let ids: Vec<u32> = scheduler.runs().map(|run| run.id).collect();
            ids.into_iter()
                .filter_map(|id| scheduler.summary(id))
                .collect()
        };
        self.peek(all)
    }

    /// Takes shards out of quarantine, all when none are named; returns those that were in it (promise P8).
    pub(crate) async fn requeue(&self, shards: Vec<Shard>) -> Result<Vec<Shard>, CoordinatorError> {
        let _admin = self.admin.lock().await;
        let inside: Vec<Shard> = self
            .peek(Scheduler::quarantined)
            .into_iter()
            .map(|(shard, _)| shard)
            .collect();
        let chosen = if shards.is_empty() {
            inside
        } else {
            inside
                .into_iter()
                .filter(|shard| shards.contains(shard))
                .collect()
        };
        for &shard in &chosen {
            let write = self.writer.write(self, move |store, _| {
                // A conflict that was interrupted before its marker was removed: neither result counts.
                if store.shard(shard)?.is_some() {
                    store.invalidate(shard, &[])?;
                }
                store.set_quarantine(shard, None)
            });
            write.await?;
            self.with(|scheduler, now| scheduler.requeue(now, shard));
        }
        Ok(chosen)
    }
}

impl Core {
    /// Removes results that are not believed any more (promise P19); returns the shards.
    pub(crate) async fn invalidate(
        &self,
        selection: Selection,
    ) -> Result<Vec<Shard>, CoordinatorError> {
        if selection.is_empty() {
            let text = "nothing says which results; name shards, a worker or numbers of squares";
            return Err(CoordinatorError::Input(text.to_owned()));
        }
        let _admin = self.admin.lock().await;
        let variant = selection.variant;
        let mut records = self.blocking(move |store| store.shards(variant)).await?;
        records.retain(|record| selection.covers(record));
        for record in &records {
            let shard = record.shard;
            // The store first: as long as the table says committed, nobody is given the shard.
            self.writer
                .write(self, move |store, _| store.invalidate(shard, &[]))
                .await?;
            let why = format!("by an operator; it came from {}", record.worker);
            self.with(|scheduler, now| scheduler.invalidate(now, shard, &why));
        }
        Ok(records.into_iter().map(|record| record.shard).collect())
    }
}

fn no_run(id: u32) -> CoordinatorError {
    CoordinatorError::NotFound(format!(
        "there is no run {id}; `toads census status` lists them"
    ))
}
