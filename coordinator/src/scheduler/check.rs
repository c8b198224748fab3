//! The invariants, asserted after every step of the property test.

use std::collections::BTreeSet;

use super::{Scheduler, WorkerId};

impl Scheduler {
    /// Checks the whole table; the error names the first invariant that is broken. Cost: one pass over everything.
    pub fn check(&self) -> Result<(), String> {
        let mut epochs = BTreeSet::new();
        for (shard, entry) in &self.shards {
            let fail = |what: &str| Err(format!("{shard}: {what}"));
            if entry.leases.len() > 2 {
                return fail("more than two leases");
            }
            if entry.quarantined && !entry.leases.is_empty() {
                return fail("leased while in quarantine");
            }
            if entry.leases.iter().filter(|lease| lease.committing).count() > 1 {
                return fail("two commits at once");
            }
            let holders: BTreeSet<WorkerId> =
                entry.leases.iter().map(|lease| lease.worker).collect();
            if holders.len() != entry.leases.len() {
                return fail("leased twice to one worker");
            }
            for lease in &entry.leases {
                if lease.epoch >= self.next_epoch || !epochs.insert(lease.epoch) {
                    return fail("an epoch that was never issued, or twice");
                }
                match self.workers.get(&lease.worker) {
                    Some(worker) if worker.leases.contains(shard) => {}
                    Some(_) => return fail("its worker does not know of the lease"),
                    None if lease.committing => {}
                    None => return fail("leased to a worker that is gone"),
                }
            }
            if !entry.leases.is_empty()
                && self.tolerated(*shard).is_none()
                && !entry.leases.iter().all(|lease| lease.committing)
            {
                return fail("leased although every run that has it is cancelled");
            }
            let audits = entry.leases.iter().filter(|lease| lease.is_audit).count();
            if audits > 0 && entry.marker.is_none() {
                return fail("audited without being committed");
            }
            if self.audits.contains(shard) != (entry.audit.is_some() && audits == 0) {
                return fail("waits for an audit and has none, or the other way round");
            }
            if self.queue.contains(*shard) != self.wants_work(*shard) {
                return fail("in the queue without wanting work, or the other way round");
            }
        }
        for (id, worker) in &self.workers {
            for shard in &worker.leases {
                let known = self
                    .shards
                    .get(shard)
                    .is_some_and(|entry| entry.leases.iter().any(|lease| lease.worker == *id));
                if !known {
                    return Err(format!("worker {} believes to hold {shard}", worker.label));
                }
            }
        }
        let strips: u64 = self.queue.iter().map(toads_census::Shard::strips).sum();
        if strips != self.queue.strips() {
            return Err(format!(
                "the queue counts {} strips and has {strips}",
                self.queue.strips()
            ));
        }
        Ok(())
    }
}
