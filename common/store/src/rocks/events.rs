//! The append-only log.

use std::ops::ControlFlow;

use rocksdb::WriteBatch;

use super::RocksStore;
use super::database::Database;
use super::fault::damaged;
use super::options::Column;
use super::scan::Bounds;
use super::shards::key_place;
use crate::check;
use crate::encode::{decode_event, encode_event};
use crate::error::{Result, StoreError};
use crate::records::EventRecord;

impl RocksStore {
    /// Adds events to a batch; one whose number is taken must be the same event.
    pub(super) fn add_events(&self, batch: &mut WriteBatch, events: &[EventRecord]) -> Result<()> {
        check::events(events)?;
        let column = self.db.column(Column::Events);
        for event in events {
            let key = event.sequence.to_be_bytes();
            if let Some(row) = self.db.get(Column::Events, &key)? {
                let stored = decode_event(&key, &row)
                    .map_err(|error| damaged(key_place(Column::Events, &key), &error))?;
                check::same_event(&stored, event)?;
            } else {
                batch.put_cf(&column, key, encode_event(event));
            }
        }
        Ok(())
    }

    pub(super) fn write_events(&self, events: &[EventRecord]) -> Result<()> {
        let mut batch = WriteBatch::default();
        self.add_events(&mut batch, events)?;
        self.db.write(batch)
    }

    pub(super) fn read_events(&self, from: u64, limit: usize) -> Result<Vec<EventRecord>> {
        let mut events = Vec::new();
        if limit == 0 {
            return Ok(events);
        }
        let bounds = Bounds {
            from: Some(from.to_be_bytes().to_vec()),
            to: None,
        };
        self.db.scan(Column::Events, bounds, |key, row| {
            let event = decode_event(key, row)
                .map_err(|error| damaged(key_place(Column::Events, key), &error))?;
            events.push(event);
            Ok(if events.len() < limit {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            })
        })?;
        Ok(events)
    }

    pub(super) fn next_sequence(&self) -> Result<u64> {
        Ok(last_sequence(&self.db)? + 1)
    }
}

/// The number of the last of some events.
pub(super) fn last_of(events: &[EventRecord]) -> Option<u64> {
    events.iter().map(|event| event.sequence).max()
}

/// The number of the last event; 0 when there is none.
pub(super) fn last_sequence(db: &Database) -> Result<u64> {
    let Some(last) = db.last_key(Column::Events)? else {
        return Ok(0);
    };
    let key = last.as_slice().try_into();
    key.map(u64::from_be_bytes)
        .map_err(|_| StoreError::Damaged {
            place: key_place(Column::Events, &last),
            what: "the key is not an event's".to_owned(),
        })
}
