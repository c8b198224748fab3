//! What an audit finds.

use std::fmt;

use rustc_hash::FxHashSet;
use toads_census::Shard;

/// The sort of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Damage {
    /// The marker contradicts the class, the tally or the blocks.
    Marker,
    /// The tally is missing, out of order, or does not count the strips.
    Tally,
    /// A block is missing, does not read, or belongs elsewhere.
    Block,
    /// The recorded digest is not that of the content.
    Digest,
    /// A strip's value is not the canonical form of its options.
    Strip,
    /// A strip and its mirror image do not have opposite values.
    Mirror,
    /// A value is missing, or its form is not what its id says, or not canonical, or its invariants are wrong.
    Value,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Marker => "marker",
            Self::Tally => "tally",
            Self::Block => "block",
            Self::Digest => "digest",
            Self::Strip => "strip",
            Self::Mirror => "mirror",
            Self::Value => "value",
        })
    }
}

/// Something wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where: the shard to invalidate.
    pub shard: Shard,
    /// What sort of thing.
    pub damage: Damage,
    /// What, with names and numbers.
    pub detail: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.shard, self.damage, self.detail)
    }
}

/// Findings of one sort that are told for each shard; the rest are counted.
const TOLD: usize = 10;

/// Passes findings on: each once, and not by the million.
pub(super) struct Report<'a> {
    sink: &'a mut dyn FnMut(&Finding),
    told: FxHashSet<(Shard, Damage, String)>,
    counts: rustc_hash::FxHashMap<(Shard, Damage), usize>,
    findings: u64,
}

impl<'a> Report<'a> {
    pub(super) fn new(sink: &'a mut dyn FnMut(&Finding)) -> Self {
        Self {
            sink,
            told: FxHashSet::default(),
            counts: rustc_hash::FxHashMap::default(),
            findings: 0,
        }
    }

    pub(super) fn find(&mut self, shard: Shard, damage: Damage, detail: String) {
        let count = self.counts.entry((shard, damage)).or_default();
        if *count < TOLD && !self.told.insert((shard, damage, detail.clone())) {
            return;
        }
        *count += 1;
        self.findings += 1;
        if *count <= TOLD {
            (self.sink)(&Finding {
                shard,
                damage,
                detail,
            });
        }
    }

    /// Whether there was a finding of this sort, in any shard.
    pub(super) fn has_told(&self, damage: Damage) -> bool {
        self.counts.keys().any(|&(_, told)| told == damage)
    }

    pub(super) fn findings(&self) -> u64 {
        self.findings
    }
}
