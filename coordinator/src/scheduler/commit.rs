//! The fence: who may commit a shard, and what a result is worth that comes late.

use toads_census::{Digest, Shard};
use toads_store::{FailureClass, FailureRecord};

use super::config::Millis;
use super::failure::FailureNote;
use super::shards::Marker;
use super::{EventKind, Scheduler, WorkerId};

/// Stands for the worker of the committed result in the notes of a conflict; the store knows who it was.
pub const COMMITTED_BEFORE: &str = "committed before";

/// Whether it is worth reading a submission.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeaseCheck {
    /// The lease is the worker's: read and store.
    Current,
    /// The shard is committed: store nothing, but compare the digest when it comes (promises P2 and P3).
    Committed(Digest),
    /// Neither: refuse (promise P3).
    Stale,
}

/// What to do with a complete result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommitDecision {
    /// Write it, then call [`Scheduler::end_commit`].
    Go,
    /// Committed before, with this digest: a no-op (promise P2).
    Duplicate,
    /// An audit that found the same (promise P19); nothing is written.
    Audited,
    /// Another submission of the shard is being written.
    Busy,
    /// The lease is not the worker's (promise P3).
    Stale,
    /// Committed before with another digest: the shard is in quarantine now, with both results; the caller stores the
    /// quarantine record of these failures and invalidates the shard (promise P3).
    Conflict(Vec<FailureNote>),
}

impl Scheduler {
    /// Looks at a submission's header.
    pub fn check_lease(
        &mut self,
        now: Millis,
        id: WorkerId,
        shard: Shard,
        epoch: u64,
    ) -> LeaseCheck {
        self.touch_lease(now, id, shard, epoch);
        let Some(entry) = self.shards.get(&shard) else {
            return LeaseCheck::Stale;
        };
        match (entry.lease(id, epoch), entry.marker) {
            _ if entry.quarantined => LeaseCheck::Stale,
            (Some(lease), Some(marker)) if lease.is_audit => LeaseCheck::Committed(marker.digest),
            (Some(_), _) => LeaseCheck::Current,
            (None, Some(marker)) => LeaseCheck::Committed(marker.digest),
            (None, None) => LeaseCheck::Stale,
        }
    }

    /// Decides about a complete, checked result. After [`CommitDecision::Go`] the lease neither expires nor goes with
    /// its worker until [`Scheduler::end_commit`].
    pub fn begin_commit(
        &mut self,
        now: Millis,
        id: WorkerId,
        shard: Shard,
        epoch: u64,
        digest: Digest,
    ) -> CommitDecision {
        self.touch_lease(now, id, shard, epoch);
        let name = self.worker_name(id);
        let Some(entry) = self.shards.get_mut(&shard) else {
            return self.stale(shard, name, epoch);
        };
        if entry.quarantined {
            return self.stale(shard, name, epoch);
        }
        if let Some(marker) = entry.marker
            && marker.digest != digest
        {
            return self.conflict(shard, id, &name, epoch, marker.digest, digest);
        }
        if entry.lease(id, epoch).is_some_and(|lease| lease.is_audit) {
            self.event(EventKind::Audited, Some(shard), name, epoch, String::new());
            self.end_audit(shard);
            self.drop_lease(shard, epoch);
            self.measure(id, shard.strips());
            return CommitDecision::Audited;
        }
        let writing = entry.leases.iter().any(|lease| lease.committing);
        let is_committed = entry.marker.is_some();
        match entry.lease_mut(id, epoch) {
            Some(_) if writing => CommitDecision::Busy,
            Some(lease) => {
                lease.committing = true;
                CommitDecision::Go
            }
            None if is_committed => {
                self.event(
                    EventKind::Duplicate,
                    Some(shard),
                    name,
                    epoch,
                    String::new(),
                );
                CommitDecision::Duplicate
            }
            None => self.stale(shard, name, epoch),
        }
    }

    /// Notes that a submission was refused, for the log.
    pub fn note_refusal(&mut self, id: WorkerId, shard: Shard, epoch: u64, why: String) {
        self.event(
            EventKind::Refused,
            Some(shard),
            self.worker_name(id),
            epoch,
            why,
        );
    }

    fn stale(&mut self, shard: Shard, worker: String, epoch: u64) -> CommitDecision {
        self.event(
            EventKind::Refused,
            Some(shard),
            worker,
            epoch,
            "stale lease".into(),
        );
        CommitDecision::Stale
    }

    fn conflict(
        &mut self,
        shard: Shard,
        id: WorkerId,
        name: &str,
        epoch: u64,
        old: Digest,
        new: Digest,
    ) -> CommitDecision {
        let detail = format!("digest {new} differs from the committed {old}");
        self.event(
            EventKind::Refused,
            Some(shard),
            name.to_owned(),
            epoch,
            detail,
        );
        let note = |worker, name: &str, message| FailureNote {
            worker,
            record: FailureRecord {
                worker: name.to_owned(),
                class: FailureClass::Deterministic,
                strip: String::new(),
                message,
            },
        };
        let mut notes = vec![
            note(None, COMMITTED_BEFORE, format!("digest {old}")),
            note(Some(id), name, format!("digest {new}")),
        ];
        if let Some(entry) = self.shards.get_mut(&shard) {
            entry.marker = None;
            entry.failures.append(&mut notes);
        }
        CommitDecision::Conflict(self.quarantine(shard, "two results with different digests"))
    }

    /// The end of what [`CommitDecision::Go`] began: with a marker when the store has it on disk, without when it could
    /// not be written and the worker shall try again.
    pub fn end_commit(
        &mut self,
        now: Millis,
        id: WorkerId,
        shard: Shard,
        epoch: u64,
        marker: Option<Marker>,
    ) {
        self.advance(now);
        let alive = self.workers.contains_key(&id);
        let Some(entry) = self.shards.get_mut(&shard) else {
            return;
        };
        let Some(marker) = marker else {
            if let Some(lease) = entry.lease_mut(id, epoch) {
                lease.committing = false;
                if !alive {
                    self.drop_lease(shard, epoch);
                }
            }
            return;
        };
        if entry.quarantined {
            // Two results contradicted each other while this one was being written: neither counts.
            return;
        }
        entry.marker = Some(marker);
        entry.failures.clear();
        entry.losses = 0;
        let counted = entry
            .lease(id, epoch)
            .map_or(0, |lease| lease.progress.strips_done.min(shard.strips()));
        self.count_strips(shard, shard.strips() - counted);
        self.measure(id, shard.strips());
        self.drop_leases(shard);
        self.sample(id, shard);
        self.announce_finished();
    }
}
