//! Every time and limit of the lease table.

use std::ops::{Add, Sub};

/// A point of a monotonic clock, in milliseconds since some start (promise P5).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct Millis(pub u64);

impl Add<u64> for Millis {
    type Output = Self;

    fn add(self, ms: u64) -> Self {
        Self(self.0.saturating_add(ms))
    }
}

impl Sub for Millis {
    type Output = u64;

    /// The time from `earlier` to `self`; 0 when that would be negative.
    fn sub(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// Times in milliseconds, and limits.
#[derive(Clone, PartialEq, Debug)]
pub struct SchedulerConfig {
    /// How often a worker beats.
    pub beat_ms: u64,
    /// Without any message for this long a worker is gone: three missed beats.
    pub liveness_ms: u64,
    /// Without progress for this long a lease is lost (promise P4).
    pub progress_ms: u64,
    /// A gap between two ticks that is longer than this was ours – the process was stopped or starved – and moves all
    /// deadlines instead of blaming the workers (promise P5).
    pub own_gap_ms: u64,
    /// Work without a worker is logged as a stall after this long; it is shown at once (promise P6).
    pub stall_after_ms: u64,
    /// How long a worker without work waits before it asks again; in a large fleet longer.
    pub idle_ms: u64,
    /// The work a bundle of small shards aims at.
    pub bundle_ms: u64,
    /// The most shards in a bundle.
    pub bundle_shards: usize,
    /// Strips per second and thread, until a worker has been measured.
    pub strips_per_thread_s: f64,
    /// An idle worker re-runs the slowest lease when that is older than this (promise P10); `None` switches it off.
    pub speculate_after_ms: Option<u64>,
    /// The share of committed shards that another process computes once more, 0 to 1 (promise P19).
    pub audit_share: f64,
    /// Different workers on which a shard may fail before it goes to quarantine (promise P8).
    pub failed_workers: usize,
    /// Failures in all, also on one worker, before it goes to quarantine.
    pub failures: usize,
    /// Leases lost with their workers before the shard is taken for what kills them.
    pub losses: u32,
    /// After a failure the shard waits this long, doubled each time.
    pub backoff_ms: u64,
}

impl Default for SchedulerConfig {
    fn default() -> Self {
        Self {
            beat_ms: 10_000,
            liveness_ms: 30_000,
            progress_ms: 300_000,
            own_gap_ms: 10_000,
            stall_after_ms: 2_000,
            idle_ms: 500,
            bundle_ms: 2_000,
            bundle_shards: 64,
            strips_per_thread_s: 1_000_000.0,
            speculate_after_ms: Some(60_000),
            audit_share: 0.0,
            failed_workers: 2,
            failures: 3,
            losses: 8,
            backoff_ms: 500,
        }
    }
}
