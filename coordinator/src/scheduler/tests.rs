//! One promise at a time, by name.

use toads_census::{Digest, Shard, plan};
use toads_store::{Keep, RunRecord, RunState};
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

#[test]
fn p4_a_worker_that_beats_without_progress_loses_its_lease() {
    let mut scheduler = with_run(SchedulerConfig::default(), 9..=9);
    let (id, _) = scheduler.register(T0, "stuck", 1, 1, &[]);
    let grant = one(&mut scheduler, T0, id);
    let mut now = T0;
    scheduler.beat(now, id, &[held(grant, 7)]);
    for _ in 0..29 {
        now = now + 10_000;
        assert_eq!(scheduler.beat(now, id, &[held(grant, 7)]), Some(vec![]));
        scheduler.tick(now);
    }
    now = now + 10_001;
    scheduler.touch(now, id);
    scheduler.config.own_gap_ms = 60_000;
    scheduler.tick(now);
    assert_eq!(
        scheduler.beat(now, id, &[held(grant, 7)]),
        Some(vec![(grant.shard, grant.epoch)]),
        "revoked"
    );
    assert_eq!(scheduler.workers().len(), 1, "but the worker is alive");
    let again = one(&mut scheduler, now, id);
    assert_eq!(
        (again.shard, again.epoch > grant.epoch),
        (grant.shard, true)
    );
}

#[test]
fn p5_any_message_renews_liveness_but_only_progress_renews_progress() {
    let config = SchedulerConfig {
        progress_ms: 25_000,
        ..SchedulerConfig::default()
    };
    let mut scheduler = with_run(config, 9..=9);
    let (id, _) = scheduler.register(T0, "slow", 1, 1, &[]);
    let (grant, mut now) = (one(&mut scheduler, T0, id), T0);
    for strips in 1..20 {
        now = now + 10_000;
        assert_eq!(
            scheduler.beat(now, id, &[held(grant, strips)]),
            Some(vec![])
        );
        scheduler.tick(now);
    }
    scheduler.check().unwrap();
    assert_eq!(scheduler.leases_out(), 1);
}

#[test]
fn p5_a_coordinator_that_was_stopped_itself_blames_nobody() {
    let mut scheduler = with_run(SchedulerConfig::default(), 9..=9);
    let (id, _) = scheduler.register(T0, "patient", 1, 1, &[]);
    let grant = one(&mut scheduler, T0, id);
    scheduler.tick(T0);
    let later = T0 + 3_600_000;
    scheduler.tick(later);
    assert_eq!(scheduler.beat(later, id, &[held(grant, 1)]), Some(vec![]));
    // Time never goes back.
    scheduler.tick(T0);
    assert_eq!(scheduler.beat(T0, id, &[held(grant, 2)]), Some(vec![]));
    commit(&mut scheduler, later, id, grant);
}

#[test]
fn p6_every_way_of_losing_the_last_worker_ends_in_the_same_events() {
    let endings: [fn(&mut Scheduler, WorkerId); 3] = [
        |scheduler, id| scheduler.goodbye(T0, id, "leaving"),
        |scheduler, _| scheduler.process_ended(T0, 42, "signal 9"),
        |scheduler, _| {
            for second in 0..32 {
                scheduler.tick(T0 + second * 1_000);
            }
        },
    ];
    for end in endings {
        let mut scheduler = with_run(SchedulerConfig::default(), 5..=5);
        let (id, _) = scheduler.register(T0, "last", 1, 42, &[]);
        one(&mut scheduler, T0, id);
        scheduler.take_events();
        end(&mut scheduler, id);
        assert_eq!(words(&mut scheduler).last(), Some(&"gone"));
        scheduler.tick(scheduler.now + 2_000);
        assert_eq!(words(&mut scheduler), ["stalled"]);
        assert_eq!(scheduler.summary(1).unwrap().phase, Phase::Stalled);
        assert!(scheduler.stalled_ms().is_some());
        scheduler.tick(T0 + 50_000);
        assert!(
            !self::words(&mut scheduler).contains(&"stalled"),
            "said once"
        );
        scheduler.register(T0, "next", 1, 43, &[]);
        assert_eq!(
            (scheduler.stalled_ms(), scheduler.summary(1).unwrap().phase),
            (None, Phase::Running)
        );
    }
}

