//! Coming back: what the store knows, as a scheduler without leases (promise P12).

use std::sync::Arc;

use toads_store::Store;
use tracing::info;

use crate::config::Config;
use crate::core::Core;
use crate::error::StartError;
use crate::scheduler::{FailureNote, Marker, Scheduler};
use crate::surveys::Surveys;
use crate::writer::{Unstarted, Writer, first_epoch};

/// Sweeps what interrupted work left, then reads runs, markers and quarantine.
pub(crate) fn restore(
    config: Config,
    store: Arc<dyn Store>,
) -> Result<(Core, Unstarted), StartError> {
    let swept = store.sweep()?;
    if swept.uncommitted + swept.surplus > 0 {
        info!(
            uncommitted = swept.uncommitted,
            surplus = swept.surplus,
            "leftovers of interrupted work removed"
        );
    }
    let records = store.shards(None)?;
    let first = first_epoch(store.as_ref(), &records)?;
    let markers = records.iter().map(|record| {
        (
            record.shard,
            Marker {
                digest: record.digest,
                has_blocks: record.blocks > 0,
            },
        )
    });
    let quarantine = store.quarantine()?.into_iter().map(|record| {
        let note = |record| FailureNote {
            worker: None,
            record,
        };
        let notes = record.failures.into_iter().map(note);
        (record.shard, notes.collect())
    });
    let scheduler = Scheduler::restore(
        config.scheduler.clone(),
        first,
        store.runs()?,
        markers,
        quarantine,
    );
    let surveys = Surveys::restore(&config, first, store.as_ref())?;
    let (writer, unstarted) = Writer::new(store.as_ref(), config.write_queue)?;
    Ok((
        Core::new(config, store, scheduler, surveys, writer),
        unstarted,
    ))
}
