//! `toads compare`: relations, formats, budgets, bad input, signals.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::place::Place;

#[test]
fn relations_of_positions_values_and_sums() {
    let place = Place::new();
    for (left, relation, right) in [
        ("T.F", "=", "*"),
        ("T.F", "||", "0"),
        ("T.F", ">", "-1/2"),
        ("-1/2", "<", "T.F"),
        ("-T.F + T.F", "=", "0"),
        ("T^4 .^4 F^3", "=", "1*"),
        ("T^4 .^3 F^3", "=", "{1||1/2|0}"),
        ("T^2 .F + T.F", "=", "{1/2|0} + *"),
        ("T^5 .^7 F^4", "<", "3"),
        ("strip:T..", "=", "value:2"),
    ] {
        let ran = place.run(&["compare", "--format", "tsv", left, right]);
        assert_eq!(ran.ok(), format!("{relation}\n"), "{left} {right}");
    }
    let ran = place.run(&["compare", "TT.F", "1/2"]);
    assert_eq!(ran.ok(), "TT.F || 1/2\n");
    ran.check(
        ran.stderr.contains("nodes in"),
        "the cost goes to standard error",
    );
    let hopless = place.run(&["compare", "--variant", "hopless", "-q", "TT.F", "{1|0}"]);
    assert_eq!(hopless.ok(), "TT.F = {1|0}\n");
    hopless.check(hopless.stderr.is_empty(), "quiet is quiet");
}

#[test]
fn every_format_tells_the_same() {
    let place = Place::new();
    let json = place.run(&["compare", "--format", "json", "T.F", "*"]);
    for part in [
        "\"left\":\"T.F\"",
        "\"relation\":\"=\"",
        "\"right\":\"*\"",
        "\"nodes\":",
    ] {
        json.check(json.ok().contains(part), part);
    }
    let csv = place.run(&["compare", "--format", "csv", "T.F", "*"]);
    assert!(csv.ok().starts_with("left,relation,right,nodes\nT.F,=,*,"));
}

#[test]
fn what_is_undecided_is_said_with_what_is_known() {
    let place = Place::new();
    place
        .run(&["compare", "T^20 .^20 F^19", "5", "--budget", "2k"])
        .fails(1, &["undecided within the budget", "known", "--budget"]);
    place
        .run(&[
            "compare",
            "T^20 .^20 F^19",
            "5",
            "--budget",
            "300ms",
            "--threads",
            "2",
            "--memory",
            "64MiB",
        ])
        .fails(1, &["undecided within the budget"]);
}

#[test]
fn a_certificate_that_cannot_be_written_costs_no_search() {
    let place = Place::new();
    let ran = place.run(&[
        "compare",
        "T^9 .^9 F^8",
        "0",
        "--certificate",
        "no/such/folder",
    ]);
    ran.fails(2, &["no/such/folder"]);
}

#[test]
fn bad_input_is_refused() {
    let place = Place::new();
    place
        .run(&["compare", "T.X", "0"])
        .fails(2, &["T.X", "column 3"]);
    place.run(&["compare", "T.F", "hello"]).fails(2, &["hello"]);
    place.run(&["compare", "T.F +", "0"]).fails(2, &["T.F +"]);
    place.run(&["compare", "T.F"]).fails(2, &["SUM"]);
    place
        .run(&["compare", "T.F", "0", "--budget", "soon"])
        .fails(2, &["soon", "50M"]);
    place
        .run(&["compare", "T^100 .^40 F", "0"])
        .fails(2, &["141 squares", "128"]);
    place
        .run(&["compare", "T.F", "2000000"])
        .fails(2, &["2000000"]);
    let long = [
        "compare",
        "-q",
        "--variant",
        "hopless",
        "T^100 .^40 F",
        "1980",
    ];
    assert_eq!(place.run(&long).ok(), "T^100 .^40 F = 1980\n");
}

#[test]
fn an_interrupt_ends_it_with_130() {
    let place = Place::new();
    let mut command = place.command(&["compare", "T^20 .^20 F^19", "5"]);
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains("known of the relation"), "{stderr}");
}

#[test]
fn certificates_are_written_and_checked() {
    let place = Place::new();
    for (variant, left, relation, right) in [
        ("hop", "T^3 .^3 F^3", "=", "0"),
        ("hop", "T^4 .^3 F^3", ">", "1/4"),
        ("hop", "T.F - T..F", "||", "^"),
        ("hopless", "TT.F + T.F", "<", "1"),
    ] {
        let args = [
            "compare",
            "--variant",
            variant,
            left,
            right,
            "--certificate",
            "proof.txt",
        ];
        assert_eq!(
            place.run(&args).ok(),
            format!("{left} {relation} {right}\n")
        );
        let checked = place.run(&["certify", "proof.txt"]);
        checked.check(checked.ok().contains(&format!(" {relation} ")), relation);
        checked.check(checked.stdout.starts_with("proved: "), variant);
        let tsv = place.run(&["certify", "--format", "tsv", "proof.txt"]);
        tsv.check(
            tsv.ok()
                .starts_with("variant\tleft\trelation\tright\tnodes\n"),
            "a header",
        );
        tsv.check(tsv.stdout.contains(&format!("\n{variant}\t")), "a row");
        // A change that a checksum would not see: it is recomputed by nobody, so it is seen.
        let text = std::fs::read_to_string(place.join("proof.txt")).unwrap();
        place.write("broken.txt", &text.replacen("node 1 ", "node 2 ", 1));
        place
            .run(&["certify", "broken.txt"])
            .fails(1, &["broken.txt", "checksum"]);
    }
    place.write("other.txt", "hello\n");
    place
        .run(&["certify", "other.txt"])
        .fails(1, &["no certificate"]);
    place
        .run(&["certify", "missing.txt"])
        .fails(2, &["missing.txt"]);
    let args = [
        "compare",
        "T.F",
        "*",
        "--certificate",
        "no/such/folder/proof.txt",
    ];
    place.run(&args).fails(2, &["no/such/folder"]);
}
