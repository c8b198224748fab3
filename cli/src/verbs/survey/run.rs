//! `toads survey run`: coordinator and workers in one process tree, over one store.

use std::sync::Arc;
use std::time::Duration;

use toads_store::{RocksStore, SurveyRecord, SurveyState};
use toads_survey::Survey;

use super::drive;
use super::file::Asked;
use super::status::{fold, print};
use crate::args::Context;
use crate::failure::{Failure, Result};
use crate::source::{now_ms, open_or_make};
use crate::units;
use crate::{console, memory};

/// Evaluate cells here, and keep what was found in the store
///
/// Starts, or goes on from what an earlier run in the same store left, whatever stopped it. Ctrl-C (or SIGTERM) finishes or
/// gives back what is being evaluated and stops; a second one stops at once. Nothing that is done is ever lost or evaluated
/// again. Unfinished runs of a census in the same store wait until `toads census run`.
///
/// Prints the row of `survey status` when it is done; `toads survey show` prints the cells.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  toads survey run cells.tsv
  toads survey run cells.tsv --store tables.db --workers 2 --threads 1
  toads survey run - --variant hopless < cells.tsv
  toads survey run cells.tsv --retry --memory 16GiB         once more what failed")]
pub(crate) struct RunArgs {
    #[command(flatten)]
    asked: Asked,

    #[command(flatten)]
    work: Work,
}

/// Who evaluates, and for how long
#[derive(clap::Args, Debug)]
pub(crate) struct Work {
    /// Worker processes; 0 evaluates in this process
    #[arg(long, value_name = "N", env = "TOADS_WORKERS", hide_env_values = true, default_value_t = 0, value_parser = units::workers)]
    pub(crate) workers: usize,

    /// Evaluation threads, in each worker [default: all cores, shared by the workers]
    #[arg(long, value_name = "N", env = "TOADS_THREADS", hide_env_values = true, value_parser = units::threads)]
    pub(crate) threads: Option<usize>,

    /// Memory for all workers together, such as 8GiB [default: 60 % of the machine's]
    #[arg(long, value_name = "SIZE", env = "TOADS_MEMORY", hide_env_values = true, value_parser = units::bytes)]
    pub(crate) memory: Option<u64>,

    /// How long what is being evaluated may go on after the first signal
    #[arg(long, value_name = "TIME", env = "TOADS_GRACE", hide_env_values = true, default_value = "10s", value_parser = units::duration)]
    pub(crate) grace: Duration,

    /// Try the cells again that failed before
    #[arg(long)]
    pub(crate) retry: bool,
}

impl Work {
    /// Memory for all workers together.
    pub(super) fn memory(&self) -> u64 {
        self.memory.unwrap_or_else(|| memory::available() / 10 * 6)
    }
}

/// Runs the verb.
pub(super) fn run(args: &RunArgs, context: &Context) -> Result<()> {
    if context.is_flag("coordinator") {
        return Err(Failure::input(
            "`survey run` evaluates here; `toads survey submit` has a coordinator evaluate",
        ));
    }
    let survey = args.asked.survey(context.globals.variant)?;
    let store = Arc::new(open_or_make(&context.globals.store, 64 << 20)?);
    evaluate(&survey, &store, &args.work, context)?;
    let record = record(survey);
    let status = fold(&store, &record)?;
    if status.failed > 0 && context.globals.quiet == 0 {
        console::line(&format!(
            "{} of {} cells failed; `toads survey show` says why",
            status.failed, status.cells
        ));
    }
    print(&[status], context)
}

/// Has every cell of a survey evaluated that is not done yet: the store has all of them when this returns. Ends early, with
/// the failure that says how to go on, at a signal.
pub(crate) fn evaluate(
    survey: &Survey,
    store: &Arc<RocksStore>,
    work: &Work,
    context: &Context,
) -> Result<()> {
    let status = fold(store, &record(survey.clone()))?;
    let (done, say) = (
        status.exact + status.bounded + status.failed,
        |text: &str| {
            if context.globals.quiet == 0 {
                console::line(text);
            }
        },
    );
    if done == status.cells && !(work.retry && status.failed > 0) {
        say(&format!("complete already: all {done} cells were there"));
        return Ok(());
    }
    if done == 0 {
        say(&format!(
            "{} cells to evaluate into {}",
            status.cells,
            store.path().display()
        ));
    } else {
        let again = if work.retry && status.failed > 0 {
            format!(", {} of them failed and are tried again", status.failed)
        } else {
            String::new()
        };
        say(&format!(
            "continues: {done} of {} cells were there{again}",
            status.cells
        ));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(units::cores().clamp(2, 4))
        .enable_all()
        .build();
    let runtime =
        runtime.map_err(|error| Failure::failed(format_args!("cannot start threads: {error}")))?;
    let ended = runtime.block_on(drive::drive(survey, store, work, context));
    // Whatever still waits in there (a worker that was stopped at once) ends with the process.
    runtime.shutdown_timeout(Duration::from_secs(2));
    ended
}

fn record(survey: Survey) -> SurveyRecord {
    SurveyRecord {
        survey,
        state: SurveyState::Active,
        created_ms: now_ms(),
    }
}
