//! The checks on arrival (promise P19): count, order, range, checksum, and that everything referred to is there.
//!
//! The kernel's own digest over *all* strips of the class cannot be recomputed from core strips alone; it is compared
//! with other results (promise P3) and by audits.

mod reject;

use toads_census::{CHUNK_RANKS, Digest, Shard, ShardResult, TallyEntry, ValueForm, chunks, codec};
use toads_store::ranks::Strips;
use toads_store::{Store, StoreError};
use toads_strip::Class;
use toads_wire::v1::RefusalReason;
use toads_wire::v1::submit_request::Part;
use toads_wire::{MAX_BLOCK_BYTES, convert, v1};

use reject::{Checked, refuse};

pub(crate) use reject::Reject;

/// How far the stream is; parts come in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    Forms,
    Tally,
    Blocks,
}

/// A submission while it streams in. Forms and blocks go to the store at once, where they are invisible.
#[derive(Debug)]
pub(crate) struct Intake {
    shard: Shard,
    keep_blocks: bool,
    stage: Stage,
    strips: Strips,
    tally: Vec<TallyEntry>,
    counted: u64,
    blocks_seen: Vec<bool>,
    blocks: u32,
    block_bytes: u64,
}

/// A complete result whose every part was checked.
#[derive(Debug)]
pub(crate) struct Complete {
    pub(crate) result: ShardResult,
    pub(crate) blocks: u32,
    pub(crate) block_bytes: u64,
}

impl Intake {
    pub(crate) fn new(shard: Shard, keep_blocks: bool) -> Self {
        Self {
            shard,
            keep_blocks,
            stage: Stage::Forms,
            strips: Strips::new(shard.class.n),
            tally: Vec::new(),
            counted: 0,
            blocks_seen: vec![false; chunks(shard.class) as usize],
            blocks: 0,
            block_bytes: 0,
        }
    }

    /// Checks the next part and stores what can be stored. Blocks; call it off the async threads.
    pub(crate) fn accept(&mut self, store: &dyn Store, part: Part) -> Checked<()> {
        match part {
            Part::Header(_) => refuse(RefusalReason::Malformed, "a second header"),
            Part::Forms(forms) => self
                .enter(Stage::Forms)
                .and_then(|()| Self::forms(store, &forms)),
            Part::Tally(tally) => self.enter(Stage::Tally).and_then(|()| self.tally(&tally)),
            Part::Blocks(blocks) => self
                .enter(Stage::Blocks)
                .and_then(|()| self.blocks(store, blocks)),
            Part::Trailer(_) => refuse(RefusalReason::Malformed, "a trailer out of place"),
        }
    }

    fn enter(&mut self, stage: Stage) -> Checked<()> {
        if stage < self.stage {
            return refuse(
                RefusalReason::Malformed,
                format!("{stage:?} after {:?}", self.stage),
            );
        }
        self.stage = stage;
        Ok(())
    }

    fn forms(store: &dyn Store, message: &v1::SubmitForms) -> Checked<()> {
        let bad = |what: String| Reject::Content(RefusalReason::BadForm, what);
        let forms: Result<Vec<ValueForm>, _> = message.forms.iter().map(convert::form).collect();
        let forms = forms.map_err(|error| bad(error.to_string()))?;
        // The store checks what it must not hold: ids that are not the hash of the options, options that nobody knows.
        match store.put_values(&forms) {
            Err(StoreError::Rejected { what }) => Err(bad(what)),
            written => Ok(written?),
        }
    }

