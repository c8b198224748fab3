//! `toads census run` and what can be asked afterwards, on small ranges.

use std::fs;

use crate::place::{Place, Ran};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden");

fn census(place: &Place, squares: &str, more: &[&str]) -> Ran {
    let run = [
        "census",
        "run",
        "--squares",
        squares,
        "--format",
        "tsv",
        "--memory",
        "512MiB",
    ];
    place.run(&[&run[..], more].concat())
}

/// A cell of the only row.
fn cell<'a>(ran: &'a Ran, column: &str) -> &'a str {
    let mut lines = ran.ok().lines();
    let at = lines
        .next()
        .unwrap()
        .split('\t')
        .position(|name| name == column)
        .expect("the column is there");
    lines
        .next()
        .expect("there is a row")
        .split('\t')
        .nth(at)
        .unwrap()
}

fn agrees_with_golden(place: &Place, variant: &str, squares: usize) {
    let golden = fs::read_to_string(format!("{GOLDEN}/census-{variant}.tsv")).unwrap();
    let expected: Vec<_> = golden.lines().take(squares + 1).collect();
    let ran = place.run(&["query", "summary", "--variant", variant, "--format", "tsv"]);
    assert_eq!(ran.ok().lines().collect::<Vec<_>>(), expected);
}

#[test]
fn a_census_agrees_with_the_reference_and_goes_on_where_it_stopped() {
    let place = Place::new();
    let first = census(&place, "1..6", &[]);
    assert_eq!(cell(&first, "state"), "done");
    assert_eq!(cell(&first, "strips"), "1092");
    agrees_with_golden(&place, "hop", 6);
    let again = census(&place, "1..6", &[]);
    again.check(
        again.stderr.contains("complete already"),
        "a complete run says so",
    );
    assert_eq!(cell(&again, "digest"), cell(&first, "digest"));
    let longer = census(&place, "1..8", &[]);
    longer.check(
        longer.stderr.contains("continues: ") && longer.stderr.contains("shards were there"),
        "it continues",
    );
    agrees_with_golden(&place, "hop", 8);
    let hopless = census(&place, "1..7", &["--variant", "hopless"]);
    assert_eq!(cell(&hopless, "strips"), "3279");
    agrees_with_golden(&place, "hopless", 7);
    agrees_with_golden(&place, "hop", 8);
    let status = place.run(&["census", "status", "--format", "tsv"]);
    assert_eq!(status.ok().lines().count(), 4, "{}", status.stdout);
    status.check(
        status
            .stdout
            .lines()
            .skip(1)
            .all(|line| line.contains("\tdone\t")),
        "all runs are done",
    );
}

#[test]
fn threads_processes_and_what_is_kept_do_not_change_the_digest() {
    let digest = |more: &[&str]| {
        let place = Place::new();
        let ran = census(&place, "1..9", more);
        let info = place.run(&["db", "info", "--format", "tsv"]);
        let line = info
            .ok()
            .lines()
            .find(|line| line.starts_with("digest\t"))
            .unwrap()
            .to_owned();
        (cell(&ran, "digest").to_owned(), line)
    };
    let inside = digest(&[]);
    assert_eq!(digest(&["--threads", "1"]), inside);
    assert_eq!(digest(&["--workers", "2", "--threads", "1"]), inside);
    assert_eq!(digest(&["--keep", "tallies"]), inside);
}

#[test]
fn questions_are_answered_from_the_store() {
    let place = Place::new();
    census(&place, "1..7", &[]).ok();
    let strips = place.run(&[
        "query",
        "strips",
        "--value",
        "{1/2|0}",
        "--squares",
        "7",
        "--format",
        "tsv",
    ]);
    strips.check(
        strips.ok().starts_with("strip\tvalue\n") && strips.stdout.lines().count() > 10,
        "strips by value",
    );
    strips.check(
        strips
            .stdout
            .lines()
            .skip(1)
            .all(|line| line.ends_with("\t{1/2|0}")),
        "all have the value",
    );
    let negative = place.run(&[
        "query",
        "strips",
        "--value",
        "-1/2",
        "--squares",
        "7",
        "--format",
        "tsv",
    ]);
    negative.check(negative.ok().lines().count() > 1, "a leading minus is data");
    let values = place.run(&[
        "query",
        "values",
        "--squares",
        "7",
        "--limit",
        "3",
        "--format",
        "json",
    ]);
    let rows: serde_json::Value = serde_json::from_str(values.ok()).unwrap();
    assert_eq!(rows.as_array().map(Vec::len), Some(3));
    values.check(
        rows[0]["count"].is_u64() && rows[0]["value"].is_string(),
        "numbers are numbers",
    );
    for (verb, header) in [
        ("outcomes", "n\tP\tL\tR\tN"),
        ("kinds", "n\tkind\tstrips\tdistinct"),
        ("temperatures", "n\ttemperature\tstrips\tdistinct"),
        (
            "classes",
            "n\ttoads\tfrogs\tstrips\tdistinct\tnumbers\tP\tL\tR\tN\tstate",
        ),
    ] {
        let ran = place.run(&["query", verb, "--format", "tsv"]);
        ran.check(ran.ok().lines().next() == Some(header), header);
        ran.check(ran.stdout.lines().count() > 7, "there are rows");
    }
    place
        .run(&["query", "strips", "--value", "{1|"])
        .fails(2, &["{1|"]);
    place
        .run(&["query", "kinds", "--kind", "warm"])
        .fails(2, &["warm", "switch"]);
    place
        .run(&["query", "summary", "--squares", "0..3"])
        .fails(2, &["out of range"]);
}

