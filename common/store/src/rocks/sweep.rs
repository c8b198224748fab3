//! What interrupted work left behind. One look per shard that has rows, one range delete per finding.

use std::collections::BTreeMap;

use rocksdb::WriteBatch;
use toads_census::Shard;

use super::RocksStore;
use super::options::Column;
use super::shards::key_place;
use crate::error::{Result, StoreError};
use crate::keys;
use crate::records::Swept;

impl RocksStore {
    pub(super) fn remove_leftovers(&self) -> Result<Swept> {
        // Shard by shard: whether it is committed.
        let mut findings = BTreeMap::new();
        for column in [Column::Blocks, Column::Tallies] {
            let mut from = Vec::new();
            while let Some(key) = self.db.first_key(column, &from, None)? {
                let (shard, _) = keys::parse_part(&key).ok_or_else(|| StoreError::Damaged {
                    place: key_place(column, &key),
                    what: "the key is not a shard's".to_owned(),
                })?;
                from = keys::parts_end(shard);
                if let Some(is_committed) = self.remove_leftovers_of(column, shard)? {
                    findings.insert(shard, is_committed);
                }
            }
        }
        let surplus = findings
            .values()
            .filter(|is_committed| **is_committed)
            .count() as u64;
        Ok(Swept {
            uncommitted: findings.len() as u64 - surplus,
            surplus,
        })
    }

    /// `None` when there are none, else whether the shard is committed.
    fn remove_leftovers_of(&self, column: Column, shard: Shard) -> Result<Option<bool>> {
        let _turn = self.turn(shard);
        let marker = self.marker(shard)?;
        let kept = marker.as_ref().map_or(0, |marker| match column {
            Column::Blocks => marker.record.blocks,
            _ => marker.tally_parts,
        });
        let (from, to) = (keys::part(shard, kept), keys::parts_end(shard));
        if self.db.first_key(column, &from, Some(&to))?.is_none() {
            return Ok(None);
        }
        let mut batch = WriteBatch::default();
        batch.delete_range_cf(&self.db.column(column), from.to_vec(), to);
        self.db.write(batch)?;
        Ok(Some(marker.is_some()))
    }
}