    /// That the values are stored is found by the commit, which looks each of them up anyway.
    fn tally(&mut self, message: &v1::SubmitTally) -> Checked<()> {
        let bad = |what: String| Reject::Content(RefusalReason::BadTally, what);
        let (class, size) = (self.shard.class, self.shard.strips());
        self.tally.reserve(message.entries.len());
        for message in &message.entries {
            let entry = convert::tally_entry(message).map_err(|error| bad(error.to_string()))?;
            if self
                .tally
                .last()
                .is_some_and(|last| last.value >= entry.value)
            {
                return Err(bad(format!("value {} is out of order", entry.value)));
            }
            if self.strips.pieces(entry.first) != Some((class.toads, class.frogs))
                || self.strips.pieces(entry.first_mirrored) != Some((class.frogs, class.toads))
            {
                return Err(bad(format!(
                    "the first strips of value {} are of another class",
                    entry.value
                )));
            }
            if entry.count == 1 && self.strips.mirror(entry.first) != Some(entry.first_mirrored) {
                return Err(bad(format!(
                    "the one strip of value {} has another mirror image",
                    entry.value
                )));
            }
            self.counted = self.counted.saturating_add(entry.count);
            if self.counted > size {
                return Err(bad(format!(
                    "the counts exceed the {size} strips of the class"
                )));
            }
            self.tally.push(entry);
        }
        Ok(())
    }

    fn blocks(&mut self, store: &dyn Store, message: v1::SubmitBlocks) -> Checked<()> {
        let bad = |what: String| Reject::Content(RefusalReason::BadBlock, what);
        if !self.keep_blocks {
            return Err(bad("the run keeps tallies only".into()));
        }
        let mut checked = Vec::with_capacity(message.blocks.len());
        for v1::Block { number, data } in message.blocks {
            if data.len() > MAX_BLOCK_BYTES {
                return Err(bad(format!(
                    "block {number} has {} bytes, at most {MAX_BLOCK_BYTES}",
                    data.len()
                )));
            }
            let block =
                codec::decode(&data).map_err(|error| bad(format!("block {number}: {error}")))?;
            if block.shard != self.shard || block.number != number {
                return Err(bad(format!(
                    "block {number} says it is block {} of {}",
                    block.number, block.shard
                )));
            }
            match self.blocks_seen.get_mut(number as usize) {
                Some(seen @ false) => *seen = true,
                Some(true) => return Err(bad(format!("block {number} came twice"))),
                None => return Err(bad(format!("block {number} lies beyond the class"))),
            }
            let expected = core_strips(self.shard.class, number);
            if block.len() as u64 != expected {
                return Err(bad(format!(
                    "block {number} has {} strips, not {expected}",
                    block.len()
                )));
            }
            if block
                .dictionary
                .last()
                .is_some_and(|&place| place as usize >= self.tally.len())
            {
                return Err(bad(format!(
                    "block {number} names a value beyond the tally"
                )));
            }
            self.blocks += 1;
            self.block_bytes += data.len() as u64;
            checked.push((number, data));
        }
        store.put_blocks(self.shard, &checked)?;
        Ok(())
    }

    /// The end of the stream: is it all there?
    pub(crate) fn finish(&mut self, trailer: &v1::SubmitTrailer) -> Checked<Complete> {
        let digest: Digest = match convert::digest("the digest", &trailer.digest) {
            Ok(digest) => digest,
            Err(error) => return refuse(RefusalReason::Malformed, error.to_string()),
        };
        let size = self.shard.strips();
        if self.counted != size {
            return refuse(
                RefusalReason::BadTally,
                format!("the tally counts {} of {size} strips", self.counted),
            );
        }
        let expected = if self.keep_blocks {
            self.blocks_seen.len() as u32
        } else {
            0
        };
        if self.blocks != expected {
            return refuse(
                RefusalReason::BadBlock,
                format!("{} of {expected} blocks came", self.blocks),
            );
        }
        let said = (
            trailer.strips,
            trailer.distinct,
            trailer.blocks,
            trailer.block_bytes,
        );
        let came = (size, self.tally.len() as u64, self.blocks, self.block_bytes);
        if said != came {
            let what = format!(
                "the trailer says {said:?} (strips, distinct, blocks, bytes), {came:?} came"
            );
            return refuse(RefusalReason::BadCounts, what);
        }
        let result = ShardResult {
            digest,
            tally: std::mem::take(&mut self.tally),
        };
        Ok(Complete {
            result,
            blocks: self.blocks,
            block_bytes: self.block_bytes,
        })
    }
}

/// Core strips among the ranks of a block.
fn core_strips(class: Class, number: u32) -> u64 {
    let from = u64::from(number) * CHUNK_RANKS;
    let to = (from + CHUNK_RANKS).min(class.size());
    class.cores_below(to) - class.cores_below(from)
}
