//! The lease table: who computes which shard, until when, and what becomes of the result.
//!
//! A pure state machine. It does no input or output, reads no clock and spawns nothing: every call carries the time as
//! [`Millis`] of a monotonic clock, and what happened is handed out as [`Event`]s ([`Scheduler::take_events`]). The
//! services feed it; a property test feeds it random schedules and calls [`Scheduler::check`] after every step.
//!
//! # The tour
//!
//! | file | what lives there |
//! |---|---|
//! | [`config`](SchedulerConfig) | every time and limit |
//! | `queue` | the order in which shards are leased, and why |
//! | `shards` | what is known of a shard; the one place that decides whether it wants work |
//! | `runs` | submit, pause, resume, cancel, and status as a fold over markers (promise P22) |
//! | `rate` | strips per second |
//! | `workers` | register, beat, goodbye, and the leases that go with a lost worker |
//! | `lease` | bundles and the speculative tail (promise P10) |
//! | `commit` | the fence: who may commit (promises P2 and P3) |
//! | `audit` | committed shards computed once more elsewhere (promise P19) |
//! | `failure` | failure classes and quarantine (promises P7 and P8) |
//! | `deadlines` | liveness and progress (promises P4, P5 and P6) |
//! | `figures` | the table in figures |
//! | `check` | the invariants |
//!
//! # A shard's life
//!
//! `ready → leased → committing → committed`. A lease that is released, fails or expires makes the shard ready again
//! under a new, larger epoch; a shard that fails on two workers goes to quarantine and comes back by
//! [`Scheduler::requeue`].

mod audit;
mod check;
mod commit;
mod config;
mod deadlines;
mod event;
mod failure;
mod figures;
mod lease;
mod queue;
mod rate;
mod runs;
mod shards;
mod workers;

#[cfg(test)]
mod fleet;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use toads_census::Shard;
use toads_store::RunRecord;

pub use commit::{COMMITTED_BEFORE, CommitDecision, LeaseCheck};
pub use config::{Millis, SchedulerConfig};
pub use event::{Event, EventKind};
pub use failure::FailureNote;
pub use figures::Figures;
pub use lease::{Grant, Offer};
pub use runs::{Phase, RunSummary};
pub use shards::{Marker, Progress};
pub use workers::{Held, WorkerId, WorkerSummary};

use lease::Errand;
use queue::Queue;
use runs::Run;
use shards::Entry;
use workers::Worker;

/// The lease state machine; see the [module](self).
#[derive(Debug)]
pub struct Scheduler {
    config: SchedulerConfig,
    /// The latest time seen; never goes back (promise P5).
    now: Millis,
    /// When [`Scheduler::tick`] was last called.
    ticked: Option<Millis>,
    runs: BTreeMap<u32, Run>,
    shards: BTreeMap<Shard, Entry>,
    workers: BTreeMap<WorkerId, Worker>,
    queue: Queue,
    /// Shards that wait for an audit.
    audits: BTreeSet<Shard>,
    /// Grows by the share that is audited with every commit; from 1 on a shard is chosen.
    audit_credit: f64,
    next_worker: u64,
    next_epoch: u64,
    draining: bool,
    /// Since when there is work and no worker, and whether the log says so.
    stalled: Option<(Millis, bool)>,
    events: Vec<Event>,
}

impl Scheduler {
    /// An empty table. Every epoch it issues is at least `first_epoch`, which must be above all that earlier instances
    /// on the same store issued.
    pub fn new(config: SchedulerConfig, first_epoch: u64) -> Self {
        let audit_share = config.audit_share;
        Self {
            config,
            now: Millis(0),
            ticked: None,
            runs: BTreeMap::new(),
            shards: BTreeMap::new(),
            workers: BTreeMap::new(),
            queue: Queue::default(),
            audits: BTreeSet::new(),
            audit_credit: 1.0 - audit_share,
            next_worker: 1,
            next_epoch: first_epoch.max(1),
            draining: false,
            stalled: None,
            events: Vec::new(),
        }
    }

    /// The state after a restart: what the store holds, and no leases (promise P12).
    pub fn restore(
        config: SchedulerConfig,
        first_epoch: u64,
        runs: impl IntoIterator<Item = RunRecord>,
        markers: impl IntoIterator<Item = (Shard, Marker)>,
        quarantine: impl IntoIterator<Item = (Shard, Vec<FailureNote>)>,
    ) -> Self {
        let mut scheduler = Self::new(config, first_epoch);
        for (shard, marker) in markers {
            scheduler.shards.entry(shard).or_default().marker = Some(marker);
        }
        for (shard, failures) in quarantine {
            let entry = scheduler.shards.entry(shard).or_default();
            entry.quarantined = true;
            entry.failures = failures;
        }
        for run in runs {
            scheduler.enter_run(run);
        }
        scheduler
    }

    /// The configuration.
    pub fn config(&self) -> &SchedulerConfig {
        &self.config
    }

    /// Takes no new leases from now on (promise P11); leases that are out may finish.
    pub fn drain(&mut self, now: Millis) {
        self.advance(now);
        if !self.draining {
            self.draining = true;
            self.event(EventKind::Draining, None, String::new(), 0, String::new());
        }
    }

    /// Whether [`Scheduler::drain`] was called.
    pub fn is_draining(&self) -> bool {
        self.draining
    }

    /// When [`Scheduler::tick`] was last called; the start before that.
    pub fn last_tick(&self) -> Millis {
        self.ticked.unwrap_or_default()
    }

    /// What happened since the last call, in order.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// The next lease gets this epoch.
    pub fn next_epoch(&self) -> u64 {
        self.next_epoch
    }

    /// Leases that are out.
    pub fn leases_out(&self) -> usize {
        self.shards.values().map(|entry| entry.leases.len()).sum()
    }

    /// Shards that wait for a worker.
    pub fn queued(&self) -> usize {
        self.queue.len()
    }

    /// Time only goes forward, whatever the caller's clock does.
    fn advance(&mut self, now: Millis) {
        self.now = self.now.max(now);
    }

    fn event(
        &mut self,
        kind: EventKind,
        shard: Option<Shard>,
        worker: String,
        epoch: u64,
        detail: String,
    ) {
        self.events.push(Event {
            kind,
            shard,
            worker,
            epoch,
            detail,
        });
    }
}
