//! `toads census run`: coordinator and workers in one process tree, over one store.

mod drive;
mod report;
mod sound;

use std::sync::Arc;
use std::time::{Duration, Instant};

use toads_census::{Shard, plan};
use toads_store::{Keep, RocksStore, ShardRecord, Store};
use toads_worker::least_memory;

use super::status::is_done;
use crate::args::Context;
use crate::failure::{Failure, Result};
use crate::source::open_or_make;
use crate::units::{self, Squares};
use crate::verbs::crew::CrewPlan;
use crate::{console, memory};
use report::Report;

/// Compute the value of every strip of a range, here, and keep it in the store
///
/// Starts, or goes on from what an earlier run in the same store left, whatever stopped it; a longer range extends a shorter
/// one. Ctrl-C (or SIGTERM) finishes or gives back what is being computed and stops; a second one stops at once. Nothing
/// that is committed is ever lost or computed again. Before it says that a run is complete, it reads once what earlier
/// runs left (about a minute for 10 GB). While it runs, `toads census status`, `query`, `export` and `db` may
/// be used on the same store.
///
/// Prints one row when it is done: run variant squares state shards strips seconds strips_per_s peak_bytes digest.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  toads census run --squares 1..12
  toads census run --squares 1..14                       goes on to 14 squares
  toads census run --squares 1..14 --variant hopless --store hopless.db
  toads census run --squares 16 --workers 2 --threads 4 --memory 16GiB
  toads census run --squares 1..16 --keep tallies        a small store: no values of single strips")]
pub(crate) struct RunArgs {
    /// Numbers of squares: 7, or 1..12 with both ends
    #[arg(long, value_name = "A..B")]
    squares: Squares,

    /// Worker processes; 0 evaluates in this process
    #[arg(long, value_name = "N", env = "TOADS_WORKERS", hide_env_values = true, default_value_t = 0, value_parser = units::workers)]
    workers: usize,

    /// Evaluation threads, in each worker [default: all cores, shared by the workers]
    #[arg(long, value_name = "N", env = "TOADS_THREADS", hide_env_values = true, value_parser = units::threads)]
    threads: Option<usize>,

    /// What is kept: the value of every strip (blocks), or how often each value occurs (tallies)
    #[arg(
        long,
        value_name = "WHAT",
        env = "TOADS_KEEP",
        default_value = "blocks",
        hide_env_values = true
    )]
    keep: Keep,

    /// Memory for all workers together, such as 8GiB [default: 60 % of the machine's]
    #[arg(long, value_name = "SIZE", env = "TOADS_MEMORY", hide_env_values = true, value_parser = units::bytes)]
    memory: Option<u64>,

    /// Where the coordinator listens; port 0 picks a free one
    #[arg(
        long,
        value_name = "ADDRESS",
        env = "TOADS_RUN_LISTEN",
        hide_env_values = true,
        default_value = "127.0.0.1:0"
    )]
    listen: std::net::SocketAddr,

    /// Where HTTP listens: health, readiness, metrics; port 0 picks a free one [default: nowhere]
    #[arg(
        long,
        value_name = "ADDRESS",
        env = "TOADS_RUN_HTTP",
        hide_env_values = true
    )]
    http: Option<std::net::SocketAddr>,

    /// Allow addresses that are not loopback: whoever reaches them may use them (with TLS: `toads coordinator`)
    #[arg(long, env = "TOADS_INSECURE", hide_env_values = true, value_parser = clap::builder::BoolishValueParser::new())]
    insecure: bool,

    /// The share of committed shards that another worker process computes once more, 0 to 1
    #[arg(long, value_name = "SHARE", env = "TOADS_AUDIT", hide_env_values = true, default_value_t = 0.01, value_parser = units::share)]
    audit: f64,

    /// Give up after this long without progress, with exit code 4 [default: wait for ever]
    #[arg(long, value_name = "TIME", env = "TOADS_STALL_TIMEOUT", hide_env_values = true, value_parser = units::duration)]
    stall_timeout: Option<Duration>,

    /// How long what is being computed may go on after the first signal
    #[arg(long, value_name = "TIME", env = "TOADS_GRACE", hide_env_values = true, default_value = "10s", value_parser = units::duration)]
    grace: Duration,
}

