//! One submission, from header to verdict.

use std::sync::Arc;

use toads_census::{Digest, Shard};
use toads_fault::Point;
use toads_store::{FailureClass, FailureRecord, ShardRecord, StoreError};
use toads_wire::v1::submit_request::Part;
use toads_wire::v1::{RefusalReason, SubmitResponse};
use toads_wire::{convert, v1};
use tokio::time::timeout;
use tonic::{Status, Streaming};
use tracing::Instrument;

use super::verdicts;
use super::workers::known;
use crate::core::Core;
use crate::error::CoordinatorError;
use crate::intake::{Complete, Intake, Reject};
use crate::log::{record, wall_ms};
use crate::metrics::Busy;
use crate::scheduler::{CommitDecision, Event, EventKind, LeaseCheck, Marker, WorkerId};

/// Whose result it is.
#[derive(Clone, Copy)]
struct Sender {
    id: WorkerId,
    shard: Shard,
    epoch: u64,
}

pub(super) async fn submit(
    core: &Core,
    mut stream: Streaming<v1::SubmitRequest>,
) -> Result<SubmitResponse, Status> {
    let Some(Part::Header(header)) = next(core, &mut stream).await? else {
        return Err(Status::invalid_argument(
            "a submission begins with its header",
        ));
    };
    let id = known(core, header.worker.as_ref())?;
    let key = header
        .key
        .as_ref()
        .ok_or_else(|| Status::invalid_argument("a submission without a lease"))?;
    let shard = convert::shard(key.shard.as_ref()).map_err(CoordinatorError::from)?;
    let keep_blocks = convert::keep_blocks(header.keep).map_err(CoordinatorError::from)?;
    let sender = Sender {
        id,
        shard,
        epoch: key.epoch,
    };
    let span = tracing::debug_span!("submit", worker = id.0, %shard, epoch = key.epoch);
    async {
        match core.with(|scheduler, now| scheduler.check_lease(now, id, shard, key.epoch)) {
            LeaseCheck::Current => {
                read(core, stream, sender, keep_blocks, header.evaluate_ms).await
            }
            LeaseCheck::Committed(_) => late(core, stream, sender).await,
            LeaseCheck::Stale => {
                core.counters.stale();
                let detail = "stale lease".to_owned();
                core.with(|scheduler, _| scheduler.note_refusal(id, shard, key.epoch, detail));
                Ok(verdicts::stale())
            }
        }
    }
    .instrument(span)
    .await
}

/// The next part; an error when nothing comes for too long (promise P25).
async fn next(
    core: &Core,
    stream: &mut Streaming<v1::SubmitRequest>,
) -> Result<Option<Part>, Status> {
    match timeout(core.config.receive_timeout, stream.message()).await {
        Ok(message) => Ok(message?.and_then(|message| message.part)),
        Err(_) => Err(Status::deadline_exceeded(
            "the submission fell silent; send it again",
        )),
    }
}

/// The shard is committed: nothing is stored, but the digest is compared (promises P2 and P3).
async fn late(
    core: &Core,
    mut stream: Streaming<v1::SubmitRequest>,
    sender: Sender,
) -> Result<SubmitResponse, Status> {
    while let Some(part) = next(core, &mut stream).await? {
        core.with(|scheduler, now| scheduler.touch(now, sender.id));
        if let Part::Trailer(trailer) = part {
            let digest =
                convert::digest("the digest", &trailer.digest).map_err(CoordinatorError::from)?;
            return Ok(match decide(core, sender, digest).await? {
                CommitDecision::Duplicate | CommitDecision::Audited => verdicts::duplicate(),
                CommitDecision::Conflict(_) => verdicts::conflict(),
                _ => verdicts::stale(),
            });
        }
    }
    Err(Status::invalid_argument(
        "the submission ended without a trailer",
    ))
}

/// Reads, checks and stores a submission under a lease that is current.
async fn read(
    core: &Core,
    mut stream: Streaming<v1::SubmitRequest>,
    sender: Sender,
    keep_blocks: bool,
    evaluate_ms: u64,
) -> Result<SubmitResponse, Status> {
    let pressure = core.pressure();
    if pressure.is_stopped {
        return Ok(busy(core, sender, Busy::Stalled));
    }
    // An engine that slows writers down gets one submission at a time.
    let places = if pressure.is_delayed() {
        core.config.max_submissions.max(1) as u32
    } else {
        1
    };
    let place = core.submissions.acquire_many(places);
    let Ok(Ok(_place)) = timeout(core.config.busy_wait, place).await else {
        return Ok(busy(core, sender, Busy::Full));
    };
    let Some(_turn) = core.read_turn(sender.shard) else {
        return Ok(busy(core, sender, Busy::SameShard));
    };
    let mut intake = Intake::new(sender.shard, keep_blocks);
    loop {
        let Some(part) = next(core, &mut stream).await? else {
            return refused(
                core,
                sender,
                RefusalReason::Malformed,
                "the submission ended without a trailer",
            )
            .await;
        };
        core.with(|scheduler, now| {
            scheduler.touch_lease(now, sender.id, sender.shard, sender.epoch);
        });
        let outcome = if let Part::Trailer(trailer) = part {
            match intake.finish(&trailer) {
                Ok(complete) => return commit(core, sender, complete, evaluate_ms).await,
                Err(reject) => Err(reject),
            }
        } else {
            let store = Arc::clone(&core.store);
            let accept = tokio::task::spawn_blocking(move || {
                let outcome = intake.accept(store.as_ref(), part);
                (intake, outcome)
            });
            let (back, outcome) = accept
                .await
                .map_err(|error| Status::internal(error.to_string()))?;
            intake = back;
            outcome
        };
        match outcome {
            Ok(()) => {}
            Err(Reject::Content(reason, what)) => {
                return refused(core, sender, reason, &what).await;
            }
            Err(Reject::Store(error)) => return store_trouble(core, sender, error),
        }
    }
}