#[test]
fn p2_and_p3_late_results_are_compared_and_stale_ones_refused() {
    let mut scheduler = with_run(SchedulerConfig::default(), 3..=3);
    let (slow, _) = scheduler.register(T0, "slow", 1, 1, &[]);
    let old = one(&mut scheduler, T0, slow);
    scheduler.process_ended(T0, 1, "stopped");
    let (fast, _) = scheduler.register(T0, "fast", 1, 2, &[]);
    let new = one(&mut scheduler, T0, fast);
    assert_eq!(old.shard, new.shard);
    let digest = digest_of(old.shard);
    assert_eq!(
        scheduler.check_lease(T0, slow, old.shard, old.epoch),
        LeaseCheck::Stale
    );
    assert_eq!(
        scheduler.begin_commit(T0, slow, old.shard, old.epoch, digest),
        CommitDecision::Stale
    );
    // Somebody else's epoch does not help either.
    assert_eq!(
        scheduler.begin_commit(T0, slow, old.shard, new.epoch, digest),
        CommitDecision::Stale
    );
    commit(&mut scheduler, T0, fast, new);
    assert_eq!(
        scheduler.check_lease(T0, slow, old.shard, old.epoch),
        LeaseCheck::Committed(digest)
    );
    assert_eq!(
        scheduler.begin_commit(T0, slow, old.shard, old.epoch, digest),
        CommitDecision::Duplicate
    );
    assert_eq!(
        scheduler.begin_commit(T0, fast, new.shard, new.epoch, digest),
        CommitDecision::Duplicate
    );
    assert_eq!(scheduler.marker(new.shard).unwrap().digest, digest);
}

#[test]
fn p3_another_digest_quarantines_both_results() {
    let mut scheduler = with_run(SchedulerConfig::default(), 3..=3);
    let (id, _) = scheduler.register(T0, "honest", 1, 1, &[]);
    let grant = one(&mut scheduler, T0, id);
    commit(&mut scheduler, T0, id, grant);
    let lie = scheduler.begin_commit(T0, id, grant.shard, grant.epoch, Digest([9; 32]));
    assert!(
        matches!(&lie, CommitDecision::Conflict(notes) if notes.len() == 2),
        "{lie:?}"
    );
    assert_eq!(scheduler.marker(grant.shard), None);
    assert_eq!(scheduler.summary(1).unwrap().quarantined, 1);
    scheduler.check().unwrap();
    assert!(scheduler.requeue(T0, grant.shard));
    assert!(!scheduler.requeue(T0, grant.shard));
    let again = work(scheduler.lease(T0, id, 64))
        .into_iter()
        .find(|again| again.shard == grant.shard);
    assert!(again.unwrap().epoch > grant.epoch);
}

#[test]
fn p8_a_shard_that_fails_on_two_workers_is_quarantined_and_the_rest_completes() {
    let mut scheduler = with_run(
        SchedulerConfig {
            backoff_ms: 0,
            ..SchedulerConfig::default()
        },
        1..=4,
    );
    let ids = ["a", "b"].map(|name| scheduler.register(T0, name, 1, 0, &[]).0);
    let poison = plan::shards(Variant::Hop, 4..=4)[2];
    let mut failed_on = Vec::new();
    'all: loop {
        let mut idle = true;
        for id in ids {
            for grant in match scheduler.lease(T0, id, 4) {
                Offer::Work(grants) => grants,
                Offer::Done => break 'all,
                _ => continue,
            } {
                idle = false;
                if grant.shard == poison {
                    failed_on.push(id);
                    let failures = scheduler.fail(
                        T0,
                        id,
                        poison,
                        grant.epoch,
                        FailureClass::Deterministic,
                        "panicked at T.F.",
                    );
                    assert_eq!(failures.is_some(), failed_on.len() == 2);
                } else {
                    commit(&mut scheduler, T0, id, grant);
                }
            }
        }
        assert!(!idle, "nobody has work, and nothing is finished");
    }
    failed_on.sort_unstable();
    assert_eq!(failed_on, ids, "once on each");
    let summary = scheduler.summary(1).unwrap();
    assert_eq!(
        (summary.phase, summary.quarantined),
        (Phase::Quarantined, 1)
    );
    assert_eq!(summary.shards_done + 1, summary.shards_total);
    assert_eq!(scheduler.quarantined()[0].1.len(), 2);
}

#[test]
fn p8_a_lonely_worker_tries_three_times() {
    let mut scheduler = with_run(
        SchedulerConfig {
            backoff_ms: 100,
            ..SchedulerConfig::default()
        },
        1..=1,
    );
    let (id, _) = scheduler.register(T0, "lonely", 1, 0, &[]);
    let mut now = T0;
    for attempt in 1..=3 {
        let grant = one(&mut scheduler, now, id);
        let quarantined = scheduler
            .fail(
                now,
                id,
                grant.shard,
                grant.epoch,
                FailureClass::Deterministic,
                "no",
            )
            .is_some();
        assert_eq!(quarantined, attempt == 3);
        now = now + 1_000;
        if attempt < 3 {
            // Another shard may come first, this one waits out its back-off.
            assert!(scheduler.queued() > 0);
        }
    }
}

