//! Audits: a sampled share of what is committed is computed once more, by another process (promise P19).
//!
//! An audit is a lease of a committed shard. Its result changes nothing: the digest is compared, an equal one ends the
//! audit, another one is the same alarm as any two results that differ ([`CommitDecision::Conflict`](super::CommitDecision)).
//! Audits come before fresh work, one at a time, so that a fault shows early and not when the run is over. They are not
//! stored: a restart forgets those that wait.

use toads_census::Shard;

use super::{Scheduler, WorkerId};

/// An audit that is lost so often is given up: the shard is committed, after all.
const ATTEMPTS: u32 = 3;

/// A process on some host, as far as the coordinator can tell: the same one under a new registration is no second opinion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Process {
    pub(super) name: String,
    pub(super) pid: u32,
}

/// A committed shard that is to be computed once more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Audit {
    /// Whose result is stored.
    by: Process,
    /// Leases that came to nothing.
    attempts: u32,
}

impl Scheduler {
    /// A worker has committed a shard: is it one of the sample? The first of all is, and then every so-manieth.
    pub(super) fn sample(&mut self, id: WorkerId, shard: Shard) {
        self.audit_credit += self.config.audit_share;
        if self.config.audit_share <= 0.0 || self.audit_credit < 1.0 - 1e-9 {
            return;
        }
        self.audit_credit -= 1.0;
        let Some(worker) = self.workers.get(&id) else {
            return;
        };
        let by = worker.process();
        if let Some(entry) = self.shards.get_mut(&shard) {
            entry.audit = Some(Audit { by, attempts: 0 });
            self.audits.insert(shard);
        }
    }

    /// A shard that this worker may audit.
    pub(super) fn audit_for(&self, id: WorkerId) -> Option<Shard> {
        let process = self.workers.get(&id)?.process();
        let may = |shard: &Shard| {
            self.shards.get(shard).is_some_and(|entry| {
                entry.leases.is_empty()
                    && entry.marker.is_some()
                    && entry
                        .audit
                        .as_ref()
                        .is_some_and(|audit| audit.by != process)
            }) && self.wanted(*shard).is_some()
        };
        self.audits.iter().copied().find(may)
    }

    /// An audit lease came to nothing: another worker may try, a few times.
    pub(super) fn audit_lost(&mut self, shard: Shard) {
        let Some(entry) = self.shards.get_mut(&shard) else {
            return;
        };
        let Some(audit) = entry.audit.as_mut() else {
            return;
        };
        audit.attempts += 1;
        if audit.attempts < ATTEMPTS {
            self.audits.insert(shard);
        } else {
            entry.audit = None;
        }
    }

    /// The audit of a shard is over, or there is nothing to audit any more.
    pub(super) fn end_audit(&mut self, shard: Shard) {
        self.audits.remove(&shard);
        if let Some(entry) = self.shards.get_mut(&shard) {
            entry.audit = None;
        }
    }

    /// Audits that wait for another process.
    pub fn audits_waiting(&self) -> usize {
        self.audits.len()
    }
}
