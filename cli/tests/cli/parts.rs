//! A census split into files, stores merged and compared, as a batch job would.

use std::fs;

use crate::place::{Place, Ran};

fn shard(place: &Place, part: &str, out: &str) -> Ran {
    place.run(&[
        "census",
        "shard",
        "--squares",
        "1..8",
        "--shard",
        part,
        "--out",
        out,
        "--format",
        "tsv",
        "--memory",
        "256MiB",
    ])
}

fn digest(place: &Place, store: &str) -> String {
    let info = place.run(&["db", "info", "--store", store, "--format", "tsv"]);
    let line = info.ok().lines().find(|line| line.starts_with("digest\t"));
    line.expect("the digest is told").to_owned()
}

/// The census that the parts must amount to.
fn plain(place: &Place) -> String {
    let run = [
        "census",
        "run",
        "--squares",
        "1..8",
        "--store",
        "plain.db",
        "--memory",
        "256MiB",
    ];
    place.run(&run).ok();
    digest(place, "plain.db")
}

#[test]
fn parts_repeated_and_mixed_make_the_store_of_a_plain_run() {
    let place = Place::new();
    let mut files: Vec<String> = Vec::new();
    for part in 1..=7 {
        files.push(format!("{part}.toads"));
        shard(&place, &format!("{part}/7"), &files[part - 1]).ok();
    }
    shard(&place, "2/3", "two-thirds.toads").ok();
    let again = shard(&place, "3/7", "3.toads");
    again.check(
        again.stderr.contains("complete already"),
        "a whole part is not computed again",
    );
    shard(&place, "4/7", "3.toads").fails(2, &["part 3/7 of hop 1..8"]);
    let mut import = vec!["census", "import", "--store", "parts.db", "--format", "tsv"];
    let order = [6, 2, 2, 0, 4, 4, 0, 1, 5, 3];
    import.extend(order.iter().map(|&at: &usize| files[at].as_str()));
    import.push("two-thirds.toads");
    let imported = place.run(&import);
    imported.check(imported.ok().lines().count() == 12, "a row for each file");
    assert_eq!(digest(&place, "parts.db"), plain(&place));
    place.run(&["db", "diff", "parts.db", "plain.db"]).ok();
    place.run(&["census", "verify", "--store", "parts.db"]).ok();
    let again = place.run(&import);
    let committed = again
        .ok()
        .lines()
        .skip(1)
        .map(|row| row.split('\t').nth(3).unwrap());
    assert!(
        committed.eq(std::iter::repeat_n("0", 11)),
        "{}",
        again.stdout
    );
    let run = place.run(&["census", "run", "--squares", "1..8", "--store", "parts.db"]);
    run.check(
        run.code == 0 && run.stderr.contains("complete already"),
        "nothing is left to compute",
    );
}

#[test]
fn a_damaged_part_is_refused_by_name_and_the_others_are_imported() {
    let place = Place::new();
    shard(&place, "1/2", "good.toads").ok();
    shard(&place, "2/2", "bad.toads").ok();
    let whole = fs::read(place.join("bad.toads")).unwrap();
    let mut bytes = whole.clone();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    fs::write(place.join("bad.toads"), &bytes).unwrap();
    let import = |files: &[&str], store: &str| {
        place.run(
            &[
                &["census", "import", "--store", store, "--format", "tsv"],
                files,
            ]
            .concat(),
        )
    };
    let alone = import(&["bad.toads"], "alone.db");
    alone.fails(1, &["bad.toads: it is damaged in the record at byte"]);
    let info = place.run(&[
        "census",
        "plan",
        "--squares",
        "1..8",
        "--store",
        "alone.db",
        "--format",
        "tsv",
    ]);
    assert!(
        info.ok().lines().skip(1).all(|row| row.ends_with("\tno")),
        "{}",
        info.stdout
    );
    let both = import(&["bad.toads", "good.toads"], "both.db");
    both.fails(1, &["bad.toads", "refused: 1 of 2 files"]);
    both.check(
        both.stdout.contains("good.toads\t1/2\t"),
        "the good one is imported",
    );
    fs::write(place.join("bad.toads"), &whole[..whole.len() - 1]).unwrap();
    import(&["bad.toads"], "both.db").fails(1, &["bad.toads", "cut short"]);
    place.write("text", "no part");
    import(&["text"], "both.db").fails(2, &["text: it is no part file"]);
    import(&["missing.toads"], "both.db").fails(2, &["missing.toads"]);
    import(&["missing.toads", "gone.toads"], "none.db").fails(2, &["missing.toads"]);
    assert!(
        !place.join("none.db").exists(),
        "mistyped names make no store"
    );
    fs::write(place.join("bad.toads"), &whole).unwrap();
    import(&["bad.toads"], "both.db").ok();
    assert_eq!(digest(&place, "both.db"), plain(&place));
}