#[test]
fn exports_copies_and_checks() {
    let place = Place::new();
    census(&place, "1..6", &[]).ok();
    for format in ["csv", "jsonl", "parquet"] {
        let ran = place.run(&["export", format, "--out", format, "--format", "tsv"]);
        let rows: u64 = ran
            .ok()
            .lines()
            .skip(1)
            .filter(|line| line.contains("\tstrips\t"))
            .map(|line| line.split('\t').nth(2).unwrap().parse::<u64>().unwrap())
            .sum();
        ran.check(rows == 1092, "every strip of 1..6 squares is exported");
    }
    place
        .run(&["export", "csv", "--out", "csv"])
        .fails(2, &["csv", "exists"]);
    place
        .run(&["export", "csv", "--out", "more", "--squares", "1..7"])
        .fails(2, &["--partial"]);
    place
        .run(&["export", "csv", "--out", "more", "--tables", "strips,vales"])
        .fails(2, &["vales"]);
    let twice = [
        "export",
        "csv",
        "--out",
        "twice",
        "--tables",
        "values,values",
    ];
    let twice = place.run(&[&twice[..], &["--format", "tsv"]].concat());
    twice.check(twice.ok().lines().count() == 2, "each table once");
    place.write("file", "");
    assert_ne!(place.run(&["export", "csv", "--out", "file/out"]).code, 0);
    place.run(&["db", "checkpoint", "--out", "copy.db"]).ok();
    place
        .run(&["db", "checkpoint", "--out", "copy.db"])
        .fails(2, &["exists"]);
    let digest = |store: &str| {
        let ran = place.run(&["db", "info", "--store", store, "--format", "tsv"]);
        ran.ok()
            .lines()
            .find(|line| line.starts_with("digest\t"))
            .unwrap()
            .to_owned()
    };
    assert_eq!(digest("copy.db"), digest("toads.db"));
    place.run(&["db", "verify", "--store", "copy.db"]).ok();
    place.run(&["db", "compact", "--store", "copy.db"]).ok();
    place.run(&["census", "verify", "--store", "copy.db"]).ok();
}

#[test]
fn a_plan_computes_nothing() {
    let place = Place::new();
    let ran = place.run(&["census", "plan", "--squares", "1..14", "--format", "tsv"]);
    ran.check(
        ran.ok()
            .starts_with("n\ttoads\tfrogs\tstrips\tshards\tbytes\tseconds"),
        "the columns",
    );
    let strips: u64 = ran
        .stdout
        .lines()
        .skip(1)
        .map(|line| line.split('\t').nth(3).unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!(strips, (1..=14).map(|n| 3u64.pow(n)).sum::<u64>());
    assert!(!place.join("toads.db").exists());
}

#[test]
fn runs_of_an_idle_store_are_looked_after() {
    let place = Place::new();
    census(&place, "1..4", &[]).ok();
    let submitted = place.run(&["census", "submit", "--squares", "1..5", "--format", "tsv"]);
    submitted.check(
        submitted.ok().contains("\t1..5\tidle\t"),
        "entered, not computed",
    );
    let state = |verb: &str| {
        place
            .run(&["census", verb, "--format", "tsv"])
            .ok()
            .lines()
            .nth(1)
            .unwrap()
            .split('\t')
            .nth(3)
            .unwrap()
            .to_owned()
    };
    assert_eq!(state("pause"), "paused");
    assert_eq!(state("resume"), "idle");
    assert_eq!(state("cancel"), "cancelled");
    for verb in ["pause", "cancel"] {
        let finished = place.run(&["census", verb, "1"]);
        finished.fails(2, &["run 1 is done", "nothing to"]);
    }
    let states = [
        "query",
        "sql",
        "select state from runs order by run",
        "--format",
        "tsv",
    ];
    assert_eq!(place.run(&states).ok(), "state\ndone\ncancelled\n");
    place.run(&["census", "pause", "9"]).fails(2, &["no run 9"]);
    assert_eq!(
        place
            .run(&["census", "quarantine", "list", "--format", "tsv"])
            .ok()
            .lines()
            .count(),
        1
    );
    place
        .run(&["census", "quarantine", "show", "hop/3/1/1"])
        .fails(2, &["not in quarantine"]);
    place
        .run(&["census", "quarantine", "show", "hop/3"])
        .fails(2, &["hop/14/5/4"]);
    let events = place.run(&["census", "events", "--format", "json"]);
    let rows: serde_json::Value = serde_json::from_str(events.ok()).unwrap();
    events.check(
        rows.as_array()
            .unwrap()
            .iter()
            .any(|row| row["kind"] == "committed"),
        "commits are in the log",
    );
}
