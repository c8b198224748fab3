//! Runs: what is to be computed, and how far it is.

use std::collections::VecDeque;
use std::fmt;

use toads_census::{Shard, plan};
use toads_store::{Keep, RunRecord, RunState};

use super::config::Millis;
use super::{EventKind, Marker, Scheduler};

/// A run and its shards.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) record: RunRecord,
    /// In plan order.
    pub(super) shards: Vec<Shard>,
    /// The end was announced.
    pub(super) finished: bool,
    /// Strips that were evaluated lately: when, and how many, mirrors counted.
    pub(super) recent: VecDeque<(Millis, u64)>,
}

/// Where a run stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Shards are leased.
    Running,
    /// There is work, but no worker (promise P6).
    Stalled,
    /// No new leases until resumed.
    Paused,
    /// Given up.
    Cancelled,
    /// Every shard is committed.
    Done,
    /// Every shard is committed or in quarantine.
    Quarantined,
}

impl Phase {
    /// Whether nothing more will happen by itself.
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Cancelled | Self::Done | Self::Quarantined)
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Running => "running",
            Self::Stalled => "stalled: no workers",
            Self::Paused => "paused",
            Self::Cancelled => "cancelled",
            Self::Done => "done",
            Self::Quarantined => "quarantined",
        })
    }
}

/// The row of `census status`: a fold over markers (promise P22). Strips are counted with their mirrors.
#[derive(Clone, PartialEq, Debug)]
pub struct RunSummary {
    /// The run.
    pub record: RunRecord,
    /// Where it stands.
    pub phase: Phase,
    /// Shards committed.
    pub shards_done: u64,
    /// Shards in all.
    pub shards_total: u64,
    /// Strips of committed shards.
    pub strips_done: u64,
    /// Strips in all: 3^n summed over the range.
    pub strips_total: u64,
    /// Strips per second lately; 0 while unknown.
    pub strips_per_s: f64,
    /// Seconds to go; `None` while unknown.
    pub eta_s: Option<f64>,
    /// Workers alive.
    pub workers: u32,
    /// Shards in quarantine.
    pub quarantined: u64,
    /// Shards leased now.
    pub leased: u64,
    /// Of these, strips that are evaluated but not committed.
    pub strips_leased_done: u64,
}

impl Scheduler {
    /// Enters a run, new or restored. Markers of its shards must have been restored before.
    pub fn submit(&mut self, now: Millis, record: RunRecord) {
        self.advance(now);
        let detail = format!(
            "run {}: {} {}..{} keeps {}",
            record.id, record.variant, record.first_n, record.last_n, record.keep
        );
        self.event(EventKind::Submitted, None, String::new(), 0, detail);
        self.enter_run(record);
    }

    pub(super) fn enter_run(&mut self, record: RunRecord) {
        let id = record.id;
        let shards = plan::shards(record.variant, record.first_n..=record.last_n);
        self.runs.insert(
            id,
            Run {
                record,
                shards: shards.clone(),
                finished: false,
                recent: VecDeque::new(),
            },
        );
        for &shard in &shards {
            self.shards.entry(shard).or_default().runs.insert(id);
            self.refresh(shard);
        }
        self.announce_finished();
    }

    /// The runs there are, by number.
    pub fn runs(&self) -> impl Iterator<Item = &RunRecord> {
        self.runs.values().map(|run| &run.record)
    }

    /// Pauses, resumes or cancels a run; `None` when there is no such run. The caller stores the record that it returns.
    pub fn set_run_state(&mut self, now: Millis, id: u32, state: RunState) -> Option<RunRecord> {
        self.advance(now);
        let run = self.runs.get_mut(&id)?;
        if run.record.state == state {
            return Some(run.record.clone());
        }
        run.record.state = state;
        run.finished = false;
        let (record, shards) = (run.record.clone(), run.shards.clone());
        let kind = match state {
            RunState::Active => EventKind::Resumed,
            RunState::Paused => EventKind::Paused,
            RunState::Cancelled => EventKind::Cancelled,
        };
        self.event(kind, None, String::new(), 0, format!("run {id}"));
        for shard in shards {
            if self.tolerated(shard).is_none() {
                self.revoke_working(shard, "the run was cancelled");
            }
            self.refresh(shard);
        }
        self.announce_finished();
        Some(record)
    }

