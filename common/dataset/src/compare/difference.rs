//! What may differ between two stores.

use std::ops::RangeInclusive;

use toads_census::{Digest, Shard};
use toads_strip::{Strip, Variant};

/// Which of two stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The first one named.
    Left,
    /// The second one.
    Right,
}

/// One thing that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// The shard is committed on one side only.
    Only {
        /// Which.
        shard: Shard,
        /// Where it is.
        side: Side,
        /// What is there.
        digest: Digest,
    },
    /// The shard has different digests; where both sides tell, differing strips or counts follow.
    Digest {
        /// Which.
        shard: Shard,
        /// On the left.
        left: Digest,
        /// On the right.
        right: Digest,
    },
    /// A strip of a shard whose digests differ has two values.
    Strip {
        /// Its shard.
        shard: Shard,
        /// Which.
        strip: Strip,
        /// The value on the left, as text.
        left: String,
        /// On the right.
        right: String,
    },
    /// Only tallies are kept, and a value occurs so many times on the left and on the right.
    Count {
        /// The shard.
        shard: Shard,
        /// The value, as text.
        value: String,
        /// Strips on the left.
        left: u64,
        /// On the right.
        right: u64,
    },
}

/// What is compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompareOptions {
    /// One ruleset, or both.
    pub variant: Option<Variant>,
    /// Numbers of squares, or all there are.
    pub squares: Option<RangeInclusive<u8>>,
    /// Strips (or counts) told for each shard, at most.
    pub strips: usize,
    /// Characters of a value's text, at most.
    pub max_text: Option<usize>,
}

impl Default for CompareOptions {
    /// Everything, ten strips a shard, whole texts.
    fn default() -> Self {
        Self {
            variant: None,
            squares: None,
            strips: 10,
            max_text: None,
        }
    }
}

impl CompareOptions {
    pub(super) fn selects(&self, shard: Shard) -> bool {
        self.variant.is_none_or(|variant| variant == shard.variant)
            && self
                .squares
                .as_ref()
                .is_none_or(|squares| squares.contains(&shard.class.n))
    }
}

/// How far it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CompareProgress {
    /// The shard that is compared now.
    pub shard: Shard,
    /// Shards compared.
    pub shards_done: usize,
    /// Shards to compare.
    pub shards_total: usize,
}

/// What was found.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Shards on both sides with equal digests.
    pub equal: usize,
    /// Shards on both sides with different digests.
    pub different: usize,
    /// Shards on the left alone.
    pub only_left: usize,
    /// Shards on the right alone.
    pub only_right: usize,
}

impl Summary {
    /// Whether the two sides say the same.
    pub fn is_equal(&self) -> bool {
        (self.different, self.only_left, self.only_right) == (0, 0, 0)
    }
}
