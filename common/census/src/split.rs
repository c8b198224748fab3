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
