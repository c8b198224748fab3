//! Making a shard visible.
//!
//! Everything is checked first, then written in an order in which every prefix is harmless: parts of a long tally
//! (invisible without a marker, and the same bytes when written again), then one synced batch with the marker (promise
//! P13), then the `MARK` file, which may only be behind.

use rocksdb::WriteBatch;
use toads_census::ShardResult;
use toads_fault::Point;

use super::RocksStore;
use super::events::last_of;
use super::options::Column;
use crate::check::{self, Again};
use crate::encode::{Marker, encode_marker};
use crate::error::{Result, StoreError};
use crate::keys;
use crate::records::{EventRecord, ShardRecord};

impl RocksStore {
    pub(super) fn commit_shard(
        &self,
        record: &ShardRecord,
        result: &ShardResult,
        events: &[EventRecord],
    ) -> Result<()> {
        check::commit(record, result)?;
        let shard = record.shard;
        let _turn = self.turn(shard);
        let mut batch = WriteBatch::default();
        self.add_events(&mut batch, events)?;
        let stored = self.marker(shard)?;
        if let Some(stored) = &stored
            && check::again(&stored.record, record)? == Again::Nothing
        {
            return self.db.write(batch);
        }
        if record.blocks > 0 {
            let (count, bytes) = self.measure_blocks(shard, record.blocks)?;
            check::blocks(record, count, bytes)?;
        }
        let entries = self.number_tally(shard, &result.tally)?;
        let tally_parts = self.write_tally(&mut batch, shard, &entries)?;
        let marker = Marker {
            record: record.clone(),
            tally_parts,
        };
        batch.put_cf(
            &self.db.column(Column::Shards),
            keys::shard(shard),
            encode_marker(&marker),
        );
        let before = toads_fault::pass_or_fail(Point::MarkerBefore);
        before.map_err(|error| StoreError::from_io(format!("shards, {shard}"), &error))?;
        self.db.write_synced(batch)?;
        toads_fault::pass(Point::MarkerAfter);
        let mark = self.mark()?;
        mark.raise(u64::from(stored.is_none()), last_of(events));
        toads_fault::pass(Point::MarkAfter);
        Ok(())
    }
}
