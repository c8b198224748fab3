//! `toads db merge`: several stores into one.

use std::path::{Path, PathBuf};

use toads_store::{Merged, RocksStore, merge};

use crate::args::Context;
use crate::console;
use crate::failure::{Failure, Result};
use crate::output::{Cell, Table};
use crate::progress::Progress;
use crate::source::{Whole, now_ms, open_or_make};

/// Put what several stores hold into one
///
/// What is missing is copied, shard by shard; what is there stays. A shard with another digest is told, is not overwritten, and
/// makes the exit code 1. Surveys are merged cell by cell. Runs and the log of the other stores are not copied. The same
/// command again changes nothing; stopped, it goes on where it was. Stores in use are read from a checkpoint.
///
/// Columns: store shards copied there differ cells. One row for each store that was merged; differ counts cells too.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  toads db merge a.db b.db c.db                 b and c into a
  toads db merge a.db b.db --into all.db        both into all.db, which is made where there is none")]
pub(crate) struct MergeArgs {
    /// The stores
    #[arg(required = true, value_name = "DIR")]
    stores: Vec<PathBuf>,

    /// The store to merge into [default: the first one]
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

/// What became of the shards and cells of one store.
#[derive(Default)]
struct Counts {
    copied: u64,
    there: u64,
    differ: u64,
    cells: u64,
}

/// Runs the verb.
pub(super) fn run(args: &MergeArgs, context: &Context) -> Result<()> {
    // Before anything is made.
    for path in &args.stores {
        toads_store::probe(path)?;
        if args.into.as_ref().is_some_and(|into| is_same(path, into)) {
            return Err(Failure::Input(format!(
                "{} cannot be merged into itself; leave it out of the stores, or --into",
                path.display()
            )));
        }
    }
    if let [first, others @ ..] = &args.stores[..]
        && args.into.is_none()
        && others.iter().any(|other| is_same(first, other))
    {
        return Err(Failure::Input(format!(
            "{} cannot be merged into itself; name it once",
            first.display()
        )));
    }
    let (into, others) = match (&args.into, &args.stores[..]) {
        (Some(into), all) => (open_or_make(into, 256 << 20)?, all),
        (None, [_]) => {
            return Err(Failure::input(
                "one store alone cannot be merged; name another one, or --into",
            ));
        }
        (None, [first, others @ ..]) => (open_or_make(first, 256 << 20)?, others),
        (None, []) => return Ok(()),
    };
    let columns = ["store", "shards", "copied", "there", "differ", "cells"];
    let mut table = Table::open(context.globals.format, columns)?;
    let mut differ = 0;
    for path in others {
        let counts = merge_one(path, &into, context)?;
        differ += counts.differ;
        table.row(&[
            Cell::text(path.display()),
            Cell::from(counts.copied + counts.there),
            Cell::from(counts.copied),
            Cell::from(counts.there),
            Cell::from(counts.differ),
            Cell::from(counts.cells),
        ])?;
    }
    table.close()?;
    if differ == 0 {
        return Ok(());
    }
    Err(Failure::Failed(format!(
        "{differ} results differ and were left as they are in {}; `toads db diff` shows the strips, \
         `toads census verify` tells which store is right",
        into.path().display()
    )))
}

/// Whether both are one folder, whatever it is called.
fn is_same(a: &Path, b: &Path) -> bool {
    let (a, b) = (a.canonicalize(), b.canonicalize());
    a.is_ok() && a.ok() == b.ok()
}

fn merge_one(path: &Path, into: &RocksStore, context: &Context) -> Result<Counts> {
    let from = Whole::open(&context.with_store(path))?;
    let mut counts = Counts::default();
    let mut progress = Progress::new(&context.globals, "merge");
    let total = toads_store::Store::shards(from.store(), None)?.len() as u64;
    let origin = path.display().to_string();
    let merged = merge(from.store(), into, &origin, now_ms(), &mut |merged| {
        match merged {
            Merged::Copied(_) => counts.copied += 1,
            Merged::There(_) => counts.there += 1,
            Merged::Cell(_) => counts.cells += 1,
            Merged::Differs { shard, here, there } => {
                counts.differ += 1;
                console::line(&format!(
                    "{} has digest {there} in {origin} and {here} in {}",
                    shard,
                    into.path().display()
                ));
            }
            Merged::CellDiffers(cell, what) => {
                counts.differ += 1;
                console::line(&format!("{cell} of {origin}: {what}"));
            }
        }
        let done = counts.copied + counts.there;
        progress.show(
            done,
            total,
            &format!("{done} of {total} shards of {origin}"),
        );
        from.stop().flow()
    });
    progress.clear();
    merged?;
    let note = "what was copied so far is kept; the same command goes on";
    from.stop().failure(note).map_or(Ok(counts), Err)
}
