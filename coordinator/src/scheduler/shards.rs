//! What is known of a shard.

use std::collections::BTreeSet;

use toads_census::{Digest, Shard};
use toads_store::{Keep, RunRecord, RunState};

use super::audit::Audit;
use super::config::Millis;
use super::failure::FailureNote;
use super::{Scheduler, WorkerId};

/// What a committed shard is known by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Marker {
    /// The content digest.
    pub digest: Digest,
    /// Whether its blocks are stored (also when the class has no core strips, and so no blocks).
    pub has_blocks: bool,
}

impl Marker {
    /// Whether this is all that `keep` asks for.
    pub fn satisfies(self, keep: Keep) -> bool {
        keep == Keep::Tallies || self.has_blocks
    }
}

/// How far a lease is, as its worker reports it. Any growth is progress (promise P5).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Progress {
    /// Work has begun.
    pub started: bool,
    /// Strips evaluated.
    pub strips_done: u64,
    /// Steps beyond evaluation: passes over the table, chunks sent.
    pub steps: u64,
}

/// A lease that is out.
#[derive(Clone, Debug)]
pub(super) struct Lease {
    pub(super) worker: WorkerId,
    pub(super) epoch: u64,
    pub(super) leased_at: Millis,
    /// When the worker last named it in a beat: a lease whose grant was lost on the way is never named.
    pub(super) named_at: Millis,
    pub(super) progress_at: Millis,
    pub(super) progress: Progress,
    /// For comparison only (promise P19).
    pub(super) is_audit: bool,
    /// The store is writing it: it neither expires nor goes with its worker.
    pub(super) committing: bool,
}

/// A shard.
#[derive(Debug, Default)]
pub(super) struct Entry {
    /// The runs, of any state, that it belongs to.
    pub(super) runs: BTreeSet<u32>,
    /// Committed, as this.
    pub(super) marker: Option<Marker>,
    /// Out of all runs until someone looks at it.
    pub(super) quarantined: bool,
    /// At most two (promise P10).
    pub(super) leases: Vec<Lease>,
    /// Counted failures since it was last requeued.
    pub(super) failures: Vec<FailureNote>,
    /// Leases lost with their workers.
    pub(super) losses: u32,
    /// To be computed once more, elsewhere.
    pub(super) audit: Option<Audit>,
    /// Not leased before this.
    pub(super) not_before: Millis,
}

impl Entry {
    pub(super) fn lease(&self, worker: WorkerId, epoch: u64) -> Option<&Lease> {
        self.leases
            .iter()
            .find(|lease| lease.worker == worker && lease.epoch == epoch)
    }

    pub(super) fn lease_mut(&mut self, worker: WorkerId, epoch: u64) -> Option<&mut Lease> {
        self.leases
            .iter_mut()
            .find(|lease| lease.worker == worker && lease.epoch == epoch)
    }

    pub(super) fn is_done(&self, keep: Keep) -> bool {
        !self.quarantined && self.marker.is_some_and(|marker| marker.satisfies(keep))
    }
}

impl Scheduler {
    /// What the runs that take work want kept of a shard; `None` when none of them has it.
    pub(super) fn wanted(&self, shard: Shard) -> Option<Keep> {
        self.keep_of(shard, |state| state == RunState::Active)
    }

    /// The same, with paused runs: what is leased may finish.
    pub(super) fn tolerated(&self, shard: Shard) -> Option<Keep> {
        self.keep_of(shard, |state| state != RunState::Cancelled)
    }

    fn keep_of(&self, shard: Shard, counts: impl Fn(RunState) -> bool) -> Option<Keep> {
        let runs = &self.shards.get(&shard)?.runs;
        let records = runs
            .iter()
            .filter_map(|id| self.runs.get(id))
            .map(|run| &run.record);
        let mut keeps = records
            .filter(|record| counts(record.state))
            .map(|record| record.keep);
        let first = keeps.next()?;
        Some(if keeps.any(|keep| keep == Keep::Blocks) {
            Keep::Blocks
        } else {
            first
        })
    }

    /// Whether no run that goes on has larger classes than this.
    pub(super) fn is_last(&self, shard: Shard) -> bool {
        let goes_on = |record: &RunRecord| {
            matches!(record.state, RunState::Active | RunState::Paused)
                && record.variant == shard.variant
        };
        let mut runs = self.runs.values().filter(|run| !run.finished);
        !runs.any(|run| goes_on(&run.record) && run.record.last_n > shard.class.n)
    }

    /// Whether a shard should stand in the queue.
    pub(super) fn wants_work(&self, shard: Shard) -> bool {
        let Some(entry) = self.shards.get(&shard) else {
            return false;
        };
        entry.leases.is_empty()
            && !entry.quarantined
            && self.wanted(shard).is_some_and(|keep| !entry.is_done(keep))
    }

    /// Puts the shard into the queue or takes it out, whichever is right. Called after every change of an entry.
    pub(super) fn refresh(&mut self, shard: Shard) {
        if self.wants_work(shard) {
            self.queue.insert(shard);
        } else {
            self.queue.remove(shard);
        }
    }

    /// Takes a lease off the table, the shard's side and the worker's. An audit that has not ended waits again.
    pub(super) fn drop_lease(&mut self, shard: Shard, epoch: u64) {
        let Some(entry) = self.shards.get_mut(&shard) else {
            return;
        };
        if let Some(index) = entry.leases.iter().position(|lease| lease.epoch == epoch) {
            let lease = entry.leases.swap_remove(index);
            if let Some(worker) = self.workers.get_mut(&lease.worker) {
                worker.leases.remove(&shard);
            }
            if lease.is_audit {
                self.audit_lost(shard);
            }
        }
        self.refresh(shard);
    }

    /// Takes all leases of a shard off the table.
    pub(super) fn drop_leases(&mut self, shard: Shard) {
        let epochs: Vec<u64> = self.shards.get(&shard).map_or_else(Vec::new, |entry| {
            entry.leases.iter().map(|lease| lease.epoch).collect()
        });
        for epoch in epochs {
            self.drop_lease(shard, epoch);
        }
        self.refresh(shard);
    }
}
