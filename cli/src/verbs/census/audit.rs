//! `toads census verify`: the mathematics of what is stored, checked by code that is not the kernel's (promise P21).

use std::path::PathBuf;

use toads_census::Shard;
use toads_dataset::audit::{AuditOptions, audit};
use toads_strip::Variant;

use super::against;
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
/// An audit with --journal that was interrupted goes on with the same command. A shard that was computed again meanwhile is
/// checked again.
///
/// With --against the store is compared with an exported Parquet dataset instead: its checksums, then every strip and every
/// tally. Columns: file difference detail.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  toads census verify\n  toads census verify --squares 1..10 --variant hop\n  toads census verify --sample 100 --journal verify.journal\n  toads census verify --shard hop/12/4/4\n  toads census verify --against toads-dataset"
)]
pub(crate) struct VerifyArgs {
    /// Numbers of squares: 7, or 1..12 with both ends [default: all there are]
    #[arg(long, value_name = "A..B")]
    squares: Option<Squares>,

    /// Only this shard, such as hop/14/5/4; may be given several times
    #[arg(long, value_name = "SHARD")]
    shard: Vec<Shard>,

    /// Check one strip in N, chosen by --seed; all the rest is checked whole
    #[arg(long, visible_alias = "one-in", value_name = "N", default_value_t = 1, value_parser = units::one_in)]
    sample: u64,

    /// Which strips are chosen
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Note each shard that is done in FILE; those that stand there already are told from it
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,

    /// Threads, a shard each at a time [default: all processors]
    #[arg(long, value_name = "N", value_parser = units::threads)]
    threads: Option<usize>,

    /// Compare the store with this folder, which `toads export parquet` wrote
    #[arg(long, value_name = "DATASET", conflicts_with_all = ["shard", "sample", "seed", "journal", "threads"])]
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
    let defaults = AuditOptions::default();
    let options = AuditOptions {
        variant,
        squares: args.squares.map(Squares::range),
        shards: args.shard.clone(),
        one_in: args.sample,
        seed: args.seed,
        journal: args.journal.clone(),
        journal_of: whose(context),
        threads: args.threads.unwrap_or(defaults.threads),
        ..defaults
    };
    let mut table = Table::open(context.globals.format, ["shard", "damage", "detail"])?;
    let mut written = Ok(());
    let mut progress = Progress::new(&context.globals, "verify");
    let audited = audit(
        whole.store(),
        &options,
        &mut |at| {
            let text = match at.shard {
                Some(shard) => format!("the values of {shard}"),
                None => format!("{} of {} shards", at.shards_done, at.shards_total),
            };
            progress.show(at.strips_done, at.strips_total, &text);
            whole.stop().flow()
        },
        &mut |finding| {
            if written.is_ok() {
                written = table.row(&[
                    Cell::text(finding.shard),
                    Cell::text(finding.damage),
                    Cell::text(&finding.detail),
                ]);
            }
        },
    );
    progress.clear();
    written?;
    table.close()?;
    let stopped = whole.stop().failure(if args.journal.is_some() {
        "what was checked so far is shown; the same command goes on from there"
    } else {
        "what was checked so far is shown; with --journal FILE it could go on"
    });
    let summary = match (audited, stopped) {
        (Err(_), Some(stopped)) => return Err(stopped),
        (audited, _) => audited?,
    };
    let earlier = match summary.earlier {
        0 => String::new(),
        earlier => format!(" ({earlier} of them earlier)"),
    };
    let checked = format!(
        "checked {} shards{earlier}, {} of {} strips, {} values",
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
    if summary.earlier == summary.shards {
        console::line(
            "the journal has all of it: nothing was read now; remove it to check once more",
        );
    }
    if summary.is_sound() {
        console::line(&format!("{checked}: all is sound"));
        return Ok(());
    }
    Err(Failure::Failed(format!(
        "{checked}: {} found wrong; `toads census invalidate SHARD`, then run the census again",
        summary.findings
    )))
}

/// The store or coordinator that an audit is about, by which its journal knows it.
fn whose(context: &Context) -> String {
    let globals = &context.globals;
    globals.coordinator.clone().unwrap_or_else(|| {
        let path = &globals.store;
        path.canonicalize()
            .unwrap_or_else(|_| path.clone())
            .display()
            .to_string()
    })
}
