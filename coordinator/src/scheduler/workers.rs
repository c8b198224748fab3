//! Workers: one process start each (promise P17).

use std::collections::BTreeSet;
use std::fmt;

use toads_census::Shard;

use super::audit::Process;
use super::config::Millis;
use super::shards::Progress;
use super::{Errand, EventKind, Grant, Scheduler};

/// A registration. The same name twice is two workers (promise P17).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct WorkerId(pub u64);

impl fmt::Display for WorkerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A worker that is alive.
#[derive(Debug)]
pub(super) struct Worker {
    /// `name#id`.
    pub(super) label: String,
    /// As it calls itself.
    pub(super) name: String,
    pub(super) threads: u32,
    /// Its process on its host.
    pub(super) pid: u32,
    pub(super) last_seen: Millis,
    /// When any of its leases last moved: what waits for its turn is renewed by it.
    pub(super) progress_at: Millis,
    pub(super) leases: BTreeSet<Shard>,
    /// Strips per second, measured.
    pub(super) strips_per_s: f64,
    /// Since when, and how many strips, for the next measurement.
    pub(super) measured: (Millis, u64),
}

impl Worker {
    pub(super) fn process(&self) -> Process {
        Process {
            name: self.name.clone(),
            pid: self.pid,
        }
    }
}

/// What a worker says of a lease it believes to hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// The shard.
    pub shard: Shard,
    /// The epoch.
    pub epoch: u64,
    /// How far it is.
    pub progress: Progress,
}

/// A worker, for people.
#[derive(Clone, PartialEq, Debug)]
pub struct WorkerSummary {
    /// Its id.
    pub id: WorkerId,
    /// `name#id`.
    pub label: String,
    /// Evaluation threads.
    pub threads: u32,
    /// Milliseconds since its last message.
    pub silent_ms: u64,
    /// Shards it holds.
    pub leases: usize,
    /// Strips per second, measured or assumed.
    pub strips_per_s: f64,
}

impl Scheduler {
    /// Admits a worker. Of the shards in `holding`, which it worked on under an earlier registration (before this
    /// coordinator was restarted, say), it gets those back that nobody else has, under new epochs.
    pub fn register(
        &mut self,
        now: Millis,
        name: &str,
        threads: u32,
        pid: u32,
        holding: &[Held],
    ) -> (WorkerId, Vec<Grant>) {
        self.advance(now);
        let id = WorkerId(self.next_worker);
        self.next_worker += 1;
        let label = format!("{name}#{id}");
        self.event(
            EventKind::Registered,
            None,
            label.clone(),
            0,
            format!("{threads} threads"),
        );
        let worker = Worker {
            label,
            name: name.to_owned(),
            threads: threads.max(1),
            pid,
            last_seen: self.now,
            progress_at: self.now,
            leases: BTreeSet::new(),
            strips_per_s: self.config.strips_per_thread_s * f64::from(threads.max(1)),
            measured: (self.now, 0),
        };
        self.workers.insert(id, worker);
        self.stalled = None;
        let mut adopted = Vec::new();
        for held in holding {
            let waits = self.queue.contains(held.shard);
            if waits && !self.draining {
                let grant = self.grant(id, held.shard, Errand::Work);
                if let Some(lease) = self
                    .shards
                    .get_mut(&held.shard)
                    .and_then(|entry| entry.lease_mut(id, grant.epoch))
                {
                    lease.progress = held.progress;
                }
                adopted.push(grant);
            }
        }
        (id, adopted)
    }

    /// Whether the worker is alive; any message renews that (promise P5).
    pub fn touch(&mut self, now: Millis, id: WorkerId) -> bool {
        self.advance(now);
        let Some(worker) = self.workers.get_mut(&id) else {
            return false;
        };
        worker.last_seen = self.now;
        true
    }

    /// The beat. Renews liveness; renews the progress deadline of those leases that moved. Returns those that are not
    /// the worker's any more, or `None` when the worker is unknown and must register again.
    pub fn beat(&mut self, now: Millis, id: WorkerId, held: &[Held]) -> Option<Vec<(Shard, u64)>> {
        if !self.touch(now, id) {
            return None;
        }
        Some(
            held.iter()
                .filter(|held| !self.report(id, held))
                .map(|held| (held.shard, held.epoch))
                .collect(),
        )
    }

