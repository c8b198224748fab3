//! Making a shard visible.
//!
//! Everything is checked first, then written in an order in which every prefix is harmless: parts of a long tally
//! (invisible without a marker, and the same bytes when written again), then one synced batch with the marker.

use rocksdb::WriteBatch;
use toads_census::ShardResult;

use super::RocksStore;
use super::options::Column;
use crate::check::{self, Again};
use crate::encode::{Marker, PART_ENTRIES, encode_marker, encode_tally_part};
use crate::error::Result;
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
        let ids: Vec<_> = result.tally.iter().map(|entry| entry.value).collect();
        check::values(shard, &self.find_missing(&ids)?)?;

        let tallies = self.db.column(Column::Tallies);
        let parts = result.tally.chunks(PART_ENTRIES);
        let tally_parts = parts.len() as u32;
        for (number, entries) in (0..).zip(parts) {
            let key = keys::part(shard, number);
            let row = encode_tally_part(&key, entries);
            if tally_parts == 1 {
                batch.put_cf(&tallies, key, row);
            } else {
                let mut part = WriteBatch::default();
                part.put_cf(&tallies, key, row);
                self.db.write(part)?;
            }
        }
        let marker = Marker {
            record: record.clone(),
            tally_parts,
        };
        batch.put_cf(
            &self.db.column(Column::Shards),
            keys::shard(shard),
            encode_marker(&marker),
        );
        self.db.write_synced(batch)
    }
}
