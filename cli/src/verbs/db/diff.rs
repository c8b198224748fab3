//! `toads db diff`: do two stores say the same?

use std::path::PathBuf;

use toads_dataset::compare::{CompareOptions, Difference, Side, compare_stores};

use crate::args::Context;
use crate::console;
use crate::failure::{Failure, Result};
use crate::output::{Cell, Table};
use crate::progress::Progress;
use crate::source::Whole;
use crate::units::Squares;

/// Compare what two stores say, by the content of values
///
/// Exit code 1 when they differ. Columns: shard difference at left right. difference is only_left or only_right (a shard that
/// one store has), digest (both have it and differ), strip (a strip with two values) or count (a value that occurs a different
/// number of times, where a store keeps tallies alone); at is the strip or the value. Both variants, unless --variant is
/// given on the command line. Stores in use are read from a checkpoint.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  toads db diff a.db b.db\n  toads db diff a.db b.db --squares 1..12 --strips 1"
)]
pub(crate) struct DiffArgs {
    /// A store
    #[arg(value_name = "LEFT")]
    left: PathBuf,

    /// Another one
    #[arg(value_name = "RIGHT")]
    right: PathBuf,

    /// Numbers of squares: 7, or 1..12 with both ends [default: all there are]
    #[arg(long, value_name = "A..B")]
    squares: Option<Squares>,

    /// Strips told for each shard that differs, at most
    #[arg(long, value_name = "N", default_value_t = 10)]
    strips: usize,

    /// Characters of a value's text at most [default: whole]
    #[arg(long, value_name = "N", env = "TOADS_MAX_TEXT", hide_env_values = true)]
    max_text: Option<usize>,
}

/// Runs the verb.
pub(super) fn run(args: &DiffArgs, context: &Context) -> Result<()> {
    let left = Whole::open(&context.with_store(&args.left))?;
    let right = Whole::open(&context.with_store(&args.right))?;
    let options = CompareOptions {
        variant: context
            .is_flag("variant")
            .then_some(context.globals.variant),
        squares: args.squares.map(Squares::range),
        strips: args.strips,
        max_text: args.max_text,
    };
    let columns = ["shard", "difference", "at", "left", "right"];
    let mut table = Table::open(context.globals.format, columns)?;
    let mut written = Ok(());
    let mut progress = Progress::new(&context.globals, "diff");
    let compared = compare_stores(
        left.store(),
        right.store(),
        &options,
        &mut |at| {
            let text = at.shard.to_string();
            progress.show(at.shards_done as u64, at.shards_total as u64, &text);
            left.stop().flow()
        },
        &mut |difference| {
            if written.is_ok() {
                written = table.row(&row(difference));
            }
        },
    );
    progress.clear();
    written?;
    table.close()?;
    let stopped = left.stop().failure("what was found so far is shown");
    let summary = match (compared, stopped) {
        (Err(_), Some(stopped)) => return Err(stopped),
        (compared, _) => compared?,
    };
    if summary.is_equal() && summary.equal == 0 {
        return Err(Failure::input(
            "nothing to compare: neither store has a shard of what was asked for; `toads census status --store DIR` tells what is there",
        ));
    }
    if summary.is_equal() {
        console::line(&format!("equal: {} shards", summary.equal));
        return Ok(());
    }
    Err(Failure::Failed(format!(
        "they differ: {} shards are equal, {} differ, {} are only in {}, {} only in {}",
        summary.equal,
        summary.different,
        summary.only_left,
        args.left.display(),
        summary.only_right,
        args.right.display()
    )))
}

fn row(difference: &Difference) -> [Cell; 5] {
    match difference {
        Difference::Only {
            shard,
            side,
            digest,
        } => {
            let (name, left, right) = match side {
                Side::Left => ("only_left", Cell::text(digest), Cell::Empty),
                Side::Right => ("only_right", Cell::Empty, Cell::text(digest)),
            };
            [
                Cell::text(*shard),
                Cell::from(name),
                Cell::Empty,
                left,
                right,
            ]
        }
        Difference::Digest { shard, left, right } => [
            Cell::text(*shard),
            Cell::from("digest"),
            Cell::Empty,
            Cell::text(left),
            Cell::text(right),
        ],
        Difference::Strip {
            shard,
            strip,
            left,
            right,
        } => [
            Cell::text(*shard),
            Cell::from("strip"),
            Cell::text(strip),
            Cell::text(left),
            Cell::text(right),
        ],
        Difference::Count {
            shard,
            value,
            left,
            right,
        } => [
            Cell::text(*shard),
            Cell::from("count"),
            Cell::text(value),
            Cell::from(*left),
            Cell::from(*right),
        ],
    }
}