    /// Notes how far one lease is; false when it is not the worker's.
    fn report(&mut self, id: WorkerId, held: &Held) -> bool {
        let now = self.now;
        let Some(lease) = self
            .shards
            .get_mut(&held.shard)
            .and_then(|entry| entry.lease_mut(id, held.epoch))
        else {
            return false;
        };
        lease.named_at = now;
        if held.progress > lease.progress {
            let strips = held.progress.strips_done.min(held.shard.strips());
            let before = lease.progress.strips_done.min(held.shard.strips());
            lease.progress = held.progress;
            lease.progress_at = now;
            if let Some(worker) = self.workers.get_mut(&id) {
                worker.progress_at = now;
            }
            self.count_strips(held.shard, strips.saturating_sub(before));
        }
        true
    }

    /// Something arrived for a lease, or the store kept its worker waiting: that is progress too.
    pub fn touch_lease(&mut self, now: Millis, id: WorkerId, shard: Shard, epoch: u64) {
        if !self.touch(now, id) {
            return;
        }
        let now = self.now;
        if let Some(lease) = self
            .shards
            .get_mut(&shard)
            .and_then(|entry| entry.lease_mut(id, epoch))
        {
            lease.named_at = now;
            lease.progress_at = now;
            if let Some(worker) = self.workers.get_mut(&id) {
                worker.progress_at = now;
            }
        }
    }

    /// The worker ends (promise P11), and its shards are leased anew.
    pub fn goodbye(&mut self, now: Millis, id: WorkerId, reason: &str) {
        self.advance(now);
        self.remove_worker(id, reason, false);
    }

    /// A process on this machine has ended, and with it the workers that it was: noticed at once, not by silence.
    pub fn process_ended(&mut self, now: Millis, pid: u32, how: &str) {
        self.advance(now);
        let gone: Vec<WorkerId> = self
            .workers
            .iter()
            .filter(|(_, worker)| worker.pid == pid)
            .map(|(&id, _)| id)
            .collect();
        for id in gone {
            self.remove_worker(id, &format!("its process ended: {how}"), true);
        }
    }

    /// Every way of noticing that a worker is gone – it says so, its process ended, it is silent – ends here, in the
    /// same event (promise P6).
    pub(super) fn remove_worker(&mut self, id: WorkerId, reason: &str, lost: bool) {
        let Some(worker) = self.workers.remove(&id) else {
            return;
        };
        for shard in worker.leases {
            let Some(entry) = self.shards.get(&shard) else {
                continue;
            };
            let leases: Vec<_> = entry
                .leases
                .iter()
                .filter(|lease| lease.worker == id && !lease.committing)
                .map(|lease| (lease.epoch, lease.is_audit))
                .collect();
            for (epoch, is_audit) in leases {
                let kind = if lost {
                    EventKind::Expired
                } else {
                    EventKind::Released
                };
                self.event(
                    kind,
                    Some(shard),
                    worker.label.clone(),
                    epoch,
                    reason.to_owned(),
                );
                self.drop_lease(shard, epoch);
                if lost && !is_audit {
                    self.count_loss(shard, &worker.label, reason);
                }
            }
        }
        self.event(EventKind::Gone, None, worker.label, 0, reason.to_owned());
        self.notice_stall();
    }

    /// `name#id`, or `#id` for one that is gone.
    pub fn worker_name(&self, id: WorkerId) -> String {
        self.workers
            .get(&id)
            .map_or_else(|| format!("#{id}"), |worker| worker.label.clone())
    }

    /// The workers that are alive.
    pub fn workers(&self) -> Vec<WorkerSummary> {
        let summary = |(&id, worker): (&WorkerId, &Worker)| WorkerSummary {
            id,
            label: worker.label.clone(),
            threads: worker.threads,
            silent_ms: self.now - worker.last_seen,
            leases: worker.leases.len(),
            strips_per_s: worker.strips_per_s,
        };
        self.workers.iter().map(summary).collect()
    }
}
