//! Facts about the coordinator and its store: info, digest, plan.

use std::ops::RangeInclusive;

use toads_census::{Shard, plan};
use toads_store::{run_digest, store_digest};
use toads_strip::Variant;
use toads_wire::{PROTOCOL, convert, v1};

use crate::core::Core;
use crate::error::CoordinatorError;
use crate::scheduler::Scheduler;

/// What the store tells of itself, then what the coordinator does.
pub(super) async fn info(core: &Core) -> Result<v1::InfoResponse, CoordinatorError> {
    let mut entries = core.blocking(|store| store.info()).await?;
    let count = |scheduler: &Scheduler| {
        (
            scheduler.workers().len(),
            scheduler.leases_out(),
            scheduler.queued(),
        )
    };
    let (workers, leased, queued) = core.peek(count);
    let own = [
        ("coordinator_version", env!("CARGO_PKG_VERSION").to_owned()),
        ("coordinator_pid", std::process::id().to_string()),
        ("protocol", PROTOCOL.to_string()),
        ("protection", core.protection.to_string()),
        ("workers", workers.to_string()),
        ("shards_leased", leased.to_string()),
        ("shards_queued", queued.to_string()),
    ];
    entries.extend(own.map(|(key, value)| (key.to_owned(), value)));
    let entries = entries
        .into_iter()
        .map(|(key, value)| v1::InfoEntry { key, value })
        .collect();
    Ok(v1::InfoResponse { entries })
}

/// The content digest of a run, or with 0 of everything committed.
pub(super) async fn digest(core: &Core, id: u32) -> Result<v1::DigestResponse, CoordinatorError> {
    let run = if id == 0 {
        None
    } else {
        Some(core.summary(id)?.record)
    };
    let mut records = core.blocking(|store| store.shards(None)).await?;
    let digest = run
        .as_ref()
        .map_or_else(|| store_digest(&records), |run| run_digest(run, &records));
    records.retain(|record| run.as_ref().is_none_or(|run| run.covers(record.shard)));
    Ok(v1::DigestResponse {
        digest: convert::to_digest(digest),
        shards: records.len() as u64,
    })
}

/// The shards of a range, and which of them are committed.
pub(super) fn plan(
    core: &Core,
    (variant, squares): (Variant, RangeInclusive<u8>),
) -> v1::PlanResponse {
    let shards = plan::shards(variant, squares);
    let planned = |scheduler: &Scheduler, shard: Shard| v1::PlanShard {
        shard: Some(convert::to_shard(shard)),
        strips: shard.strips_answered(),
        committed: scheduler.marker(shard).is_some(),
    };
    let shards = core.peek(|scheduler| {
        shards
            .into_iter()
            .map(|shard| planned(scheduler, shard))
            .collect()
    });
    v1::PlanResponse { shards }
}
