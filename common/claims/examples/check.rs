//! Claims by name, without the command line: `cargo run --release -p toads-claims --example check -- BOUND GIB CLAIM…`

use std::time::Instant;

use toads_claims::{Limits, claim};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<u32>().ok());
    let limits = Limits {
        bound: number(0).filter(|&bound| bound > 0),
        threads: 2,
        memory: number(1).map(|gib| u64::from(gib) << 30),
        ..Limits::default()
    };
    for id in arguments.iter().skip(2) {
        let start = Instant::now();
        match claim(id) {
            Some(claim) => {
                let finding = claim.check(&limits);
                println!(
                    "{id}: {finding}\n    {} [{:.1?}]",
                    finding.figures,
                    start.elapsed()
                );
            }
            None => println!("{id}: no such claim"),
        }
    }
}
