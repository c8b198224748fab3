//! The fence, and restarts.

use super::*;

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
        record: failure(FailureClass::Deterministic, "panicked"),
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
