//! `toads census shard`: one part of a census, computed here into a file.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use toads_census::{MAX_PARTS, Shard};
use toads_store::Keep;
use toads_wire::part::{PartEnd, PartError, PartHeader, PartWriter, Started};
use toads_worker::{Job, Offline, OfflineError};

use crate::args::Context;
use crate::failure::{Failure, Result};
use crate::output::{Cell, Table};
use crate::progress::Progress;
use crate::signals::Stop;
use crate::units::{self, Squares};
use crate::{console, memory};

/// Compute one part of a census into a file, without a coordinator
///
/// For batch systems: `--shard 3/7` computes the third of seven parts, which are about equally large and the same on every
/// machine; `toads census import` puts them into a store. The file appears under its name when it is whole. What is
/// interrupted goes on with the same command from the classes that are finished. Parts of different numbers may be mixed
/// and may overlap.
///
/// Columns: file part shards strips bytes seconds digest.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  toads census shard --squares 1..16 --shard 3/7 --out part-3.toads
  toads census shard --squares 1..18 --shard $SLURM_ARRAY_TASK_ID/100 --out parts/$SLURM_ARRAY_TASK_ID.toads
  toads census import part-*.toads --store census.db")]
pub(crate) struct ShardArgs {
    /// Numbers of squares of the whole census: 7, or 1..12 with both ends
    #[arg(long, value_name = "A..B")]
    squares: Squares,

    /// Which part, and of how many: i/m, i from 1 to m
    #[arg(long, value_name = "I/M")]
    shard: PartNumber,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Evaluation threads [default: all cores]
    #[arg(long, value_name = "N", env = "TOADS_THREADS", hide_env_values = true, value_parser = units::threads)]
    threads: Option<usize>,

    /// Memory, such as 8GiB [default: 60 % of the machine's]
    #[arg(long, value_name = "SIZE", env = "TOADS_MEMORY", hide_env_values = true, value_parser = units::bytes)]
    memory: Option<u64>,

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

/// A part by number: `3/7`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PartNumber {
    part: u32,
    parts: u32,
}

impl fmt::Display for PartNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.parts)
    }
}

impl FromStr for PartNumber {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = text.trim().split_once('/').and_then(|(part, parts)| {
            Some((part.parse::<u32>().ok()?, parts.parse::<u32>().ok()?))
        });
        match read {
            None => Err(format!(
                "`{text}` is not a part; write 3/7 for the third of seven"
            )),
            Some((_, parts)) if !(1..=MAX_PARTS).contains(&parts) => Err(format!(
                "a census is split into 1 to {MAX_PARTS} parts, not {parts}"
            )),
            Some((part, parts)) if part < 1 || part > parts => Err(format!(
                "the parts of {parts} are 1/{parts} to {parts}/{parts}"
            )),
            Some((part, parts)) => Ok(Self { part, parts }),
        }
    }
}

/// Runs the verb.
pub(crate) fn run(args: &ShardArgs, context: &Context) -> Result<()> {
    let started = Instant::now();
    let number = (args.shard.part, args.shard.parts);
    let variant = context.globals.variant;
    let header = PartHeader::new(
        variant,
        args.squares.range(),
        number,
        args.keep == Keep::Blocks,
    );
    let stop = Stop::listen(None)?;
    let begun = PartWriter::start(&args.out, &header)
        .map_err(|error| failure(&args.out, "write", error))?;
    let end = match begun {
        Started::Complete(end) => {
            say(
                context,
                &format!("{} is complete already", args.out.display()),
            );
            end
        }
        Started::Writing(writer, done) => {
            if !done.is_empty() {
                let text = format!("continues: {} shards were there", done.len());
                say(context, &text);
            }
            write(args, context, &header, *writer, &done, &stop)?
        }
    };
    let bytes = args.out.metadata().map_or(0, |data| data.len());
    let columns = [
        "file", "part", "shards", "strips", "bytes", "seconds", "digest",
    ];
    let mut table = Table::open(context.globals.format, columns)?;
    table.row(&[
        Cell::text(args.out.display()),
        Cell::text(args.shard),
        Cell::from(end.shards),
        Cell::from(end.strips),
        Cell::from(bytes),
        Cell::Measure(started.elapsed().as_secs_f64()),
        Cell::text(end.digest),
    ])?;
    table.close().map(drop)
}

