//! The values of the core strips of a class: from its blocks, else by evaluating it.

use rustc_hash::FxHashMap;
use toads_census::codec::{self, Block};
use toads_census::{Control, Shard, ShardResult, chunk_ranks, chunks, evaluate};
use toads_game::{Arena, ValueId};
use toads_strip::Class;

use super::reader::Reader;
use crate::error::{DatasetError, Result};

/// Bytes of the arena a class is evaluated in: reserved, and paid for when touched.
const ARENA_BYTES: u64 = 2 << 30;

/// A class whose blocks are stored, with the tally that they refer to.
pub(crate) struct StoredClass {
    shard: Shard,
    /// The tally.
    pub(crate) result: ShardResult,
}

impl StoredClass {
    /// The class of `shard`, when its blocks are stored.
    pub(crate) fn open(reader: &Reader<'_>, shard: Shard) -> Result<Option<Self>> {
        match reader.records.get(&shard) {
            Some(record) if record.blocks > 0 => Ok(Some(Self {
                shard,
                result: reader.tally(shard)?,
            })),
            _ => Ok(None),
        }
    }

    /// A block, checked against its place: header, number of strips, places in the tally.
    pub(crate) fn block(&self, reader: &Reader<'_>, number: u32) -> Result<Block> {
        let damaged = |what: String| DatasetError::Damaged {
            shard: self.shard,
            what: format!("block {number} {what}"),
        };
        let bytes = reader
            .store
            .block(self.shard, number)?
            .ok_or_else(|| damaged("is missing".to_owned()))?;
        let block =
            codec::decode(&bytes).map_err(|error| damaged(format!("does not read: {error}")))?;
        let ranks = chunk_ranks(self.shard.class, number);
        let expected =
            self.shard.class.cores_below(ranks.end) - self.shard.class.cores_below(ranks.start);
        if block.shard != self.shard || block.number != number {
            return Err(damaged(format!(
                "says it is block {} of {}",
                block.number, block.shard
            )));
        }
        if block.len() as u64 != expected {
            return Err(damaged(format!(
                "holds {} core strips, not {expected}",
                block.len()
            )));
        }
        if block
            .dictionary
            .last()
            .is_some_and(|&last| last as usize >= self.result.tally.len())
        {
            return Err(damaged("names values past the tally".to_owned()));
        }
        Ok(block)
    }
}

/// The value of every core strip of a class with at least as many toads as frogs, by core rank; or of every strip, by
/// rank.
pub(crate) struct CoreCodes {
    /// Distinct values.
    pub(crate) values: Vec<ValueId>,
    /// Places in `values`: 4 bytes a strip.
    pub(crate) codes: Vec<u32>,
}

impl CoreCodes {
    /// From the blocks, when there are.
    pub(crate) fn stored(reader: &Reader<'_>, shard: Shard) -> Result<Option<Self>> {
        let Some(class) = StoredClass::open(reader, shard)? else {
            return Ok(None);
        };
        let mut codes = Vec::with_capacity(shard.class.core_size() as usize);
        for number in 0..chunks(shard.class) {
            codes.extend(class.block(reader, number)?.tally_places());
        }
        let values = class.result.tally.iter().map(|entry| entry.value).collect();
        Ok(Some(Self { values, codes }))
    }

    /// Every strip of the class, by evaluating it, if it is small enough; the store need not hold it.
    pub(crate) fn evaluated(reader: &Reader<'_>, shard: Shard) -> Result<Self> {
        let (strips, limit) = (shard.class.size(), reader.evaluate_limit);
        if strips > limit {
            return Err(DatasetError::NeedsBlocks {
                shard,
                strips,
                limit,
            });
        }
        let arena = Arena::with_capacity_bytes(ARENA_BYTES);
        let evaluated = evaluate(&arena, shard, reader.threads, &Control::default())?;
        let mut values = Vec::new();
        let mut places = FxHashMap::default();
        let codes = (0..evaluated.len()).map(|rank| {
            let value = evaluated.value_at(rank);
            *places.entry(value).or_insert_with(|| {
                values.push(arena.id(value));
                values.len() as u32 - 1
            })
        });
        Ok(Self {
            codes: codes.collect(),
            values,
        })
    }

    /// The core strips of a class, one way or the other.
    pub(crate) fn of_cores(reader: &Reader<'_>, shard: Shard) -> Result<Self> {
        if let Some(stored) = Self::stored(reader, shard)? {
            return Ok(stored);
        }
        let mut all = Self::evaluated(reader, shard)?;
        let mut strips = shard.class.strips();
        all.codes
            .retain(|_| strips.next().is_some_and(|strip| strip.is_core()));
        Ok(all)
    }
}

/// The class of the cores of strips of `class` with `frogs` dead frogs in front and `toads` dead toads behind.
pub(crate) fn core_class(class: Class, frogs: u8, toads: u8) -> Class {
    Class {
        n: class.n - frogs - toads,
        toads: class.toads - toads,
        frogs: class.frogs - frogs,
    }
}
