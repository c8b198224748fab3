//! Leases: bundles of small shards, and the speculative tail.

use toads_census::Shard;
use toads_store::Keep;

use super::config::Millis;
use super::shards::{Lease, Progress};
use super::{EventKind, Scheduler, WorkerId};

/// A lease as the worker gets it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grant {
    /// The shard.
    pub shard: Shard,
    /// Larger than every epoch issued before, over restarts too (promise P3).
    pub epoch: u64,
    /// What is to be kept.
    pub keep: Keep,
    /// Another worker has it too (promise P10).
    pub speculative: bool,
    /// No run asks for larger classes, which could need this one's table.
    pub last: bool,
}

/// The answer to a worker that asks for work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Offer {
    /// Evaluate these.
    Work(Vec<Grant>),
    /// Nothing now; ask again after so many milliseconds.
    Wait(u64),
    /// Every run has ended.
    Done,
    /// No new leases: finish what you hold and go (promise P11).
    Drain,
    /// Nobody by that id: register again.
    Unknown,
}

/// What a lease is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Errand {
    /// To commit the shard.
    Work,
    /// The same, beside another worker (promise P10).
    Speculative,
    /// To compare with what is committed (promise P19).
    Audit,
}

impl Scheduler {
    /// Gives a worker up to `max_shards` shards: enough for `bundle_ms` at its measured speed, but not more than its
    /// share of what is left, so that the last bundles are small. At least one shard, however large.
    pub fn lease(&mut self, now: Millis, id: WorkerId, max_shards: usize) -> Offer {
        if !self.touch(now, id) {
            return Offer::Unknown;
        }
        if self.draining {
            return Offer::Drain;
        }
        if let Some(shard) = self.audit_for(id) {
            self.start_measuring(id);
            return Offer::Work(vec![self.grant(id, shard, Errand::Audit)]);
        }
        let picked = self.pick(id, max_shards.min(self.config.bundle_shards));
        if !picked.is_empty() {
            self.start_measuring(id);
            return Offer::Work(
                picked
                    .into_iter()
                    .map(|shard| self.grant(id, shard, Errand::Work))
                    .collect(),
            );
        }
        if let Some(shard) = self.slowest(id) {
            return Offer::Work(vec![self.grant(id, shard, Errand::Speculative)]);
        }
        if self.queue.is_empty() && self.all_finished() {
            return Offer::Done;
        }
        // A large fleet asks no more than 500 times a second.
        Offer::Wait(self.config.idle_ms.max(2 * self.workers.len() as u64))
    }

    fn pick(&self, id: WorkerId, max_shards: usize) -> Vec<Shard> {
        let Some(worker) = self.workers.get(&id) else {
            return Vec::new();
        };
        let full = worker.strips_per_s * self.config.bundle_ms as f64 / 1000.0;
        let share = self.queue.strips() as f64 / (2 * self.workers.len()) as f64;
        let least = full / 40.0;
        let target = full.min(share.max(least)) as u64;
        let mut picked = Vec::new();
        let mut strips = 0;
        for shard in self.queue.iter() {
            if !self.may_lease(id, shard) {
                continue;
            }
            strips += shard.strips();
            if !picked.is_empty() && strips > target {
                break;
            }
            picked.push(shard);
            if picked.len() >= max_shards.max(1) {
                break;
            }
        }
        picked
    }

    /// A shard that failed here goes elsewhere, as long as there is an elsewhere (promise P8).
    fn may_lease(&self, id: WorkerId, shard: Shard) -> bool {
        let Some(entry) = self.shards.get(&shard) else {
            return false;
        };
        let failed_on = |worker: &WorkerId| {
            entry
                .failures
                .iter()
                .any(|failure| failure.worker == Some(*worker))
        };
        self.now >= entry.not_before && (!failed_on(&id) || self.workers.keys().all(failed_on))
    }

    /// Of the leases that are out, the one that is oldest and old enough, and that nobody else re-runs (promise P10).
    fn slowest(&self, id: WorkerId) -> Option<Shard> {
        let after = self.config.speculate_after_ms?;
        let alone =
            self.shards
                .iter()
                .filter_map(|(&shard, entry)| match entry.leases.as_slice() {
                    [lease]
                        if lease.worker != id
                            && !lease.committing
                            && !lease.is_audit
                            && self.now - lease.leased_at >= after =>
                    {
                        Some((lease.leased_at, shard))
                    }
                    _ => None,
                });
        alone
            .filter(|&(_, shard)| self.wanted(shard).is_some() && self.may_lease(id, shard))
            .min()
            .map(|(_, shard)| shard)
    }

    pub(super) fn grant(&mut self, id: WorkerId, shard: Shard, errand: Errand) -> Grant {
        let epoch = self.next_epoch;
        self.next_epoch += 1;
        let now = self.now;
        let lease = Lease {
            worker: id,
            epoch,
            leased_at: now,
            named_at: now,
            progress_at: now,
            progress: Progress::default(),
            is_audit: errand == Errand::Audit,
            committing: false,
        };
        if errand == Errand::Audit {
            self.audits.remove(&shard);
        }
        self.shards.entry(shard).or_default().leases.push(lease);
        if let Some(worker) = self.workers.get_mut(&id) {
            worker.leases.insert(shard);
        }
        self.refresh(shard);
        let detail = match errand {
            Errand::Work => "",
            Errand::Speculative => "speculative",
            Errand::Audit => "audit",
        };
        self.event(
            EventKind::Leased,
            Some(shard),
            self.worker_name(id),
            epoch,
            detail.to_owned(),
        );
        Grant {
            shard,
            epoch,
            // What is only compared need not be sent: the digest covers every strip.
            keep: if errand == Errand::Audit {
                Keep::Tallies
            } else {
                self.keep(shard)
            },
            speculative: errand == Errand::Speculative,
            last: self.is_last(shard),
        }
    }

    /// A worker that held nothing was idle: its speed is measured from now.
    fn start_measuring(&mut self, id: WorkerId) {
        let now = self.now;
        if let Some(worker) = self.workers.get_mut(&id)
            && worker.leases.is_empty()
        {
            worker.measured = (now, 0);
            worker.progress_at = now;
        }
    }

    /// A worker finished a shard: once a quarter of a second has gathered, its speed is averaged in.
    pub(super) fn measure(&mut self, id: WorkerId, strips: u64) {
        let now = self.now;
        if let Some(worker) = self.workers.get_mut(&id) {
            let (since, sum) = worker.measured;
            let (elapsed, sum) = (now - since, sum + strips);
            if elapsed < 250 {
                worker.measured = (since, sum);
            } else {
                let seen = sum as f64 * 1000.0 / elapsed as f64;
                worker.strips_per_s = (0.6 * worker.strips_per_s + 0.4 * seen).max(1.0);
                worker.measured = (now, 0);
            }
        }
    }
}
