//! How long each column takes as far as it is meant to go, on one thread, and what it ends with.

use std::time::Instant;

use num_bigint::BigUint;
use toads_count::{Column, Counts, counts, distribution, growth};

fn main() {
    for (column, to) in [
        (Column::OddGaps, 1_000),
        (Column::Numbers, 100),
        (Column::Numbers, 1_000),
        (Column::NumbersByOddGaps, 1_000),
        (Column::Zeros, 60),
        (Column::Outcomes, 60),
        (Column::Distinct, 1_000),
    ] {
        let start = Instant::now();
        let rows: Vec<Counts> = counts(0..=to, [column].into_iter().collect(), 1)
            .expect("within its limit")
            .collect();
        let seconds = start.elapsed().as_secs_f64();
        let term = |row: &Counts| match column {
            Column::OddGaps => row.odd_gaps.as_ref().map(|gaps| gaps[0].clone()),
            Column::Numbers => row.numbers.clone(),
            Column::NumbersByOddGaps => row
                .numbers_by_odd_gaps
                .as_ref()
                .map(|gaps| gaps.iter().sum()),
            Column::Zeros => row.zeros.clone(),
            Column::Outcomes => row.outcomes.as_ref().map(|outcomes| outcomes.n.clone()),
            Column::Distinct => row.distinct.clone(),
        };
        let terms: Vec<BigUint> = rows.iter().filter_map(term).collect();
        print!("{column:<20} to {to:>4}: {seconds:6.2} s");
        if let Some(found) = growth(0, &terms) {
            print!(", ratio {}, root {}", found.ratio, found.root);
        }
        for n in [10, 20, 40, 60, 100].into_iter().filter(|&n| n <= to) {
            print!(", a({n}) = {}", terms[n as usize]);
        }
        println!();
    }
    for n in [20, 30, 40] {
        let start = Instant::now();
        let values = distribution(n, 1).expect("within its limit");
        println!(
            "distribution of {n}: {:.2} s, {} values",
            start.elapsed().as_secs_f64(),
            values.len()
        );
    }
}
