//! Random kills, stops and cut cables over one run with four workers (promises P2, P3, P5, P6, P12, P13, P20 and P25). The
//! seed is printed; `TOADS_CHAOS_SEED` plays the same choices again, `TOADS_CHAOS_EVENTS` more or fewer of them.

use std::thread::sleep;
use std::time::{Duration, Instant};

use toads_chaos::{Cluster, EventLog, Faults, Host, NO_HANG, Network, baseline, skipped};
use toads_fault::Point;
use toads_tests::{Background, Chance, Scene};

const WORKERS: usize = 4;

/// What happens next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Blow {
    KillWorker,
    KillCoordinator,
    KillAll,
    StopWorker,
    StopCoordinator,
    CutWorker,
    CutCoordinator,
}

impl Blow {
    /// Mostly workers, as in life. Without hosts of their own nobody can be cut off.
    fn random(chance: &mut Chance, has_network: bool) -> Self {
        match chance.below(if has_network { 100 } else { 80 }) {
            0..35 => Self::KillWorker,
            35..50 => Self::KillCoordinator,
            50..53 => Self::KillAll,
            53..70 => Self::StopWorker,
            70..80 => Self::StopCoordinator,
            80..95 => Self::CutWorker,
            _ => Self::CutCoordinator,
        }
    }
}

/// The processes, always as many as there should be.
struct Storm<'a> {
    cluster: Cluster<'a>,
    hosts: &'a [Host],
    /// What the processes are told to do slowly, so that the run outlasts the storm.
    faults: Faults,
    coordinator: Background,
    workers: Vec<Background>,
}

impl<'a> Storm<'a> {
    fn start(scene: &'a Scene, hosts: &'a [Host], faults: Faults, squares: &str) -> Self {
        let mut cluster = match hosts.first() {
            Some(home) => Cluster::on(scene, "storm.db", home),
            None => Cluster::new(scene, "storm.db"),
        };
        let mut coordinator = cluster.coordinator(&faults);
        cluster.submit(&mut coordinator, squares);
        let workers = (0..WORKERS)
            .map(|at| cluster.worker_on(hosts.get(at + 1), &faults))
            .collect();
        Self {
            cluster,
            hosts,
            faults,
            coordinator,
            workers,
        }
    }

    fn restart_coordinator(&mut self) {
        self.coordinator.kill();
        self.coordinator = self.cluster.coordinator(&self.faults);
    }

    fn restart_worker(&mut self, at: usize) {
        self.workers[at].kill();
        self.workers[at] = self.cluster.worker_on(self.hosts.get(at + 1), &self.faults);
    }

    fn strike(&mut self, blow: Blow, worker: usize, pause: Duration) {
        let stopped = |process: &Background| {
            process.signal("STOP");
            sleep(pause);
            process.signal("CONT");
        };
        let cut = |host: &Host| {
            host.cut();
            sleep(pause);
            host.heal();
        };
        match blow {
            Blow::KillWorker => self.restart_worker(worker),
            Blow::KillCoordinator => self.restart_coordinator(),
            Blow::KillAll => {
                self.workers.iter_mut().for_each(Background::kill);
                self.restart_coordinator();
                (0..WORKERS).for_each(|at| self.restart_worker(at));
            }
            Blow::StopWorker => stopped(&self.workers[worker]),
            Blow::StopCoordinator => stopped(&self.coordinator),
            Blow::CutWorker => cut(&self.hosts[worker + 1]),
            Blow::CutCoordinator => cut(&self.hosts[0]),
        }
    }
}

/// So many blows over a run; the store is that of a calm one, and no minute went by without a commit.
fn storm(squares: &str, blows: usize, delay_ms: u64) {
    let network = Network::new(WORKERS + 1)
        .inspect_err(|why| skipped("cut cables", why))
        .ok();
    let hosts = network.as_ref().map_or(&[][..], |network| &network.hosts);
    let scene = Scene::new();
    let expected = baseline(&scene, squares);
    let mut chance = Chance::seeded("TOADS_CHAOS_SEED", 20_261_130);
    let slow = Faults::none().at(Point::WorkerEvaluate, &format!("delay:{delay_ms}"));
    let mut storm = Storm::start(&scene, hosts, slow, squares);
    let started = Instant::now();
    let mut struck = Vec::new();
    for _ in 0..blows {
        let blow = Blow::random(&mut chance, network.is_some());
        let worker = chance.below(WORKERS as u64) as usize;
        // From a moment to longer than a lease; mostly short.
        let pause = Duration::from_millis(
            20 + chance.below(200) * if chance.below(10) == 0 { 10 } else { 1 },
        );
        sleep(Duration::from_millis(chance.below(300)));
        storm.strike(blow, worker, pause);
        struck.push(blow);
    }
    storm.coordinator.until("an answer after the storm", || {
        storm.cluster.state().is_some()
    });
    let state = storm.cluster.state();
    assert!(
        state.as_deref() != Some("done"),
        "the run was over before the storm; give it a longer delay"
    );
    // Fine weather: everybody at full speed.
    storm.faults = Faults::none();
    storm.workers.clear();
    storm.workers = (0..WORKERS)
        .map(|at| storm.cluster.worker_on(hosts.get(at + 1), &storm.faults))
        .collect();
    storm.cluster.until_done(&mut storm.coordinator);
    let log = storm.cluster.finish(storm.coordinator, &expected);
    let gap = longest_gap(&log);
    println!(
        "{} blows in {} s: {}; {} starts of the coordinator, {} of workers, {} leases, {} expired, {} refused, {} duplicates; \
         longest time without a commit {} ms",
        struck.len(),
        started.elapsed().as_secs(),
        summary(&struck),
        log.count("opened"),
        log.count("registered"),
        log.count("leased"),
        log.count("expired"),
        log.count("refused"),
        log.count("duplicate"),
        gap.as_millis()
    );
    assert!(gap < NO_HANG, "{gap:?} without a commit");
}

fn summary(struck: &[Blow]) -> String {
    let kinds = [
        Blow::KillWorker,
        Blow::KillCoordinator,
        Blow::KillAll,
        Blow::StopWorker,
        Blow::StopCoordinator,
        Blow::CutWorker,
        Blow::CutCoordinator,
    ];
    let count = |kind| struck.iter().filter(|&&blow| blow == kind).count();
    kinds
        .map(|kind| format!("{} {kind:?}", count(kind)))
        .join(", ")
}

fn longest_gap(log: &EventLog) -> Duration {
    let times: Vec<u64> = log.of_kind("committed").map(|row| row.at_ms).collect();
    let gap = times
        .windows(2)
        .map(|pair| pair[1].saturating_sub(pair[0]))
        .max();
    Duration::from_millis(gap.unwrap_or(0))
}

#[test]
fn p12_p20_twenty_blows_over_a_run_of_eleven_squares() {
    storm("1..11", 20, 150);
}

#[test]
#[ignore = "minutes; make chaos"]
fn p12_p20_two_hundred_blows_over_a_run_of_fourteen_squares() {
    let blows = std::env::var("TOADS_CHAOS_EVENTS")
        .map_or(200, |text| text.parse().expect("a number of events"));
    storm("1..14", blows, 1_000);
}
