//! What an audit finds.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};
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

impl Damage {
    const ALL: [Self; 7] = [
        Self::Marker,
        Self::Tally,
        Self::Block,
        Self::Digest,
        Self::Strip,
        Self::Mirror,
        Self::Value,
    ];

    /// In one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Marker => "marker",
            Self::Tally => "tally",
            Self::Block => "block",
            Self::Digest => "digest",
            Self::Strip => "strip",
            Self::Mirror => "mirror",
            Self::Value => "value",
        }
    }

    pub(super) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|damage| damage.name() == name)
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Something wrong.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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

/// What is found in one shard: each thing once, and not by the million.
#[derive(Debug, Default)]
pub(super) struct Found {
    told: Vec<Finding>,
    counts: FxHashMap<(Shard, Damage), usize>,
    /// How many there are, told or not.
    pub(super) count: u64,
}

impl Found {
    pub(super) fn find(&mut self, shard: Shard, damage: Damage, detail: String) {
        let finding = Finding {
            shard,
            damage,
            detail,
        };
        let count = self.counts.entry((shard, damage)).or_default();
        if *count < TOLD && self.told.contains(&finding) {
            return;
        }
        *count += 1;
        self.count += 1;
        if *count <= TOLD {
            self.told.push(finding);
        }
    }

    /// Whether there was a finding of this sort, in any shard.
    pub(super) fn has(&self, damage: Damage) -> bool {
        self.counts.keys().any(|&(_, told)| told == damage)
    }

    /// The findings that are told, in order.
    pub(super) fn into_told(self) -> Vec<Finding> {
        self.told
    }
}

/// Passes findings on, each once, whichever shards they were found in; a value that many shards have is told with the first.
pub(super) struct Report<'a> {
    sink: &'a mut dyn FnMut(&Finding),
    /// Findings about values are told without their shard.
    told: FxHashSet<(Option<Shard>, Damage, String)>,
}

impl<'a> Report<'a> {
    pub(super) fn new(sink: &'a mut dyn FnMut(&Finding)) -> Self {
        Self {
            sink,
            told: FxHashSet::default(),
        }
    }

    /// How many of these were told before.
    pub(super) fn tell(&mut self, findings: &[Finding]) -> u64 {
        let mut known = 0;
        for finding in findings {
            let shard = (finding.damage != Damage::Value).then_some(finding.shard);
            let new = (shard, finding.damage, finding.detail.clone());
            if self.told.insert(new) {
                (self.sink)(finding);
            } else {
                known += 1;
            }
        }
        known
    }
}
