//! Many workers and a slow store (promise P14): memory stays bounded, and nothing is lost.

use toads_chaos::{Cluster, Faults, baseline};
use toads_fault::Point;
use toads_tests::{Background, Scene};

/// The most memory a process ever had in use, in MiB.
fn peak_mib(process: &Background) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.pid())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line
        .and_then(|line| line.trim().strip_suffix(" kB"))
        .expect("VmHWM in kB");
    kib.trim().parse::<u64>().unwrap() >> 10
}

/// So many workers at once, and a store that takes its time for everything it writes.
fn crowd(workers: usize, squares: &str, limit_mib: u64) {
    let scene = Scene::new();
    let expected = baseline(&scene, squares);
    let mut cluster = Cluster::new(&scene, "crowd.db");
    // Longer beats than elsewhere: so many processes on few cores are late without being dead.
    cluster.coordinator_flags = ["--beat", "5s", "--store-memory", "64MiB"]
        .map(str::to_owned)
        .to_vec();
    cluster.worker_flags = ["--memory", "64MiB", "--exit-when-done"]
        .map(str::to_owned)
        .to_vec();
    let slow = [
        Point::ValuesBefore,
        Point::BlocksBefore,
        Point::MarkerBefore,
    ];
    let slow = slow
        .into_iter()
        .fold(Faults::none(), |faults, point| faults.at(point, "delay:30"));
    let mut coordinator = cluster.coordinator(&slow);
    cluster.submit(&mut coordinator, squares);
    let mut crew: Vec<_> = (0..workers)
        .map(|_| cluster.worker(&Faults::none()))
        .collect();
    cluster.until_done(&mut coordinator);
    for worker in &mut crew {
        assert_eq!(worker.wait(toads_chaos::NO_HANG), 0, "{}", worker.stderr());
    }
    let peak = peak_mib(&coordinator);
    println!(
        "{workers} workers, {squares} squares, 30 ms for each write: the coordinator's peak memory is {peak} MiB"
    );
    assert!(peak < limit_mib, "{peak} MiB");
    let log = cluster.finish(coordinator, &expected);
    assert_eq!(log.count("registered"), workers, "nobody had to come twice");
    assert_eq!(log.count("quarantined"), 0);
}

#[test]
fn p14_twelve_workers_and_a_slow_store() {
    crowd(12, "1..9", 400);
}

#[test]
#[ignore = "minutes; make chaos"]
fn p14_sixty_four_workers_and_a_slow_store() {
    crowd(64, "1..13", 400);
}
