//! SIGKILL in the middle of a run: coordinator, worker, both, each time at a chosen event of the log (promises P12, P13 and
//! P20).

use std::path::PathBuf;
use std::time::Duration;

use toads_chaos::{Cluster, Faults, NO_HANG, baseline};
use toads_fault::Point;
use toads_tests::{Background, Chance, Scene};

const SQUARES: &str = "1..13";

/// Whom the signal hits.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Victim {
    Everybody,
    Coordinator,
    Worker,
}

/// A coordinator that stops at the K-th event it logs, and the file in which it says so.
fn held_at(
    scene: &Scene,
    cluster: &mut Cluster<'_>,
    strike: usize,
    event: u64,
) -> (Background, PathBuf) {
    let file = scene.path(&format!("hold-{strike}"));
    let action = format!("hold:{},at={event}", file.display());
    let coordinator = cluster.coordinator(&Faults::none().at(Point::CoordinatorLogged, &action));
    (coordinator, file)
}

#[test]
fn p12_p20_p22_ten_kills_in_a_run_change_nothing_and_repeat_nothing() {
    let scene = Scene::new();
    let expected = baseline(&scene, SQUARES);
    let mut cluster = Cluster::new(&scene, "killed.db");
    let mut chance = Chance::seeded("TOADS_CHAOS_SEED", 20_261_130);
    let mut strikes: Vec<(u64, Victim)> = vec![];
    let (mut worker, mut done): (Option<Background>, u64) = (None, 0);
    for strike in 0..10 {
        let victim = [Victim::Everybody, Victim::Coordinator, Victim::Worker][strike % 3];
        // Early events of a start are its own (opened, registered); a lease and its commit are two.
        let event = 4 + chance.below(24);
        let (mut coordinator, file) = held_at(&scene, &mut cluster, strike, event);
        cluster.submit(&mut coordinator, SQUARES);
        if worker.is_none() {
            worker = Some(cluster.worker(&Faults::none()));
        }
        coordinator.until(&format!("event {event} of start {strike}"), || {
            file.is_file()
        });
        match victim {
            Victim::Everybody => {
                coordinator.kill();
                worker = None;
            }
            Victim::Coordinator => coordinator.kill(),
            Victim::Worker => {
                drop(worker.take());
                std::fs::write(file.with_extension("go"), "").unwrap();
                // The coordinator goes on; a worker that comes later must find a lease table that forgot the dead one.
                worker = Some(cluster.worker(&Faults::none()));
                coordinator.until("an answer after the worker's death", || {
                    cluster.status().is_some()
                });
                coordinator.kill();
            }
        }
        // Nobody holds the store now, and it tells how far the run is.
        let status = scene
            .toads("census status --store killed.db --format tsv")
            .expect_code(0);
        let now_done: u64 = status.column("strips_done")[0].parse().unwrap();
        assert!(now_done >= done, "{now_done} strips after {done}");
        done = now_done;
        let held = std::fs::read_to_string(&file).unwrap();
        strikes.push((held.trim().parse().expect("the number of an event"), victim));
    }
    drop(worker);
    scene
        .toads(&format!("census run --squares {SQUARES} --store killed.db"))
        .expect_code(0);
    let log = cluster.verdict(&expected);
    for (held, victim) in &strikes {
        assert!(
            log.of_kind("committed").any(|row| row.sequence > *held),
            "{victim:?} at {held} struck after the end"
        );
    }
}

#[test]
fn p20_one_process_three_processes_and_worker_children_give_the_same_digest() {
    let scene = Scene::new();
    let expected = baseline(&scene, "1..11");
    scene
        .toads("census run --squares 1..11 --store children.db --workers 2")
        .expect_code(0);
    assert_eq!(scene.digest("children.db"), expected);
    let mut cluster = Cluster::new(&scene, "cluster.db");
    let mut coordinator = cluster.coordinator(&Faults::none());
    cluster.submit(&mut coordinator, "1..11");
    let _workers = [
        cluster.worker(&Faults::none()),
        cluster.worker(&Faults::none()),
    ];
    cluster.until_done(&mut coordinator);
    cluster.finish(coordinator, &expected);
}

#[test]
fn p12_a_store_killed_while_it_is_made_is_made_again() {
    let scene = Scene::new();
    for (at, wait_ms) in [5, 15, 30, 45, 60, 80, 110, 150].into_iter().enumerate() {
        let store = format!("early-{at}.db");
        let arguments = ["census", "run", "--squares", "1..5", "--store", &store];
        let mut run = scene.background(&store, scene.command(&arguments));
        std::thread::sleep(Duration::from_millis(wait_ms));
        run.kill();
        scene.run(&arguments).expect_code(0);
        let summary = ["query", "summary", "--store", &store, "--format", "tsv"];
        assert_eq!(
            scene.run(&summary).expect_code(0).column("zeros").concat(),
            "37163785"
        );
    }
}

#[test]
fn p25_a_coordinator_with_a_worker_that_is_stopped_ends_in_bounded_time() {
    let scene = Scene::new();
    let mut cluster = Cluster::new(&scene, "half-open.db");
    cluster
        .coordinator_flags
        .extend(["--grace".into(), "2s".into()]);
    let mut coordinator = cluster.coordinator(&Faults::none());
    cluster.submit(&mut coordinator, SQUARES);
    let worker = cluster.worker(&Faults::none());
    coordinator.until("the worker holds leases", || {
        cluster
            .status()
            .is_some_and(|status| status.column("workers").concat() == "1")
    });
    worker.signal("STOP");
    coordinator.signal("TERM");
    assert_eq!(coordinator.wait(NO_HANG), 143, "{}", coordinator.stderr());
    worker.signal("CONT");
}
