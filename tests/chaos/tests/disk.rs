//! Disks that are full, write-protected or broken (promise P23): a clean stop, a clear message, and the same command goes on.

use toads_chaos::{Cluster, Faults, NO_HANG, SmallDisk, Tokens, baseline, skipped};
use toads_fault::Point;
use toads_tests::{Outcome, Scene};

const SQUARES: &str = "1..12";

/// It said what is wrong in one line, and did not panic.
#[track_caller]
fn assert_clean(outcome: &Outcome, says: &str) {
    assert!(outcome.stderr.contains(says), "{}", outcome.stderr);
    assert!(
        !outcome.stderr.contains("internal error"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn p23_a_disk_that_fills_up_stops_the_run_and_goes_on_when_there_is_space() {
    let scene = Scene::new();
    let disk = match SmallDisk::new(&scene, "disk", 600) {
        Ok(disk) => disk,
        Err(why) => return skipped("a disk that fills up", &why),
    };
    let expected = baseline(&scene, SQUARES);
    let run = format!("census run --squares {SQUARES} --store disk/full.db --memory 256MiB");
    let full = scene.toads(&run).expect_code(1);
    assert_clean(&full, "no space left");
    disk.remount("size=512m").expect("a larger disk");
    let again = scene.toads(&run).expect_code(0);
    assert!(
        again.stderr.contains("continues"),
        "something had been committed: {}",
        again.stderr
    );
    Cluster::new(&scene, "disk/full.db").verdict(&expected);
}

#[test]
fn p23_a_coordinator_whose_disk_fills_up_ends_and_its_workers_wait_for_the_next() {
    let scene = Scene::new();
    let disk = match SmallDisk::new(&scene, "disk", 600) {
        Ok(disk) => disk,
        Err(why) => return skipped("a coordinator's disk that fills up", &why),
    };
    let expected = baseline(&scene, SQUARES);
    let mut cluster = Cluster::new(&scene, "disk/cluster.db");
    let mut coordinator = cluster.coordinator(&Faults::none());
    cluster.submit(&mut coordinator, SQUARES);
    let mut worker = cluster.worker(&Faults::none());
    assert_eq!(coordinator.wait(NO_HANG), 1, "{}", coordinator.stderr());
    assert!(
        coordinator.stderr().contains("no space left"),
        "{}",
        coordinator.stderr()
    );
    assert!(worker.is_running(), "{}", worker.stderr());
    disk.remount("size=512m").expect("a larger disk");
    let mut coordinator = cluster.coordinator(&Faults::none());
    cluster.until_done(&mut coordinator);
    cluster.finish(coordinator, &expected);
}

#[test]
fn p23_a_read_only_disk_is_refused_for_writing_and_read() {
    let scene = Scene::new();
    let disk = match SmallDisk::new(&scene, "disk", 512 << 10) {
        Ok(disk) => disk,
        Err(why) => return skipped("a read-only disk", &why),
    };
    let expected = baseline(&scene, "1..8");
    let run = "census run --squares 1..8 --store disk/s.db";
    scene.toads(run).expect_code(0);
    disk.remount("ro").expect("read-only");
    let refused = scene.toads("census run --squares 1..9 --store disk/s.db");
    assert!(
        refused.code == 1 || refused.code == 2,
        "{}: {}",
        refused.code,
        refused.stderr
    );
    assert_clean(&refused, "cannot be written");
    assert_eq!(scene.digest("disk/s.db"), expected);
    scene.toads("db verify --store disk/s.db").expect_code(0);
    scene
        .toads("query summary --store disk/s.db")
        .expect_code(0);
    disk.remount("rw").expect("writable");
    scene.toads(run).expect_code(0);
}

#[test]
fn p23_a_disk_that_fails_once_anywhere_stops_the_run_cleanly_and_it_goes_on() {
    let scene = Scene::new();
    let expected = baseline(&scene, "1..9");
    for (error, says) in [
        ("full", "no space left"),
        ("readonly", "cannot be written"),
        ("io", "failed at"),
    ] {
        for point in Point::ALL.into_iter().filter(|point| point.can_fail()) {
            let name = format!("{point}-{error}");
            let tokens = Tokens::new(&scene, &name, 1);
            let at = if point == Point::StoreOpen { 1 } else { 6 };
            let faults = Faults::none().spending(point, &format!("error:{error},at={at}"), &tokens);
            let run = format!("census run --squares 1..9 --store {name}.db");
            let mut command = scene.command(&run.split(' ').collect::<Vec<_>>());
            command.env("TOADS_FAULTS", faults.variable().unwrap());
            let failed = Scene::finish(command, None);
            assert_eq!(tokens.left(), 0, "{name} did not strike: {}", failed.stderr);
            assert!(
                failed.code == 1 || failed.code == 2,
                "{name}: {}: {}",
                failed.code,
                failed.stderr
            );
            assert_clean(&failed, says);
            scene.toads(&run).expect_code(0);
            Cluster::new(&scene, &format!("{name}.db")).verdict(&expected);
        }
    }
}
