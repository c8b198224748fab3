//! A census cut into m parts for machines that do not talk to each other: a pure function of the plan.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use toads_strip::Variant;

use crate::plan;
use crate::shard::Shard;

/// The most parts a census is cut into; the plan of 1..24 squares has 1,638 shards.
pub const MAX_PARTS: u32 = 10_000;

/// The shards of part `part` of `parts`, counted from 1, in the order of the plan.
///
/// The largest shard left goes to the part with the fewest strips so far, the first of several. So the parts are disjoint,
/// together they are the plan, and none has more strips than the mean and the largest shard together. With more parts than
/// shards some are empty. O(s·m) for s shards and m parts.
///
/// # Panics
/// Unless 1 ≤ part ≤ parts.
pub fn part_of(variant: Variant, squares: RangeInclusive<u8>, part: u32, parts: u32) -> Vec<Shard> {
    assert!(
        1 <= part && part <= parts,
        "part {part} of {parts} does not exist"
    );
    let mut shards = plan::shards(variant, squares);
    shards.sort_by_key(|shard| Reverse(shard.strips()));
    let mut strips = vec![0u64; parts as usize];
    let mut chosen = Vec::new();
    for shard in shards {
        let emptiest = (0..strips.len())
            .min_by_key(|&at| strips[at])
            .expect("there is a part");
        strips[emptiest] += shard.strips();
        if emptiest == part as usize - 1 {
            chosen.push(shard);
        }
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