    /// Takes the leases of a shard back that no store is writing.
    pub(super) fn revoke_working(&mut self, shard: Shard, why: &str) {
        let Some(entry) = self.shards.get(&shard) else {
            return;
        };
        let revoked: Vec<_> = entry
            .leases
            .iter()
            .filter(|lease| !lease.committing)
            .map(|lease| (lease.worker, lease.epoch))
            .collect();
        for (worker, epoch) in revoked {
            let name = self.worker_name(worker);
            self.event(EventKind::Released, Some(shard), name, epoch, why.into());
            self.drop_lease(shard, epoch);
        }
    }

    /// Where a run stands; `None` when there is no such run. Cost: one pass over its shards.
    pub fn summary(&self, id: u32) -> Option<RunSummary> {
        let run = self.runs.get(&id)?;
        let mut summary = RunSummary {
            record: run.record.clone(),
            phase: Phase::Running,
            shards_done: 0,
            shards_total: run.shards.len() as u64,
            strips_done: 0,
            strips_total: 0,
            strips_per_s: self.rate(run),
            eta_s: None,
            workers: self.workers.len() as u32,
            quarantined: 0,
            leased: 0,
            strips_leased_done: 0,
        };
        for &shard in &run.shards {
            let Some(entry) = self.shards.get(&shard) else {
                continue;
            };
            let answered = shard.strips_answered();
            summary.strips_total += answered;
            if entry.is_done(run.record.keep) {
                summary.shards_done += 1;
                summary.strips_done += answered;
            } else if entry.quarantined {
                summary.quarantined += 1;
            } else if let Some(best) = entry
                .leases
                .iter()
                .map(|lease| lease.progress.strips_done)
                .max()
            {
                summary.leased += 1;
                summary.strips_leased_done +=
                    best.min(shard.strips()) * (answered / shard.strips());
            }
        }
        summary.phase = self.phase(run, &summary);
        if summary.phase == Phase::Running && summary.strips_per_s > 0.0 {
            let left = summary.strips_total - summary.strips_done - summary.strips_leased_done;
            summary.eta_s = Some(left as f64 / summary.strips_per_s);
        }
        Some(summary)
    }

    fn phase(&self, run: &Run, summary: &RunSummary) -> Phase {
        let open = summary.shards_total - summary.shards_done - summary.quarantined;
        match run.record.state {
            _ if open == 0 && summary.quarantined == 0 => Phase::Done,
            RunState::Cancelled => Phase::Cancelled,
            _ if open == 0 => Phase::Quarantined,
            RunState::Paused => Phase::Paused,
            RunState::Active if self.workers.is_empty() => Phase::Stalled,
            RunState::Active => Phase::Running,
        }
    }

    /// Whether nothing will happen by itself to any run; false without runs.
    pub fn all_finished(&self) -> bool {
        !self.runs.is_empty()
            && self.runs.keys().all(|&id| {
                self.summary(id)
                    .is_some_and(|summary| summary.phase.is_terminal())
            })
    }

    /// Says once per run that it has ended.
    pub(super) fn announce_finished(&mut self) {
        let open: Vec<u32> = self
            .runs
            .values()
            .filter(|run| !run.finished)
            .map(|run| run.record.id)
            .collect();
        for id in open {
            let Some(summary) = self.summary(id) else {
                continue;
            };
            if !summary.phase.is_terminal() {
                continue;
            }
            if let Some(run) = self.runs.get_mut(&id) {
                run.finished = true;
            }
            let detail = format!(
                "run {id} {}: {} of {} shards",
                summary.phase, summary.shards_done, summary.shards_total
            );
            self.event(EventKind::Finished, None, String::new(), 0, detail);
        }
    }

    /// The marker of a shard, when it is committed.
    pub fn marker(&self, shard: Shard) -> Option<Marker> {
        self.shards.get(&shard)?.marker
    }

    /// What is to be kept of a shard; tallies when nobody wants it.
    pub(super) fn keep(&self, shard: Shard) -> Keep {
        self.tolerated(shard).unwrap_or(Keep::Tallies)
    }
}
