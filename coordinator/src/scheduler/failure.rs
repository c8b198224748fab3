//! Failures: what each class means for the shard (promise P7), and quarantine (promise P8).

use toads_census::Shard;
use toads_store::{FailureClass, FailureRecord};

use super::config::Millis;
use super::{EventKind, Scheduler, WorkerId};

/// A failure that counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FailureNote {
    /// The worker, while this coordinator runs; `None` for what an earlier one saw.
    pub worker: Option<WorkerId>,
    /// What happened.
    pub record: FailureRecord,
}

impl Scheduler {
    /// A worker reports that it will not finish a lease, or its result was refused; its name is put into `what`. Returns
    /// the failures to store when that put the shard into quarantine.
    pub fn fail(
        &mut self,
        now: Millis,
        id: WorkerId,
        shard: Shard,
        epoch: u64,
        mut what: FailureRecord,
    ) -> Option<Vec<FailureNote>> {
        self.touch(now, id);
        let lease = self.shards.get(&shard)?.lease(id, epoch)?;
        if lease.committing {
            return None;
        }
        let is_audit = lease.is_audit;
        what.worker = self.worker_name(id);
        let mut detail = format!("{}: {}", what.class, what.message);
        if !what.strip.is_empty() {
            detail = format!("{detail} (strip {})", what.strip);
        }
        let name = what.worker.clone();
        self.event(EventKind::Failed, Some(shard), name, epoch, detail);
        self.drop_lease(shard, epoch);
        if is_audit {
            // The shard is committed; what failed is the second opinion.
            return None;
        }
        match what.class {
            FailureClass::Drained => None,
            FailureClass::Transient | FailureClass::Incompatible => {
                self.back_off(shard, 1);
                None
            }
            FailureClass::Lost => self.count_loss(shard, &what.worker, &what.message),
            FailureClass::Deterministic => self.count_failure(shard, id, what),
        }
    }

    /// A worker gives a lease back unfinished; nothing is held against the shard.
    pub fn release(&mut self, now: Millis, id: WorkerId, shard: Shard, epoch: u64) {
        self.touch(now, id);
        let held = self
            .shards
            .get(&shard)
            .and_then(|entry| entry.lease(id, epoch))
            .is_some_and(|lease| !lease.committing);
        if held {
            self.event(
                EventKind::Released,
                Some(shard),
                self.worker_name(id),
                epoch,
                String::new(),
            );
            self.drop_lease(shard, epoch);
        }
    }

    fn count_failure(
        &mut self,
        shard: Shard,
        id: WorkerId,
        what: FailureRecord,
    ) -> Option<Vec<FailureNote>> {
        let entry = self.shards.get_mut(&shard)?;
        entry.failures.push(FailureNote {
            worker: Some(id),
            record: what,
        });
        let names = entry.failures.iter().map(|failure| &failure.record.worker);
        let mut workers: Vec<_> = names.collect();
        workers.sort_unstable();
        workers.dedup();
        let (different, all) = (workers.len(), entry.failures.len());
        if different >= self.config.failed_workers || all >= self.config.failures {
            return Some(
                self.quarantine(shard, &format!("failed {all} times on {different} workers")),
            );
        }
        self.back_off(shard, all as u32);
        None
    }

    /// A lease was lost with its worker. Once or twice that is the worker's fate; again and again it is the shard.
    pub(super) fn count_loss(
        &mut self,
        shard: Shard,
        name: &str,
        message: &str,
    ) -> Option<Vec<FailureNote>> {
        let entry = self.shards.get_mut(&shard)?;
        entry.losses += 1;
        if entry.losses < self.config.losses {
            return None;
        }
        let losses = entry.losses;
        entry.failures.push(FailureNote {
            worker: None,
            record: FailureRecord {
                worker: name.to_owned(),
                class: FailureClass::Lost,
                strip: String::new(),
                message: message.to_owned(),
            },
        });
        Some(self.quarantine(shard, &format!("lost with its worker {losses} times")))
    }

    pub(super) fn quarantine(&mut self, shard: Shard, why: &str) -> Vec<FailureNote> {
        let Some(entry) = self.shards.get_mut(&shard) else {
            return Vec::new();
        };
        entry.quarantined = true;
        let failures = entry.failures.clone();
        self.end_audit(shard);
        self.drop_leases(shard);
        self.event(
            EventKind::Quarantined,
            Some(shard),
            String::new(),
            0,
            why.to_owned(),
        );
        self.announce_finished();
        failures
    }

    /// Takes a shard out of quarantine, to be computed again; false when it was not in it (promise P8).
    pub fn requeue(&mut self, now: Millis, shard: Shard) -> bool {
        self.advance(now);
        let Some(entry) = self
            .shards
            .get_mut(&shard)
            .filter(|entry| entry.quarantined)
        else {
            return false;
        };
        entry.quarantined = false;
        entry.marker = None;
        entry.failures.clear();
        entry.losses = 0;
        entry.not_before = Millis(0);
        for id in entry.runs.clone() {
            if let Some(run) = self.runs.get_mut(&id) {
                run.finished = false;
            }
        }
        self.refresh(shard);
        self.event(
            EventKind::Requeued,
            Some(shard),
            String::new(),
            0,
            String::new(),
        );
        true
    }

    /// Forgets that a shard is committed: it is computed again where a run wants it. False when it was not committed.
    pub fn invalidate(&mut self, now: Millis, shard: Shard, why: &str) -> bool {
        self.advance(now);
        let Some(entry) = self.shards.get_mut(&shard) else {
            return false;
        };
        if entry.marker.take().is_none() {
            return false;
        }
        for id in entry.runs.clone() {
            if let Some(run) = self.runs.get_mut(&id) {
                run.finished = false;
            }
        }
        self.end_audit(shard);
        // Whoever writes it now, for blocks that were missing, may go on: what comes is fresh.
        self.revoke_working(shard, "the result was invalidated");
        self.refresh(shard);
        self.event(
            EventKind::Invalidated,
            Some(shard),
            String::new(),
            0,
            why.to_owned(),
        );
        true
    }

    /// The shards in quarantine and their failures.
    pub fn quarantined(&self) -> Vec<(Shard, Vec<FailureNote>)> {
        self.shards
            .iter()
            .filter(|(_, entry)| entry.quarantined)
            .map(|(&shard, entry)| (shard, entry.failures.clone()))
            .collect()
    }

    fn back_off(&mut self, shard: Shard, failures: u32) {
        let wait = self.config.backoff_ms << (failures.clamp(1, 7) - 1);
        let not_before = self.now + wait;
        if let Some(entry) = self.shards.get_mut(&shard) {
            entry.not_before = not_before;
        }
    }
}
