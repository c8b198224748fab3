//! Runs, markers, blocks and quarantine: everything but values, tallies and commits.

use std::ops::ControlFlow;

use rocksdb::WriteBatch;
use toads_census::Shard;
use toads_fault::Point;
use toads_strip::Variant;

use super::RocksStore;
use super::events::last_of;
use super::fault::damaged;
use super::options::Column;
use super::scan::Bounds;
use crate::check;
use crate::encode::{
    Malformed, Marker, Packer, block_bytes, decode_block, decode_marker, decode_quarantine,
    decode_run, encode_block, encode_quarantine, encode_run,
};
use crate::error::{Result, StoreError};
use crate::keys;
use crate::mark::MARK_FILE;
use crate::records::{EventRecord, QuarantineRecord, RunRecord, ShardRecord};

impl RocksStore {
    pub(super) fn read_runs(&self) -> Result<Vec<RunRecord>> {
        self.collect(Column::Runs, Bounds::all(), decode_run)
    }

    pub(super) fn write_run(&self, run: &RunRecord) -> Result<()> {
        check::run(run)?;
        let mut batch = WriteBatch::default();
        batch.put_cf(
            &self.db.column(Column::Runs),
            run.id.to_be_bytes(),
            encode_run(run),
        );
        self.db.write_synced(batch)
    }

    pub(super) fn marker(&self, shard: Shard) -> Result<Option<Marker>> {
        let key = keys::shard(shard);
        let row = self.db.get(Column::Shards, &key)?;
        row.map(|row| {
            decode_marker(&key, &row).map_err(|error| damaged(format!("shards, {shard}"), &error))
        })
        .transpose()
    }

    pub(super) fn markers(&self, variant: Option<Variant>) -> Result<Vec<ShardRecord>> {
        let bounds = variant.map_or_else(Bounds::all, |variant| {
            Bounds::between(keys::variant_start(variant), keys::variant_end(variant))
        });
        self.collect(Column::Shards, bounds, |key, row| {
            Ok(decode_marker(key, row)?.record)
        })
    }

    pub(super) fn write_blocks(&self, shard: Shard, blocks: &[(u32, Vec<u8>)]) -> Result<()> {
        check::shard(shard)?;
        let _turn = self.turn(shard);
        let committed = self.marker(shard)?.map_or(0, |marker| marker.record.blocks);
        if committed > 0 {
            for (number, bytes) in blocks {
                let is_stored = *number < committed
                    && self.stored_block(shard, *number)?.as_ref() == Some(bytes);
                if !is_stored {
                    return Err(check::other_block(shard, *number));
                }
            }
            return Ok(());
        }
        let column = self.db.column(Column::Blocks);
        let (mut batch, mut packer) = (WriteBatch::default(), Packer::fast());
        for (number, bytes) in blocks {
            let key = keys::part(shard, *number);
            batch.put_cf(&column, key, encode_block(&mut packer, &key, bytes));
        }
        let before = toads_fault::pass_or_fail(Point::BlocksBefore);
        before.map_err(|error| StoreError::from_io(format!("blocks, {shard}"), &error))?;
        self.db.write(batch)?;
        toads_fault::pass(Point::BlocksAfter);
        Ok(())
    }

    pub(super) fn read_block(&self, shard: Shard, number: u32) -> Result<Option<Vec<u8>>> {
        match self.marker(shard)? {
            Some(marker) if number < marker.record.blocks => {}
            _ => return Ok(None),
        }
        let block = self.stored_block(shard, number)?;
        if block.is_none()
            && self
                .marker(shard)?
                .is_some_and(|marker| number < marker.record.blocks)
        {
            let place = block_place(shard, number);
            return Err(StoreError::Damaged {
                place,
                what: "the row is gone".to_owned(),
            });
        }
        Ok(block)
    }

