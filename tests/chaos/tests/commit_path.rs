//! The coordinator is killed at every point of the commit path, twice in a row each time (promises P12 and P13).

use std::thread::sleep;
use std::time::{Duration, Instant};

use toads_chaos::{Cluster, Faults, NO_HANG, Tokens, baseline};
use toads_fault::Point;
use toads_tests::{Background, Scene};

const SQUARES: &str = "1..9";

/// What a fault that aborts ends a process with; no test sends it.
const SIGABRT: i32 = 6;

/// Points that whoever holds the store passes.
fn points() -> impl Iterator<Item = Point> {
    Point::ALL.into_iter().filter(|point| !point.is_worker())
}

/// Kills the coordinator there whenever it passes for the `at`-th time, as long as there are tokens; a worker works on
/// through all of it.
fn killed_at(scene: &Scene, point: Point, at: u64, expected: &str) {
    let store = format!("{point}-{at}.db");
    let tokens = Tokens::new(scene, &format!("{point}-{at}"), 2);
    let faults = Faults::none().spending(point, &format!("abort,at={at}"), &tokens);
    let mut cluster = Cluster::new(scene, &store);
    let mut worker: Option<Background> = None;
    for left in [1, 0] {
        let mut coordinator = cluster.coordinator(&faults);
        let started = Instant::now();
        // It may die before it can be asked, and then it is started again like any other.
        while coordinator.is_running() {
            if worker.is_none() && cluster.try_submit(SQUARES) {
                worker = Some(cluster.worker(&Faults::none()));
            }
            assert!(
                started.elapsed() < NO_HANG,
                "{point} is not passed {at} times: {}",
                coordinator.stderr()
            );
            sleep(Duration::from_millis(5));
        }
        assert_eq!(
            coordinator.signal_of_end(),
            Some(SIGABRT),
            "{}",
            coordinator.stderr()
        );
        assert_eq!(tokens.left(), left, "a token for each death");
    }
    let mut coordinator = cluster.coordinator(&faults);
    cluster.submit(&mut coordinator, SQUARES);
    let _worker = worker.unwrap_or_else(|| cluster.worker(&Faults::none()));
    cluster.until_done(&mut coordinator);
    let log = cluster.finish(coordinator, expected);
    if point != Point::StoreOpen {
        assert!(log.count("opened") >= 3, "{point}: {log:#?}");
    }
}

#[test]
fn p12_p13_killed_twice_in_a_row_at_every_point_of_the_commit_path() {
    let scene = Scene::new();
    let expected = baseline(&scene, SQUARES);
    for point in points() {
        killed_at(&scene, point, 1, &expected);
    }
}

#[test]
#[ignore = "minutes; make chaos"]
fn p12_p13_killed_twice_in_a_row_in_the_middle_of_a_run() {
    let scene = Scene::new();
    let expected = baseline(&scene, SQUARES);
    for at in [2, 7, 20] {
        for point in points().filter(|&point| point != Point::StoreOpen) {
            killed_at(&scene, point, at, &expected);
        }
    }
}
