//! Summaries, events and quarantine as messages.

use toads_store::{EventRecord, FailureClass, Keep};
use toads_wire::{convert, v1};

use crate::scheduler::{Phase, RunSummary};

pub(super) fn run_status(summary: &RunSummary) -> v1::RunStatus {
    let record = &summary.record;
    v1::RunStatus {
        run: record.id,
        range: Some(convert::to_range(
            record.variant,
            &(record.first_n..=record.last_n),
        )),
        keep: convert::to_keep(record.keep == Keep::Blocks).into(),
        phase: phase(summary.phase).into(),
        state: summary.phase.to_string(),
        shards_done: summary.shards_done,
        shards_total: summary.shards_total,
        strips_done: summary.strips_done,
        strips_total: summary.strips_total,
        strips_per_s: summary.strips_per_s,
        eta_s: summary.eta_s,
        workers: summary.workers,
        quarantined: summary.quarantined,
        leased: summary.leased,
        strips_leased_done: summary.strips_leased_done,
    }
}

fn phase(phase: Phase) -> v1::RunPhase {
    match phase {
        Phase::Running => v1::RunPhase::Running,
        Phase::Stalled => v1::RunPhase::Stalled,
        Phase::Paused => v1::RunPhase::Paused,
        Phase::Cancelled => v1::RunPhase::Cancelled,
        Phase::Done => v1::RunPhase::Done,
        Phase::Quarantined => v1::RunPhase::Quarantined,
    }
}

pub(super) fn event(record: EventRecord) -> v1::Event {
    let EventRecord {
        sequence,
        at_ms,
        kind,
        shard,
        worker,
        epoch,
        detail,
    } = record;
    v1::Event {
        sequence,
        at_ms,
        kind,
        shard: shard.map(convert::to_shard),
        worker,
        epoch,
        detail,
    }
}

fn to_failure_class(class: FailureClass) -> v1::FailureClass {
    match class {
        FailureClass::Transient => v1::FailureClass::Transient,
        FailureClass::Lost => v1::FailureClass::Lost,
        FailureClass::Drained => v1::FailureClass::Drained,
        FailureClass::Deterministic => v1::FailureClass::Deterministic,
        FailureClass::Incompatible => v1::FailureClass::Incompatible,
    }
}

pub(super) fn quarantine(record: toads_store::QuarantineRecord) -> v1::QuarantineEntry {
    let failure = |failure: toads_store::FailureRecord| v1::QuarantineFailure {
        worker: failure.worker,
        message: failure.message,
        failure_class: to_failure_class(failure.class).into(),
        strip: failure.strip,
    };
    v1::QuarantineEntry {
        shard: Some(convert::to_shard(record.shard)),
        failures: record.failures.into_iter().map(failure).collect(),
        since_ms: record.since_ms,
    }
}