async fn commit(
    core: &Core,
    sender: Sender,
    complete: Complete,
    evaluate_ms: u64,
) -> Result<SubmitResponse, Status> {
    let digest = complete.result.digest;
    match decide(core, sender, digest).await? {
        CommitDecision::Go => {}
        CommitDecision::Duplicate | CommitDecision::Audited => return Ok(verdicts::duplicate()),
        CommitDecision::Busy => return Ok(busy(core, sender, Busy::SameShard)),
        CommitDecision::Stale => return Ok(verdicts::stale()),
        CommitDecision::Conflict(_) => return Ok(verdicts::conflict()),
    }
    let Sender { id, shard, epoch } = sender;
    let worker = core.peek(|scheduler| scheduler.worker_name(id));
    let Complete {
        result,
        blocks,
        block_bytes,
    } = complete;
    let marker = Marker {
        digest,
        has_blocks: blocks > 0,
    };
    let record_of = ShardRecord {
        shard,
        digest,
        strips: shard.strips(),
        distinct: result.tally.len() as u64,
        blocks,
        block_bytes,
        epoch,
        worker: worker.clone(),
        committed_ms: wall_ms(),
        evaluate_ms,
    };
    let event = Event {
        kind: EventKind::Committed,
        shard: Some(shard),
        worker,
        epoch,
        detail: String::new(),
    };
    core.tell(&event);
    let event = record(event, record_of.committed_ms);
    // On a task of its own: a worker that hangs up now must not leave the lease "committing" for ever.
    let core = core.clone();
    let finish = tokio::spawn(async move {
        let write = core.writer.write(&core, move |store, log| {
            log.append(vec![event], |events| {
                store.commit(&record_of, &result, events)
            })
        });
        let outcome = write.await;
        let committed = outcome.is_ok().then_some(marker);
        core.with(|scheduler, now| scheduler.end_commit(now, id, shard, epoch, committed));
        core.changed();
        toads_fault::pass(Point::CoordinatorAnswer);
        match outcome {
            Ok(()) => {
                core.counters.strips(shard.strips_answered());
                Ok(verdicts::committed())
            }
            Err(CoordinatorError::Store(error)) if error.is_retryable() => {
                Ok(busy(&core, sender, Busy::Store))
            }
            // The parts were counted, so what is not complete are the values that the tally names.
            Err(CoordinatorError::Store(error @ StoreError::Incomplete { .. })) => {
                refused(&core, sender, RefusalReason::BadTally, &error.to_string()).await
            }
            Err(CoordinatorError::Store(error @ StoreError::Rejected { .. })) => {
                refused(&core, sender, RefusalReason::Malformed, &error.to_string()).await
            }
            Err(error) => Err(error.into()),
        }
    });
    finish
        .await
        .map_err(|error| Status::internal(error.to_string()))?
}

/// Asks the scheduler; a conflict is stored before anybody hears of it.
async fn decide(core: &Core, sender: Sender, digest: Digest) -> Result<CommitDecision, Status> {
    let Sender { id, shard, epoch } = sender;
    let decision =
        core.with(|scheduler, now| scheduler.begin_commit(now, id, shard, epoch, digest));
    match &decision {
        CommitDecision::Stale => core.counters.stale(),
        CommitDecision::Conflict(_) => core.counters.refuse(RefusalReason::DigestConflict),
        CommitDecision::Go
        | CommitDecision::Duplicate
        | CommitDecision::Audited
        | CommitDecision::Busy => {}
    }
    if let CommitDecision::Conflict(failures) = &decision {
        core.store_quarantine(shard, failures.clone(), true).await?;
    }
    Ok(decision)
}

/// A failure that the scheduler counts; quarantine is stored (promise P8).
pub(super) async fn note_failure(
    core: &Core,
    id: WorkerId,
    shard: Shard,
    epoch: u64,
    what: FailureRecord,
) -> Result<(), CoordinatorError> {
    core.counters.failure(what.class);
    match core.with(|scheduler, now| scheduler.fail(now, id, shard, epoch, what)) {
        Some(failures) => core.store_quarantine(shard, failures, false).await,
        None => Ok(()),
    }
}

async fn refused(
    core: &Core,
    sender: Sender,
    reason: RefusalReason,
    what: &str,
) -> Result<SubmitResponse, Status> {
    let Sender { id, shard, epoch } = sender;
    core.counters.refuse(reason);
    core.with(|scheduler, _| scheduler.note_refusal(id, shard, epoch, what.to_owned()));
    let failure = FailureRecord {
        worker: String::new(),
        class: FailureClass::Deterministic,
        strip: String::new(),
        message: format!("refused: {what}"),
    };
    note_failure(core, id, shard, epoch, failure).await?;
    Ok(verdicts::refused(reason, what))
}

fn store_trouble(core: &Core, sender: Sender, error: StoreError) -> Result<SubmitResponse, Status> {
    if error.is_retryable() {
        return Ok(busy(core, sender, Busy::Store));
    }
    Err(core.note_error(error).into())
}

fn busy(core: &Core, sender: Sender, why: Busy) -> SubmitResponse {
    core.counters.busy(why);
    // The store kept the worker waiting: that is not the worker's lack of progress.
    core.with(|scheduler, now| {
        scheduler.touch_lease(now, sender.id, sender.shard, sender.epoch);
    });
    let retry_after = match why {
        // It has to write or rewrite hundreds of megabytes first.
        Busy::Stalled => core.config.stalled_retry_after,
        Busy::Full | Busy::SameShard | Busy::Store => core.config.retry_after,
    };
    verdicts::busy(retry_after)
}