#[test]
fn p7_only_what_is_deterministic_counts_against_a_shard() {
    let mut scheduler = with_run(
        SchedulerConfig {
            backoff_ms: 0,
            ..SchedulerConfig::default()
        },
        1..=1,
    );
    let (id, _) = scheduler.register(T0, "unlucky", 1, 0, &[]);
    for class in [
        FailureClass::Transient,
        FailureClass::Drained,
        FailureClass::Incompatible,
        FailureClass::Lost,
    ] {
        let grant = one(&mut scheduler, T0, id);
        assert_eq!(
            scheduler.fail(T0, id, grant.shard, grant.epoch, class, "later"),
            None
        );
        scheduler.check().unwrap();
    }
    assert!(scheduler.quarantined().is_empty());
}

#[test]
fn p10_an_idle_worker_re_runs_the_slowest_lease_and_the_first_commit_wins() {
    let config = SchedulerConfig {
        speculate_after_ms: Some(5_000),
        ..SchedulerConfig::default()
    };
    let mut scheduler = with_run(config, 1..=1);
    let (slow, _) = scheduler.register(T0, "slow", 1, 0, &[]);
    let (fast, _) = scheduler.register(T0, "fast", 1, 0, &[]);
    let slow_grants = work(scheduler.lease(T0, slow, 64));
    while let Offer::Work(grants) = scheduler.lease(T0, fast, 64) {
        for grant in grants {
            commit(&mut scheduler, T0, fast, grant);
        }
    }
    assert!(
        matches!(scheduler.lease(T0 + 1_000, fast, 1), Offer::Wait(_)),
        "too early"
    );
    let now = T0 + 5_000;
    let race = one(&mut scheduler, now, fast);
    assert!(race.speculative && race.shard == slow_grants[0].shard);
    assert!(
        !matches!(scheduler.lease(now, slow, 1), Offer::Work(_)),
        "not with itself, not a third time"
    );
    commit(&mut scheduler, now, fast, race);
    let loser = slow_grants[0];
    assert_eq!(
        scheduler.beat(now, slow, &[held(loser, 1)]),
        Some(vec![(loser.shard, loser.epoch)])
    );
    assert_eq!(
        scheduler.begin_commit(now, slow, loser.shard, loser.epoch, digest_of(loser.shard)),
        CommitDecision::Duplicate
    );
}

#[test]
fn p11_draining_gives_no_leases_but_takes_results() {
    let mut scheduler = with_run(SchedulerConfig::default(), 3..=3);
    let (id, _) = scheduler.register(T0, "last", 1, 0, &[]);
    let grant = one(&mut scheduler, T0, id);
    scheduler.drain(T0);
    assert_eq!(scheduler.lease(T0, id, 1), Offer::Drain);
    commit(&mut scheduler, T0, id, grant);
}

#[test]
fn p12_after_a_restart_nothing_committed_is_leased_and_epochs_go_on() {
    let shards = plan::shards(Variant::Hop, 1..=3);
    let markers = shards[..4].iter().map(|&shard| {
        (
            shard,
            Marker {
                digest: digest_of(shard),
                has_blocks: true,
            },
        )
    });
    let note = FailureNote {
        worker: None,
        name: "w#1".into(),
        message: "panicked".into(),
    };
    let mut scheduler = Scheduler::restore(
        SchedulerConfig::default(),
        5_000_000,
        [run_of(1, 1..=3, Keep::Blocks)],
        markers,
        [(shards[4], vec![note])],
    );
    let (id, _) = scheduler.register(T0, "new", 1, 0, &[]);
    let mut leased = Vec::new();
    while let Offer::Work(grants) = scheduler.lease(T0, id, 64) {
        for grant in grants {
            assert!(grant.epoch >= 5_000_000);
            leased.push(grant.shard);
            commit(&mut scheduler, T0, id, grant);
        }
    }
    leased.sort_unstable();
    assert_eq!(leased, shards[5..]);
    assert_eq!(scheduler.summary(1).unwrap().phase, Phase::Quarantined);
}

#[test]
fn a_worker_that_comes_back_keeps_what_nobody_else_took() {
    let mut before = with_run(SchedulerConfig::default(), 3..=3);
    let (id, _) = before.register(T0, "loyal", 1, 0, &[]);
    let grants = work(before.lease(T0, id, 2));
    let mut after = Scheduler::restore(
        SchedulerConfig::default(),
        1_000_000,
        [run_of(1, 3..=3, Keep::Blocks)],
        [],
        [],
    );
    let (other, _) = after.register(T0, "other", 1, 0, &[]);
    let taken = one(&mut after, T0, other);
    let holding: Vec<_> = grants.iter().map(|&grant| held(grant, 3)).collect();
    let (back, adopted) = after.register(T0, "loyal", 1, 0, &holding);
    assert!(
        adopted
            .iter()
            .all(|grant| grant.shard != taken.shard && grant.epoch > taken.epoch)
    );
    assert_eq!(
        adopted.len(),
        holding
            .iter()
            .filter(|held| held.shard != taken.shard)
            .count()
    );
    after.check().unwrap();
    for grant in adopted {
        commit(&mut after, T0, back, grant);
    }
}

