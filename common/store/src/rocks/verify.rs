//! Reading everything: does every row decode, and does it agree with the others?
//!
//! Rows are read one by one, by their keys, so that one that cannot be read hides none of the others. Not mathematics:
//! that the values are right is for a recomputation to say.

use std::ops::ControlFlow;

use toads_census::Shard;

use super::RocksStore;
use super::fault::damaged;
use super::options::Column;
use super::scan::Bounds;
use super::shards::key_place;
use super::values::{form, parse_key, row_place};
use crate::check;
use crate::encode::decode_event;
use crate::error::{Result, StoreError};
use crate::keys;

/// What was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    /// Committed shards, with their tallies.
    pub shards: u64,
    /// Blocks of them.
    pub blocks: u64,
    /// Values, with their options.
    pub values: u64,
    /// Events.
    pub events: u64,
    /// Surveys.
    pub surveys: u64,
    /// Cells of them that are done.
    pub cells: u64,
}

pub(super) type Found<'f> = &'f mut dyn FnMut(StoreError);

impl RocksStore {
    /// Reads every row. What is damaged goes to `found`, one call for each row, and reading goes on. Where the ids
    /// themselves are damaged, values and tallies cannot be checked, and that is all that is told of them. Reads the whole
    /// store once: about a minute for 10 GB from a fast disk.
    pub fn verify(&self, found: &mut dyn FnMut(StoreError)) -> Result<Verified> {
        let mut verified = Verified::default();
        self.read_runs().map_or_else(&mut *found, drop);
        self.read_quarantine().map_or_else(&mut *found, drop);
        if self.verify_ids(found) {
            self.verify_values(&mut verified, found)?;
        }
        self.verify_shards(&mut verified, found);
        self.each_row(Column::Events, found, |key, row, found| {
            verified.events += 1;
            if let Err(error) = decode_event(key, row) {
                found(damaged(key_place(Column::Events, key), &error));
            }
        });
        self.verify_surveys(&mut verified, found);
        Ok(verified)
    }

    /// Visits the rows of a column family as far as they can be read.
    pub(super) fn each_row(
        &self,
        column: Column,
        found: Found<'_>,
        mut visit: impl FnMut(&[u8], &[u8], Found<'_>),
    ) {
        let scanned = self.db.scan(column, Bounds::all(), |key, row| {
            visit(key, row, found);
            Ok(ControlFlow::Continue(()))
        });
        if let Err(error) = scanned {
            found(error);
        }
    }

    /// Whether every row of `ids` is there and sound, so that the numbers can be used.
    fn verify_ids(&self, found: Found<'_>) -> bool {
        let (mut expected, mut sound) = (Some(0), true);
        let mut count = |error| {
            sound = false;
            found(error);
        };
        self.each_row(Column::Ids, &mut count, |key, row, found| {
            let first = expected.or(parse_key(key)).unwrap_or(0);
            match Self::ids_of_row(first, key, row) {
                Ok(ids) => expected = Some(first + ids.count() as u32),
                Err(error) => {
                    // The next row may begin anywhere.
                    expected = None;
                    found(error);
                }
            }
        });
        sound
    }

    fn verify_shards(&self, verified: &mut Verified, found: Found<'_>) {
        let mut shards = Vec::new();
        self.each_row(
            Column::Shards,
            found,
            |key, _, found| match keys::parse_shard(key) {
                Some(shard) => shards.push(shard),
                None => found(StoreError::Damaged {
                    place: key_place(Column::Shards, key),
                    what: "the key is not a shard's".to_owned(),
                }),
            },
        );
        let readable = self.numbers().is_ok();
        for shard in shards {
            verified.shards += 1;
            if readable && let Err(error) = self.read_numbered(shard) {
                found(error);
            }
            if let Err(error) = self.verify_blocks(shard, verified, found) {
                found(error);
            }
        }
    }

    /// Every block of a shard, and that they are what the marker counts.
    fn verify_blocks(&self, shard: Shard, verified: &mut Verified, found: Found<'_>) -> Result<()> {
        let Some(marker) = self.marker(shard)? else {
            return Ok(());
        };
        let (mut bytes, mut sound) = (0, true);
        for number in 0..marker.record.blocks {
            match self.read_block(shard, number) {
                Ok(block) => {
                    verified.blocks += 1;
                    bytes += block.map_or(0, |block| block.len() as u64);
                }
                Err(error) => {
                    sound = false;
                    found(error);
                }
            }
        }
        if !sound {
            return Ok(());
        }
        check::blocks(&marker.record, marker.record.blocks.into(), bytes).map_err(|error| {
            StoreError::Damaged {
                place: format!("blocks, {shard}"),
                what: error.to_string(),
            }
        })
    }

    /// Every row of forms: that it decodes, that each form has the id it is stored under.
    fn verify_values(&self, verified: &mut Verified, found: Found<'_>) -> Result<()> {
        let (rows, end) = {
            let numbers = self.read_numbers()?;
            (numbers.rows().to_vec(), numbers.len())
        };
        let nexts = rows.iter().skip(1).copied().chain([end]);
        for (first, next) in rows.iter().copied().zip(nexts) {
            if let Err(error) = self.verify_row(first, next) {
                found(error);
            }
            verified.values += u64::from(next - first);
        }
        self.each_row(Column::Values, found, |key, _, found| {
            if parse_key(key).is_none_or(|first| rows.binary_search(&first).is_err()) {
                found(StoreError::Damaged {
                    place: row_place(Column::Values, key),
                    what: "there is no row of ids with this key".to_owned(),
                });
            }
        });
        Ok(())
    }

    fn verify_row(&self, first: u32, next: u32) -> Result<()> {
        let forms = self.read_row(first, next)?;
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let numbers = self.read_numbers()?;
        for number in first..next {
            let form = form(&numbers, &forms, first, number)?;
            check::value(&form, &mut left, &mut right).map_err(|error| StoreError::Damaged {
                place: row_place(Column::Values, &first.to_be_bytes()),
                what: format!("value {number}: {error}"),
            })?;
        }
        Ok(())
    }
}
