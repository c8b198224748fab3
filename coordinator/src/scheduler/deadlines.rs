//! The two deadlines, and what a tick notices.

use toads_census::Shard;

use super::config::Millis;
use super::shards::Lease;
use super::{EventKind, Scheduler, WorkerId};

impl Scheduler {
    /// Looks at every deadline. Call it a few times per beat; between calls nothing expires.
    ///
    /// Returns the shards that went into quarantine, so that the caller stores them.
    pub fn tick(&mut self, now: Millis) -> Vec<Shard> {
        let last = self.ticked.unwrap_or(now);
        self.advance(now);
        self.ticked = Some(self.now);
        let gap = self.now - last;
        if gap > self.config.own_gap_ms {
            self.forgive(gap);
        }
        let before: Vec<Shard> = self
            .quarantined()
            .into_iter()
            .map(|(shard, _)| shard)
            .collect();
        self.expire_workers();
        self.expire_leases();
        self.notice_stall();
        let after = self.quarantined().into_iter().map(|(shard, _)| shard);
        after
            .filter(|shard| before.binary_search(shard).is_err())
            .collect()
    }

    /// This process was stopped or starved, not the workers: every deadline moves by the gap (promise P5).
    fn forgive(&mut self, gap: u64) {
        let now = self.now;
        let moved = |at: Millis| (at + gap).min(now);
        for worker in self.workers.values_mut() {
            worker.last_seen = moved(worker.last_seen);
            worker.progress_at = moved(worker.progress_at);
        }
        for lease in self.shards.values_mut().flat_map(|entry| &mut entry.leases) {
            lease.named_at = moved(lease.named_at);
            lease.progress_at = moved(lease.progress_at);
        }
    }

    /// The first deadline: no message (promise P5).
    fn expire_workers(&mut self) {
        let silent: Vec<(WorkerId, u64)> = self
            .workers
            .iter()
            .map(|(&id, worker)| (id, self.now - worker.last_seen))
            .filter(|&(_, silence)| silence > self.config.liveness_ms)
            .collect();
        for (id, silence) in silent {
            self.remove_worker(id, &format!("silent for {silence} ms"), true);
        }
    }

    /// The second deadline: messages, but no progress (promise P4).
    fn expire_leases(&mut self) {
        let late: Vec<(Shard, WorkerId, u64, bool, String)> = self
            .shards
            .iter()
            .flat_map(|(&shard, entry)| entry.leases.iter().map(move |lease| (shard, lease)))
            .filter_map(|(shard, lease)| {
                let why = self.lateness(lease)?;
                Some((shard, lease.worker, lease.epoch, lease.is_audit, why))
            })
            .collect();
        for (shard, worker, epoch, is_audit, why) in late {
            let name = self.worker_name(worker);
            self.event(
                EventKind::Expired,
                Some(shard),
                name.clone(),
                epoch,
                why.clone(),
            );
            self.drop_lease(shard, epoch);
            if !is_audit {
                self.count_loss(shard, &name, &why);
            }
        }
    }

    /// Why a lease is lost; `None` while it is not.
    fn lateness(&self, lease: &Lease) -> Option<String> {
        if lease.committing {
            return None;
        }
        if self.now - lease.named_at > self.config.liveness_ms {
            return Some("never named in a beat: the grant was lost on its way".into());
        }
        let worker = self.workers.get(&lease.worker)?;
        // What waits for its turn is renewed by whatever else its worker does.
        let since = if lease.progress.started {
            lease.progress_at
        } else {
            worker.progress_at.max(lease.progress_at)
        };
        let idle = self.now - since;
        (idle > self.config.progress_ms).then(|| format!("no progress for {idle} ms"))
    }

    /// Says once that there is work and no worker, when that has lasted (promise P6). Draining is no stall.
    pub(super) fn notice_stall(&mut self) {
        if !self.workers.is_empty() || self.queue.is_empty() || self.draining {
            self.stalled = None;
            return;
        }
        let (since, announced) = *self.stalled.get_or_insert((self.now, false));
        if !announced && self.now - since >= self.config.stall_after_ms {
            self.stalled = Some((since, true));
            self.event(
                EventKind::Stalled,
                None,
                String::new(),
                0,
                "no workers".into(),
            );
        }
    }

    /// For how long there has been work and no worker, in milliseconds.
    pub fn stalled_ms(&self) -> Option<u64> {
        self.stalled.map(|(since, _)| self.now - since)
    }
}