    /// A block, committed or not.
    fn stored_block(&self, shard: Shard, number: u32) -> Result<Option<Vec<u8>>> {
        let key = keys::part(shard, number);
        let Some(row) = self.db.get(Column::Blocks, &key)? else {
            return Ok(None);
        };
        decode_block(&key, &row)
            .map(Some)
            .map_err(|error| damaged(block_place(shard, number), &error))
    }

    /// How many of blocks `0..limit` are stored, and their bytes; each is read and its checksum compared.
    pub(super) fn measure_blocks(&self, shard: Shard, limit: u32) -> Result<(u64, u64)> {
        let (mut count, mut bytes) = (0, 0);
        let bounds = Bounds::between(keys::part(shard, 0), keys::part(shard, limit));
        self.db.scan(Column::Blocks, bounds, |key, row| {
            let length = block_bytes(key, row)
                .map_err(|error| damaged(part_place(Column::Blocks, key), &error))?;
            count += 1;
            bytes += length as u64;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok((count, bytes))
    }

    pub(super) fn remove_shard(&self, shard: Shard, events: &[EventRecord]) -> Result<()> {
        let _turn = self.turn(shard);
        let mut batch = WriteBatch::default();
        batch.delete_cf(&self.db.column(Column::Shards), keys::shard(shard));
        for column in [Column::Tallies, Column::Blocks] {
            batch.delete_range_cf(
                &self.db.column(column),
                keys::part(shard, 0).to_vec(),
                keys::parts_end(shard),
            );
        }
        self.add_events(&mut batch, events)?;
        let mark = self.mark()?;
        if self.db.get(Column::Shards, &keys::shard(shard))?.is_some() {
            let lowered = mark.lower();
            lowered.map_err(|error| StoreError::from_io(MARK_FILE, &error))?;
        }
        self.db.write_synced(batch)?;
        mark.raise(0, last_of(events));
        Ok(())
    }

    pub(super) fn read_quarantine(&self) -> Result<Vec<QuarantineRecord>> {
        self.collect(Column::Quarantine, Bounds::all(), decode_quarantine)
    }

    pub(super) fn write_quarantine(
        &self,
        shard: Shard,
        record: Option<&QuarantineRecord>,
    ) -> Result<()> {
        check::quarantine(shard, record)?;
        let column = self.db.column(Column::Quarantine);
        let mut batch = WriteBatch::default();
        match record {
            Some(record) => batch.put_cf(&column, keys::shard(shard), encode_quarantine(record)),
            None => batch.delete_cf(&column, keys::shard(shard)),
        }
        self.db.write_synced(batch)
    }

    pub(super) fn collect<T>(
        &self,
        column: Column,
        bounds: Bounds,
        decode: impl Fn(&[u8], &[u8]) -> Result<T, Malformed>,
    ) -> Result<Vec<T>> {
        let mut records = Vec::new();
        self.db.scan(column, bounds, |key, row| {
            records
                .push(decode(key, row).map_err(|error| damaged(key_place(column, key), &error))?);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(records)
    }
}

fn block_place(shard: Shard, number: u32) -> String {
    format!("blocks, {shard}, block {number}")
}

/// Where a row of `blocks` or `tallies` is, in words.
pub(super) fn part_place(column: Column, key: &[u8]) -> String {
    match keys::parse_part(key) {
        Some((shard, number)) if column == Column::Blocks => block_place(shard, number),
        Some((shard, number)) => format!("{}, {shard}, part {number}", column.name()),
        None => key_place(column, key),
    }
}

/// Where a row is, by its raw key.
pub(super) fn key_place(column: Column, key: &[u8]) -> String {
    use std::fmt::Write;
    if let (Column::Shards | Column::Quarantine, Some(shard)) = (column, keys::parse_shard(key)) {
        return format!("{}, {shard}", column.name());
    }
    let mut place = format!("{}, key ", column.name());
    for byte in key {
        let _ = write!(place, "{byte:02x}");
    }
    place
}
