//! Events on their way to the store's log and to the operator, and the time of day that both show.

use std::hash::{BuildHasher, Hasher};
use std::time::{SystemTime, UNIX_EPOCH};

use toads_store::EventRecord;
use tracing::{debug, info, warn};

use crate::scheduler::{Event, EventKind};

/// Milliseconds since the Unix epoch: for records that people read, never for decisions (promise P5).
pub(crate) fn wall_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_millis() as u64)
}

/// Different for every start, without a dependency on a generator: the standard library seeds its hash maps so.
pub(crate) fn random() -> u64 {
    let mut hasher = std::hash::RandomState::new().build_hasher();
    hasher.write_u64(wall_ms());
    hasher.write_u32(std::process::id());
    hasher.finish()
}

/// The event for the store's log; the writer gives it a number.
pub(crate) fn record(event: Event, at_ms: u64) -> EventRecord {
    let Event {
        kind,
        shard,
        worker,
        epoch,
        detail,
    } = event;
    EventRecord {
        sequence: 0,
        at_ms,
        kind: kind.word().to_owned(),
        shard,
        worker,
        epoch,
        detail,
    }
}

/// The event for the operator's log.
pub(crate) fn trace(event: &Event) {
    use EventKind as Kind;
    let Event {
        kind,
        worker,
        epoch,
        detail,
        ..
    } = event;
    let shard = event
        .shard
        .map(|shard| shard.to_string())
        .unwrap_or_default();
    match kind {
        Kind::Refused
        | Kind::Failed
        | Kind::Quarantined
        | Kind::Expired
        | Kind::Rejected
        | Kind::Stalled => {
            warn!(%kind, shard, worker, epoch, detail, "event");
        }
        Kind::Leased | Kind::Committed | Kind::Released | Kind::Duplicate => {
            debug!(%kind, shard, worker, epoch, detail, "event");
        }
        _ => info!(%kind, shard, worker, epoch, detail, "event"),
    }
}