/// A census about to run.
struct Job<'a> {
    args: &'a RunArgs,
    context: &'a Context,
    store: Arc<RocksStore>,
    shards: Vec<Shard>,
    threads: usize,
    memory: u64,
    started: Instant,
    /// Strips that were there before.
    strips_before: u64,
}

impl Job<'_> {
    /// Who evaluates.
    fn crew(&self) -> CrewPlan<'_> {
        CrewPlan {
            name: "census-run",
            workers: self.args.workers,
            threads: self.threads,
            memory: self.memory,
            grace: self.args.grace,
            globals: &self.context.globals,
        }
    }
}

/// Runs the verb.
pub(crate) fn run(args: &RunArgs, context: &Context) -> Result<()> {
    if context.is_flag("coordinator") {
        return Err(Failure::input(
            "`census run` computes here; `toads census submit` has a coordinator compute",
        ));
    }
    let started = Instant::now();
    let memory = args.memory.unwrap_or_else(|| memory::available() / 10 * 6);
    let cores = units::cores();
    let threads = args
        .threads
        .unwrap_or_else(|| (cores / args.workers.max(1)).max(1));
    let store = open_or_make(
        &context.globals.store,
        (memory / 16).clamp(64 << 20, 512 << 20),
    )?;
    let shards = plan::shards(context.globals.variant, args.squares.range());
    let records = committed(&store, &shards, args.keep)?;
    check_memory(args, memory, &shards, &records)?;
    let strips_before = records
        .iter()
        .map(|record| record.shard.strips_answered())
        .sum();
    let job = Job {
        args,
        context,
        store: Arc::new(store),
        shards,
        threads,
        memory,
        started,
        strips_before,
    };
    if records.len() == job.shards.len() {
        job.check_what_was_there()?;
        job.say(&format!(
            "complete already: all {} shards were there",
            records.len()
        ));
        return Report::of_complete(&job)?.print(context);
    }
    if records.is_empty() {
        job.say(&format!(
            "{} shards to compute into {}",
            job.shards.len(),
            job.store.path().display()
        ));
    } else {
        job.say(&format!(
            "continues: {} of {} shards were there",
            records.len(),
            job.shards.len()
        ));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores.clamp(2, 4))
        .enable_all()
        .build();
    let runtime =
        runtime.map_err(|error| Failure::failed(format_args!("cannot start threads: {error}")))?;
    let ended = runtime.block_on(drive::drive(&job));
    // Whatever still waits in there (a worker that was stopped at once) ends with the process.
    runtime.shutdown_timeout(Duration::from_secs(2));
    ended?.finish(&job)
}

/// Refuses at the start what would end in quarantine, shard by shard.
fn check_memory(
    args: &RunArgs,
    memory: u64,
    shards: &[Shard],
    committed: &[ShardRecord],
) -> Result<()> {
    let done: std::collections::HashSet<_> = committed.iter().map(|record| record.shard).collect();
    let open = shards.iter().filter(|shard| !done.contains(shard));
    let Some(largest) = open.max_by_key(|shard| shard.strips()) else {
        return Ok(());
    };
    let workers = args.workers.max(1) as u64;
    let least = least_memory(*largest) * workers;
    if memory >= least {
        return Ok(());
    }
    let each = if workers > 1 {
        format!(
            ", {} for each of {workers} workers",
            units::show_bytes(least / workers)
        )
    } else {
        String::new()
    };
    Err(Failure::Input(format!(
        "--memory {} is too little: {largest} takes at least {}{each}; give more, fewer squares or fewer --workers",
        units::show_bytes(memory),
        units::show_bytes(least)
    )))
}

impl Job<'_> {
    /// A line for the person who waits.
    fn say(&self, text: &str) {
        if self.context.globals.quiet == 0 {
            console::line(&format!(
                "{} {}: {text}",
                self.context.globals.variant, self.args.squares
            ));
        }
    }
}

/// The markers of shards that need not be computed.
fn committed(store: &RocksStore, shards: &[Shard], keep: Keep) -> Result<Vec<ShardRecord>> {
    let wanted: std::collections::HashSet<_> = shards.iter().collect();
    let variant = shards.first().map(|shard| shard.variant);
    let records = store.shards(variant)?.into_iter();
    Ok(records
        .filter(|record| wanted.contains(&record.shard) && is_done(record, keep))
        .collect())
}
