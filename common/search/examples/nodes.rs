//! How many nodes, seconds and bytes it takes to compare the positions the literature stops at.
//!
//! `cargo run --release -p toads-search --example nodes [-- [--threads N] [--memory MIB] [TARGET]...]`: all targets, or those
//! with these numbers. Run it on an idle machine.

use std::time::Instant;

use toads_search::{Limits, Searcher, Sum};
use toads_strip::{Strip, Variant};

const TARGETS: [(&str, &str); 9] = [
    ("T^2 .^103 F^2", "0"),
    ("T^4 .^20 F^4", "0"),
    ("T^3 .^53 F^3", "0"),
    ("T^5 .^11 F^5", "0"),
    ("T^2 .^103 F^2", "*"),
    ("T^5 .^11 F^5", "*"),
    ("T^7 .^7 F^6", "2"),
    ("T^7 .^5 F^5", "3"),
    ("T^8 .^5 F^6", "4"),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut limits = Limits {
        memory: 4 << 30,
        threads: std::thread::available_parallelism()?.get(),
        ..Limits::default()
    };
    let mut wanted = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || -> Result<u64, Box<dyn std::error::Error>> {
            Ok(arguments.next().ok_or("a number is missing")?.parse()?)
        };
        match argument.as_str() {
            "--threads" => limits.threads = number()? as usize,
            "--memory" => limits.memory = number()? << 20,
            target => wanted.push(target.parse::<usize>()?),
        }
    }
    println!(
        "threads {}, memory {} MiB",
        limits.threads,
        limits.memory >> 20
    );
    for (at, (position, value)) in TARGETS.iter().enumerate() {
        if !wanted.is_empty() && !wanted.contains(&at) {
            continue;
        }
        let (started, cpu) = (Instant::now(), cpu_seconds());
        let arena = limits.arena();
        let mut searcher = Searcher::new(&arena, Variant::Hop, limits);
        let g = Sum::from(Strip::parse(position)?);
        let h = Sum::from(toads_game::notation::parse(&arena, value)?);
        let answer = searcher.compare(&g, &h)?;
        let seconds = started.elapsed().as_secs_f64();
        let cpu = cpu_seconds() - cpu;
        println!(
            "{at} {position} {answer} {value}: {seconds:.2} s ({cpu:.2} s of CPU), {} nodes, {:.0} a CPU second, table {:.1} % of {} entries, {} values, peak {} MiB",
            answer.nodes,
            answer.nodes as f64 / cpu.max(0.01),
            100.0 * searcher.control().filled() as f64 / searcher.control().entries() as f64,
            searcher.control().entries(),
            arena.len(),
            peak_mib(),
        );
    }
    Ok(())
}

/// The CPU time of this process, which tells more than the clock on a machine that is not idle.
fn cpu_seconds() -> f64 {
    let ticks = |stat: &str| -> Option<f64> {
        let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(11);
        let (user, system): (f64, f64) =
            (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        Some(user + system)
    };
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    ticks(&stat).unwrap_or(0.0) / 100.0
}

/// The most memory this process ever held.
fn peak_mib() -> i64 {
    std::fs::read_to_string("/proc/self/status")
        .ok()
        .and_then(|status| {
            let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
            line.split_whitespace().nth(1)?.parse::<i64>().ok()
        })
        .unwrap_or(0)
        / 1024
}
