//! How long the classes of one n take: `cargo run --release -p toads-census --example speed -- 14 1`.
//!
//! Arguments: n, threads (1), memory in MiB (2048), variant (hop). Prints one line for the evaluation alone and one
//! with tallies and blocks.

use std::time::{Duration, Instant};

use toads_census::{Control, Tables, plan};
use toads_game::Arena;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| {
        arguments
            .get(at)
            .map_or(default, |text| text.parse().expect("a number"))
    };
    let (n, threads, mebibytes) = (number(0, 14) as u8, number(1, 1) as usize, number(2, 2048));
    let variant = arguments
        .get(3)
        .map_or("hop", String::as_str)
        .parse()
        .expect("hop or hopless");
    let arena = Arena::with_capacity_bytes(mebibytes << 20);
    let control = Control::default();
    let (mut evaluating, mut tallying, mut packing) =
        (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let (mut strips, mut bytes, mut distinct) = (0, 0, 0);
    let tables = Tables::new(mebibytes << 20);
    for shard in plan::shards(variant, n..=n) {
        let start = Instant::now();
        let class = tables
            .evaluate(&arena, shard, threads, &control)
            .expect("enough memory");
        evaluating += start.elapsed();
        let start = Instant::now();
        let finished = class
            .tally(&arena, threads, &control)
            .expect("not cancelled");
        tallying += start.elapsed();
        let start = Instant::now();
        class
            .blocks(&finished, threads, &control, &mut |_, block| {
                bytes += block.len();
                Ok(())
            })
            .expect("not cancelled");
        packing += start.elapsed();
        strips += class.len();
        distinct += finished.distinct.len();
    }
    let each = |time: Duration| time.as_nanos() as f64 / strips as f64;
    println!(
        "n {n}, {threads} threads: {strips} strips; evaluate {:.2} s ({:.0} ns a strip), tally {:.2} s ({:.0} ns), blocks {:.2} s ({:.0} ns)",
        evaluating.as_secs_f64(),
        each(evaluating),
        tallying.as_secs_f64(),
        each(tallying),
        packing.as_secs_f64(),
        each(packing),
    );
    let stats = tables.stats();
    println!(
        "numbers {}, memo hits {}, canonicalised {}; values {} at {:.1} bytes; tally entries {distinct}; block bytes {bytes} ({:.3} a strip)",
        stats.numbers,
        stats.memo_hits,
        stats.canonicalised,
        arena.len(),
        arena.memory_bytes() as f64 / arena.len() as f64,
        bytes as f64 / 3f64.powi(n.into()),
    );
}
