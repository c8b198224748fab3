//! What to audit, how far it is, what came of it.

use std::ops::{AddAssign, RangeInclusive};
use std::path::PathBuf;
use std::thread;

use toads_census::Shard;
use toads_strip::Variant;

/// What to audit and how thoroughly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditOptions {
    /// One ruleset; both when absent.
    pub variant: Option<Variant>,
    /// Numbers of squares, inclusive; all when absent.
    pub squares: Option<RangeInclusive<u8>>,
    /// These shards alone, when there are any.
    pub shards: Vec<Shard>,
    /// One strip in so many is checked against its options; 1 checks all. Checksums, counts, tallies, digests and
    /// forms are always checked whole.
    pub one_in: u64,
    /// Which strips those are.
    pub seed: u64,
    /// The largest class that is recomputed where its blocks, or those of the classes of its cores, are not stored.
    pub recompute_up_to: u64,
    /// Bytes of the arena at most.
    pub memory: u64,
    /// Threads, a shard each at a time.
    pub threads: usize,
    /// A file in which every shard is noted that is done, and whose shards are not audited again.
    pub journal: Option<PathBuf>,
    /// What names the store in its journal; another one is refused.
    pub journal_of: String,
}

impl Default for AuditOptions {
    /// Everything, every strip, recomputing classes of up to a million strips, in at most 4 GiB, on all processors.
    fn default() -> Self {
        Self {
            variant: None,
            squares: None,
            shards: Vec::new(),
            one_in: 1,
            seed: 0,
            recompute_up_to: 1_000_000,
            memory: 4 << 30,
            threads: thread::available_parallelism().map_or(1, usize::from),
            journal: None,
            journal_of: String::new(),
        }
    }
}

impl AuditOptions {
    /// Whether a shard is to be audited.
    pub(super) fn selects(&self, shard: Shard) -> bool {
        self.variant.is_none_or(|variant| variant == shard.variant)
            && self
                .squares
                .as_ref()
                .is_none_or(|range| range.contains(&shard.class.n))
            && (self.shards.is_empty() || self.shards.contains(&shard))
    }

    /// Whether the strip of this rank is checked against its options.
    pub(super) fn samples(&self, rank: u64) -> bool {
        self.one_in <= 1 || mix(self.seed ^ mix(rank)).is_multiple_of(self.one_in)
    }
}

/// The finaliser of `SplitMix64`: spreads neighbouring numbers.
fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// How far an audit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuditProgress {
    /// The shard whose values are looked at; `None` once all values are checked and strips are.
    pub shard: Option<Shard>,
    /// Shards audited.
    pub shards_done: usize,
    /// Shards selected.
    pub shards_total: usize,
    /// Strips passed, sampled or not.
    pub strips_done: u64,
    /// Strips of all shards selected.
    pub strips_total: u64,
}

/// What came of an audit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditSummary {
    /// Shards audited.
    pub shards: u64,
    /// Shards of these that a journal had already.
    pub earlier: u64,
    /// Strips of these shards.
    pub strips: u64,
    /// Strips whose value was compared with the canonical form of their options.
    pub strips_checked: u64,
    /// Values whose forms were checked, subpositions included; those of shards of the journal only where others have
    /// them too.
    pub values: u64,
    /// Shards recomputed by the slow evaluator.
    pub recomputed: u64,
    /// Shards too large to recompute, of which only tally and forms were checked.
    pub tallies_only: u64,
    /// Things found wrong.
    pub findings: u64,
}

impl AuditSummary {
    /// Whether nothing was found wrong.
    pub fn is_sound(&self) -> bool {
        self.findings == 0
    }
}

impl AddAssign for AuditSummary {
    fn add_assign(&mut self, other: Self) {
        self.shards += other.shards;
        self.earlier += other.earlier;
        self.strips += other.strips;
        self.strips_checked += other.strips_checked;
        self.values += other.values;
        self.recomputed += other.recomputed;
        self.tallies_only += other.tallies_only;
        self.findings += other.findings;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_as_large_as_asked_for_and_depends_on_the_seed() {
        let sample = |seed| {
            let options = AuditOptions {
                one_in: 10,
                seed,
                ..AuditOptions::default()
            };
            (0..10_000)
                .filter(|&rank| options.samples(rank))
                .collect::<Vec<_>>()
        };
        assert!((900..1100).contains(&sample(1).len()));
        assert_ne!(sample(1), sample(2));
        assert!((0..100).all(|rank| AuditOptions::default().samples(rank)));
    }
}
