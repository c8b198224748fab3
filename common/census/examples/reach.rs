//! Exact values of hop strips: `cargo run --release -p toads-census --example reach -- 'T^7 .^7 F^5' …`

use std::time::Instant;

use toads_census::Reach;
use toads_game::{Arena, notation};
use toads_strip::Strip;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arena = Arena::with_capacity_bytes(6 << 30);
    for text in std::env::args().skip(1) {
        let strip = Strip::parse(&text)?;
        let mut reach = Reach::new(&arena, 100_000_000);
        let start = Instant::now();
        let value = reach.value(&strip)?;
        println!(
            "{text}\t{}\t{} positions, {} values, {:.1?}",
            notation::display_limited(&arena, value, 400),
            reach.positions(),
            arena.len(),
            start.elapsed()
        );
    }
    Ok(())
}
