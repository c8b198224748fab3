//! A second opinion by another process (promise P19).

use super::*;

fn audited(share: f64) -> Scheduler {
    let config = SchedulerConfig {
        audit_share: share,
        bundle_shards: 1,
        ..SchedulerConfig::default()
    };
    with_run(config, 1..=3)
}

/// A committed shard, and who committed it.
fn first_commit(scheduler: &mut Scheduler) -> (WorkerId, Grant) {
    let (id, _) = scheduler.register(T0, "one", 1, 1, &[]);
    let grant = one(scheduler, T0, id);
    commit(scheduler, T0, id, grant);
    (id, grant)
}

#[test]
fn p19_a_sample_is_computed_again_by_another_process_and_changes_nothing() {
    let mut scheduler = audited(0.25);
    let (one_id, _) = scheduler.register(T0, "one", 1, 1, &[]);
    // The same process under another registration is no second opinion.
    let (twin, _) = scheduler.register(T0, "one", 1, 1, &[]);
    let mut committed = 0usize;
    let mut alone = 0;
    while let Offer::Work(grants) = scheduler.lease(T0, one_id, 1) {
        for grant in grants {
            commit(&mut scheduler, T0, one_id, grant);
            committed += 1;
        }
        if let Offer::Work(grants) = scheduler.lease(T0, twin, 1) {
            for grant in grants {
                commit(&mut scheduler, T0, twin, grant);
                committed += 1;
            }
        }
        alone += 1;
        scheduler.check().unwrap();
    }
    assert!(alone > 0);
    assert_eq!(scheduler.lease(T0, one_id, 1), Offer::Done);
    // The first, and then every fourth.
    let sample = committed.div_ceil(4);
    assert_eq!(scheduler.audits_waiting(), sample);
    scheduler.take_events();
    let (other, _) = scheduler.register(T0, "two", 1, 2, &[]);
    let before = scheduler.summary(1).unwrap();
    for _ in 0..sample {
        let grant = one(&mut scheduler, T0, other);
        assert_eq!(grant.keep, Keep::Tallies, "blocks need not be sent");
        let digest = digest_of(grant.shard);
        assert_eq!(
            scheduler.check_lease(T0, other, grant.shard, grant.epoch),
            LeaseCheck::Committed(digest)
        );
        assert_eq!(
            scheduler.begin_commit(T0, other, grant.shard, grant.epoch, digest),
            CommitDecision::Audited
        );
        scheduler.check().unwrap();
    }
    assert_eq!(scheduler.lease(T0, other, 1), Offer::Done);
    let after = scheduler.summary(1).unwrap();
    assert_eq!(
        (after.shards_done, after.strips_done, after.phase),
        (before.shards_done, before.strips_done, Phase::Done)
    );
    let told = words(&mut scheduler);
    let of = |kind: &str| told.iter().filter(|word| **word == kind).count();
    assert_eq!((of("audited"), of("committed")), (sample, 0));
}

#[test]
fn p19_another_digest_is_an_alarm_that_quarantines_both() {
    let mut scheduler = audited(1.0);
    let (_, grant) = first_commit(&mut scheduler);
    let (other, _) = scheduler.register(T0, "two", 1, 2, &[]);
    let audit = one(&mut scheduler, T0, other);
    assert_eq!(audit.shard, grant.shard, "audits come before fresh work");
    let wrong = Digest([0xee; 32]);
    let decision = scheduler.begin_commit(T0, other, audit.shard, audit.epoch, wrong);
    let CommitDecision::Conflict(failures) = decision else {
        panic!("{decision:?}");
    };
    let names: Vec<_> = failures.iter().map(|note| &note.record.worker).collect();
    assert_eq!(names, [COMMITTED_BEFORE, "two#2"]);
    assert_eq!(scheduler.quarantined().len(), 1);
    assert_eq!(scheduler.audits_waiting(), 0);
    scheduler.check().unwrap();
    // Requeued, it is computed and sampled anew.
    assert!(scheduler.requeue(T0, audit.shard));
    scheduler.check().unwrap();
}

#[test]
fn an_audit_that_is_lost_or_fails_counts_against_nobody_and_is_given_up_in_the_end() {
    let mut scheduler = audited(1.0);
    let (_, grant) = first_commit(&mut scheduler);
    let (other, _) = scheduler.register(T0, "two", 1, 2, &[]);
    let audit = one(&mut scheduler, T0, other);
    let panicked = failure(FailureClass::Deterministic, "panicked");
    assert_eq!(
        scheduler.fail(T0, other, audit.shard, audit.epoch, panicked),
        None
    );
    scheduler.check().unwrap();
    let audit = one(&mut scheduler, T0, other);
    assert_eq!(audit.shard, grant.shard);
    scheduler.process_ended(T0, 2, "killed");
    scheduler.check().unwrap();
    let (third, _) = scheduler.register(T0, "three", 1, 3, &[]);
    let audit = one(&mut scheduler, T0, third);
    assert_eq!(audit.shard, grant.shard);
    scheduler.release(T0, third, audit.shard, audit.epoch);
    scheduler.check().unwrap();
    // Three attempts came to nothing.
    assert_eq!(scheduler.audits_waiting(), 0);
    assert!(scheduler.quarantined().is_empty());
    assert_eq!(scheduler.summary(1).unwrap().shards_done, 1);
    assert_ne!(one(&mut scheduler, T0, third).shard, grant.shard);
}

#[test]
fn without_a_share_nothing_is_audited() {
    let mut scheduler = audited(0.0);
    let (_, grant) = first_commit(&mut scheduler);
    assert_eq!(scheduler.audits_waiting(), 0);
    let (other, _) = scheduler.register(T0, "two", 1, 2, &[]);
    assert_ne!(one(&mut scheduler, T0, other).shard, grant.shard);
}

#[test]
fn what_is_invalidated_is_computed_again_and_no_more_audited() {
    let mut scheduler = audited(1.0);
    let (id, grant) = first_commit(&mut scheduler);
    let (other, _) = scheduler.register(T0, "two", 1, 2, &[]);
    let audit = one(&mut scheduler, T0, other);
    assert!(scheduler.invalidate(T0, grant.shard, "by an operator"));
    scheduler.check().unwrap();
    assert!(!scheduler.invalidate(T0, grant.shard, "again"));
    assert_eq!(scheduler.summary(1).unwrap().shards_done, 0);
    // The audit's lease is gone with what it was to be compared with.
    assert_eq!(
        scheduler.begin_commit(T0, other, audit.shard, audit.epoch, digest_of(audit.shard)),
        CommitDecision::Stale
    );
    let again = one(&mut scheduler, T0, id);
    assert_eq!(again.shard, grant.shard);
    commit(&mut scheduler, T0, id, again);
    scheduler.check().unwrap();
    let told = words(&mut scheduler);
    assert!(told.contains(&"invalidated"), "{told:?}");
}