fn say(context: &Context, text: &str) {
    if context.globals.quiet == 0 {
        console::line(text);
    }
}

/// Evaluates what is not done and writes it.
fn write(
    args: &ShardArgs,
    context: &Context,
    header: &PartHeader,
    mut writer: PartWriter,
    done: &[Shard],
    stop: &Stop,
) -> Result<PartEnd> {
    let threads = args.threads.unwrap_or_else(units::cores);
    let memory = args.memory.unwrap_or_else(|| memory::available() / 10 * 6);
    let worker = Offline::new(threads, memory);
    let shards = header.shards();
    let total = shards.iter().map(|shard| shard.strips()).sum();
    let largest = shards.iter().map(|shard| shard.class.n).max();
    let mut progress = Progress::new(&context.globals, "census");
    let mut before = 0;
    for (at, &shard) in shards.iter().enumerate() {
        if !done.contains(&shard) {
            let mut show = |strips: u64| {
                let text = format!("{at} of {} shards, {shard}", shards.len());
                progress.show(before + strips, total, &text);
            };
            let job = Job::new(shard, args.keep == Keep::Blocks);
            let job = job.last(Some(shard.class.n) == largest);
            evaluate(args, &worker, &job, &mut writer, stop, &mut show)?;
        }
        before += shard.strips();
    }
    progress.clear();
    writer
        .finish()
        .map_err(|error| failure(&args.out, "write", error))
}

/// Evaluates a shard on a thread of its own; this one writes, shows how far it is and looks for signals.
fn evaluate(
    args: &ShardArgs,
    worker: &Offline,
    job: &Job,
    writer: &mut PartWriter,
    stop: &Stop,
    show: &mut dyn FnMut(u64),
) -> Result<()> {
    let (sender, parts) = sync_channel(4);
    let mut written = Ok(());
    let evaluated = thread::scope(|scope| {
        let evaluating = scope.spawn(|| worker.evaluate(job, &mut move |part| sender.send(part)));
        loop {
            match parts.recv_timeout(Duration::from_millis(50)) {
                Ok(part) if written.is_ok() => {
                    written = writer.write(part);
                    if written.is_err() {
                        job.cancel();
                    }
                }
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            show(job.strips_done());
            if stop.flow().is_break() {
                job.cancel();
            }
        }
        evaluating.join()
    });
    written.map_err(|error| failure(&args.out, "write", error))?;
    match evaluated {
        Ok(Ok(())) => Ok(()),
        Ok(Err(OfflineError::Cancelled | OfflineError::Receiver(_))) => {
            let stopped = stop.failure(
                "the shards that were finished are kept; the same command goes on from them",
            );
            Err(stopped.unwrap_or_else(|| Failure::failed("the evaluation was stopped")))
        }
        Ok(Err(error @ OfflineError::Failed { .. })) => Err(Failure::failed(error)),
        Err(_) => Err(Failure::failed(
            "the evaluation failed; run the command again",
        )),
    }
}

/// What a part file that cannot be used for `what` means for the command.
pub(super) fn failure(path: &Path, what: &str, error: PartError) -> Failure {
    let text = format!("{}: {error}", path.display());
    match error {
        PartError::Io(error) => Failure::path(what, path, &error),
        PartError::NotAPart | PartError::Other(_) => Failure::Input(text),
        PartError::Version(_) => Failure::Incompatible(text),
        PartError::InUse => Failure::Unreachable(text),
        PartError::Truncated(_) | PartError::Damaged { .. } | PartError::Malformed { .. } => {
            Failure::Failed(text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_count_from_one() {
        let read = |text: &str| text.parse::<PartNumber>();
        assert_eq!(read("3/7"), Ok(PartNumber { part: 3, parts: 7 }));
        assert_eq!(
            read("1/1").map(|number| number.to_string()),
            Ok("1/1".to_owned())
        );
        for text in [
            "0/7", "8/7", "1/0", "3", "", "a/b", "-1/7", "1/10001", "1/7/9",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
