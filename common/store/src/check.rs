//! What both stores check before they write: a caller's data must not contradict itself.

use toads_census::{MAX_CENSUS_SQUARES, Shard, ShardResult, ValueForm};
use toads_game::ValueId;
use toads_strip::Class;
use toads_survey::{CellKey, CellRecord, Merge};

use crate::error::{Result, StoreError};
use crate::ranks::Strips;
use crate::records::{EventRecord, QuarantineRecord, RunRecord, ShardRecord};

fn reject<T>(what: String) -> Result<T> {
    Err(StoreError::Rejected { what })
}

/// A shard that a plan could name.
pub(crate) fn shard(shard: Shard) -> Result<()> {
    let Class { n, toads, frogs } = shard.class;
    let is_class = Class::new(n.into(), toads.into(), frogs.into()).is_ok();
    if !is_class || toads < frogs || n == 0 || n > MAX_CENSUS_SQUARES {
        return reject(format!(
            "variant {}, n {n}, toads {toads}, frogs {frogs} is not a shard",
            shard.variant
        ));
    }
    Ok(())
}

/// A run that a plan could hold.
pub(crate) fn run(run: &RunRecord) -> Result<()> {
    if run.id == 0 || run.first_n == 0 || run.first_n > run.last_n {
        return reject(format!(
            "run {} of {}..{} squares",
            run.id, run.first_n, run.last_n
        ));
    }
    Ok(())
}

/// A quarantine record for this very shard.
pub(crate) fn quarantine(of: Shard, record: Option<&QuarantineRecord>) -> Result<()> {
    shard(of)?;
    match record {
        Some(record) if record.shard != of => {
            reject(format!("a quarantine record of {} for {of}", record.shard))
        }
        _ => Ok(()),
    }
}

/// A cell of a survey that is stored and has so many, and a record that says something.
pub(crate) fn cell(cells: Option<usize>, cell: CellKey, record: &CellRecord) -> Result<()> {
    let Some(cells) = cells else {
        return reject(format!("{cell}: there is no such survey"));
    };
    if cell.index as usize >= cells {
        return reject(format!("{cell}: the survey has {cells} cells"));
    }
    let checked = record.outcome.check();
    checked.or_else(|what| reject(format!("{cell}: {what}")))
}

/// Which of two records of a cell stays; two values that differ are refused.
pub(crate) fn merge(
    cell: CellKey,
    record: &CellRecord,
    stored: Option<&CellRecord>,
) -> Result<Merge> {
    match stored.map_or(Merge::Take, |stored| record.over(stored)) {
        Merge::Conflict(what) => Err(StoreError::CellConflict { cell, what }),
        merge => Ok(merge),
    }
}

/// Options in strictly ascending order, and the id that follows from them. One hash for each value.
pub(crate) fn value(
    form: &ValueForm,
    left: &mut Vec<ValueId>,
    right: &mut Vec<ValueId>,
) -> Result<()> {
    for (side, options) in [("left", &form.left), ("right", &form.right)] {
        if !options.is_sorted_by(|a, b| a < b) {
            return reject(format!(
                "the {side} options of value {} are not in ascending order",
                form.id
            ));
        }
    }
    left.clone_from(&form.left);
    right.clone_from(&form.right);
    let id = ValueId::of(left, right);
    if id != form.id {
        return reject(format!("value {} has options whose id is {id}", form.id));
    }
    Ok(())
}

/// A value whose option is neither stored nor before it.
pub(crate) fn no_option(form: &ValueForm, option: ValueId) -> StoreError {
    StoreError::Rejected {
        what: format!(
            "value {} has the option {option}, which is neither stored nor sent before it",
            form.id
        ),
    }
}

/// A number for one value more.
pub(crate) fn number(number: u32) -> Result<()> {
    if number == u32::MAX {
        return reject(format!("a store holds {number} values at most"));
    }
    Ok(())
}