#[test]
fn a_lease_whose_grant_was_lost_on_the_way_comes_back_by_itself() {
    let mut scheduler = with_run(SchedulerConfig::default(), 3..=3);
    let (id, _) = scheduler.register(T0, "deaf", 1, 0, &[]);
    let grant = one(&mut scheduler, T0, id);
    for second in 1..=31 {
        scheduler.beat(T0 + second * 1_000, id, &[]);
        scheduler.tick(T0 + second * 1_000);
    }
    assert_eq!(scheduler.leases_out(), 0);
    assert_eq!(one(&mut scheduler, T0 + 32_000, id).shard, grant.shard);
}

#[test]
fn p17_the_same_name_twice_is_two_workers() {
    let mut scheduler = with_run(SchedulerConfig::default(), 3..=3);
    let (first, _) = scheduler.register(T0, "twin", 1, 0, &[]);
    let (second, _) = scheduler.register(T0, "twin", 1, 0, &[]);
    let grant = one(&mut scheduler, T0, first);
    assert_ne!(first, second);
    assert_eq!(
        scheduler.begin_commit(T0, second, grant.shard, grant.epoch, digest_of(grant.shard)),
        CommitDecision::Stale
    );
}

#[test]
fn small_shards_come_in_bundles_and_large_ones_alone() {
    let config = SchedulerConfig {
        strips_per_thread_s: 1_000.0,
        bundle_ms: 1_000,
        ..SchedulerConfig::default()
    };
    let mut scheduler = with_run(config, 1..=10);
    let (id, _) = scheduler.register(T0, "one", 1, 0, &[]);
    scheduler.register(T0, "two", 1, 0, &[]);
    let first = work(scheduler.lease(T0, id, 64));
    assert!(first.len() > 10, "{}", first.len());
    assert!(first.iter().map(|grant| grant.shard.strips()).sum::<u64>() <= 1_000);
    let mut largest = 0;
    while let Offer::Work(grants) = scheduler.lease(T0, id, 64) {
        let strips = grants
            .iter()
            .map(|grant| grant.shard.strips())
            .max()
            .unwrap();
        assert!(strips <= 1_000 || grants.len() == 1);
        largest = largest.max(strips);
    }
    assert_eq!(largest, 4_200, "10! / (3! 3! 4!)");
}

#[test]
fn paused_runs_give_no_leases_and_cancelled_ones_take_theirs_back() {
    let mut scheduler = with_run(SchedulerConfig::default(), 3..=3);
    let (id, _) = scheduler.register(T0, "w", 1, 0, &[]);
    let (first, second) = (one(&mut scheduler, T0, id), one(&mut scheduler, T0, id));
    scheduler.set_run_state(T0, 1, RunState::Paused).unwrap();
    assert!(matches!(scheduler.lease(T0, id, 1), Offer::Wait(_)));
    commit(&mut scheduler, T0, id, first);
    scheduler.set_run_state(T0, 1, RunState::Cancelled).unwrap();
    assert_eq!(
        scheduler.beat(T0, id, &[held(second, 1)]),
        Some(vec![(second.shard, second.epoch)])
    );
    assert_eq!(scheduler.lease(T0, id, 1), Offer::Done);
    scheduler.set_run_state(T0, 1, RunState::Active).unwrap();
    assert_eq!(one(&mut scheduler, T0, id).shard, second.shard);
    assert_eq!(scheduler.set_run_state(T0, 7, RunState::Active), None);
    scheduler.check().unwrap();
}

#[test]
fn blocks_can_be_added_to_what_only_has_tallies() {
    let mut scheduler = Scheduler::new(SchedulerConfig::default(), 1);
    scheduler.submit(T0, run_of(1, 2..=2, Keep::Tallies));
    let (id, _) = scheduler.register(T0, "w", 1, 0, &[]);
    while let Offer::Work(grants) = scheduler.lease(T0, id, 9) {
        for grant in grants {
            commit(&mut scheduler, T0, id, grant);
        }
    }
    assert_eq!(scheduler.summary(1).unwrap().phase, Phase::Done);
    scheduler.submit(T0, run_of(2, 2..=2, Keep::Blocks));
    assert_eq!(
        (
            scheduler.summary(1).unwrap().phase,
            scheduler.summary(2).unwrap().shards_done
        ),
        (Phase::Done, 0)
    );
    let grant = one(&mut scheduler, T0, id);
    assert_eq!(grant.keep, Keep::Blocks);
    commit(&mut scheduler, T0, id, grant);
    assert_eq!(scheduler.summary(2).unwrap().shards_done, 1);
}
