//! A survey on a coordinator and two worker processes, killed in the middle, gone on with, compared with the plain way.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::net::TcpListener;
use std::time::Duration;

use toads_game::Arena;
use toads_game::notation::parse;
use toads_tests::{Background, Outcome, Scene, golden};

const LIMIT: Duration = Duration::from_secs(120);

/// Positions of the printed tables with their values: 40 of 6 to 12 squares, from small to large.
fn printed() -> Vec<(String, String)> {
    let squares = |position: &str| -> usize {
        let powers = position
            .split_whitespace()
            .map(|part| part[2..].parse::<usize>());
        powers.map(Result::unwrap).sum()
    };
    let table = golden("paper-tables.tsv");
    let rows = table
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let mut chosen: Vec<(usize, String, String)> = rows
        .filter(|row| row[0].starts_with("3.") && row[2] == "=" && !row[3].is_empty())
        .map(|row| (squares(row[1]), row[1].to_owned(), row[3].to_owned()))
        .filter(|&(squares, _, _)| (6..=12).contains(&squares))
        .collect();
    chosen.sort();
    chosen.dedup();
    chosen.truncate(40);
    assert_eq!(chosen.len(), 40);
    chosen
        .into_iter()
        .map(|(_, position, value)| (position, value))
        .collect()
}

fn cells() -> String {
    let mut text = "k\tstrip\n".to_owned();
    for (k, (position, _)) in printed().iter().enumerate() {
        writeln!(text, "{k}\t{position}").unwrap();
    }
    text
}

fn show(scene: &Scene, store: &str) -> Outcome {
    scene
        .run(&["survey", "show", "--store", store, "--format", "tsv"])
        .expect_code(0)
}

/// What is the same however it was found: strip, state, value and value id of every cell.
fn found(shown: &Outcome) -> Vec<[String; 4]> {
    let [strip, state, value, id] =
        ["strip", "state", "value", "value_id"].map(|name| shown.column(name));
    let rows = strip.into_iter().zip(state).zip(value).zip(id);
    rows.map(|(((strip, state), value), id)| [strip, state, value, id])
        .collect()
}

/// How often each cell was committed, by the log.
fn commits(scene: &Scene, store: &str) -> BTreeMap<String, usize> {
    let events = scene
        .run(&["census", "events", "--store", store, "--format", "tsv"])
        .expect_code(0);
    let mut commits = BTreeMap::new();
    for (kind, detail) in events.column("kind").iter().zip(events.column("detail")) {
        if kind == "committed" && detail.starts_with("cell ") {
            let cell = detail.split(':').next().unwrap_or_default();
            *commits.entry(cell.to_owned()).or_insert(0) += 1;
        }
    }
    commits
}

fn worker(scene: &Scene, url: &str, name: &str) -> Background {
    let command = scene.command(&[
        "worker",
        "--coordinator",
        url,
        "--threads",
        "1",
        "--name",
        name,
        "--memory",
        "256MiB",
    ]);
    scene.background(name, command)
}

fn coordinator(scene: &Scene, name: &str, port: u16, hold: Option<&str>) -> Background {
    let listen = format!("127.0.0.1:{port}");
    let mut command = scene.command(&[
        "coordinator",
        "--store",
        "shared.db",
        "--listen",
        &listen,
        "--http",
        "off",
        "--beat",
        "500ms",
    ]);
    if let Some(hold) = hold {
        command.env("TOADS_FAULTS", hold);
    }
    scene.background(name, command)
}

