//! Workers that die, hang, panic and come back too late.

use std::time::Duration;

use toads_chaos::{Cluster, Faults, NO_HANG, Tokens, baseline};
use toads_fault::Point;
use toads_tests::{Background, Scene};

const SQUARES: &str = "1..10";

/// What a fault that aborts ends a process with; no test sends it.
const SIGABRT: i32 = 6;

/// A coordinator with the run in it.
fn started(cluster: &mut Cluster<'_>) -> Background {
    let mut coordinator = cluster.coordinator(&Faults::none());
    cluster.submit(&mut coordinator, SQUARES);
    coordinator
}

#[test]
fn p12_workers_that_die_at_every_point_of_their_way_lose_nothing() {
    let scene = Scene::new();
    let expected = baseline(&scene, SQUARES);
    for point in Point::ALL.into_iter().filter(|point| point.is_worker()) {
        let store = format!("{point}.db");
        let tokens = Tokens::new(&scene, point.name(), 3);
        let faults = Faults::none().spending(point, "abort,at=4", &tokens);
        let mut cluster = Cluster::new(&scene, &store);
        let mut coordinator = started(&mut cluster);
        for left in (0..3).rev() {
            let mut worker = cluster.worker(&faults);
            coordinator.until("the worker dies", || !worker.is_running());
            assert_eq!(worker.signal_of_end(), Some(SIGABRT), "{}", worker.stderr());
            assert_eq!(tokens.left(), left);
        }
        let _worker = cluster.worker(&faults);
        cluster.until_done(&mut coordinator);
        cluster.finish(coordinator, &expected);
    }
}

#[test]
fn p9_a_panic_kills_a_shard_and_not_the_worker() {
    let scene = Scene::new();
    let expected = baseline(&scene, SQUARES);
    let tokens = Tokens::new(&scene, "tokens", 1);
    let faults = Faults::none().spending(Point::WorkerEvaluate, "panic,at=9", &tokens);
    let mut cluster = Cluster::new(&scene, "panic.db");
    let mut coordinator = started(&mut cluster);
    let mut worker = cluster.worker(&faults);
    cluster.until_done(&mut coordinator);
    assert!(worker.is_running());
    assert_eq!(tokens.left(), 0);
    let log = cluster.finish(coordinator, &expected);
    let failed: Vec<_> = log.of_kind("failed").collect();
    assert!(
        failed.len() == 1 && failed[0].detail.contains("panicked"),
        "{failed:?}"
    );
    assert_eq!(log.count("registered"), 1, "the same worker worked on");
}

#[test]
fn p8_p26_a_shard_that_fails_on_two_workers_is_quarantined_and_the_rest_completes() {
    const POISON: &str = "hop/10/4/4";
    let scene = Scene::new();
    let expected = baseline(&scene, SQUARES);
    let mut cluster = Cluster::new(&scene, "poison.db");
    cluster.worker_flags.extend(["--exit-when-done".into()]);
    let mut coordinator = started(&mut cluster);
    let faults = Faults::none().at(Point::WorkerEvaluate, &format!("panic,on={POISON}"));
    let mut workers = [cluster.worker(&faults), cluster.worker(&faults)];
    for worker in &mut workers {
        assert_eq!(worker.wait(NO_HANG), 0, "{}", worker.stderr());
    }
    coordinator.signal("TERM");
    assert_eq!(coordinator.wait(NO_HANG), 143);
    let status = scene
        .toads("census status --store poison.db --format tsv")
        .expect_code(0);
    let [done, total] =
        ["shards_done", "shards_total"].map(|name| status.column(name)[0].parse::<u32>().unwrap());
    assert_eq!(
        (status.column("quarantined").concat().as_str(), total - done),
        ("1", 1)
    );
    // Whoever runs it here hears the same, and what to do.
    let refused = scene
        .toads(&format!("census run --squares {SQUARES} --store poison.db"))
        .expect_code(3);
    assert!(
        refused.stderr.contains("quarantine list"),
        "{}",
        refused.stderr
    );
    let show = scene
        .toads(&format!(
            "census quarantine show {POISON} --store poison.db --format tsv"
        ))
        .expect_code(0);
    let messages = show.column("message");
    assert_eq!(messages.len(), 2, "{messages:?}");
    for message in messages {
        assert!(
            message.contains("panicked") && message.contains("worker.evaluate"),
            "{message}"
        );
    }
    scene
        .toads(&format!(
            "census quarantine requeue {POISON} --store poison.db"
        ))
        .expect_code(0);
    scene
        .toads(&format!("census run --squares {SQUARES} --store poison.db"))
        .expect_code(0);
    cluster.verdict(&expected);
}