/// A marker and a result that belong together and add up: the counts are the size of the class.
pub(crate) fn commit(record: &ShardRecord, result: &ShardResult) -> Result<()> {
    shard(record.shard)?;
    let name = record.shard;
    if record.digest != result.digest {
        return reject(format!(
            "{name}: digest {} in the marker, {} in the result",
            record.digest, result.digest
        ));
    }
    if record.distinct != result.tally.len() as u64 {
        return reject(format!(
            "{name}: {} distinct values, {} in the tally",
            record.distinct,
            result.tally.len()
        ));
    }
    if !result.tally.is_sorted_by(|a, b| a.value < b.value) {
        return reject(format!(
            "{name}: the tally is not in strictly ascending order of value id"
        ));
    }
    let (strips, class) = (Strips::new(name.class.n), name.class);
    for entry in &result.tally {
        if entry.count == 0
            || strips.pieces(entry.first) != Some((class.toads, class.frogs))
            || strips.pieces(entry.first_mirrored) != Some((class.frogs, class.toads))
        {
            return reject(format!(
                "{name}: value {} counts {} strips, the first with the indices {} and {}",
                entry.value, entry.count, entry.first, entry.first_mirrored
            ));
        }
        if entry.count == 1 && strips.mirror(entry.first) != Some(entry.first_mirrored) {
            return reject(format!(
                "{name}: value {} has the one strip {}, which is not mirrored by {}",
                entry.value, entry.first, entry.first_mirrored
            ));
        }
    }
    let counts = result.tally.iter().map(|entry| entry.count);
    self::counts(record, counts)
}

/// Counts of a tally that add up to the strips of the shard, and a marker that adds up.
pub(crate) fn counts(record: &ShardRecord, counts: impl Iterator<Item = u64>) -> Result<()> {
    let name = record.shard;
    let total = counts.fold(0, u64::saturating_add);
    // A block of a class (a later plan) may hold fewer strips than the class.
    let expected = if name.block == 0 {
        name.strips()
    } else {
        record.strips
    };
    if total != expected || record.strips != expected {
        return reject(format!(
            "{name}: the tally counts {total} strips and the marker {}, of {expected}",
            record.strips
        ));
    }
    if (record.blocks == 0) != (record.block_bytes == 0) {
        return reject(format!(
            "{name}: {} blocks of {} bytes",
            record.blocks, record.block_bytes
        ));
    }
    Ok(())
}

/// Sequence numbers count from 1.
pub(crate) fn events(events: &[EventRecord]) -> Result<()> {
    if events.iter().any(|event| event.sequence == 0) {
        return reject("an event with sequence number 0; they count from 1".to_owned());
    }
    events
        .iter()
        .filter_map(|event| event.shard)
        .try_for_each(shard)
}

/// The log is append-only: a number is never given to another event.
pub(crate) fn same_event(stored: &EventRecord, offered: &EventRecord) -> Result<()> {
    if stored == offered {
        Ok(())
    } else {
        reject(format!("event {} is already in the log", offered.sequence))
    }
}

/// What a commit finds when the shard is committed already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Again {
    /// The same result: nothing to write.
    Nothing,
    /// The same result, now with blocks: the marker is replaced.
    AddsBlocks,
}

/// Compares a commit with the marker that is there.
pub(crate) fn again(stored: &ShardRecord, offered: &ShardRecord) -> Result<Again> {
    let conflict = |what: String| {
        Err(StoreError::Conflict {
            shard: stored.shard,
            what,
        })
    };
    if stored.digest != offered.digest {
        return conflict(format!(
            "digest {} by {:?}, now {} by {:?}",
            stored.digest, stored.worker, offered.digest, offered.worker
        ));
    }
    // The digest decides; the rest of a result follows from it, or something is broken.
    if (stored.strips, stored.distinct) != (offered.strips, offered.distinct) {
        return conflict(format!(
            "the digest is the same, but {} values of {} strips are now {} of {}",
            stored.distinct, stored.strips, offered.distinct, offered.strips
        ));
    }
    if stored.blocks == 0 && offered.blocks > 0 {
        return Ok(Again::AddsBlocks);
    }
    Ok(Again::Nothing)
}

/// A block of a committed shard that is not the stored one.
pub(crate) fn other_block(shard: Shard, number: u32) -> StoreError {
    StoreError::Conflict {
        shard,
        what: format!("block {number} differs from the committed one"),
    }
}

/// Blocks counted and measured against the marker.
pub(crate) fn blocks(record: &ShardRecord, count: u64, bytes: u64) -> Result<()> {
    if count != u64::from(record.blocks) {
        let what = format!("{count} of {} blocks are stored", record.blocks);
        return Err(StoreError::Incomplete {
            shard: record.shard,
            what,
        });
    }
    if bytes != record.block_bytes {
        let what = format!(
            "its blocks have {bytes} bytes, the marker says {}",
            record.block_bytes
        );
        return Err(StoreError::Incomplete {
            shard: record.shard,
            what,
        });
    }
    Ok(())
}

/// Values of the tally that are not stored.
pub(crate) fn values(shard: Shard, missing: &[ValueId]) -> Result<()> {
    match missing {
        [] => Ok(()),
        [first, ..] => {
            let what = format!(
                "{} values of its tally are not stored, such as {first}",
                missing.len()
            );
            Err(StoreError::Incomplete { shard, what })
        }
    }
}
