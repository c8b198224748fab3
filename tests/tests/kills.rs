//! SIGKILL in the middle of a run, ten times, each time at a chosen event of the log.
//!
//! `TOADS_HOLD_AT_EVENT=K:FILE` makes a coordinator stop at the K-th event it logs: it writes FILE and waits until
//! `FILE.go` is there. So a kill strikes at a known place, and the test can show that it struck in the middle.

use std::net::TcpListener;
use std::path::PathBuf;
use std::time::Duration;

use toads_tests::{Background, Scene};

const SQUARES: &str = "1..13";
const LIMIT: Duration = Duration::from_secs(120);

/// Whom the signal hits.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Victim {
    Everybody,
    Coordinator,
    Worker,
}

/// A coordinator and its workers, as processes.
struct Cluster<'a> {
    scene: &'a Scene,
    port: u16,
    started: usize,
}

impl Cluster<'_> {
    fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Starts the coordinator; with `hold`, one that stops at that event.
    fn coordinator(&mut self, hold: Option<(u64, &PathBuf)>) -> Background {
        self.started += 1;
        let listen = format!("127.0.0.1:{}", self.port);
        let mut command = self.scene.command(&[
            "coordinator",
            "--store",
            "killed.db",
            "--listen",
            &listen,
            "--beat",
            "500ms",
        ]);
        if let Some((event, file)) = hold {
            command.env("TOADS_HOLD_AT_EVENT", format!("{event}:{}", file.display()));
        }
        self.scene
            .background(&format!("coordinator-{}", self.started), command)
    }

    fn worker(&mut self) -> Background {
        self.started += 1;
        let url = self.url();
        let name = format!("worker-{}", self.started);
        let command = self.scene.command(&[
            "worker",
            "--coordinator",
            &url,
            "--threads",
            "1",
            "--name",
            &name,
        ]);
        self.scene.background(&name, command)
    }

    /// Submits the run, which may be there already.
    fn submit(&self, coordinator: &mut Background) {
        let url = self.url();
        coordinator.until("the coordinator answers", || {
            self.scene
                .run(&[
                    "census",
                    "submit",
                    "--squares",
                    SQUARES,
                    "--coordinator",
                    &url,
                ])
                .code
                == 0
        });
    }
}

/// Event log rows: (sequence, kind, shard).
fn events(scene: &Scene, store: &str) -> Vec<(u64, String, String)> {
    let answer = scene
        .run(&["census", "events", "--store", store, "--format", "tsv"])
        .expect_code(0);
    let (sequences, kinds, shards) = (
        answer.column("sequence"),
        answer.column("kind"),
        answer.column("shard"),
    );
    let sequence = |cell: &String| cell.parse().expect("a sequence number");
    sequences
        .iter()
        .map(sequence)
        .zip(kinds)
        .zip(shards)
        .map(|((s, k), shard)| (s, k, shard))
        .collect()
}

#[test]
fn ten_kills_in_a_run_change_nothing_and_repeat_nothing() {
    let scene = Scene::new();
    scene
        .run(&["census", "run", "--squares", SQUARES, "--store", "calm.db"])
        .expect_code(0);
    let expected = scene.digest("calm.db");
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let mut cluster = Cluster {
        scene: &scene,
        port,
        started: 0,
    };

    let mut seed = 20_261_130_u64;
    let mut strikes: Vec<(u64, Victim)> = vec![];
    let mut worker: Option<Background> = None;
    for strike in 0..10 {
        let victim = [Victim::Everybody, Victim::Coordinator, Victim::Worker][strike % 3];
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        // Early events of a start are its own (opened, registered); a lease and its commit are two.
        let event = 4 + (seed >> 33) % 24;
        let file = scene.path(&format!("hold-{strike}"));
        let mut coordinator = cluster.coordinator(Some((event, &file)));
        cluster.submit(&mut coordinator);
        if worker.is_none() {
            worker = Some(cluster.worker());
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
                std::fs::write(scene.path(&format!("hold-{strike}.go")), "").unwrap();
                // The coordinator goes on; a worker that comes later must find a lease table that forgot the dead one.
                let next = cluster.worker();
                coordinator.until("an answer after the worker's death", || {
                    let url = cluster.url();
                    scene.run(&["census", "status", "--coordinator", &url]).code == 0
                });
                worker = Some(next);
                coordinator.kill();
            }
        }
        let held: u64 = std::fs::read_to_string(&file)
            .unwrap()
            .trim()
            .parse()
            .expect("the sequence number of the event");
        strikes.push((held, victim));
    }
    drop(worker);
    scene
        .run(&[
            "census",
            "run",
            "--squares",
            SQUARES,
            "--store",
            "killed.db",
        ])
        .expect_code(0);
    assert_eq!(scene.digest("killed.db"), expected);

    let log = events(&scene, "killed.db");
    let committed: Vec<&(u64, String, String)> = log
        .iter()
        .filter(|(_, kind, _)| kind == "committed")
        .collect();
    for (held, victim) in &strikes {
        assert!(
            committed.iter().any(|(sequence, ..)| sequence > held),
            "{victim:?} at {held} struck after the end"
        );
    }
    let calm = events(&scene, "calm.db");
    let shards = calm
        .iter()
        .filter(|(_, kind, _)| kind == "committed")
        .count();
    assert_eq!(committed.len(), shards, "each shard is committed once");
    for (sequence, _, shard) in committed {
        let again = log
            .iter()
            .find(|(later, kind, other)| later > sequence && kind == "leased" && other == shard);
        assert!(
            again.is_none(),
            "{shard} was leased again after its commit: {again:?}"
        );
    }
}

#[test]
fn a_coordinator_and_two_workers_as_three_processes_give_the_same_digest() {
    let scene = Scene::new();
    scene
        .run(&[
            "census",
            "run",
            "--squares",
            "1..11",
            "--store",
            "one.db",
            "--threads",
            "1",
        ])
        .expect_code(0);
    scene
        .run(&[
            "census",
            "run",
            "--squares",
            "1..11",
            "--store",
            "workers.db",
            "--workers",
            "1",
        ])
        .expect_code(0);
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let mut cluster = Cluster {
        scene: &scene,
        port,
        started: 0,
    };
    let mut coordinator = cluster.coordinator(None);
    cluster.submit(&mut coordinator);
    let url = cluster.url();
    scene
        .run(&[
            "census",
            "submit",
            "--squares",
            "1..11",
            "--coordinator",
            &url,
        ])
        .expect_code(0);
    let workers = [cluster.worker(), cluster.worker()];
    coordinator.until("the run is done", || {
        let status = scene
            .run(&["census", "status", "--coordinator", &url, "--format", "tsv"])
            .expect_code(0);
        status.column("state").iter().all(|state| state == "done")
    });
    drop(workers);
    coordinator.signal("TERM");
    coordinator.wait(LIMIT);
    let one = scene.digest("one.db");
    assert_eq!(scene.digest("workers.db"), one);
    scene
        .run(&["census", "run", "--squares", SQUARES, "--store", "one.db"])
        .expect_code(0);
    assert_eq!(scene.digest("killed.db"), scene.digest("one.db"));
}

#[test]
fn a_store_killed_while_it_is_made_is_made_again() {
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
