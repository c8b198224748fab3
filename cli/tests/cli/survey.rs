//! `toads survey` on a handful of cells, and what it refuses.

use crate::place::Place;

const CELLS: &str = "a\tb\tstrip\n1\t1\tT.F\n2\t1\tTT.F\n1\t2\tT..F\n2\t2\tT T..F\n";

fn place() -> Place {
    let place = Place::new();
    place.write("cells.tsv", CELLS);
    place
}

#[test]
fn cells_are_evaluated_kept_and_shown_in_every_format() {
    let place = place();
    let run = [
        "survey",
        "run",
        "cells.tsv",
        "--memory",
        "64MiB",
        "--format",
        "tsv",
    ];
    let ran = place.run(&run);
    let row = ran.ok().lines().nth(1).unwrap_or_default();
    ran.check(
        row.ends_with("\t\thop\tdone\t4\t4\t4\t0\t0\t0\t0"),
        "all four are exact",
    );
    let shown = place.run(&["survey", "show", "--format", "tsv"]);
    let mut lines = shown.ok().lines();
    let header =
        "a\tb\tstrip\tstate\tvalue\trelations\tkind\thow\tvalue_id\tnodes\tms\tworker\tmessage";
    assert_eq!(lines.next(), Some(header));
    let start = |line: &str| line.split('\t').take(5).collect::<Vec<_>>().join(" ");
    let rows: Vec<String> = lines.map(start).collect();
    assert_eq!(
        rows,
        [
            "1 1 T . F exact *",
            "2 1 T^2 . F exact {1/2|0}",
            "1 2 T .^2 F exact 0",
            "2 2 T^2 .^2 F exact 1"
        ]
    );
    let json = place.run(&["survey", "show", "--format", "json"]);
    json.check(
        json.ok().contains("\"value\":\"{1/2|0}\""),
        "values are strings",
    );
    place.run(&["survey", "show", "--format", "csv"]).ok();
    place.run(&["survey", "show"]).ok();
    let again = place.run(&run);
    again.check(again.stderr.contains("complete already"), "it says so");
    // Other rules are another survey; the same cells from standard input are the same.
    let hopless = place.run_on(
        &[
            "survey",
            "run",
            "-",
            "--variant",
            "hopless",
            "--memory",
            "64MiB",
        ],
        CELLS,
    );
    hopless.ok();
    let same = place.run_on(&["survey", "run", "-"], CELLS);
    same.check(
        same.stderr.contains("complete already"),
        "the file's name is not part of it",
    );
    let status = place.run(&["survey", "status", "--format", "tsv"]);
    assert_eq!(status.ok().lines().count(), 3);
    place.run(&["db", "verify"]).ok();
}

#[test]
fn a_budget_leaves_cells_that_say_what_would_help() {
    let place = Place::new();
    place.write("large.tsv", "a\tstrip\n6\tT^6 .^6 F^5\n1\tT.F\n");
    let ran = place.run(&[
        "survey",
        "run",
        "large.tsv",
        "--budget-nodes",
        "20",
        "--memory",
        "64MiB",
    ]);
    ran.check(
        ran.stderr.contains("1 of 2 cells failed"),
        "one class has millions of strips",
    );
    ran.ok();
    let shown = place.run(&["survey", "show", "--format", "tsv"]);
    shown.check(
        shown.ok().contains("the budget of 20 nodes"),
        "the cell says why",
    );
}

#[test]
fn a_survey_may_wait_in_a_store_and_be_given_up() {
    let place = place();
    place.run(&["census", "run", "--squares", "1..2"]).ok();
    let submitted = place.run(&["survey", "submit", "cells.tsv", "--format", "tsv"]);
    submitted.check(
        submitted.ok().contains("\tidle\t4\t0\t"),
        "nobody works on it",
    );
    let id = submitted.ok().lines().nth(1).unwrap_or_default()[..6].to_owned();
    let cancelled = place.run(&["survey", "cancel", &id, "--format", "tsv"]);
    cancelled.check(cancelled.ok().contains("\tcancelled\t"), "it is given up");
    let watched = place.run(&["survey", "watch"]);
    watched.check(
        watched.code == 1 && watched.stderr.contains("0 of 4 cells"),
        "it has ended",
    );
    // Whoever asks again takes it up again.
    let ran = place.run(&[
        "survey",
        "run",
        "cells.tsv",
        "--memory",
        "64MiB",
        "--format",
        "tsv",
    ]);
    ran.check(ran.ok().contains("\tdone\t"), "it is done");
}

#[test]
fn what_is_no_survey_is_refused_with_its_place() {
    let place = place();
    place.write("bad.tsv", "a\tstrip\n1\tT.F\nx\tT.F\n");
    let bad = place.run(&["survey", "run", "bad.tsv"]);
    bad.check(
        bad.code == 2 && bad.stderr.contains("bad.tsv, line 3: a is `x`"),
        "file, line, reason",
    );
    let missing = place.run(&["survey", "run", "none.tsv"]);
    missing.check(
        missing.code == 2 && missing.stderr.contains("none.tsv"),
        "the file is named",
    );
    let nothing = place.run(&["survey", "show"]);
    nothing.check(nothing.code == 2, "there is no store");
    place
        .run(&["survey", "run", "cells.tsv", "--memory", "64MiB"])
        .ok();
    let unknown = place.run(&["survey", "show", "zz"]);
    unknown.check(
        unknown.code == 2 && unknown.stderr.contains("no survey `zz`"),
        "the id is named",
    );
    let both = place.run(&[
        "survey",
        "run",
        "cells.tsv",
        "--coordinator",
        "http://127.0.0.1:1",
    ]);
    both.check(
        both.code == 2 && both.stderr.contains("survey submit"),
        "it says what to use",
    );
}
