//! The order in which shards are leased.
//!
//! Smaller n first, and within an n the largest class first. Smaller n first, because then the summaries of small n are
//! complete early and a run that is stopped has whole rows to show. That costs nothing at the end: two thirds of all
//! strips are in the last n, so the tail is decided there, and there it is *longest processing time first* – the
//! largest class (about 0.8/n of 3^n) starts as soon as the last n is reached, and what is leased last are classes of a
//! handful of strips. With w workers the schedule ends at most one class later than a perfect one (Graham 1969), and
//! that class is small.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use toads_census::Shard;

/// Shards that want a worker, in lease order.
#[derive(Debug, Default)]
pub(super) struct Queue {
    order: BTreeSet<(u8, Reverse<u64>, Shard)>,
    /// The sum of their strips.
    strips: u64,
}

impl Queue {
    fn key(shard: Shard) -> (u8, Reverse<u64>, Shard) {
        (shard.class.n, Reverse(shard.strips()), shard)
    }

    pub(super) fn insert(&mut self, shard: Shard) {
        if self.order.insert(Self::key(shard)) {
            self.strips += shard.strips();
        }
    }

    pub(super) fn remove(&mut self, shard: Shard) {
        if self.order.remove(&Self::key(shard)) {
            self.strips -= shard.strips();
        }
    }

    pub(super) fn contains(&self, shard: Shard) -> bool {
        self.order.contains(&Self::key(shard))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Shard> + '_ {
        self.order.iter().map(|&(_, _, shard)| shard)
    }

    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    pub(super) fn strips(&self) -> u64 {
        self.strips
    }
}