#[test]
fn a_survey_shared_by_two_workers_outlives_a_kill_and_repeats_nothing() {
    let scene = Scene::new();
    std::fs::write(scene.path("cells.tsv"), cells()).unwrap();
    // The plain way: one thread, nobody killed; and the printed values.
    scene
        .run(&[
            "survey",
            "run",
            "cells.tsv",
            "--store",
            "plain.db",
            "--threads",
            "1",
            "--memory",
            "256MiB",
        ])
        .expect_code(0);
    let plain = show(&scene, "plain.db");
    let arena = Arena::new();
    for (row, (position, value)) in found(&plain).iter().zip(printed()) {
        assert_eq!(row[1], "exact", "{position}");
        let parsed = parse(&arena, &value).unwrap_or_else(|error| panic!("{value}: {error}"));
        assert_eq!(
            row[3],
            arena.id(parsed).to_string(),
            "{position} is {value} in print"
        );
    }

    // A coordinator that stops after some cells, and is killed there with one of the workers.
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let url = format!("http://127.0.0.1:{port}");
    let held = scene.path("held");
    let hold = format!("coordinator.logged=hold:{},at=40", held.display());
    let mut first = coordinator(&scene, "coordinator-1", port, Some(&hold));
    first.until("it answers", || {
        let submit = ["survey", "submit", "cells.tsv", "--coordinator", &url];
        scene.run(&submit).code == 0
    });
    let mut one = worker(&scene, &url, "one");
    let mut two = worker(&scene, &url, "two");
    first.until("some cells are done", || held.exists());
    one.kill();
    first.kill();
    let before = commits(&scene, "shared.db");
    assert!(
        !before.is_empty() && before.len() < 40,
        "{} cells before the kill",
        before.len()
    );

    // Another coordinator on the same store; the second worker is still there, a third one comes.
    let mut second = coordinator(&scene, "coordinator-2", port, None);
    let mut three = worker(&scene, &url, "three");
    second.until("it answers", || {
        let status = ["survey", "status", "--coordinator", &url];
        scene.run(&status).code == 0
    });
    let watch = [
        "survey",
        "watch",
        "--coordinator",
        &url,
        "--stall-timeout",
        "60s",
        "--format",
        "tsv",
    ];
    let watched = scene.run(&watch).expect_code(0);
    assert_eq!(
        watched.column("state").last().map(String::as_str),
        Some("done")
    );
    let live = scene
        .run(&["survey", "show", "--coordinator", &url, "--format", "tsv"])
        .expect_code(0);
    for worker in [&mut two, &mut three] {
        worker.signal("TERM");
        assert_eq!(worker.wait(LIMIT), 143);
    }
    second.signal("TERM");
    assert_eq!(second.wait(LIMIT), 143);

    let shared = show(&scene, "shared.db");
    assert_eq!(found(&shared), found(&plain));
    assert_eq!(found(&live), found(&plain));
    let workers: BTreeSet<String> = shared
        .column("worker")
        .iter()
        .map(|worker| worker.split('#').next().unwrap_or_default().to_owned())
        .collect();
    assert!(workers.len() >= 2, "{workers:?}");
    let after = commits(&scene, "shared.db");
    assert_eq!(after.len(), 40);
    assert!(after.values().all(|&times| times == 1), "{after:?}");
    scene
        .run(&["db", "verify", "--store", "shared.db"])
        .expect_code(0);
}

#[test]
fn ctrl_c_stops_cleanly_and_the_same_command_goes_on() {
    let scene = Scene::new();
    std::fs::write(scene.path("cells.tsv"), cells()).unwrap();
    let arguments = [
        "survey",
        "run",
        "cells.tsv",
        "--store",
        "s.db",
        "--workers",
        "2",
        "--threads",
        "1",
        "--memory",
        "512MiB",
    ];
    let held = scene.path("held");
    let mut command = scene.command(&arguments);
    let fault = format!("coordinator.logged=hold:{},at=25", held.display());
    command.env("TOADS_FAULTS", fault);
    let mut run = scene.background("run", command);
    run.until("some cells are done", || held.exists());
    run.signal("INT");
    std::fs::write(scene.path("held.go"), "").unwrap();
    assert_eq!(run.wait(LIMIT), 130, "{}", run.stderr());
    let before = commits(&scene, "s.db");
    assert!(!before.is_empty() && before.len() < 40, "{}", before.len());
    let status = scene
        .run(&["survey", "status", "--store", "s.db", "--format", "tsv"])
        .expect_code(0);
    assert_eq!(status.column("leased"), ["0"]);
    let again = scene.run(&arguments).expect_code(0);
    assert!(again.stderr.contains("continues"), "{}", again.stderr);
    let after = commits(&scene, "s.db");
    assert_eq!(after.len(), 40);
    assert!(after.values().all(|&times| times == 1), "{after:?}");
    let once_more = scene.run(&arguments).expect_code(0);
    assert!(
        once_more.stderr.contains("complete already"),
        "{}",
        once_more.stderr
    );
}
