//! Hash-consing: the table from option sets to handles, in shards that grow on their own.

use std::sync::Mutex;

use hashbrown::HashTable;

use super::bounds::Bounds;
use super::{Arena, Value};
use crate::error::Result;

const SHARD_BITS: u32 = 8;

/// Handles by the hash of their options; 256 shards, so threads rarely meet and growing copies 1/256 of it.
pub(super) struct InternTable {
    shards: Box<[Mutex<HashTable<Entry>>]>,
}

/// A handle with half of its hash: growing reads no option.
#[derive(Clone, Copy)]
struct Entry {
    hash: u32,
    handle: u32,
}

impl Default for InternTable {
    fn default() -> Self {
        Self {
            shards: (0..1 << SHARD_BITS).map(|_| Mutex::default()).collect(),
        }
    }
}

impl InternTable {
    /// Eight bytes and a control byte per slot.
    pub(super) fn memory_bytes(&self) -> u64 {
        self.shards
            .iter()
            .map(|shard| {
                shard
                    .lock()
                    .expect("no thread panics holding this lock")
                    .allocation_size() as u64
            })
            .sum()
    }
}

fn hash(left: impl Iterator<Item = Value>, right: impl Iterator<Item = Value>) -> u64 {
    let step = |h: u64, word: u32| {
        (h.rotate_left(23) ^ u64::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    };
    let h = left.fold(0x243f_6a88_85a3_08d3, |h, value| step(h, value.0));
    let h = right.fold(step(h, u32::MAX), |h, value| step(h, value.0));
    (h ^ h >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ h >> 32
}

impl Arena {
    /// The handle of the canonical form with these options (sorted here). The form must be canonical and have these
    /// bounds. Expected constant time; takes one shard's lock.
    pub(super) fn intern(
        &self,
        left: &mut [Value],
        right: &mut [Value],
        bounds: Bounds,
    ) -> Result<Value> {
        left.sort_unstable();
        right.sort_unstable();
        let (left, right) = (&*left, &*right);
        let hash = hash(left.iter().copied(), right.iter().copied());
        let shard = &self.interned.shards[(hash >> (64 - SHARD_BITS)) as usize];
        // The table chooses slots by the low bits and tags them with the high bits of what it is given.
        let spread = |hash: u32| u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let hash = hash as u32;
        let same = |entry: &Entry| {
            entry.hash == hash && {
                let value = Value(entry.handle);
                self.left_options(value).eq(left.iter().copied())
                    && self.right_options(value).eq(right.iter().copied())
            }
        };
        let mut table = shard.lock().expect("no thread panics holding this lock");
        if let Some(entry) = table.find(spread(hash), same) {
            return Ok(Value(entry.handle));
        }
        let value = self.push(left, right, bounds)?;
        let entry = Entry {
            hash,
            handle: value.0,
        };
        table.insert_unique(spread(hash), entry, |entry| spread(entry.hash));
        Ok(value)
    }
}
