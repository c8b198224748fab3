//! `toads census verify`: the mathematics of what is stored, checked by code that is not the kernel's (promise P21).

use std::path::PathBuf;

use toads_dataset::audit::{AuditOptions, audit};
use toads_strip::Variant;

use super::against;
use super::shards::ShardName;
use crate::args::Context;
use crate::console;
use crate::failure::{Failure, Result};
use crate::output::{Cell, Table};
use crate::progress::Progress;
use crate::source::Whole;
use crate::units::{self, Squares};

/// Check the mathematics of what is stored
///
/// Every value must be the canonical form of its options, mirrors must negate, dead ends must not matter, counts must be
/// multinomials. Columns: shard damage detail, one row for each finding; exit code 1 when there is any. Works while a run
/// goes on, on a checkpoint. Both variants, unless --variant is given on the command line.
///
/// With --against the store is compared with an exported Parquet dataset instead: its checksums, then every strip and every
/// tally. Columns: file difference detail.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  toads census verify\n  toads census verify --squares 1..10 --variant hop\n  toads census verify --one-in 100\n  toads census verify --shard hop/12/4/4\n  toads census verify --against toads-dataset"
)]
pub(crate) struct VerifyArgs {
    /// Numbers of squares: 7, or 1..12 with both ends [default: all there are]
    #[arg(long, value_name = "A..B")]
    squares: Option<Squares>,

    /// Only this shard, such as hop/14/5/4; may be given several times
    #[arg(long, value_name = "SHARD")]
    shard: Vec<ShardName>,

    /// Check one strip in N, chosen by --seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = units::one_in)]
    one_in: u64,

    /// Which strips are chosen
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Compare the store with this folder, which `toads export parquet` wrote
    #[arg(long, value_name = "DATASET", conflicts_with_all = ["shard", "one_in", "seed"])]
    against: Option<PathBuf>,
}

/// Runs the verb.
pub(crate) fn run(args: &VerifyArgs, context: &Context) -> Result<()> {
    if let Some(folder) = &args.against {
        return against::run(folder, args.squares, context);
    }
    let whole = Whole::open(context)?;
    let variant: Option<Variant> = context
        .is_flag("variant")
        .then_some(context.globals.variant);
    let options = AuditOptions {
        variant,
        squares: args.squares.map(Squares::range),
        shards: args.shard.iter().map(|name| name.0).collect(),
        one_in: args.one_in,
        seed: args.seed,
        ..AuditOptions::default()
    };
    let mut table = Table::open(context.globals.format, ["shard", "damage", "detail"])?;
    let mut written = Ok(());
    let mut progress = Progress::new(&context.globals, "verify");
    let audited = audit(
        whole.store(),
        &options,
        &mut |at| {
            let text = format!(
                "{} of {} shards, {}",
                at.shards_done,
                at.shards_total,
                at.shard
                    .map_or_else(String::new, |shard| ShardName(shard).to_string())
            );
            progress.show(at.strips_done, at.strips_total, &text);
            whole.stop().flow()
        },
        &mut |finding| {
            if written.is_ok() {
                written = table.row(&[
                    Cell::text(ShardName(finding.shard)),
                    Cell::text(finding.damage),
                    Cell::text(&finding.detail),
                ]);
            }
        },
    );
    progress.clear();
    written?;
    table.close()?;
    let stopped = whole.stop().failure("what was checked so far is shown");
    let summary = match (audited, stopped) {
        (Err(_), Some(stopped)) => return Err(stopped),
        (audited, _) => audited?,
    };
    let checked = format!(
        "checked {} shards, {} of {} strips, {} values",
        summary.shards,
        units::show_count(summary.strips_checked),
        units::show_count(summary.strips),
        units::show_count(summary.values)
    );
    if summary.shards == 0 {
        return Err(Failure::Input(
            "nothing to verify: no shard of what was asked for is committed; `toads census status` tells what is there"
                .to_owned(),
        ));
    }
    if summary.is_sound() {
        console::line(&format!("{checked}: all is sound"));
        return Ok(());
    }
    Err(Failure::Failed(format!(
        "{checked}: {} findings; `toads census invalidate SHARD`, then run the census again",
        summary.findings
    )))
}
