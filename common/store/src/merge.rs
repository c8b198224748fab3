//! One store into another: what is committed there and not here.
//!
//! A value id is the content of a value and a digest that of a class, so stores merge by looking: a shard that is not
//! here is copied, one with the same digest is here already, one with another digest is told and stays. Doing it again
//! changes nothing. Runs, quarantine and the log of the other store are its own story and are not copied.

use std::ops::ControlFlow;

use toads_census::{Digest, Shard};
use toads_survey::CellKey;

use crate::error::{Result, StoreError};
use crate::records::{EventRecord, ShardRecord};
use crate::store::Store;

/// Values copied at a time.
const VALUES: usize = 4096;

/// Bytes of blocks copied at a time.
const BLOCK_BYTES: usize = 4 << 20;

/// What became of a shard or a cell of the other store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Merged {
    /// It was not here, or without the values of single strips.
    Copied(Shard),
    /// It was here.
    There(Shard),
    /// It is here with another digest, which stays.
    Differs {
        /// Which.
        shard: Shard,
        /// In this store.
        here: Digest,
        /// In the other one.
        there: Digest,
    },
    /// What is known of a cell was not here, or said less.
    Cell(CellKey),
    /// The cell has another value here, which stays.
    CellDiffers(CellKey, String),
}

/// Copies what is committed in `from` and not in `into`; `each` hears of every shard, and of every cell that was copied
/// or differs. `origin` and `now_ms` go into the log. [`ControlFlow::Break`] ends it early: what was copied stays.
///
/// All values of the other store are copied first when there is a shard to copy: about 2 µs each.
pub fn merge(
    from: &dyn Store,
    into: &dyn Store,
    origin: &str,
    now_ms: u64,
    each: &mut dyn FnMut(Merged) -> ControlFlow<()>,
) -> Result<()> {
    let mut wanted = Vec::new();
    for record in from.shards(None)? {
        let shard = record.shard;
        let merged = match into.shard(shard)? {
            Some(here) if here.digest != record.digest => Merged::Differs {
                shard,
                here: here.digest,
                there: record.digest,
            },
            Some(here) if here.blocks > 0 || record.blocks == 0 => Merged::There(shard),
            _ => {
                wanted.push(record);
                continue;
            }
        };
        if each(merged).is_break() {
            return Ok(());
        }
    }
    if !wanted.is_empty() {
        copy_values(from, into)?;
    }
    for record in wanted {
        let shard = record.shard;
        copy_shard(from, into, record, origin, now_ms)?;
        if each(Merged::Copied(shard)).is_break() {
            return Ok(());
        }
    }
    copy_surveys(from, into, each)
}

/// In the order of their numbers, so options come first.
fn copy_values(from: &dyn Store, into: &dyn Store) -> Result<()> {
    let mut batch = Vec::with_capacity(VALUES);
    let mut written = Ok(());
    from.scan_values(&mut |form| {
        batch.push(form);
        if batch.len() < VALUES {
            return ControlFlow::Continue(());
        }
        written = into.put_values(&batch);
        batch.clear();
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    })?;
    written?;
    into.put_values(&batch)
}

fn copy_shard(
    from: &dyn Store,
    into: &dyn Store,
    record: ShardRecord,
    origin: &str,
    now_ms: u64,
) -> Result<()> {
    let shard = record.shard;
    let damaged = |what: String| StoreError::Damaged {
        place: format!("{origin}, {shard}"),
        what,
    };
    let result = from.tally(shard)?;
    let result = result.ok_or_else(|| damaged("its tally is missing".to_owned()))?;
    let (mut batch, mut bytes) = (Vec::new(), 0);
    for number in 0..record.blocks {
        let block = from.block(shard, number)?;
        let block = block.ok_or_else(|| damaged(format!("block {number} is missing")))?;
        bytes += block.len();
        batch.push((number, block));
        if bytes >= BLOCK_BYTES || number + 1 == record.blocks {
            into.put_blocks(shard, &std::mem::take(&mut batch))?;
            bytes = 0;
        }
    }
    let event = EventRecord {
        sequence: into.next_event()?,
        at_ms: now_ms,
        kind: "merged".to_owned(),
        shard: Some(shard),
        worker: record.worker.clone(),
        epoch: 0,
        detail: format!("from {origin}"),
    };
    // Leases of another store mean nothing here.
    let record = ShardRecord { epoch: 0, ..record };
    into.commit(&record, &result, &[event])
}

fn copy_surveys(
    from: &dyn Store,
    into: &dyn Store,
    each: &mut dyn FnMut(Merged) -> ControlFlow<()>,
) -> Result<()> {
    let here: Vec<_> = into
        .surveys()?
        .iter()
        .map(crate::records::SurveyRecord::id)
        .collect();
    for record in from.surveys()? {
        let survey = record.id();
        if !here.contains(&survey) {
            into.put_survey(&record)?;
        }
        for (index, cell) in from.cells(survey)? {
            let key = CellKey { survey, index };
            let merged = match into.put_cell(survey, index, &cell, &[]) {
                Ok(toads_survey::Merge::Take) => Merged::Cell(key),
                Ok(_) => continue,
                Err(StoreError::CellConflict { what, .. }) => Merged::CellDiffers(key, what),
                Err(error) => return Err(error),
            };
            if each(merged).is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}
