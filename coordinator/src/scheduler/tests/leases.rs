//! Who gets what, and when nobody gets anything.

use super::*;

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
fn a_table_is_the_last_one_while_no_run_that_goes_on_has_larger_classes() {
    let mut scheduler = with_run(SchedulerConfig::default(), 2..=3);
    let (id, _) = scheduler.register(T0, "w", 1, 0, &[]);
    while let Offer::Work(grants) = scheduler.lease(T0, id, 64) {
        for grant in grants {
            assert_eq!(grant.last, grant.shard.class.n == 3, "{}", grant.shard);
            if grant.shard.class.n == 2 {
                commit(&mut scheduler, T0, id, grant);
            }
        }
    }
    let larger = run_of(2, 5..=5, Keep::Blocks);
    scheduler.submit(T0, larger);
    assert!(one(&mut scheduler, T0, id).last, "nothing beyond 5");
    let (id, _) = scheduler.register(T0, "after", 1, 0, &[]);
    scheduler.set_run_state(T0, 2, RunState::Paused).unwrap();
    scheduler.submit(T0, run_of(3, 4..=4, Keep::Blocks));
    assert!(!one(&mut scheduler, T0, id).last, "a paused run may go on");
    scheduler.set_run_state(T0, 2, RunState::Cancelled).unwrap();
    assert!(one(&mut scheduler, T0, id).last);
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
