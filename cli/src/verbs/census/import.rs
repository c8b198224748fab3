//! `toads census import`: the parts of a split census into a store.

use std::fs::File;
use std::path::{Path, PathBuf};

use toads_coordinator::import::{ImportError, Imported, import_part};
use toads_store::RocksStore;

use super::split;
use crate::args::{Context, Target};
use crate::console;
use crate::failure::{Failure, Result};
use crate::output::{Cell, Table};
use crate::progress::Progress;
use crate::signals::Stop;
use crate::source::{now_ms, open_or_make};

/// Put the parts that `toads census shard` wrote into a store
///
/// Each file is read whole and checked before anything of it is stored; its results then pass the checks that a
/// coordinator makes. What is there already is not written again, and never overwritten: a shard with another digest is
/// told, stays as it is, and makes the exit code 1. A file that is refused does not keep the others out. The store is made
/// where there is none; `toads census run` with the same range computes what is missing.
///
/// Columns: file part shards committed there differ state. state is imported or refused.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  toads census import part-*.toads --store census.db
  toads census plan --squares 1..16 --store census.db    what is still missing
  toads census run --squares 1..16 --store census.db     computes that")]
pub(crate) struct ImportArgs {
    /// The files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// What became of the shards of a file.
#[derive(Default)]
struct Counts {
    committed: u64,
    there: u64,
    differ: u64,
}

/// Runs the verb.
pub(crate) fn run(args: &ImportArgs, context: &Context) -> Result<()> {
    let Target::Store(path) = context.target()? else {
        let text =
            "parts are put into a store on this machine: name it with --store, and no coordinator";
        return Err(Failure::input(text));
    };
    if !path.exists() {
        one_readable(&args.files)?;
    }
    let store = open_or_make(&path, 256 << 20)?;
    let stop = Stop::listen(None)?;
    let columns = [
        "file",
        "part",
        "shards",
        "committed",
        "there",
        "differ",
        "state",
    ];
    let mut table = Table::open(context.globals.format, columns)?;
    let (mut refused, mut differ) = (Vec::new(), 0);
    let mut progress = Progress::new(&context.globals, "import");
    for (at, file) in args.files.iter().enumerate() {
        let text = file.display().to_string();
        progress.show(at as u64, args.files.len() as u64, &text);
        let mut counts = Counts::default();
        let imported = import(&store, file, &mut counts, &stop);
        let (part, state) = match &imported {
            Ok(part) => (Cell::text(part), "imported"),
            Err(ImportError::Stopped | ImportError::Store(_)) => (Cell::Empty, "stopped"),
            Err(_) => (Cell::Empty, "refused"),
        };
        let Counts {
            committed, there, ..
        } = counts;
        table.row(&[
            Cell::text(&text),
            part,
            Cell::from(committed + there + counts.differ),
            Cell::from(committed),
            Cell::from(there),
            Cell::from(counts.differ),
            Cell::from(state),
        ])?;
        differ += counts.differ;
        match imported {
            Ok(_) => {}
            Err(ImportError::Stopped) => break,
            Err(ImportError::Store(error)) => return Err(error.into()),
            Err(error) => refused.push(failure(error)),
        }
    }
    progress.clear();
    table.close()?;
    let note = "what was imported so far is kept; the same command goes on";
    if let Some(stopped) = stop.failure(note) {
        return Err(stopped);
    }
    outcome(refused, differ, args.files.len())
}

/// Something to begin a store with: mistyped names make none.
fn one_readable(files: &[PathBuf]) -> Result<()> {
    let mut first = None;
    for file in files {
        match File::open(file) {
            Ok(_) => return Ok(()),
            Err(error) => first = first.or(Some((file, error))),
        }
    }
    first.map_or(Ok(()), |(file, error)| {
        Err(Failure::path("read", file, &error))
    })
}

/// The first thing that is wrong is the error, the others are told before.
fn outcome(mut refused: Vec<Failure>, differ: u64, files: usize) -> Result<()> {
    if refused.is_empty() {
        return match differ {
            0 => Ok(()),
            _ => Err(Failure::Failed(format!(
                "{differ} shards are in the store with another digest and were left alone; `toads census verify` tells \
                 which of two stores is right"
            ))),
        };
    }
    let first = refused.remove(0);
    for other in &refused {
        console::line(&format!("refused: {other}"));
    }
    Err(match first {
        Failure::Failed(text) if files > 1 => Failure::Failed(format!(
            "{text} (refused: {} of {files} files; the others were imported)",
            refused.len() + 1
        )),
        first => first,
    })
}

/// Imports a file; which part it is.
fn import(
    store: &RocksStore,
    file: &Path,
    counts: &mut Counts,
    stop: &Stop,
) -> Result<String, ImportError> {
    let mut each = |shard, imported| {
        match imported {
            Imported::Committed => counts.committed += 1,
            Imported::There => counts.there += 1,
            Imported::Differs { stored, offered } => {
                counts.differ += 1;
                console::line(&format!(
                    "{} is stored with digest {stored} and has {offered} in {}",
                    shard,
                    file.display()
                ));
            }
        }
        stop.flow()
    };
    let outline = import_part(store, file, now_ms(), &mut each)?;
    let header = outline.header;
    Ok(format!("{}/{}", header.part, header.parts))
}

fn failure(error: ImportError) -> Failure {
    let text = error.to_string();
    match error {
        ImportError::Part { path, source } => split::failure(&path, "read", source),
        ImportError::Incompatible { .. } => Failure::Incompatible(text),
        ImportError::Store(error) => error.into(),
        ImportError::Refused { .. } | ImportError::Stopped => Failure::Failed(text),
    }
}
