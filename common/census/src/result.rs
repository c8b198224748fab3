//! What evaluating a shard yields, and what a value looks like outside an arena.

use std::fmt;

use toads_game::{ValueId, ValueInvariants};

/// The content digest of a class, a run or a store: BLAKE3.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Digest(pub [u8; 32]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// How often a value occurs in a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TallyEntry {
    /// The value.
    pub value: ValueId,
    /// Strips of the class with this value.
    pub count: u64,
    /// The smallest index (base 3, F < . < T) of a strip of the class with this value.
    pub first: u64,
    /// The smallest index among the mirror images of the strips with this value: the first strip of the negative in
    /// the mirror class. (Mirroring does not preserve index order, so this cannot be read off `first`.)
    pub first_mirrored: u64,
}

/// A canonical form outside an arena, as it crosses the wire and is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueForm {
    /// The content id; equal to [`ValueId::of`] the options.
    pub id: ValueId,
    /// The content id of the negative.
    pub negative: ValueId,
    /// Left options, in ascending byte order.
    pub left: Vec<ValueId>,
    /// Right options, in ascending byte order.
    pub right: Vec<ValueId>,
    /// What can be read off the form.
    pub invariants: ValueInvariants,
}

/// What a shard's evaluation yields beside its blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShardResult {
    /// The content digest of the class; see [`crate::digest`].
    pub digest: Digest,
    /// Every value of the class, in ascending order of id.
    pub tally: Vec<TallyEntry>,
}
