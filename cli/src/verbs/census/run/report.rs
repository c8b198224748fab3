//! The row that `census run` prints when it has ended.

use std::time::Duration;

use toads_census::Digest;
use toads_coordinator::RunSummary;
use toads_store::{RunRecord, RunState, Store, run_digest};

use super::Job;
use crate::args::Context;
use crate::failure::Result;
use crate::memory;
use crate::output::{self, Cell, Format, Table};
use crate::units;

/// What was done, how long it took, what it took.
pub(super) struct Report {
    run: Option<u32>,
    variant: String,
    squares: String,
    state: String,
    shards_done: u64,
    shards_total: u64,
    strips_done: u64,
    strips_before: u64,
    duration: Duration,
    children_peak: u64,
    digest: Option<Digest>,
}

const COLUMNS: [&str; 10] = [
    "run",
    "variant",
    "squares",
    "state",
    "shards",
    "strips",
    "seconds",
    "strips_per_s",
    "peak_bytes",
    "digest",
];

impl Report {
    /// Of a run that is about to end.
    pub(super) fn new(job: &Job<'_>, summary: Option<RunSummary>, children_peak: u64) -> Self {
        let mut report = Self {
            run: None,
            variant: job.context.globals.variant.to_string(),
            squares: job.args.squares.to_string(),
            state: String::new(),
            shards_done: 0,
            shards_total: job.shards.len() as u64,
            strips_done: 0,
            strips_before: job.strips_before,
            duration: job.started.elapsed(),
            children_peak,
            digest: digest(job).ok(),
        };
        report.see(summary);
        report
    }

    /// Of a run that had nothing left to do.
    pub(super) fn of_complete(job: &Job<'_>) -> Result<Self> {
        let mut report = Self::new(job, None, 0);
        "done".clone_into(&mut report.state);
        report.shards_done = report.shards_total;
        report.strips_done = job.strips_before;
        report.digest = Some(digest(job)?);
        Ok(report)
    }

    /// Takes the latest figures.
    pub(super) fn see(&mut self, summary: Option<RunSummary>) {
        if let Some(summary) = summary {
            self.run = Some(summary.record.id);
            self.state = summary.phase.to_string();
            self.shards_done = summary.shards_done;
            self.strips_done = summary.strips_done;
        }
    }

    /// Takes what the worker processes had in use.
    pub(super) fn see_peak(&mut self, children_peak: u64) {
        self.children_peak = self.children_peak.max(children_peak);
    }

    /// Shards committed.
    pub(super) fn shards_done(&self) -> u64 {
        self.shards_done
    }

    /// Shards of the run.
    pub(super) fn shards_total(&self) -> u64 {
        self.shards_total
    }

    /// Prints it on standard output.
    pub(super) fn print(&self, context: &Context) -> Result<()> {
        let seconds = self.duration.as_secs_f64();
        let fresh = self.strips_done.saturating_sub(self.strips_before);
        let rate = fresh as f64 / seconds.max(0.001);
        let peak = memory::peak().unwrap_or(0) + self.children_peak;
        if context.globals.format == Format::Text {
            let speed = if fresh > 0 {
                format!(" ({} strips/s)", units::show_count(rate as u64))
            } else {
                String::new()
            };
            let digest = self
                .digest
                .map_or_else(String::new, |digest| format!("digest {digest}\n"));
            return output::print(&format!(
                "{} {}: {}, {} of {} shards, {} strips in {}{speed}; peak memory {}\n{digest}",
                self.variant,
                self.squares,
                self.state,
                self.shards_done,
                self.shards_total,
                units::show_count(self.strips_done),
                units::show_duration(self.duration),
                units::show_bytes(peak),
            ));
        }
        let mut table = Table::open(context.globals.format, COLUMNS)?;
        table.row(&[
            self.run.map_or(Cell::Empty, Cell::from),
            Cell::text(&self.variant),
            Cell::text(&self.squares),
            Cell::text(&self.state),
            Cell::from(self.shards_done),
            Cell::from(self.strips_done),
            Cell::Measure(seconds),
            Cell::Measure(rate.round()),
            Cell::from(peak),
            self.digest.map_or(Cell::Empty, Cell::text),
        ])?;
        table.close().map(drop)
    }
}

/// The digest of what is committed of the range.
fn digest(job: &Job<'_>) -> Result<Digest> {
    let variant = job.context.globals.variant;
    let run = RunRecord {
        id: 0,
        variant,
        first_n: job.args.squares.first,
        last_n: job.args.squares.last,
        keep: job.args.keep,
        state: RunState::Active,
        created_ms: 0,
    };
    Ok(run_digest(&run, &job.store.shards(Some(variant))?))
}
