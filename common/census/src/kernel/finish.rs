//! From the table of a class to its digest, tally and blocks.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::sync_channel;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use toads_game::{Arena, Value};

use super::parallel::on_threads;
use super::{Control, EvaluateError, EvaluatedClass};
use crate::index::{chunk_ranks, chunks};
use crate::result::{Digest, ShardResult, TallyEntry};
use crate::{codec, digest};

/// What is left of a class once its blocks have been passed on.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Digest and tally.
    pub result: ShardResult,
    /// The values of the tally as handles, in the tally's order.
    pub distinct: Vec<Value>,
}

/// The tally of one value, by handle.
#[derive(Clone, Copy)]
struct Count {
    strips: u64,
    first: u64,
    first_mirrored: u64,
}

type Counts = HashMap<u32, Count, FxBuildHasher>;

impl EvaluatedClass {
    /// The digest and the tally of the class. Two passes over each chunk; computes the content ids of new values.
    pub fn tally(
        &self,
        arena: &Arena,
        threads: usize,
        control: &Control,
    ) -> Result<Finished, EvaluateError> {
        let total = chunks(self.shard.class);
        let next = AtomicU32::new(0);
        let work = || -> Result<(Counts, Vec<(u32, Digest)>), EvaluateError> {
            let (mut counts, mut digests, mut coder) =
                (Counts::default(), vec![], ChunkCoder::default());
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= total {
                    return Ok((counts, digests));
                }
                control.check()?;
                digests.push((
                    number,
                    self.tally_chunk(arena, number, &mut coder, &mut counts),
                ));
            }
        };
        let parts = on_threads(threads.min(total as usize), &work)?;
        let (mut counts, mut digests) = (Counts::default(), vec![]);
        for (part, more) in parts {
            digests.extend(more);
            if counts.is_empty() {
                counts = part;
            } else {
                for (handle, count) in part {
                    counts
                        .entry(handle)
                        .and_modify(|sum| sum.add(count))
                        .or_insert(count);
                }
            }
        }
        digests.sort_unstable_by_key(|&(number, _)| number);
        let mut entries: Vec<(Value, TallyEntry)> = counts
            .into_iter()
            .map(|(handle, count)| {
                let value = Value::from_index(handle as usize);
                let Count {
                    strips,
                    first,
                    first_mirrored,
                } = count;
                (
                    value,
                    TallyEntry {
                        value: arena.id(value),
                        count: strips,
                        first,
                        first_mirrored,
                    },
                )
            })
            .collect();
        entries.sort_unstable_by_key(|(_, entry)| entry.value);
        assert_eq!(
            entries.iter().map(|(_, entry)| entry.count).sum::<u64>(),
            self.len(),
            "every strip is counted once"
        );
        let digest = digest::of_class(self.shard, digests.into_iter().map(|(_, digest)| digest));
        let (distinct, tally) = entries.into_iter().unzip();
        Ok(Finished {
            result: ShardResult { digest, tally },
            distinct,
        })
    }

    /// Packs the blocks of the class and passes each to `emit` with its number, in any order; `finished` is what
    /// [`Self::tally`] gave. At most two blocks a thread wait for `emit`.
    pub fn blocks(
        &self,
        finished: &Finished,
        threads: usize,
        control: &Control,
        emit: &mut dyn FnMut(u32, Vec<u8>) -> Result<(), EvaluateError>,
    ) -> Result<(), EvaluateError> {
        let places: HashMap<u32, u32, FxBuildHasher> = finished
            .distinct
            .iter()
            .enumerate()
            .map(|(place, value)| (value.index() as u32, place as u32))
            .collect();
        let (total, threads) = (chunks(self.shard.class), threads.max(1));
        let (next, stop) = (AtomicU32::new(0), AtomicBool::new(false));
        let (sender, receiver) = sync_channel(2 * threads);
        std::thread::scope(|scope| {
            for _ in 0..threads.min(total as usize) {
                let (sender, places, next, stop) = (sender.clone(), &places, &next, &stop);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= total || stop.load(Ordering::Relaxed) {
                            return;
                        }
                        if sender.send((number, self.pack(number, places))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let outcome = receiver.iter().try_for_each(|(number, bytes)| {
                control.check()?;
                emit(number, bytes)
            });
            stop.store(true, Ordering::Relaxed);
            drop(receiver);
            outcome
        })
    }

    fn tally_chunk(
        &self,
        arena: &Arena,
        number: u32,
        coder: &mut ChunkCoder,
        counts: &mut Counts,
    ) -> Digest {
        coder.start();
        let ranks = chunk_ranks(self.shard.class, number);
        let handles = self.table()[ranks.start as usize..ranks.end as usize].iter();
        for (handle, strip) in handles.zip(self.layout.strips(ranks)) {
            coder.add(handle.load(Ordering::Relaxed), strip.index, strip.mirrored);
        }
        for (&handle, &count) in coder.handles.iter().zip(&coder.counts) {
            counts
                .entry(handle)
                .and_modify(|sum| sum.add(count))
                .or_insert(count);
        }
        let ids = coder
            .handles
            .iter()
            .map(|&handle| arena.id(Value::from_index(handle as usize)));
        digest::of_chunk(ids, &coder.codes)
    }

    fn pack(&self, number: u32, places: &HashMap<u32, u32, FxBuildHasher>) -> Vec<u8> {
        let ranks = chunk_ranks(self.shard.class, number);
        let handles = self.table()[ranks.start as usize..ranks.end as usize].iter();
        let core: Vec<u32> = handles
            .zip(self.layout.strips(ranks))
            .filter(|(_, strip)| strip.is_core)
            .map(|(handle, _)| places[&handle.load(Ordering::Relaxed)])
            .collect();
        codec::encode(self.shard, number, &core)
    }
}

impl Count {
    fn add(&mut self, other: Self) {
        self.strips += other.strips;
        self.first = self.first.min(other.first);
        self.first_mirrored = self.first_mirrored.min(other.first_mirrored);
    }
}

/// Codes of the values of one chunk, in order of first appearance. Reused from chunk to chunk.
#[derive(Default)]
struct ChunkCoder {
    /// Open addressing: epoch (16 bits), code (16), handle (32); an entry of another epoch is free.
    slots: Vec<u64>,
    epoch: u64,
    handles: Vec<u32>,
    counts: Vec<Count>,
    codes: Vec<u16>,
}

impl ChunkCoder {
    fn start(&mut self) {
        self.handles.clear();
        self.counts.clear();
        self.codes.clear();
        self.epoch += 1;
        if self.slots.is_empty() || self.epoch >= 1 << 16 {
            self.epoch = 1;
            self.slots = vec![0; self.slots.len().max(1 << 12)];
        }
    }

    #[inline]
    fn add(&mut self, handle: u32, index: u64, mirrored: u64) {
        let code = match self.find(handle) {
            ControlFlow::Break(code) => code,
            ControlFlow::Continue(slot) => self.insert(slot, handle),
        };
        self.codes.push(code);
        let count = &mut self.counts[usize::from(code)];
        count.strips += 1;
        count.first = count.first.min(index);
        count.first_mirrored = count.first_mirrored.min(mirrored);
    }

    /// The code of `handle`, or the free slot where it belongs.
    #[inline]
    fn find(&self, handle: u32) -> ControlFlow<u16, usize> {
        let mask = self.slots.len() - 1;
        let mut slot =
            (u64::from(handle).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize & mask;
        loop {
            let entry = self.slots[slot];
            if entry >> 48 != self.epoch {
                return ControlFlow::Continue(slot);
            }
            if entry as u32 == handle {
                return ControlFlow::Break((entry >> 32) as u16);
            }
            slot = (slot + 1) & mask;
        }
    }

    fn insert(&mut self, slot: usize, handle: u32) -> u16 {
        let code = self.handles.len() as u16;
        self.handles.push(handle);
        self.counts.push(Count {
            strips: 0,
            first: u64::MAX,
            first_mirrored: u64::MAX,
        });
        self.slots[slot] = self.epoch << 48 | u64::from(code) << 32 | u64::from(handle);
        if self.handles.len() * 2 > self.slots.len() {
            self.slots = vec![0; self.slots.len() * 2];
            for code in 0..self.handles.len() {
                let handle = self.handles[code];
                if let ControlFlow::Continue(slot) = self.find(handle) {
                    self.slots[slot] = self.epoch << 48 | (code as u64) << 32 | u64::from(handle);
                }
            }
        }
        code
    }
}
