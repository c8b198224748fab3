//! From start to end: the coordinator, its workers, signals, and what ends a run.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use toads_coordinator::{Config, Coordinator, Leases, Phase, RunSummary, SchedulerConfig};

use super::Job;
use super::report::Report;
use crate::failure::{Failure, Result, Signal};
use crate::progress::Progress;
use crate::signals::Signals;
use crate::source::holder;
use crate::units;
use crate::verbs::crew::Crew;

/// How a run came to its end.
enum End {
    /// Every shard is committed or in quarantine, or somebody cancelled it.
    Ran(Box<RunSummary>),
    /// A signal.
    Signal(Signal),
    /// `Census.Shutdown` was called.
    Asked,
    /// It cannot go on.
    Failed(Failure),
}

/// What is left to say after everything is stopped.
pub(super) struct Ended {
    end: End,
    report: Report,
}

/// Runs it. Whatever the end, workers and coordinator are stopped and the store is synced when this returns.
pub(super) async fn drive(job: &Job<'_>) -> Result<Ended> {
    let mut signals = Signals::listen()?;
    let local = Config::local();
    let config = Config {
        scheduler: SchedulerConfig {
            audit_share: job.args.audit,
            ..local.scheduler
        },
        listen: job.args.listen,
        http: job.args.http,
        insecure: job.args.insecure,
        leases: Leases::Shards,
        ..local
    };
    let coordinator = Coordinator::start(config, job.store.clone()).await?;
    job.store.announce(&holder(&coordinator))?;
    if let Some(url) = coordinator.http_url() {
        job.say(&format!("HTTP on {url}"));
    }
    let variant = job.context.globals.variant;
    let run = coordinator
        .submit_run(variant, job.args.squares.range(), job.args.keep)
        .await?
        .record
        .id;
    let mut crew = Crew::start(&job.crew(), &coordinator)?;
    let mut progress = Progress::new(&job.context.globals, "census");
    let end = watch(
        job,
        &coordinator,
        run,
        &mut crew,
        &mut signals,
        &mut progress,
    )
    .await;
    progress.clear();
    let grace = match &end {
        End::Signal(signal) => {
            job.say(&format!(
                "{signal}: finishing what is being computed; once more to stop at once"
            ));
            job.args.grace
        }
        End::Asked => job.args.grace,
        End::Ran(_) => Duration::from_secs(5),
        End::Failed(_) => Duration::from_secs(1),
    };
    let mut report = Report::new(job, coordinator.run(run), crew.peak_bytes());
    coordinator.drain();
    crew.drain();
    tokio::select! {
        () = crew.gone(grace) => {}
        signal = signals.next() => job.say(&format!("{signal} again: stopping now")),
    }
    report.see_peak(crew.peak_bytes());
    report.see(coordinator.run(run));
    crew.kill().await;
    let stopped = coordinator.shutdown(Duration::from_millis(100)).await;
    let end = match (end, stopped) {
        (End::Ran(summary), Err(error)) if summary.phase != Phase::Done => {
            End::Failed(error.into())
        }
        (end, _) => end,
    };
    Ok(Ended { end, report })
}

async fn watch(
    job: &Job<'_>,
    coordinator: &Coordinator,
    run: u32,
    crew: &mut Crew,
    signals: &mut Signals,
    progress: &mut Progress,
) -> End {
    let mut tick = tokio::time::interval(Duration::from_millis(100));
    let mut best = (0, 0);
    let mut since = Instant::now();
    loop {
        tokio::select! {
            ran = coordinator.wait_run(run) => match ran {
                Ok(summary) => return End::Ran(Box::new(summary)),
                Err(error) => return End::Failed(error.into()),
            },
            why = coordinator.failed() => return End::Failed(Failure::Failed(format!("the store failed: {why}; what is committed is safe"))),
            _ = coordinator.asked_to_stop() => return End::Asked,
            signal = signals.next() => return End::Signal(signal),
            failure = crew.lost(coordinator) => return End::Failed(failure),
            _ = tick.tick() => {}
        }
        let Some(summary) = coordinator.run(run) else {
            continue;
        };
        let done = summary.strips_done + summary.strips_leased_done;
        progress.show(done, summary.strips_total, &line(job, &summary));
        crew.look_at_memory();
        if (summary.strips_done, done) != best || summary.phase == Phase::Paused {
            (best, since) = ((summary.strips_done, done), Instant::now());
        } else if let Some(limit) = job
            .args
            .stall_timeout
            .filter(|&limit| since.elapsed() >= limit)
        {
            let state = summary.phase;
            return End::Failed(Failure::Unreachable(format!(
                "no progress for {} ({state}); {} of {} shards are committed, the same command goes on",
                units::show_duration(limit),
                summary.shards_done,
                summary.shards_total
            )));
        }
    }
}

/// What stands beside the bar.
fn line(job: &Job<'_>, summary: &RunSummary) -> String {
    let at = (summary.shards_done as usize).min(job.shards.len() - 1);
    let seconds = job.started.elapsed().as_secs_f64().max(0.001);
    let fresh =
        (summary.strips_done + summary.strips_leased_done).saturating_sub(job.strips_before);
    let rate = if summary.strips_per_s > 0.0 {
        summary.strips_per_s
    } else {
        fresh as f64 / seconds
    };
    let mut text = format!(
        "n = {}, {} of {} shards, {} strips/s",
        job.shards[at].class.n,
        summary.shards_done,
        summary.shards_total,
        units::show_count(rate as u64)
    );
    if let Some(eta) = summary.eta_s.filter(|eta| eta.is_finite()) {
        let eta = Duration::from_secs_f64(eta.clamp(0.0, 1e9));
        let _ = write!(text, ", {} to go", units::show_duration(eta));
    }
    if !matches!(summary.phase, Phase::Running | Phase::Done) {
        let _ = write!(text, ", {}", summary.phase);
    }
    text
}

impl Ended {
    /// Prints the row, and says how the command ends.
    pub(super) fn finish(self, job: &Job<'_>) -> Result<()> {
        let (done, total) = (self.report.shards_done(), self.report.shards_total());
        let goes_on =
            format!("{done} of {total} shards are committed; the same command goes on from there");
        match self.end {
            End::Ran(summary) => {
                if summary.phase == Phase::Done {
                    job.check_what_was_there()?;
                }
                self.report.print(job.context)?;
                match summary.phase {
                    Phase::Quarantined => Err(Failure::Quarantined(format!(
                        "{} of {total} shards are in quarantine; see `toads census quarantine list`, then `requeue` and run again",
                        summary.quarantined
                    ))),
                    Phase::Cancelled => Err(Failure::Failed(format!(
                        "the run was cancelled; {done} of {total} shards are committed"
                    ))),
                    _ => Ok(()),
                }
            }
            // The last shard may be committed while the drain goes on: then everything was done after all.
            End::Signal(_) | End::Asked if done == total => self.report.print(job.context),
            End::Signal(signal) => Err(Failure::Stopped {
                signal,
                note: goes_on,
            }),
            End::Asked => {
                job.say(&format!("asked to stop: {goes_on}"));
                Ok(())
            }
            End::Failed(failure) => Err(failure),
        }
    }
}