#[test]
fn an_interrupted_part_goes_on() {
    let place = Place::new();
    shard(&place, "1/1", "whole.toads").ok();
    let whole = fs::read(place.join("whole.toads")).unwrap();
    fs::write(place.join("cut.toads.partial"), &whole[..whole.len() / 3]).unwrap();
    let ran = shard(&place, "1/1", "cut.toads");
    ran.check(
        ran.code == 0
            && ran.stderr.contains("continues: ")
            && !place.join("cut.toads.partial").exists(),
        "it goes on from what is whole",
    );
    place
        .run(&["census", "import", "cut.toads", "--store", "cut.db"])
        .ok();
    assert_eq!(digest(&place, "cut.db"), plain(&place));
}

#[test]
fn wrong_parts_are_refused_before_anything_is_computed() {
    let place = Place::new();
    shard(&place, "0/7", "x").fails(2, &["1/7 to 7/7"]);
    shard(&place, "8/7", "x").fails(2, &["1/7 to 7/7"]);
    shard(&place, "seven", "x").fails(2, &["write 3/7"]);
    shard(&place, "1/2", "no/such/folder/x").fails(2, &["no/such/folder"]);
    let import = [
        "census",
        "import",
        "x",
        "--coordinator",
        "http://127.0.0.1:9",
    ];
    place.run(&import).fails(2, &["--store"]);
    place.run(&["census", "import"]).fails(2, &["FILE"]);
}

#[test]
fn stores_merge_into_what_one_run_computes() {
    let place = Place::new();
    let run = |squares: &str, store: &str, more: &[&str]| {
        let run = [
            "census",
            "run",
            "--squares",
            squares,
            "--store",
            store,
            "--memory",
            "256MiB",
        ];
        place.run(&[&run[..], more].concat()).ok();
    };
    run("1..5", "a.db", &[]);
    run("4..8", "b.db", &["--keep", "tallies"]);
    run("6..8", "c.db", &[]);
    run("1..4", "c.db", &["--variant", "hopless"]);
    let merge = |args: &[&str]| place.run(&[&["db", "merge", "--format", "tsv"], args].concat());
    let merged = merge(&["a.db", "b.db", "c.db", "--into", "all.db"]);
    merged.check(merged.ok().lines().count() == 4, "a row for each store");
    let differs = place.run(&["db", "diff", "all.db", "a.db", "--format", "tsv"]);
    differs.fails(1, &["they differ", "only in all.db"]);
    differs.check(
        differs.stdout.contains("hopless/4/2/1\tonly_left"),
        "what is missing is told",
    );
    plain(&place);
    place
        .run(&["db", "diff", "all.db", "plain.db", "--variant", "hop"])
        .ok();
    let again = merge(&["all.db", "a.db", "b.db", "c.db"]);
    again.check(
        again
            .ok()
            .lines()
            .skip(1)
            .all(|row| row.split('\t').nth(2) == Some("0")),
        "nothing is copied twice",
    );
    // 4..5 squares were kept without strips in b, 6..8 with strips in c.
    let strips = place.run(&[
        "query",
        "strips",
        "--squares",
        "8",
        "--limit",
        "1",
        "--store",
        "all.db",
    ]);
    strips.ok();
    merge(&["a.db"]).fails(2, &["another one"]);
    merge(&["a.db", "missing.db"]).fails(2, &["missing.db"]);
    merge(&["missing.db", "a.db"]).fails(2, &["missing.db"]);
    merge(&["missing.db", "a.db", "--into", "new.db"]).fails(2, &["missing.db"]);
    assert!(!place.join("new.db").exists(), "nothing is made");
    merge(&["a.db", "--into", "./a.db"]).fails(2, &["into itself"]);
    merge(&["a.db", "b.db", "./a.db"]).fails(2, &["into itself"]);
    let nothing = ["db", "diff", "a.db", "b.db", "--squares", "13"];
    place.run(&nothing).fails(2, &["nothing to compare"]);
}

#[test]
fn a_store_is_compared_with_a_dataset() {
    let place = Place::new();
    plain(&place);
    place
        .run(&["export", "parquet", "--out", "data", "--store", "plain.db"])
        .ok();
    let verify = [
        "census",
        "verify",
        "--store",
        "plain.db",
        "--against",
        "data",
    ];
    let sound = place.run(&verify);
    sound.check(
        sound.code == 0 && sound.stderr.contains("they agree"),
        "they agree",
    );
    let path = place.join("data/values.parquet");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    let damaged = place.run(&verify);
    damaged.fails(1, &["1 findings"]);
    damaged.check(
        damaged.stdout.contains("values.parquet"),
        "the file is named",
    );
    place
        .run(&[
            "census",
            "verify",
            "--store",
            "plain.db",
            "--against",
            "nothing",
        ])
        .fails(2, &["nothing", "MANIFEST.json"]);
    place
        .run(&[
            "census",
            "verify",
            "--against",
            "data",
            "--shard",
            "hop/4/2/1",
        ])
        .fails(2, &["--against"]);
}
