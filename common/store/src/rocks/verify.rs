//! Reading everything: does every row decode, and does it agree with the others?
//!
//! Not mathematics: that the values are right is for a recomputation to say.

use std::ops::ControlFlow;

use toads_game::ValueId;

use super::RocksStore;
use super::fault::damaged;
use super::options::Column;
use super::scan::Bounds;
use super::values::place;
use crate::check;
use crate::encode::{decode_event, decode_value};
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
}

impl RocksStore {
    /// Reads every row. What is damaged goes to `found`, one call each, and reading goes on; an error is returned only
    /// where reading cannot go on. Reads the whole store once: about a minute for 10 GB from a fast disk.
    pub fn verify(&self, found: &mut dyn FnMut(StoreError)) -> Result<Verified> {
        let mut verified = Verified::default();
        self.read_runs().map_or_else(&mut *found, drop);
        self.read_quarantine().map_or_else(&mut *found, drop);
        self.verify_shards(&mut verified, found)?;
        self.verify_values(&mut verified, found)?;
        self.db.scan(Column::Events, Bounds::all(), |key, row| {
            verified.events += 1;
            if let Err(error) = decode_event(key, row) {
                found(damaged(
                    super::shards::key_place(Column::Events, key),
                    &error,
                ));
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(verified)
    }

    fn verify_shards(
        &self,
        verified: &mut Verified,
        found: &mut dyn FnMut(StoreError),
    ) -> Result<()> {
        let mut shards = Vec::new();
        self.db.scan(Column::Shards, Bounds::all(), |key, _| {
            match keys::parse_shard(key) {
                Some(shard) => shards.push(shard),
                None => found(StoreError::Damaged {
                    place: super::shards::key_place(Column::Shards, key),
                    what: "the key is not a shard's".to_owned(),
                }),
            }
            Ok(ControlFlow::Continue(()))
        })?;
        for shard in shards {
            verified.shards += 1;
            let check = || -> Result<u64> {
                let Some(marker) = self.marker(shard)? else {
                    return Ok(0);
                };
                let tally = self
                    .read_tally(shard)?
                    .map(|result| result.tally)
                    .unwrap_or_default();
                let ids: Vec<_> = tally.iter().map(|entry| entry.value).collect();
                let missing = |error: StoreError| StoreError::Damaged {
                    place: format!("shards, {shard}"),
                    what: error.to_string(),
                };
                check::values(shard, &self.find_missing(&ids)?).map_err(missing)?;
                let (count, bytes) = self.measure_blocks(shard, marker.record.blocks)?;
                check::blocks(&marker.record, count, bytes).map_err(missing)?;
                Ok(count)
            };
            match check() {
                Ok(count) => verified.blocks += count,
                Err(error) => found(error),
            }
        }
        Ok(())
    }

    fn verify_values(
        &self,
        verified: &mut Verified,
        found: &mut dyn FnMut(StoreError),
    ) -> Result<()> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let mut options: Vec<ValueId> = Vec::new();
        self.db.scan(Column::Values, Bounds::all(), |key, row| {
            verified.values += 1;
            let Ok(id) = key.try_into().map(ValueId) else {
                let place = super::shards::key_place(Column::Values, key);
                found(StoreError::Damaged {
                    place,
                    what: "the key is not a value id".to_owned(),
                });
                return Ok(ControlFlow::Continue(()));
            };
            match decode_value(id, row) {
                Ok(form) => {
                    if let Err(error) = check::value(&form, &mut left, &mut right) {
                        found(StoreError::Damaged {
                            place: place(id),
                            what: error.to_string(),
                        });
                    }
                    options.extend(form.left.iter().chain(&form.right));
                }
                Err(error) => found(damaged(place(id), &error)),
            }
            if options.len() > 1 << 20 {
                self.verify_options(&mut options, found)?;
            }
            Ok(ControlFlow::Continue(()))
        })?;
        self.verify_options(&mut options, found)
    }

    fn verify_options(
        &self,
        options: &mut Vec<ValueId>,
        found: &mut dyn FnMut(StoreError),
    ) -> Result<()> {
        options.sort_unstable();
        options.dedup();
        for id in self.find_missing(options)? {
            found(StoreError::Damaged {
                place: place(id),
                what: "an option of a stored value is gone".to_owned(),
            });
        }
        options.clear();
        Ok(())
    }
}
