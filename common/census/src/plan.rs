//! The shard plan: a pure function of the variant, the number of squares and [`PLAN_VERSION`].

use std::ops::RangeInclusive;

use toads_strip::{Class, Variant};

use crate::shard::Shard;

/// Counts up when the partition changes; part of the fingerprint.
pub const PLAN_VERSION: u32 = 1;

/// The largest number of squares a census takes: the largest class of 24 squares has 9.5·10⁹ strips.
pub const MAX_CENSUS_SQUARES: u8 = 24;

/// The shards of a run, smallest n first, in (toads, frogs) order within n.
///
/// They are disjoint, and with their mirrors they cover every strip of every n once (promise P1). Only classes with
/// toads ≥ frogs appear; (n, f, t) is the mirror image of (n, t, f).
pub fn shards(variant: Variant, squares: RangeInclusive<u8>) -> Vec<Shard> {
    squares
        .flat_map(|n| Class::computed(n).map(move |class| Shard::whole(variant, class)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_and_their_mirrors_cover_every_strip_once() {
        for n in 1..=20u8 {
            let plan = shards(Variant::Hop, n..=n);
            let covered: u64 = plan.iter().map(|shard| shard.strips_answered()).sum();
            assert_eq!(covered, 3u64.pow(u32::from(n)));
            let mut classes: Vec<_> = plan.iter().map(|shard| shard.class).collect();
            classes.dedup();
            assert_eq!(classes.len(), plan.len());
            assert!(classes.iter().all(|class| class.toads >= class.frogs));
        }
    }
}
