//! The frame: settings, help, completions, exit codes, a reader that goes away.

use std::io::Read;
use std::process::Stdio;

use crate::place::{Place, Ran};

/// Key, value and origin of a setting.
fn setting(ran: &Ran, key: &str) -> (String, String) {
    let line = ran
        .ok()
        .lines()
        .find(|line| line.starts_with(&format!("{key}\t")))
        .expect("a row for the key");
    let mut cells = line.split('\t').skip(1).map(str::to_owned);
    (
        cells.next().unwrap_or_default(),
        cells.next().unwrap_or_default(),
    )
}

#[test]
fn a_flag_beats_the_environment_beats_files_beats_defaults() {
    let place = Place::new();
    let show = ["config", "show", "--format", "tsv"];
    let is = |ran: &Ran, value: &str, origin: &str| {
        assert_eq!(setting(ran, "store"), (value.to_owned(), origin.to_owned()));
    };
    is(&place.run(&show), "toads.db", "default");
    std::fs::create_dir_all(place.join("config/toads")).unwrap();
    place.write(
        "config/toads/toads.toml",
        "variant = \"hopless\"\nstore = \"far.db\"\n",
    );
    let far = format!("file {}:2", place.join("config/toads/toads.toml").display());
    is(&place.run(&show), "far.db", &far);
    place.write("toads.toml", "# here\nstore = \"near.db\"\nthreads = 3\n");
    let ran = place.run(&show);
    is(&ran, "near.db", "file toads.toml:2");
    assert_eq!(
        setting(&ran, "threads"),
        ("3".to_owned(), "file toads.toml:3".to_owned())
    );
    assert_eq!(setting(&ran, "variant").0, "hopless");
    let env = [("TOADS_STORE", "env.db")];
    is(&place.run_with(&show, &env), "env.db", "env TOADS_STORE");
    let with_flag = [&show[..], &["--store", "flag.db"]].concat();
    is(&place.run_with(&with_flag, &env), "flag.db", "flag");
}

#[test]
fn settings_take_effect() {
    let place = Place::new();
    place.write("toads.toml", "variant = \"hopless\"\nformat = \"tsv\"\n");
    assert!(place.run(&["value", "TT.F"]).ok().contains("TT.F\t{1|0}\t"));
    assert!(
        !place
            .run(&["value", "TT.F", "--variant", "hop"])
            .ok()
            .contains("\t{1|0}\t"),
        "hop differs"
    );
}

#[test]
fn broken_settings_are_named_with_their_line() {
    let place = Place::new();
    place.write("toads.toml", "store = \"a\"\nthread = 3\n");
    place
        .run(&["value", "T.F"])
        .fails(2, &["toads.toml:2", "`thread`", "threads"]);
    place.write("toads.toml", "threads = many\n");
    place.run(&["value", "T.F"]).fails(2, &["toads.toml:1"]);
    place.write("toads.toml", "threads = 0\n");
    place
        .run(&["value", "T.F"])
        .fails(2, &["toads.toml:1", "threads"]);
    place.run(&["--help"]).ok();
    place.run(&["--version"]).ok();
    let place = Place::new();
    place
        .run_with(&["value", "T.F"], &[("TOADS_FORMAT", "xml")])
        .fails(2, &["TOADS_FORMAT"]);
}

#[test]
fn help_lists_every_verb_and_costs_nothing() {
    let place = Place::new();
    let help = place.run(&["--help"]);
    for verb in VERBS {
        help.check(
            help.ok().contains(&format!("\n  {verb} ")),
            &format!("help lists {verb}"),
        );
        let one = place.run(&[verb, "--help"]);
        one.check(one.ok().contains("Usage: toads"), "each verb has help");
        one.check(one.stderr.is_empty(), "help goes to standard output");
        one.check(one.stdout.contains("Examples:"), "help shows how");
    }
    let census = place.run(&["census", "--help"]);
    for verb in [
        "run",
        "plan",
        "submit",
        "status",
        "watch",
        "pause",
        "resume",
        "cancel",
        "verify",
        "quarantine",
    ] {
        census.check(census.ok().contains(&format!("\n  {verb} ")), verb);
    }
    let query = place.run(&["query", "--help"]);
    for verb in [
        "summary",
        "outcomes",
        "kinds",
        "values",
        "temperatures",
        "classes",
        "strips",
    ] {
        query.check(query.ok().contains(&format!("\n  {verb} ")), verb);
    }
    place
        .run(&[])
        .check(place.run(&[]).code == 2, "no verb is bad usage");
    place.run(&["frobnicate"]).fails(2, &["frobnicate"]);
    let version = place.run(&["--version"]);
    version.check(
        version.ok().contains("fingerprint "),
        "the long version names the fingerprint",
    );
}

const VERBS: [&str; 14] = [
    "value",
    "compare",
    "certify",
    "table",
    "census",
    "survey",
    "query",
    "export",
    "db",
    "coordinator",
    "worker",
    "config",
    "completions",
    "man",
];

#[test]
fn completions_and_manual_pages_are_made() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish"] {
        assert!(place.run(&["completions", shell]).ok().contains("toads"));
    }
    let ran = place.run(&["man", "--out", "man"]);
    ran.ok();
    for page in ["toads.1", "toads-value.1", "toads-config-show.1"] {
        assert!(
            std::fs::read_to_string(place.join("man").join(page))
                .unwrap()
                .contains(".TH"),
            "{page}"
        );
    }
    place.write("file", "");
    place
        .run(&["man", "--out", "file/man"])
        .fails(2, &["file/man"]);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = Place::new();
    let mut command = place.command(&["value", "--format", "tsv", "-"]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || {
        use std::io::Write;
        while stdin.write_all(b"T.F\n").is_ok() {}
    });
    let mut stdout = child.stdout.take().unwrap();
    let mut first = [0; 16];
    stdout.read_exact(&mut first).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    let ran = Ran::from_output("value - | head", &output);
    ran.check(
        ran.code == 0 && ran.stderr.is_empty(),
        "a closed pipe is a quiet success",
    );
}

#[test]
fn a_full_disk_is_an_error() {
    let place = Place::new();
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = place.command(&["value", "T.F"]);
    command.stdout(full);
    let output = command
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
        .wait_with_output()
        .unwrap();
    Ran::from_output("value T.F > /dev/full", &output).fails(1, &["standard output"]);
}
