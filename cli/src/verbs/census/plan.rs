//! `toads census plan`: what a census would compute, without computing it.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use toads_census::{Control, Shard, evaluate, plan};
use toads_game::Arena;
use toads_store::{Keep, Store, StoreError};
use toads_strip::Class;
use toads_wire::{convert, v1};

use crate::args::{Context, Target};
use crate::console;
use crate::failure::Result;
use crate::output::{Cell, Table};
use crate::source::Source;
use crate::units::{self, Squares};

/// What a census would compute: shards, strips, bytes, time
///
/// Columns: n toads frogs strips shards bytes seconds committed. One row for each class that is computed; strips counts its
/// mirror image as well. Bytes are what the store will hold, seconds what evaluation takes with --threads; both are
/// estimates, from a sample of a tenth of a second on this machine. With a store or a coordinator, `committed` says what
/// is there already.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  toads census plan --squares 1..16\n  toads census plan --squares 20 --keep tallies --threads 16 --format tsv"
)]
pub(crate) struct PlanArgs {
    /// Numbers of squares: 7, or 1..12 with both ends
    #[arg(long, value_name = "A..B")]
    squares: Squares,

    /// What would be kept: blocks or tallies
    #[arg(
        long,
        value_name = "WHAT",
        env = "TOADS_KEEP",
        default_value = "blocks",
        hide_env_values = true
    )]
    keep: Keep,

    /// Evaluation threads of the machine it would run on [default: all cores]
    #[arg(long, value_name = "N", env = "TOADS_THREADS", hide_env_values = true, value_parser = units::threads)]
    threads: Option<usize>,
}

/// Bytes a core strip takes in its block, about: codes are packed.
const BYTES_PER_CORE_STRIP: f64 = 1.5;

/// Bytes of tallies and values for each strip of a class, about. (14 squares: 2.8, less for more squares.)
const BYTES_PER_STRIP: f64 = 2.5;

/// Seconds to commit a shard: one synced write.
const COMMIT_SECONDS: f64 = 0.003;

/// Runs the verb.
pub(crate) fn run(args: &PlanArgs, context: &Context) -> Result<()> {
    let variant = context.globals.variant;
    let committed = committed(args, context)?;
    let threads = args.threads.unwrap_or_else(units::cores);
    let rate = strips_per_second(Shard::whole(variant, SAMPLE)) * threads as f64;
    let columns = [
        "n",
        "toads",
        "frogs",
        "strips",
        "shards",
        "bytes",
        "seconds",
        "committed",
    ];
    let mut table = Table::open(context.globals.format, columns)?;
    let (mut strips, mut bytes, mut seconds, mut largest) = (0, 0.0, 0.0, 0);
    let shards = plan::shards(variant, args.squares.range());
    for shard in &shards {
        let class = shard.class;
        let kept = if args.keep == Keep::Blocks {
            class.core_size() as f64 * BYTES_PER_CORE_STRIP
        } else {
            0.0
        };
        let its_bytes = 300.0 + class.size() as f64 * BYTES_PER_STRIP + kept;
        // Digest, tally and blocks take about as long as the values themselves.
        let its_seconds = COMMIT_SECONDS + 2.0 * class.size() as f64 / rate;
        strips += shard.strips_answered();
        bytes += its_bytes;
        seconds += its_seconds;
        largest = largest.max(toads_census::kernel::table_bytes(*shard));
        table.row(&[
            Cell::from(class.n),
            Cell::from(class.toads),
            Cell::from(class.frogs),
            Cell::from(shard.strips_answered()),
            Cell::from(1u32),
            Cell::from(its_bytes as u64),
            Cell::Measure(its_seconds),
            committed.as_ref().map_or(Cell::Empty, |there| {
                Cell::from(if there.contains(shard) { "yes" } else { "no" })
            }),
        ])?;
    }
    table.close()?;
    console::line(&format!(
        "{} shards, {} strips, about {} in the store and {} with {threads} threads; the largest table takes {}",
        shards.len(),
        units::show_count(strips),
        units::show_bytes(bytes as u64),
        units::show_duration(Duration::from_secs_f64(seconds)),
        units::show_bytes(largest),
    ));
    Ok(())
}

/// The class of the sample.
const SAMPLE: Class = Class {
    n: 13,
    toads: 4,
    frogs: 4,
};

/// How quickly one thread of this machine evaluates.
fn strips_per_second(sample: Shard) -> f64 {
    let arena = Arena::new();
    let started = Instant::now();
    match evaluate(&arena, sample, 1, &Control::default()) {
        Ok(table) => table.len() as f64 / started.elapsed().as_secs_f64().max(1e-6),
        Err(_) => 1e6,
    }
}

/// The shards that are there already; `None` where there is no store and no coordinator to ask.
fn committed(args: &PlanArgs, context: &Context) -> Result<Option<HashSet<Shard>>> {
    if let Target::Store(path) = context.target()? {
        // A plan needs no store; one that was named must be one.
        let named = context.is_flag("store");
        if matches!(toads_store::probe(&path), Err(StoreError::Missing { .. })) && !named {
            return Ok(None);
        }
    }
    let there = match Source::reading(context)? {
        Source::Store(store) => store
            .shards(Some(context.globals.variant))?
            .into_iter()
            .map(|record| record.shard)
            .collect(),
        Source::Remote(remote) => {
            let range = Some(convert::to_range(
                context.globals.variant,
                &args.squares.range(),
            ));
            let answer = remote
                .call(|mut client| async move { client.plan(v1::PlanRequest { range }).await })?;
            let there = answer.shards.into_iter().filter(|shard| shard.committed);
            there
                .filter_map(|shard| convert::shard(shard.shard.as_ref()).ok())
                .collect()
        }
    };
    Ok(Some(there))
}
