//! Failures and quarantine.

use super::*;

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
                        failure(FailureClass::Deterministic, "panicked at T.F."),
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
                failure(FailureClass::Deterministic, "no"),
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
            scheduler.fail(T0, id, grant.shard, grant.epoch, failure(class, "later")),
            None
        );
        scheduler.check().unwrap();
    }
    assert!(scheduler.quarantined().is_empty());
}
