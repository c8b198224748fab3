//! `toads census status`: where runs stand.

use toads_census::plan;
use toads_store::{Keep, RunRecord, RunState, ShardRecord, Store};
use toads_wire::{convert, v1};

use crate::args::Context;
use crate::console;
use crate::failure::{Failure, Result};
use crate::output::{Cell, Table};
use crate::source::Source;
use crate::units;

/// Where every run stands
///
/// Columns: run variant squares state shards_done shards_total strips_done strips_total strips_per_s eta_s workers
/// quarantined keep. Figures are folds over committed shards. Works on a store, on a store that a run holds, and with
/// --coordinator. A run that nobody works on is `idle`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  toads census status\n  toads census status 2 --format json\n  toads census status --coordinator http://127.0.0.1:7433"
)]
pub(crate) struct StatusArgs {
    /// The number of a run [default: all]
    run: Option<u32>,
}

/// The columns.
pub(super) const COLUMNS: [&str; 13] = [
    "run",
    "variant",
    "squares",
    "state",
    "shards_done",
    "shards_total",
    "strips_done",
    "strips_total",
    "strips_per_s",
    "eta_s",
    "workers",
    "quarantined",
    "keep",
];

/// Runs `status`.
pub(crate) fn status(args: &StatusArgs, context: &Context) -> Result<()> {
    let runs = all(&Source::reading(context)?)?;
    let mut table = Table::open(context.globals.format, COLUMNS)?;
    let mut found = false;
    for run in runs
        .iter()
        .filter(|run| args.run.is_none_or(|wanted| wanted == run.run))
    {
        found = true;
        table.row(&row(run))?;
    }
    table.close()?;
    match args.run {
        Some(wanted) if !found => Err(no_run(wanted)),
        _ => Ok(()),
    }
}

/// How a run that has ended counts.
pub(super) fn ended(run: &v1::RunStatus) -> Option<Result<()>> {
    match run.phase() {
        v1::RunPhase::Done => Some(Ok(())),
        v1::RunPhase::Cancelled => Some(Err(Failure::Failed(format!(
            "run {} was cancelled",
            run.run
        )))),
        v1::RunPhase::Quarantined => Some(Err(Failure::Quarantined(format!(
            "run {} ended with {} shards in quarantine; see `toads census quarantine list`",
            run.run, run.quarantined
        )))),
        _ => None,
    }
}

/// The run that is meant: the one named, else the latest that is not finished, else the latest.
pub(super) fn pick(runs: &[v1::RunStatus], wanted: Option<u32>) -> Result<v1::RunStatus> {
    let found = match wanted {
        Some(number) => runs.iter().find(|run| run.run == number),
        None => runs
            .iter()
            .rev()
            .find(|run| ended(run).is_none())
            .or(runs.last()),
    };
    found.cloned().ok_or_else(|| match wanted {
        Some(number) => no_run(number),
        None => Failure::input(
            "there is no run yet; start one with `toads census run` or `toads census submit`",
        ),
    })
}

fn no_run(number: u32) -> Failure {
    Failure::Input(format!(
        "there is no run {number}; `toads census status` lists them"
    ))
}

/// Says on standard error when the coordinator that was asked is open to everybody (promise P18).
fn warn_of_insecurity(protection: &str) {
    if protection.starts_with("INSECURE") {
        console::warning(protection);
    }
}

/// All runs of a source.
pub(super) fn all(source: &Source) -> Result<Vec<v1::RunStatus>> {
    match source {
        Source::Remote(remote) => {
            let listed = remote
                .call(|mut client| async move { client.list_runs(v1::ListRunsRequest {}).await })?;
            warn_of_insecurity(&listed.protection);
            Ok(listed.runs)
        }
        Source::Store(store) => {
            let records = store.shards(None)?;
            let quarantined: Vec<_> = store
                .quarantine()?
                .into_iter()
                .map(|record| record.shard)
                .collect();
            Ok(store
                .runs()?
                .iter()
                .map(|run| fold(run, &records, &quarantined))
                .collect())
        }
    }
}

/// Where a run of a store that nobody works on stands.
pub(super) fn fold(
    run: &RunRecord,
    records: &[ShardRecord],
    quarantined: &[toads_census::Shard],
) -> v1::RunStatus {
    let squares = run.first_n..=run.last_n;
    let shards = plan::shards(run.variant, squares.clone());
    let done = records
        .iter()
        .filter(|record| run.covers(record.shard) && is_done(record, run.keep));
    let (shards_done, strips_done) = done.fold((0, 0), |(count, strips), record| {
        (count + 1, strips + record.shard.strips_answered())
    });
    let quarantined = quarantined
        .iter()
        .filter(|&&shard| run.covers(shard))
        .count() as u64;
    let shards_total = shards.len() as u64;
    let (phase, state) = match run.state {
        RunState::Cancelled => (v1::RunPhase::Cancelled, "cancelled"),
        _ if shards_done == shards_total => (v1::RunPhase::Done, "done"),
        _ if quarantined > 0 && shards_done + quarantined >= shards_total => {
            (v1::RunPhase::Quarantined, "quarantined")
        }
        RunState::Paused => (v1::RunPhase::Paused, "paused"),
        RunState::Active => (v1::RunPhase::Stalled, "idle"),
    };
    v1::RunStatus {
        run: run.id,
        range: Some(convert::to_range(run.variant, &squares)),
        keep: convert::to_keep(run.keep == Keep::Blocks).into(),
        phase: phase.into(),
        state: state.to_owned(),
        shards_done,
        shards_total,
        strips_done,
        strips_total: shards.iter().map(|shard| shard.strips_answered()).sum(),
        quarantined,
        ..v1::RunStatus::default()
    }
}

/// Whether a committed shard has what a run keeps.
pub(super) fn is_done(record: &ShardRecord, keep: Keep) -> bool {
    keep == Keep::Tallies || record.blocks > 0
}

/// A row of the table.
pub(super) fn row(run: &v1::RunStatus) -> Vec<Cell> {
    let range = convert::range(run.range.as_ref());
    let (variant, squares) = range.map_or_else(
        |_| (Cell::Empty, Cell::Empty),
        |(variant, squares)| {
            let squares = units::Squares {
                first: *squares.start(),
                last: *squares.end(),
            };
            (Cell::text(variant), Cell::text(squares))
        },
    );
    let keep = convert::keep_blocks(run.keep).map_or(Cell::Empty, |blocks| {
        Cell::from(if blocks { "blocks" } else { "tallies" })
    });
    vec![
        Cell::from(run.run),
        variant,
        squares,
        Cell::text(&run.state),
        Cell::from(run.shards_done),
        Cell::from(run.shards_total),
        Cell::from(run.strips_done),
        Cell::from(run.strips_total),
        Cell::Measure(run.strips_per_s.round()),
        run.eta_s
            .map_or(Cell::Empty, |seconds| Cell::Measure(seconds.round())),
        Cell::from(run.workers),
        Cell::from(run.quarantined),
        keep,
    ]
}

/// The table's columns, for verbs that print one row of it.
pub(super) fn print(run: &v1::RunStatus, context: &Context) -> Result<()> {
    let mut table = Table::open(context.globals.format, COLUMNS)?;
    table.row(&row(run))?;
    table.close().map(drop)
}
