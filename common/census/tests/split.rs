//! The cut of a census into parts.

use toads_census::{Shard, part_of, plan};
use toads_strip::Variant;

#[test]
fn parts_are_disjoint_and_together_the_plan() {
    for variant in Variant::ALL {
        for parts in [1, 2, 3, 7, 50, 1000] {
            let mut all: Vec<Shard> = (1..=parts)
                .flat_map(|part| part_of(variant, 3..=13, part, parts))
                .collect();
            all.sort_unstable();
            let mut plan = plan::shards(variant, 3..=13);
            plan.sort_unstable();
            assert_eq!(all, plan, "{parts} parts");
        }
    }
}

#[test]
fn parts_are_balanced_by_strips() {
    for (squares, parts) in [(1..=12, 7), (16..=16, 5), (1..=20, 13)] {
        let plan = plan::shards(Variant::Hop, squares.clone());
        let total: u64 = plan.iter().map(|shard| shard.strips()).sum();
        let largest = plan.iter().map(|shard| shard.strips()).max().unwrap();
        for part in 1..=parts {
            let strips: u64 = part_of(Variant::Hop, squares.clone(), part, parts)
                .iter()
                .map(|shard| shard.strips())
                .sum();
            let mean = total / u64::from(parts);
            assert!(strips <= mean + largest, "{part}/{parts} of {squares:?}");
            assert!(strips + largest >= mean, "{part}/{parts} of {squares:?}");
        }
    }
}

#[test]
fn smaller_squares_come_first_within_a_part() {
    let part = part_of(Variant::Hop, 1..=12, 2, 3);
    assert!(part.is_sorted() && part.len() > 10);
    assert_eq!(part, part_of(Variant::Hop, 1..=12, 2, 3));
}
