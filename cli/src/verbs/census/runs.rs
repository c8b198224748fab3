//! `toads census submit`, `pause`, `resume` and `cancel`.

use toads_store::{Keep, RunRecord, RunState, Store};
use toads_wire::{convert, v1};

use super::status;
use crate::args::Context;
use crate::console;
use crate::failure::{Failure, Result};
use crate::source::{Source, now_ms};
use crate::units::Squares;

/// Have a coordinator compute a range, and return at once
///
/// A range that extends an earlier run goes on from what is there. On a store that nobody holds the run is only entered;
/// whoever opens the store next works on it. Prints the row of `census status`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  toads census submit --squares 1..16 --coordinator http://127.0.0.1:7433\n  toads census submit --squares 18 --variant hopless --keep tallies"
)]
pub(crate) struct SubmitArgs {
    /// Numbers of squares: 7, or 1..12 with both ends
    #[arg(long, value_name = "A..B")]
    squares: Squares,

    /// What is kept: the value of every strip (blocks), or how often each value occurs (tallies)
    #[arg(
        long,
        value_name = "WHAT",
        env = "TOADS_KEEP",
        default_value = "blocks",
        hide_env_values = true
    )]
    keep: Keep,
}

/// Which run
#[derive(clap::Args, Debug)]
pub(crate) struct RunNumber {
    /// The number of a run [default: the latest that is not finished]
    run: Option<u32>,
}

/// What is to become of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// No new work.
    Pause,
    /// Work again.
    Resume,
    /// No more work.
    Cancel,
}

/// Runs `submit`.
pub(crate) fn submit(args: &SubmitArgs, context: &Context) -> Result<()> {
    let variant = context.globals.variant;
    let source = Source::writing(context)?;
    let run = match &source {
        Source::Remote(remote) => {
            let range = Some(convert::to_range(variant, &args.squares.range()));
            let keep = convert::to_keep(args.keep == Keep::Blocks).into();
            let request = v1::SubmitRunRequest { range, keep };
            remote.call(|mut client| async move { client.submit_run(request).await })?
        }
        Source::Store(store) => {
            let runs = store.runs()?;
            let (first_n, last_n) = (args.squares.first, args.squares.last);
            let same = |run: &&RunRecord| {
                (run.variant, run.first_n, run.last_n, run.keep)
                    == (variant, first_n, last_n, args.keep)
            };
            let id = runs.iter().find(same).map_or_else(
                || runs.iter().map(|run| run.id).max().unwrap_or(0) + 1,
                |run| run.id,
            );
            let run = RunRecord {
                id,
                variant,
                first_n,
                last_n,
                keep: args.keep,
                state: RunState::Active,
                created_ms: now_ms(),
            };
            store.put_run(&run)?;
            console::line("nobody works on this store; a coordinator or `toads census run` will");
            status::pick(&status::all(&source)?, Some(id))?
        }
    };
    status::print(&run, context)
}

/// Runs `pause`, `resume` or `cancel`.
pub(crate) fn set(number: &RunNumber, wish: Wish, context: &Context) -> Result<()> {
    let source = Source::writing(context)?;
    let picked = status::pick(&status::all(&source)?, number.run)?;
    let run = picked.run;
    if picked.phase() == v1::RunPhase::Done && wish != Wish::Resume {
        let what = if wish == Wish::Pause {
            "pause"
        } else {
            "cancel"
        };
        return Err(Failure::Input(format!(
            "run {run} is done: all its {} shards are committed, and there is nothing to {what}",
            picked.shards_total
        )));
    }
    let after = match &source {
        Source::Remote(remote) => remote.call(|mut client| async move {
            match wish {
                Wish::Pause => client.pause(v1::PauseRequest { run }).await,
                Wish::Resume => client.resume(v1::ResumeRequest { run }).await,
                Wish::Cancel => client.cancel(v1::CancelRequest { run }).await,
            }
        })?,
        Source::Store(store) => {
            let record = store.runs()?.into_iter().find(|record| record.id == run);
            let record = record.ok_or_else(|| Failure::Input(format!("there is no run {run}")))?;
            if record.state == RunState::Cancelled && matches!(wish, Wish::Pause) {
                return Err(Failure::Input(format!(
                    "run {run} is cancelled; `toads census resume {run}` takes it up again"
                )));
            }
            let state = match wish {
                Wish::Pause => RunState::Paused,
                Wish::Resume => RunState::Active,
                Wish::Cancel => RunState::Cancelled,
            };
            store.put_run(&RunRecord { state, ..record })?;
            status::pick(&status::all(&source)?, Some(run))?
        }
    };
    status::print(&after, context)
}