#[test]
fn p4_p3_a_worker_that_beats_without_progress_loses_its_lease_and_comes_too_late() {
    let scene = Scene::new();
    let expected = baseline(&scene, SQUARES);
    let mut cluster = Cluster::new(&scene, "hung.db");
    cluster
        .coordinator_flags
        .extend(["--progress-timeout".into(), "2s".into()]);
    let mut coordinator = started(&mut cluster);
    let held = scene.path("held");
    // With its result ready: it goes on beating, and hands it in when others have long done the work.
    let faults = Faults::none().at(
        Point::WorkerSubmit,
        &format!("hold:{},at=5", held.display()),
    );
    let mut hung = cluster.worker(&faults);
    coordinator.until("the worker hangs", || held.is_file());
    cluster.until_logged(&mut coordinator, "expired", "no progress");
    let _worker = cluster.worker(&Faults::none());
    cluster.until_done(&mut coordinator);
    assert!(hung.is_running());
    std::fs::write(held.with_extension("go"), "").unwrap();
    // Either a beat has told the worker before it hands its result in, or the coordinator does now.
    coordinator.until("the late result is dropped, refused or found equal", || {
        hung.stderr().contains("the lease was taken back")
            || cluster.log().count("refused") + cluster.log().count("duplicate") > 0
    });
    let log = cluster.finish(coordinator, &expected);
    assert_eq!(
        log.count("gone") - log.count("rejected"),
        2,
        "both said goodbye: {log:#?}"
    );
}

#[test]
fn p5_a_worker_stopped_for_longer_than_its_lease_changes_nothing_when_it_comes_back() {
    let scene = Scene::new();
    let expected = baseline(&scene, SQUARES);
    let mut cluster = Cluster::new(&scene, "stopped.db");
    let mut coordinator = started(&mut cluster);
    let held = scene.path("held");
    let faults = Faults::none().at(
        Point::WorkerStream,
        &format!("hold:{},at=6", held.display()),
    );
    let sleeper = cluster.worker(&faults);
    coordinator.until("a submission is half sent", || held.is_file());
    sleeper.signal("STOP");
    std::fs::write(held.with_extension("go"), "").unwrap();
    cluster.until_logged(&mut coordinator, "gone", "silent");
    let _worker = cluster.worker(&Faults::none());
    cluster.until_done(&mut coordinator);
    sleeper.signal("CONT");
    coordinator.until("the sleeper registers again", || {
        cluster.log().count("registered") == 3
    });
    cluster.finish(coordinator, &expected);
}

#[test]
fn p5_a_coordinator_that_was_stopped_blames_no_worker() {
    let scene = Scene::new();
    let expected = baseline(&scene, "1..13");
    let mut cluster = Cluster::new(&scene, "frozen.db");
    let mut coordinator = cluster.coordinator(&Faults::none());
    cluster.submit(&mut coordinator, "1..13");
    let _worker = cluster.worker(&Faults::none());
    coordinator.until("the first commits", || cluster.log().count("committed") > 3);
    coordinator.signal("STOP");
    // Twice as long as a worker may be silent.
    std::thread::sleep(Duration::from_secs(3));
    coordinator.signal("CONT");
    cluster.until_done(&mut coordinator);
    let log = cluster.finish(coordinator, &expected);
    assert_eq!(log.count("expired"), 0, "{log:#?}");
}

#[test]
fn p6_work_without_a_worker_is_a_visible_stall() {
    let scene = Scene::new();
    let mut cluster = Cluster::new(&scene, "idle.db");
    let mut coordinator = started(&mut cluster);
    coordinator.until("the state says so", || {
        cluster
            .state()
            .is_some_and(|state| state.contains("stalled"))
    });
    cluster.until_logged(&mut coordinator, "stalled", "");
    let _worker = cluster.worker(&Faults::none());
    cluster.until_done(&mut coordinator);
}
