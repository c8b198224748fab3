//! How long the classes of one n take: `cargo run --release -p toads-census --example speed -- 14 1`.
//!
//! Arguments: n, threads (1), memory in MiB (2048), variant (hop). The classes with toads ≥ frogs are evaluated twice: once
//! as a census does, and once more when every option set is known; the difference is what canonical forms cost. Then come
//! tallies (with content ids and digests) and blocks. Smaller classes are evaluated on the way and count for time, not as
//! strips.

use std::time::{Duration, Instant};

use toads_census::{Control, Tables, plan};
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
    let mut evaluating = Duration::ZERO;
    for shard in plan::shards(variant, n..=n) {
        let start = Instant::now();
        let class = tables.evaluate_last(&arena, shard, threads, &control)?;
        evaluating += start.elapsed();
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
    let stats = tables.stats();
    drop(tables);
    let again = Tables::new(bytes / 2);
    let start = Instant::now();
    for shard in plan::shards(variant, n..=n) {
        again.evaluate_last(&arena, shard, threads, &control)?;
    }
    let known = start.elapsed().min(evaluating);

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
