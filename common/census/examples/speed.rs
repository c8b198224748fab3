//! How long the classes of one n take: `cargo run --release -p toads-census --example speed -- 14 1`.
//!
//! Arguments: n, threads (1), memory in MiB (2048), variant (hop). The classes with toads ≥ frogs are evaluated twice: once
//! as a census does, and once more when every option set is known; the difference is what canonical forms cost. Then come
//! tallies (with content ids and digests) and blocks. Smaller classes are evaluated on the way and count for time, not as
//! strips. As in a worker, large classes are evaluated on all threads, the others side by side.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use toads_census::kernel::WORTH_ALL_THREADS;
use toads_census::{Control, EvaluateError, Shard, Tables, plan};
use toads_game::Arena;
use toads_strip::Variant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| {
        arguments
            .get(at)
            .map_or(Ok(default), |text| text.parse::<u64>())
    };
    let (n, threads) = (u8::try_from(number(0, 14)?)?, number(1, 1)? as usize);
    let bytes = number(2, 2048)? << 20;
    let variant: Variant = arguments.get(3).map_or("hop", String::as_str).parse()?;

    let arena = Arena::with_capacity_bytes(bytes / 2);
    let control = Control::default();
    let (mut tallying, mut packing) = (Duration::ZERO, Duration::ZERO);
    let (mut strips, mut packed, mut entries) = (0, 0, 0);
    let tables = Tables::new(bytes / 2);
    let pool = Pool {
        arena: &arena,
        threads,
    };
    let evaluating = pool.evaluate_all(&tables, variant, n)?;
    let stats = tables.stats();
    drop(tables);
    let again = Tables::new(bytes / 2);
    let known = pool.evaluate_all(&again, variant, n)?.min(evaluating);
    for shard in plan::shards(variant, n..=n) {
        let class = again.evaluate_last(&arena, shard, threads, &control)?;
        let start = Instant::now();
        let finished = class.tally(&arena, threads, &control)?;
        tallying += start.elapsed();
        let start = Instant::now();
        class.blocks(&finished, threads, &control, &mut |_, block| {
            packed += block.len();
            Ok(())
        })?;
        packing += start.elapsed();
        strips += class.len();
        entries += finished.distinct.len();
    }

    let all = 3f64.powi(n.into());
    println!(
        "{variant}, n = {n}, {threads} threads: {strips} strips of classes with toads >= frogs, {all} in all"
    );
    let line = |what: &str, time: Duration| {
        let nanoseconds = time.as_nanos() as f64 / strips as f64;
        println!(
            "{what:<24}{:>8.2} s{nanoseconds:>8.1} ns a strip",
            time.as_secs_f64()
        );
    };
    line("evaluate", evaluating);
    line("  moves and look-up", known);
    line("  canonical forms", evaluating.saturating_sub(known));
    line("tally, ids, digest", tallying);
    line("encode blocks", packing);
    println!(
        "{} numbers by their stops, {} option sets in the memo ({:.1} % of those asked for), {} canonicalised",
        stats.numbers,
        stats.memo_hits,
        stats.hit_rate() * 100.0,
        stats.canonicalised
    );
    println!(
        "{} values at {:.1} bytes; {entries} tally entries; blocks {packed} bytes, {:.3} for each of all strips",
        arena.len(),
        arena.memory_bytes() as f64 / arena.len() as f64,
        packed as f64 / all
    );
    Ok(())
}

/// The threads that evaluate.
struct Pool<'a> {
    arena: &'a Arena,
    threads: usize,
}

impl Pool<'_> {
    /// The classes of n squares, and the smaller ones that help; says how long that took.
    fn evaluate_all(
        &self,
        tables: &Tables,
        variant: Variant,
        n: u8,
    ) -> Result<Duration, EvaluateError> {
        let start = Instant::now();
        for squares in 1..=n {
            let is_last = squares == n;
            let evaluate = |shard: Shard, threads: usize| {
                let control = Control::default();
                let evaluate = if is_last {
                    Tables::evaluate_last
                } else {
                    Tables::evaluate
                };
                evaluate(tables, self.arena, shard, threads, &control).map(drop)
            };
            let mut shards = plan::shards(variant, squares..=squares);
            shards.sort_by_key(|shard| std::cmp::Reverse(shard.strips()));
            let large = shards.partition_point(|shard| shard.strips() >= WORTH_ALL_THREADS);
            let (large, small) = shards.split_at(large);
            for &shard in large {
                evaluate(shard, self.threads)?;
            }
            let next = AtomicUsize::new(0);
            let work = || {
                while let Some(&shard) = small.get(next.fetch_add(1, Ordering::Relaxed)) {
                    evaluate(shard, 1)?;
                }
                Ok(())
            };
            std::thread::scope(|scope| {
                let others: Vec<_> = (1..self.threads).map(|_| scope.spawn(work)).collect();
                let own = work();
                let joined = others
                    .into_iter()
                    .map(|thread| thread.join().expect("no panic"));
                joined.chain([own]).collect::<Result<(), EvaluateError>>()
            })?;
        }
        Ok(start.elapsed())
    }
}
