//! Bad input: one clear line, the right exit code, nothing lost.

use std::fs;
use std::path::Path;

use crate::place::Place;

fn census(place: &Place, squares: &str) {
    place
        .run(&[
            "census",
            "run",
            "--squares",
            squares,
            "--threads",
            "1",
            "--memory",
            "256MiB",
        ])
        .ok();
}

#[test]
fn squares_out_of_range() {
    let place = Place::new();
    for squares in ["0", "0..4", "1..99", "5..3", "ten", "", "1..", "-3"] {
        place
            .run(&["census", "run", "--squares", squares])
            .fails(2, &["squares"]);
        place
            .run(&["census", "plan", &format!("--squares={squares}")])
            .fails(2, &["squares"]);
    }
    assert!(
        !place.join("toads.db").exists(),
        "nothing is made for a command that is refused"
    );
}

#[test]
fn figures_that_make_no_sense() {
    let place = Place::new();
    for (flag, value) in [
        ("--threads", "0"),
        ("--memory", "lots"),
        ("--workers", "-1"),
        ("--keep", "all"),
        ("--stall-timeout", "soon"),
    ] {
        place
            .run(&[
                "census",
                "run",
                "--squares",
                "3",
                &format!("{flag}={value}"),
            ])
            .fails(2, &[flag]);
    }
}

#[test]
fn no_store_there() {
    let place = Place::new();
    for verb in [
        &["query", "summary"][..],
        &["db", "info"],
        &["db", "verify"],
        &["census", "status"],
        &["export", "csv", "--out", "x"],
    ] {
        place.run(verb).fails(2, &["no store", "toads.db"]);
    }
    assert!(!place.join("toads.db").exists(), "asking makes no store");
}

#[test]
fn something_else_is_there() {
    let place = Place::new();
    place.write("file", "not a store");
    place
        .run(&["query", "summary", "--store", "file"])
        .fails(2, &["file", "not a toads store"]);
    place
        .run(&["census", "run", "--squares", "3", "--store", "file"])
        .fails(2, &["file"]);
    assert_eq!(
        fs::read_to_string(place.join("file")).unwrap(),
        "not a store"
    );
    fs::create_dir(place.join("photos")).unwrap();
    place.write("photos/a.jpg", "a picture");
    place
        .run(&["census", "run", "--squares", "3", "--store", "photos"])
        .fails(2, &["photos"]);
    assert_eq!(
        fs::read_dir(place.join("photos")).unwrap().count(),
        1,
        "the folder was left alone"
    );
}

#[test]
fn a_place_that_cannot_be_written() {
    let place = Place::new();
    place.write("file", "");
    let ran = place.run(&["census", "run", "--squares", "3", "--store", "file/x.db"]);
    ran.check(ran.code == 1 || ran.code == 2, "refused");
    ran.fails(ran.code, &["file/x.db"]);
    let ran = place.run(&[
        "census",
        "run",
        "--squares",
        "3",
        "--store",
        "/proc/toads.db",
    ]);
    ran.check(ran.code == 1 || ran.code == 2, "refused");
    ran.fails(ran.code, &["/proc/toads.db"]);
}

#[test]
fn a_store_of_an_unknown_format() {
    let place = Place::new();
    census(&place, "1..3");
    let stamp = fs::read_to_string(place.join("toads.db/FORMAT")).unwrap();
    let newer = stamp.replace("format 2", "format 99");
    assert_ne!(newer, stamp);
    place.write("toads.db/FORMAT", &newer);
    place
        .run(&["query", "summary"])
        .fails(5, &["format 99", "newer release"]);
    place
        .run(&["census", "run", "--squares", "1..4"])
        .fails(5, &["format 99"]);
    place.write("toads.db/FORMAT", &stamp);
    place.run(&["query", "summary"]).ok();
}

#[test]
fn a_coordinator_that_is_not_there() {
    let place = Place::new();
    // Port 9 is `discard`: nobody listens.
    for verb in [
        &["query", "summary"][..],
        &["census", "status"],
        &["census", "submit", "--squares", "3"],
        &["census", "watch"],
        &["db", "info"],
    ] {
        place
            .run(&[verb, &["--coordinator", "http://127.0.0.1:9"]].concat())
            .fails(4, &["http://127.0.0.1:9", "refused"]);
    }
    place
        .run(&[
            "worker",
            "--coordinator",
            "http://127.0.0.1:9",
            "--connect-timeout",
            "1s",
        ])
        .fails(4, &["127.0.0.1:9"]);
    place
        .run(&["query", "summary", "--coordinator", "nonsense url"])
        .fails(2, &["nonsense url"]);
    place
        .run(&[
            "query",
            "summary",
            "--coordinator",
            "http://a:1",
            "--store",
            "x",
        ])
        .fails(2, &["exclude"]);
}

#[test]
fn an_open_address_without_protection() {
    let place = Place::new();
    place
        .run(&["coordinator", "--listen", "0.0.0.0:0"])
        .fails(2, &["loopback", "--insecure"]);
    place
        .run(&["coordinator", "--listen", "here"])
        .fails(2, &["--listen"]);
}

/// The largest table file: where blocks and values are.
fn largest(store: &Path) -> std::path::PathBuf {
    let tables = fs::read_dir(store)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let tables = tables.filter(|path| path.extension().is_some_and(|extension| extension == "sst"));
    tables
        .max_by_key(|path| fs::metadata(path).unwrap().len())
        .expect("a compacted store has table files")
}

#[test]
fn damaged_bytes_are_found_and_named() {
    let place = Place::new();
    census(&place, "1..8");
    place.run(&["db", "compact"]).ok();
    place.run(&["db", "verify"]).ok();
    let table = largest(&place.join("toads.db"));
    let whole = fs::read(&table).unwrap();
    let mut flipped = whole.clone();
    let middle = flipped.len() / 3;
    flipped[middle] ^= 0x40;
    fs::write(&table, &flipped).unwrap();
    let ran = place.run(&["db", "verify"]);
    ran.fails(1, &["damaged"]);
    fs::write(&table, &whole[..whole.len() / 2]).unwrap();
    let ran = place.run(&["db", "verify"]);
    ran.fails(1, &[]);
    fs::write(&table, &whole).unwrap();
    place.run(&["db", "verify"]).ok();
}

#[test]
fn too_little_memory_is_refused_at_the_start_with_what_it_takes() {
    let place = Place::new();
    place
        .run(&["census", "run", "--squares=1..5", "--memory=1"])
        .fails(2, &["--memory 1 B is too little", "64.0 MiB"]);
    place
        .run(&[
            "census",
            "run",
            "--squares=1..5",
            "--memory=100MiB",
            "--workers=2",
        ])
        .fails(2, &["64.0 MiB for each of 2 workers"]);
    place
        .run(&["census", "run", "--squares=16..20", "--memory=1GiB"])
        .fails(2, &["hop/20/", "GiB", "fewer squares"]);
    // Nothing was begun.
    let status = place.run(&["census", "status", "--format", "tsv"]);
    assert_eq!(status.ok().lines().count(), 1);
}
