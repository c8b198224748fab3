//! Comparison by play: `cargo run --release -p toads-claims --example play -- VALUE POSITIONS STRIP…`

use std::time::Instant;

use toads_claims::{Comparer, PlainComparer};
use toads_strip::Strip;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let value = arguments.next().ok_or("a value is missing")?;
    let positions = arguments.next().ok_or("a limit is missing")?.parse()?;
    for text in arguments {
        let strip = Strip::parse(&text)?;
        let start = Instant::now();
        let relation = PlainComparer { positions }.compare(&strip, &value);
        let relation = relation.map_or("undecided".to_owned(), |relation| relation.to_string());
        println!("{text}\t{relation}\t{value}\t{:.1?}", start.elapsed());
    }
    Ok(())
}
