//! Tallies: written by number, read by number or by id.

use rocksdb::WriteBatch;
use toads_census::{Shard, ShardResult, TallyEntry};

use super::RocksStore;
use super::fault::{damaged, fault};
use super::numbers::NONE;
use super::options::Column;
use crate::check;
use crate::encode::{PART_ENTRIES, Packer, TallyCodec, decode_marker};
use crate::error::{Result, StoreError};
use crate::keys;
use crate::records::{NumberedEntry, ShardRecord};

impl RocksStore {
    /// The entries of a result by number, in ascending order. Finding a number is also the check that the value is
    /// stored.
    pub(super) fn number_tally(
        &self,
        shard: Shard,
        tally: &[TallyEntry],
    ) -> Result<Vec<NumberedEntry>> {
        let mut numbers = Vec::with_capacity(tally.len());
        self.read_numbers()?
            .find_all(tally.iter().map(|entry| entry.value), &mut numbers);
        if numbers.contains(&NONE) {
            let missing = tally.iter().zip(&numbers);
            let missing: Vec<_> = missing
                .filter(|&(_, &number)| number == NONE)
                .map(|(entry, _)| entry.value)
                .collect();
            check::values(shard, &missing)?;
        }
        let mut order: Vec<u64> = (0..)
            .zip(&numbers)
            .map(|(at, &number): (u64, _)| u64::from(number) << 32 | at)
            .collect();
        order.sort_unstable();
        let entry = |place: u64| {
            let entry = &tally[place as u32 as usize];
            NumberedEntry {
                number: (place >> 32) as u32,
                count: entry.count,
                first: entry.first,
                first_mirrored: entry.first_mirrored,
            }
        };
        Ok(order.into_iter().map(entry).collect())
    }

    /// Writes the tally of a shard: a short one into `batch`, a long one part by part before it. Returns how many parts.
    pub(super) fn write_tally(
        &self,
        batch: &mut WriteBatch,
        shard: Shard,
        entries: &[NumberedEntry],
    ) -> Result<u32> {
        let column = self.db.column(Column::Tallies);
        let (codec, mut packer) = (TallyCodec::new(shard.class), Packer::new());
        let parts = entries.chunks(PART_ENTRIES);
        let count = parts.len() as u32;
        for (number, entries) in (0..).zip(parts) {
            let key = keys::part(shard, number);
            let row = codec.encode(&mut packer, &key, entries);
            if count == 1 {
                batch.put_cf(&column, key, row);
            } else {
                let mut part = WriteBatch::default();
                part.put_cf(&column, key, row);
                self.db.write(part)?;
            }
        }
        Ok(count)
    }

    /// Read under one snapshot, so that an invalidation meanwhile is not mistaken for damage.
    pub(super) fn read_numbered(
        &self,
        shard: Shard,
    ) -> Result<Option<(ShardRecord, Vec<NumberedEntry>)>> {
        let snapshot = self.db.raw().snapshot();
        let key = keys::shard(shard);
        let read = |column: Column, key: &[u8]| {
            let row = snapshot.get_pinned_cf(&self.db.column(column), key);
            row.map_err(|error| fault(&format!("{}, {shard}", column.name()), &error))
        };
        let Some(row) = read(Column::Shards, &key)? else {
            return Ok(None);
        };
        let marker = decode_marker(&key, &row)
            .map_err(|error| damaged(format!("shards, {shard}"), &error))?;
        let codec = TallyCodec::new(shard.class);
        let mut entries = Vec::with_capacity(marker.record.distinct.min(1 << 24) as usize);
        for number in 0..marker.tally_parts {
            let place = || format!("tallies, {shard}, part {number}");
            let key = keys::part(shard, number);
            let row = read(Column::Tallies, &key)?;
            let row = row.ok_or_else(|| StoreError::Damaged {
                place: place(),
                what: "the row is gone".to_owned(),
            })?;
            codec
                .decode(&key, &row, &mut entries)
                .map_err(|error| damaged(place(), &error))?;
        }
        let wrong = |what: String| StoreError::Damaged {
            place: format!("tallies, {shard}"),
            what,
        };
        if marker.record.distinct != entries.len() as u64 {
            let (distinct, found) = (marker.record.distinct, entries.len());
            return Err(wrong(format!("{found} values are left of {distinct}")));
        }
        // The pair of the check before writing; ranks and order were checked by the codec.
        check::counts(&marker.record, entries.iter().map(|entry| entry.count))
            .map_err(|error| wrong(error.to_string()))?;
        let stored = self.read_numbers()?.len();
        match entries.last() {
            Some(last) if last.number >= stored => Err(wrong(format!(
                "names value {} of {stored} that are stored",
                last.number
            ))),
            _ => Ok(Some((marker.record, entries))),
        }
    }

    /// The tally by id.
    pub(super) fn read_tally(&self, shard: Shard) -> Result<Option<ShardResult>> {
        let Some((record, entries)) = self.read_numbered(shard)? else {
            return Ok(None);
        };
        let mut tally: Vec<TallyEntry> = {
            let numbers = self.read_numbers()?;
            let entry = |entry: NumberedEntry| TallyEntry {
                value: numbers.id(entry.number),
                count: entry.count,
                first: entry.first,
                first_mirrored: entry.first_mirrored,
            };
            entries.into_iter().map(entry).collect()
        };
        tally.sort_unstable_by_key(|entry| entry.value);
        Ok(Some(ShardResult {
            digest: record.digest,
            tally,
        }))
    }
}
