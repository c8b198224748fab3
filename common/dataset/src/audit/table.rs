//! Tally and digest of a class, from the values of its strips one by one.

use rustc_hash::FxHashMap;
use toads_census::{Digest, Shard, TallyEntry};
use toads_game::ValueId;
use toads_strip::Strip;

/// Ranks of a chunk of the digest.
const CHUNK: usize = 65_536;

/// Takes the strips of a class in rank order.
pub(super) struct Recount {
    shard: Shard,
    tally: FxHashMap<ValueId, TallyEntry>,
    chunk: Vec<ValueId>,
    digest: blake3::Hasher,
}

impl Recount {
    pub(super) fn new(shard: Shard) -> Self {
        let mut digest = blake3::Hasher::new();
        let class = shard.class;
        digest.update(&[shard.variant.code(), class.n, class.toads, class.frogs]);
        Self {
            shard,
            tally: FxHashMap::default(),
            chunk: Vec::with_capacity(CHUNK),
            digest,
        }
    }

    pub(super) fn add(&mut self, strip: &Strip, value: ValueId) {
        let index = |strip: &Strip| strip.index().expect("a census strip has an index") as u64;
        let (first, first_mirrored) = (index(strip), index(&strip.mirror()));
        self.tally
            .entry(value)
            .and_modify(|entry| {
                entry.count += 1;
                entry.first = entry.first.min(first);
                entry.first_mirrored = entry.first_mirrored.min(first_mirrored);
            })
            .or_insert(TallyEntry {
                value,
                count: 1,
                first,
                first_mirrored,
            });
        self.chunk.push(value);
        if self.chunk.len() == CHUNK {
            self.end_chunk();
        }
    }

    /// The digest of the chunk: its distinct ids in order of first appearance, then a code a strip.
    fn end_chunk(&mut self) {
        let (mut ids, mut codes, mut places) =
            (Vec::<u8>::new(), Vec::<u8>::new(), FxHashMap::default());
        for value in self.chunk.drain(..) {
            let next = places.len() as u32;
            let code = *places.entry(value).or_insert_with(|| {
                ids.extend_from_slice(&value.0);
                next
            });
            codes.extend_from_slice(&(code as u16).to_le_bytes());
        }
        let mut chunk = blake3::Hasher::new();
        chunk.update(&(places.len() as u32).to_le_bytes());
        chunk.update(&ids);
        chunk.update(&codes);
        self.digest.update(chunk.finalize().as_bytes());
    }

    /// The tally in order of ids, and the digest.
    pub(super) fn finish(mut self) -> (Vec<TallyEntry>, Digest) {
        if !self.chunk.is_empty() {
            self.end_chunk();
        }
        let mut tally: Vec<TallyEntry> = self.tally.into_values().collect();
        tally.sort_unstable_by_key(|entry| entry.value);
        debug_assert_eq!(
            tally.iter().map(|entry| entry.count).sum::<u64>(),
            self.shard.strips()
        );
        (tally, Digest(*self.digest.finalize().as_bytes()))
    }
}
