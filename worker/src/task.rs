//! A leased shard on its way from the lease to the verdict.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use toads_census::{Control, Shard};
use toads_wire::{convert, v1};

/// What one lease is about. Shared by the evaluation, the delivery and the beat.
#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) shard: Shard,
    pub(crate) keep_blocks: bool,
    /// No other class will need its table.
    pub(crate) is_last: bool,
    /// How the kernel is watched and stopped.
    pub(crate) control: Control,
    /// Changes when the shard is leased to us again after a coordinator came back.
    epoch: AtomicU64,
    started: AtomicBool,
    /// Passes and messages beyond evaluation: progress too (promise P5).
    steps: AtomicU64,
    /// The lease is not ours any more: nothing is to be released.
    revoked: AtomicBool,
}

impl Task {
    pub(crate) fn new(shard: Shard, epoch: u64, keep_blocks: bool) -> Self {
        Self {
            shard,
            keep_blocks,
            is_last: false,
            control: Control::default(),
            epoch: AtomicU64::new(epoch),
            started: AtomicBool::new(false),
            steps: AtomicU64::new(0),
            revoked: AtomicBool::new(false),
        }
    }

    /// The same, whose table no other class will need, or may.
    pub(crate) fn last(self, is_last: bool) -> Self {
        Self { is_last, ..self }
    }

    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Relaxed)
    }

    pub(crate) fn adopt(&self, epoch: u64) {
        self.epoch.store(epoch, Ordering::Relaxed);
    }

    pub(crate) fn start(&self) {
        self.started.store(true, Ordering::Relaxed);
    }

    pub(crate) fn step(&self) {
        self.steps.fetch_add(1, Ordering::Relaxed);
    }

    /// Stops the work; the lease is given back.
    pub(crate) fn cancel(&self) {
        self.control.cancelled.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.control.cancelled.load(Ordering::Relaxed)
    }

    /// Stops the work; the lease is somebody else's.
    pub(crate) fn revoke(&self) {
        tracing::info!(shard = %self.shard, epoch = self.epoch(), "the lease was taken back");
        self.revoked.store(true, Ordering::Relaxed);
        self.cancel();
    }

    pub(crate) fn is_revoked(&self) -> bool {
        self.revoked.load(Ordering::Relaxed)
    }

    pub(crate) fn key(&self) -> v1::LeaseKey {
        v1::LeaseKey {
            shard: Some(convert::to_shard(self.shard)),
            epoch: self.epoch(),
        }
    }

    pub(crate) fn progress(&self) -> v1::LeaseProgress {
        v1::LeaseProgress {
            key: Some(self.key()),
            strips_done: self
                .control
                .strips_done
                .load(Ordering::Relaxed)
                .min(self.shard.strips()),
            steps: self.steps.load(Ordering::Relaxed),
            started: self.started.load(Ordering::Relaxed),
        }
    }
}
