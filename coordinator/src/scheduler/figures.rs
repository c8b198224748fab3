//! The lease table in figures, for metrics and readiness.

use super::Scheduler;

/// Counts over all runs.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Figures {
    /// Shards that wait for a worker.
    pub ready: usize,
    /// Shards that are with one.
    pub leased: usize,
    /// Shards that are committed.
    pub committed: usize,
    /// Shards in quarantine.
    pub quarantined: usize,
    /// The others: of paused or cancelled runs.
    pub idle: usize,
    /// Milliseconds since the oldest lease that is out was given; 0 without leases.
    pub oldest_lease_ms: u64,
    /// Workers alive.
    pub workers: usize,
    /// Strips per second lately, mirrors counted. A shard that belongs to two runs counts twice.
    pub strips_per_s: f64,
    /// Committed shards that wait for a second opinion.
    pub audits_waiting: usize,
    /// For how long there has been work and no worker, in milliseconds; 0 while that is not so.
    pub stalled_ms: u64,
}

impl Scheduler {
    /// Counts. Cost: one pass over the shards.
    pub fn figures(&self) -> Figures {
        let mut figures = Figures {
            workers: self.workers.len(),
            audits_waiting: self.audits_waiting(),
            strips_per_s: self.runs.values().map(|run| self.rate(run)).sum(),
            stalled_ms: self.stalled_ms().unwrap_or(0),
            ..Figures::default()
        };
        for (&shard, entry) in &self.shards {
            let state = if entry.quarantined {
                &mut figures.quarantined
            } else if entry.leases.iter().any(|lease| !lease.is_audit) {
                &mut figures.leased
            } else if self.queue.contains(shard) {
                &mut figures.ready
            } else if entry.marker.is_some() {
                &mut figures.committed
            } else {
                &mut figures.idle
            };
            *state += 1;
            for lease in &entry.leases {
                figures.oldest_lease_ms = figures.oldest_lease_ms.max(self.now - lease.leased_at);
            }
        }
        figures
    }
}
