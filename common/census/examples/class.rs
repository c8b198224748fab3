//! Exact values of hop strips by the census kernel: `cargo run --release -p toads-census --example class -- 'T^5 .^11 F^5' …`
//!
//! All strips must be of one class, which is evaluated once, on two threads.

use std::time::Instant;

use toads_census::{Control, Shard, evaluate};
use toads_game::{Arena, notation};
use toads_strip::{Strip, Variant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let strips: Result<Vec<Strip>, _> = std::env::args().skip(1).map(|text| text.parse()).collect();
    let strips = strips?;
    let class = strips.first().ok_or("no strip was given")?.try_class()?;
    let arena = Arena::with_capacity_bytes(8 << 30);
    let start = Instant::now();
    let values = evaluate(
        &arena,
        Shard::whole(Variant::Hop, class),
        2,
        &Control::default(),
    )?;
    for strip in strips {
        if strip.try_class()? != class {
            return Err(format!("{strip} is not of the class {class}").into());
        }
        let value = values.value_at(class.rank(&strip));
        println!(
            "{}\t{}\t{} strips, {} values, {:.1?}",
            strip.compact(),
            notation::display_limited(&arena, value, 400),
            values.len(),
            arena.len(),
            start.elapsed()
        );
    }
    Ok(())
}
