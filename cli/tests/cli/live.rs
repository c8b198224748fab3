//! A coordinator and workers as processes: asked while they run, stopped by signals.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use crate::place::{Place, Ran};

/// A process that is killed at the end of the test, whatever happens.
struct Running {
    child: Child,
    stdout: BufReader<ChildStdout>,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    fn start(place: &Place, args: &[&str]) -> Self {
        let mut command = place.command(args);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Self { child, stdout }
    }

    /// A coordinator on a free port, and its address.
    fn coordinator(place: &Place) -> (Self, String) {
        let mut running = Self::start(
            place,
            &["coordinator", "--listen", "127.0.0.1:0", "--beat", "300ms"],
        );
        let mut line = String::new();
        running.stdout.read_line(&mut line).unwrap();
        let url = line
            .trim()
            .strip_prefix("listening on ")
            .expect("the address is printed")
            .to_owned();
        (running, url)
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([&format!("-{name}"), &self.child.id().to_string()])
            .status()
            .unwrap();
        assert!(sent.success());
    }

    fn ends(&mut self) -> Option<i32> {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(
                started.elapsed() < Duration::from_secs(60),
                "the process does not end"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn tsv(place: &Place, args: &[&str]) -> Ran {
    place.run(&[args, &["--format", "tsv"]].concat())
}

#[test]
fn a_cluster_answers_while_it_runs_and_drains_on_a_signal() {
    let place = Place::new();
    let (mut coordinator, url) = Running::coordinator(&place);
    let at = ["--coordinator", &url];
    let submitted = tsv(
        &place,
        &[&["census", "submit", "--squares", "1..7"][..], &at].concat(),
    );
    submitted.check(submitted.ok().contains("\t1..7\t"), "the row of the run");
    let mut worker = Running::start(
        &place,
        &[
            "worker",
            "--coordinator",
            &url,
            "--threads",
            "1",
            "--memory",
            "256MiB",
            "--exit-when-done",
        ],
    );
    let watched = tsv(
        &place,
        &[&["census", "watch", "--stall-timeout", "60s"][..], &at].concat(),
    );
    watched.check(
        watched.ok().lines().last().unwrap().contains("\tdone\t"),
        "watched to the end",
    );
    assert_eq!(worker.ends(), Some(0));
    // The same question to the coordinator, and to the store that it holds.
    let summary = tsv(&place, &[&["query", "summary"][..], &at].concat());
    assert_eq!(summary.ok(), tsv(&place, &["query", "summary"]).ok());
    assert_eq!(summary.stdout.lines().count(), 8);
    let json = place.run(&["query", "summary", "--format", "json"]);
    let rows: serde_json::Value = serde_json::from_str(json.ok()).unwrap();
    json.check(
        rows[0]["strips"].is_u64(),
        "numbers stay numbers over the wire",
    );
    let status = tsv(&place, &["census", "status"]);
    status.check(
        status.ok().contains("\tdone\t"),
        "the holder is asked for the status",
    );
    let digest = |ran: Ran| {
        ran.ok()
            .lines()
            .find(|line| line.starts_with("digest\t"))
            .unwrap()
            .to_owned()
    };
    let live = digest(tsv(&place, &["db", "info"]));
    tsv(&place, &["db", "checkpoint", "--out", "copy.db"]).ok();
    assert_eq!(
        digest(tsv(&place, &["db", "info", "--store", "copy.db"])),
        live
    );
    tsv(&place, &["export", "csv", "--out", "csv"]).ok();
    tsv(&place, &["db", "verify"]).ok();
    tsv(&place, &["census", "verify"]).ok();
    tsv(&place, &["census", "events"]).ok();
    let pid = coordinator.child.id().to_string();
    place
        .run(&["census", "run", "--squares", "1..8"])
        .fails(4, &["in use", &pid]);
    let leftovers = std::fs::read_dir(place.path()).unwrap().filter(|entry| {
        entry
            .as_ref()
            .unwrap()
            .file_name()
            .to_string_lossy()
            .contains("checkpoint")
    });
    assert_eq!(
        leftovers.count(),
        0,
        "checkpoints made for reading are gone"
    );
    let mut idle = Running::start(
        &place,
        &[
            "worker",
            "--coordinator",
            &url,
            "--threads",
            "1",
            "--memory",
            "256MiB",
        ],
    );
    std::thread::sleep(Duration::from_millis(500));
    idle.signal("TERM");
    assert_eq!(idle.ends(), Some(143));
    coordinator.signal("INT");
    assert_eq!(coordinator.ends(), Some(130));
    // The same census in one process has the same digest.
    let alone = Place::new();
    alone
        .run(&[
            "census",
            "run",
            "--squares",
            "1..7",
            "--threads",
            "1",
            "--memory",
            "256MiB",
        ])
        .ok();
    assert_eq!(digest(tsv(&alone, &["db", "info"])), live);
}

#[test]
fn runs_are_paused_resumed_and_cancelled_on_a_coordinator() {
    let place = Place::new();
    let (_coordinator, url) = Running::coordinator(&place);
    let at = ["--coordinator", &url, "--format", "tsv"];
    let state = |args: &[&str]| {
        let ran = place.run(&[args, &at].concat());
        ran.ok()
            .lines()
            .nth(1)
            .unwrap()
            .split('\t')
            .nth(3)
            .unwrap()
            .to_owned()
    };
    assert_eq!(
        state(&["census", "submit", "--squares", "1..9"]),
        "stalled: no workers"
    );
    assert_eq!(state(&["census", "pause"]), "paused");
    assert_eq!(state(&["census", "resume", "1"]), "stalled: no workers");
    let stalled = place.run(&[&["census", "watch", "--stall-timeout", "1s"][..], &at].concat());
    stalled.fails(4, &["no progress"]);
    assert_eq!(state(&["census", "cancel"]), "cancelled");
    place
        .run(&[&["census", "pause", "7"][..], &at].concat())
        .fails(2, &["no run 7"]);
    place
        .run(&[&["census", "watch"][..], &at].concat())
        .fails(1, &["cancelled"]);
}

#[test]
fn a_run_that_is_stopped_goes_on_later() {
    for (signal, code, workers) in [("INT", 130, "0"), ("TERM", 143, "2")] {
        let place = Place::new();
        let run = [
            "census",
            "run",
            "--squares",
            "1..13",
            "--threads",
            "1",
            "--memory",
            "512MiB",
            "--grace",
            "200ms",
        ];
        let mut running = Running::start(&place, &[&run[..], &["--workers", workers]].concat());
        let started = Instant::now();
        // Stop it in the middle: some shards are committed, others are not.
        while tsv(&place, &["census", "events"])
            .stdout
            .matches("\tcommitted\t")
            .count()
            < 5
        {
            assert!(
                started.elapsed() < Duration::from_secs(30),
                "nothing is committed"
            );
        }
        running.signal(signal);
        let ended = running.ends();
        if ended == Some(0) {
            continue; // It was done before the signal came: a very fast machine.
        }
        assert_eq!(ended, Some(code), "{signal}");
        let rest = place.run(&run);
        rest.ok();
        rest.check(
            rest.stderr.contains("continues: ") || rest.stderr.contains("complete already"),
            "it goes on",
        );
        tsv(&place, &["census", "verify", "--one-in", "50"]).ok();
    }
}

/// A holder that was stopped accepts connections – its system does – and never answers.
#[test]
fn p25_whoever_asks_a_frozen_holder_hears_of_it() {
    let place = Place::new();
    let (mut coordinator, url) = Running::coordinator(&place);
    coordinator.signal("STOP");
    let parts = ["does not answer", "stopped or overloaded"];
    place.run(&["census", "status"]).fails(4, &parts);
    place
        .run(&["query", "summary", "--coordinator", &url])
        .fails(4, &parts);
    coordinator.signal("CONT");
    place.run(&["census", "status"]).ok();
    coordinator.signal("TERM");
    assert_eq!(coordinator.ends(), Some(143));
}

#[test]
fn results_of_a_worker_are_invalidated_while_the_coordinator_runs() {
    let place = Place::new();
    let (_coordinator, url) = Running::coordinator(&place);
    let at = ["--coordinator", &url];
    let run = |args: &[&str]| tsv(&place, &[args, &at].concat());
    run(&["census", "submit", "--squares", "1..5"]).ok();
    let work = |name: &str| {
        let args = [
            "worker",
            "--threads",
            "1",
            "--memory",
            "256MiB",
            "--exit-when-done",
            "--name",
            name,
        ];
        run(&args).ok();
    };
    work("liar");
    let digest = |ran: Ran| {
        let mut lines = ran.ok().lines();
        lines
            .find(|line| line.starts_with("digest\t"))
            .unwrap()
            .to_owned()
    };
    let before = digest(run(&["db", "info"]));
    run(&["census", "invalidate"]).fails(2, &["--worker", "--help"]);
    let nobody = run(&["census", "invalidate", "--worker", "somebody"]);
    assert_eq!(nobody.ok(), "shard\tstate\n");
    let some = run(&["census", "invalidate", "--worker", "liar", "--squares", "5"]);
    let count = some.ok().lines().count() - 1;
    some.check(count == 12, "the shards of five squares");
    let named = run(&["census", "invalidate", "hop/4/2/1", "hop/9/2/1"]);
    assert_eq!(
        named.ok(),
        "shard\tstate\nhop/4/2/1\tremoved\nhop/9/2/1\tnot there\n"
    );
    let status = run(&["census", "status"]);
    status.check(!status.ok().contains("\tdone\t"), "there is work again");
    work("honest");
    assert_eq!(digest(run(&["db", "info"])), before);
    let events = run(&["census", "events", "--since", "1h"]);
    let invalidated = events
        .ok()
        .lines()
        .filter(|line| line.contains("\tinvalidated\t"));
    assert_eq!(invalidated.count(), count + 1);
    let again = run(&["census", "invalidate", "--worker", "honest"]);
    again.check(
        again.ok().lines().count() == count + 2,
        "what the second worker committed",
    );
}

/// A panic in an evaluation costs the shard, not the worker (promise P9); its class reaches the operator's screen (P7), the rest
/// completes, and the end says so (P8).
#[test]
fn p9_a_panic_kills_a_shard_and_the_operator_sees_who_what_and_where() {
    let place = Place::new();
    let (_coordinator, url) = Running::coordinator(&place);
    let at = ["--coordinator", &url];
    let run = |args: &[&str]| tsv(&place, &[args, &at].concat());
    run(&["census", "submit", "--squares", "1..5"]).ok();
    let work = |name: &str, faults: &[(&str, &str)]| {
        let args = [
            "worker",
            "--threads",
            "1",
            "--memory",
            "256MiB",
            "--exit-when-done",
            "--name",
            name,
        ];
        let ran = place.run_with(&[&args[..], &at].concat(), faults);
        ran.ok();
    };
    work(
        "unlucky",
        &[("TOADS_FAULTS", "worker.evaluate=panic,on=hop/5/2/2")],
    );
    let shown = run(&["census", "quarantine", "show", "hop/5/2/2"]);
    let rows: Vec<_> = shown.ok().lines().collect();
    assert_eq!(rows[0], "shard\tworker\tmessage\tclass\tstrip");
    for row in &rows[1..] {
        let cells: Vec<_> = row.split('\t').collect();
        assert_eq!(
            (cells[1], cells[3]),
            ("unlucky#1", "deterministic"),
            "{row}"
        );
        assert!(cells[2].starts_with("panicked: "), "{row}");
        assert_eq!(cells[4].len(), 5, "a strip of five squares: {row}");
    }
    let watched = run(&["census", "watch"]);
    watched.fails(3, &["1 shards in quarantine"]);
    run(&["census", "quarantine", "requeue"]).ok();
    work("lucky", &[]);
    let status = run(&["census", "status"]);
    status.check(status.ok().contains("\tdone\t"), "the rest, and then all");
}
