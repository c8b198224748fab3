//! `toads db`: the store itself.

mod diff;
mod merge;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use toads_store::Store;

use crate::args::Context;
use crate::console;
use crate::failure::{Failure, Result};
use crate::output::{Cell, Table};
use crate::source::{Source, Whole};

/// The store itself: facts, copies, checks, merging
#[derive(clap::Subcommand, Debug)]
#[command(after_help = "\
Examples:
  toads db info
  toads db checkpoint --out /backup/toads-2026-11-30
  toads db verify --store /backup/toads-2026-11-30
  toads db merge a.db b.db --into all.db
  toads db diff a.db b.db")]
pub(crate) enum DbVerb {
    /// Facts about the store, among them `digest`
    ///
    /// Columns: key value. `digest` is the content digest of all committed shards; it is the same whatever the order of work,
    /// interruptions, threads and workers.
    #[command(
        after_help = "Examples:\n  toads db info\n  toads db info --format tsv | grep ^digest"
    )]
    Info,
    /// Write a consistent copy of the store to a new folder
    ///
    /// Works while a run goes on. Files are linked where the file system can, so a copy on the same disk is quick and small.
    #[command(after_help = "Examples:\n  toads db checkpoint --out /backup/toads-2026-11-30")]
    Checkpoint {
        /// The folder; it must not exist yet
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Read every row and check it: checksums, counts, references
    ///
    /// Columns: place what, one row for each damage found; exit code 1 when there is any. The values themselves are checked
    /// by `toads census verify`.
    #[command(after_help = "Examples:\n  toads db verify")]
    Verify,
    Merge(merge::MergeArgs),
    Diff(diff::DiffArgs),
    /// Rewrite the files of the store; rows that were removed give their space back
    #[command(after_help = "Examples:\n  toads db compact")]
    Compact,
}

/// Runs the verb.
pub(crate) fn run(verb: &DbVerb, context: &Context) -> Result<()> {
    match verb {
        DbVerb::Info => info(context),
        DbVerb::Checkpoint { out } => checkpoint(out, context),
        DbVerb::Verify => verify(context),
        DbVerb::Merge(args) => merge::run(args, context),
        DbVerb::Diff(args) => diff::run(args, context),
        DbVerb::Compact => compact(context),
    }
}

fn info(context: &Context) -> Result<()> {
    let facts = match Source::reading(context)? {
        Source::Store(store) => store.info()?,
        Source::Remote(remote) => remote.facts()?,
    };
    let mut table = Table::open(context.globals.format, ["key", "value"])?;
    for (key, value) in facts {
        table.row(&[Cell::text(key), Cell::text(value)])?;
    }
    table.close().map(drop)
}

fn checkpoint(out: &Path, context: &Context) -> Result<()> {
    let absolute = std::path::absolute(out).map_err(|error| Failure::path("use", out, &error))?;
    if absolute.symlink_metadata().is_ok() {
        return Err(Failure::Input(format!(
            "{} exists already; name a new folder",
            out.display()
        )));
    }
    match Source::writing(context)? {
        Source::Store(store) => store.checkpoint(&absolute)?,
        Source::Remote(remote) if remote.is_local() => remote.checkpoint(&absolute)?,
        Source::Remote(_) => {
            return Err(Failure::input(
                "a checkpoint is written on the coordinator's machine; run this verb there",
            ));
        }
    }
    console::line(&format!("wrote {}", out.display()));
    Ok(())
}

fn verify(context: &Context) -> Result<()> {
    let whole = Whole::open(context)?;
    let mut table = Table::open(context.globals.format, ["place", "what"])?;
    let mut written = Ok(());
    let (mut damages, mut remedies) = (0u64, BTreeSet::new());
    let verified = whole.store().verify(&mut |damage| {
        damages += 1;
        let (place, what) = damage.place_and_what();
        remedies.insert(toads_store::damage_remedy(&place));
        if written.is_ok() {
            written = table.row(&[Cell::text(place), Cell::text(what)]);
        }
    })?;
    written?;
    table.close()?;
    let read = format!(
        "read {} shards, {} blocks, {} values, {} events, {} surveys with {} cells",
        verified.shards,
        verified.blocks,
        verified.values,
        verified.events,
        verified.surveys,
        verified.cells
    );
    if damages == 0 {
        console::line(&format!("{read}: all is well"));
        return Ok(());
    }
    Err(Failure::Failed(format!(
        "{read}: {damages} are damaged; {}",
        remedies.into_iter().collect::<Vec<_>>().join("; ")
    )))
}

fn compact(context: &Context) -> Result<()> {
    match Source::writing(context)? {
        Source::Store(store) => Ok(store.compact()?),
        Source::Remote(remote) => {
            let text = format!(
                "the store is in use by {}; compact it when that has ended",
                remote.url()
            );
            Err(Failure::Unreachable(text))
        }
    }
}
