//! From start to end: the coordinator, its workers, signals, and what ends a survey.

use std::sync::Arc;
use std::time::Duration;

use toads_coordinator::{Config, Coordinator, Leases, SurveyPhase, SurveySummary};
use toads_store::RocksStore;
use toads_survey::{Survey, SurveyId};

use super::run::Work;
use crate::args::Context;
use crate::console;
use crate::failure::{Failure, Result, Signal};
use crate::progress::Progress;
use crate::signals::Signals;
use crate::source::holder;
use crate::units;
use crate::verbs::crew::{Crew, CrewPlan};

/// How it came to its end.
enum End {
    /// Every cell is done, or somebody cancelled it.
    Ran(Box<SurveySummary>),
    /// A signal.
    Signal(Signal),
    /// `Census.Shutdown` was called.
    Asked,
    /// It cannot go on.
    Failed(Failure),
}

/// Runs it. Whatever the end, workers and coordinator are stopped and the store is synced when this returns.
pub(super) async fn drive(
    survey: &Survey,
    store: &Arc<RocksStore>,
    work: &Work,
    context: &Context,
) -> Result<()> {
    let mut signals = Signals::listen()?;
    let config = Config {
        leases: Leases::Cells,
        ..Config::local()
    };
    let coordinator = Coordinator::start(config, store.clone()).await?;
    store.announce(&holder(&coordinator))?;
    let id = survey.id();
    coordinator
        .submit_survey(survey.clone(), work.retry)
        .await?;
    let plan = CrewPlan {
        name: "survey-run",
        workers: work.workers,
        threads: work
            .threads
            .unwrap_or_else(|| (units::cores() / work.workers.max(1)).max(1)),
        memory: work.memory(),
        grace: work.grace,
        globals: &context.globals,
    };
    let mut crew = Crew::start(&plan, &coordinator)?;
    let mut progress = Progress::new(&context.globals, "survey");
    let end = watch(id, &coordinator, &mut crew, &mut signals, &mut progress).await;
    progress.clear();
    let say = |text: &str| {
        if context.globals.quiet == 0 {
            console::line(text);
        }
    };
    let grace = match &end {
        End::Signal(signal) => {
            say(&format!(
                "{signal}: finishing what is being evaluated; once more to stop at once"
            ));
            work.grace
        }
        End::Asked => work.grace,
        End::Ran(_) => Duration::from_secs(5),
        End::Failed(_) => Duration::from_secs(1),
    };
    coordinator.drain();
    crew.drain();
    tokio::select! {
        () = crew.gone(grace) => {}
        signal = signals.next() => say(&format!("{signal} again: stopping now")),
    }
    crew.kill().await;
    let last = coordinator.survey(id);
    let stopped = coordinator.shutdown(Duration::from_millis(100)).await;
    finish(end, last.as_ref())?;
    Ok(stopped?)
}

async fn watch(
    id: SurveyId,
    coordinator: &Coordinator,
    crew: &mut Crew,
    signals: &mut Signals,
    progress: &mut Progress,
) -> End {
    let mut tick = tokio::time::interval(Duration::from_millis(100));
    loop {
        tokio::select! {
            ran = coordinator.wait_survey(id) => match ran {
                Ok(summary) => return End::Ran(Box::new(summary)),
                Err(error) => return End::Failed(error.into()),
            },
            why = coordinator.failed() => {
                let text = format!("the store failed: {why}; what is done is safe");
                return End::Failed(Failure::Failed(text));
            }
            _ = coordinator.asked_to_stop() => return End::Asked,
            signal = signals.next() => return End::Signal(signal),
            failure = crew.lost(coordinator) => return End::Failed(failure),
            _ = tick.tick() => {}
        }
        if let Some(summary) = coordinator.survey(id) {
            let counts = summary.counts;
            let failed = match counts.failed {
                0 => String::new(),
                some => format!(", {some} failed"),
            };
            let line = format!("{} of {} cells{failed}", counts.done(), counts.cells);
            progress.show(counts.done().into(), counts.cells.into(), &line);
        }
    }
}

/// How the command ends.
fn finish(end: End, last: Option<&SurveySummary>) -> Result<()> {
    let (done, cells) = last.map_or((0, 0), |last| (last.counts.done(), last.counts.cells));
    let goes_on = format!("{done} of {cells} cells are done; the same command goes on from there");
    match end {
        End::Ran(summary) if summary.phase == SurveyPhase::Cancelled => Err(Failure::Failed(
            format!("the survey was cancelled; {done} of {cells} cells are done"),
        )),
        End::Ran(_) => Ok(()),
        // The last cell may be done while the drain goes on: then everything was done after all.
        End::Signal(_) | End::Asked if last.is_some() && done == cells => Ok(()),
        End::Signal(signal) => Err(Failure::Stopped {
            signal,
            note: goes_on,
        }),
        End::Asked => Err(Failure::Failed(format!("asked to stop: {goes_on}"))),
        End::Failed(failure) => Err(failure),
    }
}
