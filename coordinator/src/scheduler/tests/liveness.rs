//! Who is alive, who works, and what becomes of the leases of those who do not.

use super::*;

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
