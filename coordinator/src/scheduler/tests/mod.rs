//! One promise at a time, by name; here is what the tests share.

mod audits;
mod commits;
mod failures;
mod leases;
mod liveness;

use toads_census::{Digest, Shard, plan};
use toads_store::{FailureClass, FailureRecord, Keep, RunRecord, RunState};
use toads_strip::Variant;

use super::*;

const T0: Millis = Millis(1_000);

pub(super) fn run_of(id: u32, squares: std::ops::RangeInclusive<u8>, keep: Keep) -> RunRecord {
    let (first_n, last_n) = squares.into_inner();
    RunRecord {
        id,
        variant: Variant::Hop,
        first_n,
        last_n,
        keep,
        state: RunState::Active,
        created_ms: 0,
    }
}

pub(super) fn digest_of(shard: Shard) -> Digest {
    Digest([shard.class.n ^ shard.class.toads << 3 ^ shard.class.frogs << 5; 32])
}

fn with_run(config: SchedulerConfig, squares: std::ops::RangeInclusive<u8>) -> Scheduler {
    let mut scheduler = Scheduler::new(config, 1);
    scheduler.submit(T0, run_of(1, squares, Keep::Blocks));
    scheduler
}

fn work(offer: Offer) -> Vec<Grant> {
    match offer {
        Offer::Work(grants) => grants,
        other => panic!("no work: {other:?}"),
    }
}

fn one(scheduler: &mut Scheduler, now: Millis, id: WorkerId) -> Grant {
    work(scheduler.lease(now, id, 1))[0]
}

fn commit(scheduler: &mut Scheduler, now: Millis, id: WorkerId, grant: Grant) {
    let digest = digest_of(grant.shard);
    assert_eq!(
        scheduler.begin_commit(now, id, grant.shard, grant.epoch, digest),
        CommitDecision::Go
    );
    let marker = Marker {
        digest,
        has_blocks: grant.keep == Keep::Blocks,
    };
    scheduler.end_commit(now, id, grant.shard, grant.epoch, Some(marker));
    scheduler.check().unwrap();
}

fn words(scheduler: &mut Scheduler) -> Vec<&'static str> {
    scheduler
        .take_events()
        .into_iter()
        .map(|event| event.kind.word())
        .collect()
}

fn held(grant: Grant, strips_done: u64) -> Held {
    Held {
        shard: grant.shard,
        epoch: grant.epoch,
        progress: Progress {
            started: true,
            strips_done,
            steps: 0,
        },
    }
}

pub(super) fn failure(class: FailureClass, message: &str) -> FailureRecord {
    FailureRecord {
        worker: String::new(),
        class,
        strip: String::new(),
        message: message.to_owned(),
    }
}
