//! `toads value`: the reference values, formats, bad input.

use crate::place::Place;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden");

/// Strip and value, as the reference file has them.
fn golden(name: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(format!("{GOLDEN}/{name}")).expect("a reference file");
    let pair = |line: &str| {
        line.split_once('\t')
            .map(|(strip, value)| (strip.to_uppercase(), value.to_owned()))
    };
    text.lines().filter_map(pair).collect()
}

fn agrees(name: &str, variant: &str, every: usize) {
    let place = Place::new();
    let expected: Vec<_> = golden(name).into_iter().step_by(every).collect();
    assert!(expected.len() > 100);
    let strips: Vec<_> = expected.iter().map(|(strip, _)| strip.as_str()).collect();
    let input = strips.join(
        "
",
    );
    let ran = place.run_on(
        &["value", "--variant", variant, "--format", "tsv", "-"],
        &input,
    );
    let mut lines = ran.ok().lines();
    let header = "strip\tvalue\toutcome\tleft_stop\tright_stop\tmean\ttemperature\tkind\tbirthday\tdepth\tsubpositions\tdenominator\tatomic_weight\treduced";
    assert_eq!(lines.next(), Some(header));
    for (line, (strip, value)) in lines.by_ref().zip(&expected) {
        assert!(
            line.starts_with(&format!("{strip}\t{value}\t")),
            "{strip} is worth {value}, not: {line}"
        );
    }
    assert_eq!(ran.stdout.lines().count(), expected.len() + 1);
}

#[test]
fn hop_strips_of_8_squares_agree() {
    agrees("values-hop-8.tsv", "hop", 7);
}

#[test]
fn hop_strips_of_10_squares_agree() {
    agrees("values-hop-10.tsv", "hop", 1);
}

#[test]
fn hopless_strips_of_8_squares_agree() {
    agrees("values-hopless-8.tsv", "elephants-and-rhinos", 7);
}

#[test]
fn every_format_tells_the_same() {
    let place = Place::new();
    let row = "T.F\t*\tN\t0\t0\t0\t0\tnimber\t1\t1\t2\t\t0\t0";
    assert_eq!(
        place
            .run(&["value", "T.F", "--format", "tsv"])
            .ok()
            .lines()
            .nth(1),
        Some(row)
    );
    assert_eq!(
        place
            .run(&["--format", "csv", "value", "T.F"])
            .ok()
            .lines()
            .nth(1),
        Some(&*row.replace('\t', ","))
    );
    let ran = place.run(&[
        "value",
        "--variant",
        "hopless",
        "T.F",
        "TT.F",
        "--format",
        "json",
    ]);
    let rows: serde_json::Value = serde_json::from_str(ran.ok()).expect("an array of objects");
    assert_eq!(rows[0]["value"], "*");
    assert_eq!(rows[1]["birthday"], 2, "a number stays a number");
    assert_eq!(rows[1]["left_options"], serde_json::json!(["1"]));
    let text = place.run(&["value", "T.F"]);
    text.check(
        text.ok().contains("nimber") && text.stdout.contains("whoever moves first wins"),
        "text is for people",
    );
}

#[test]
fn positions_are_read_in_every_spelling() {
    let place = Place::new();
    let ran = place.run(&[
        "value",
        "--format",
        "tsv",
        "t_f",
        "T\u{25a1}F",
        "T^1 .^1 F",
        "(T.F)^1",
        "strip:T.F",
        "FT.FT",
    ]);
    assert_eq!(
        ran.ok()
            .lines()
            .skip(1)
            .filter(|line| line.contains("\t*\tN\t"))
            .count(),
        6,
        "{}",
        ran.stdout
    );
}

#[test]
fn a_leading_minus_is_data() {
    let place = Place::new();
    let ran = place.run(&["value", "-1/2", "--format", "tsv", "-{2|1}", "-v"]);
    let values: Vec<_> = ran
        .ok()
        .lines()
        .skip(1)
        .map(|line| line.split('\t').nth(1).unwrap_or_default())
        .collect();
    assert_eq!(values, ["-1/2", "{-1|-2}"]);
}

#[test]
fn hopless_strips_may_have_any_length() {
    let place = Place::new();
    let ran = place.run(&[
        "value",
        "--variant",
        "hopless",
        "--format",
        "tsv",
        "T^300 .^300 F^200",
        "T^400 .^201 F^300",
    ]);
    let rows: Vec<Vec<_>> = ran
        .ok()
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect())
        .collect();
    assert_eq!(rows[0][1], "15000");
    assert_eq!(rows[1][1], "{10399|9701}");
}

#[test]
fn strips_with_one_blank_of_any_length() {
    let place = Place::new();
    let long = place.run(&["value", "T . (TF)^5000", "--format", "tsv"]);
    long.check(
        long.ok()
            .contains("\t1/2^5000\tL\t1/2^5000\t1/2^5000\t1/2^5000\t-1/2^5000\tdyadic\t5001"),
        "fractions of any size",
    );
    let steps = place.run(&["value", "--explain", "FTFF T^3 . F T F^3 TT"]);
    steps.check(
        steps.ok().contains("Lemma 4.9, mirrored") && steps.stdout.contains("Lemma 4.4"),
        "the lemmas are named",
    );
    let large = place.run(&["value", "--explain", "T^3000 . (TF)^1000 T F^3000"]);
    large.check(
        large.ok().contains("not built") && large.stdout.contains("more lemmas"),
        "large values are printed in closed form",
    );
}

#[test]
fn explanations_name_the_reasons() {
    let place = Place::new();
    let hopless = place.run(&["value", "--variant", "hopless", "--explain", "TT.FT.F"]);
    hopless.check(
        hopless.ok().contains("component 2"),
        "components are explained",
    );
    let hop = place.run(&["value", "--explain", "FT.TTFF.FT"]);
    hop.check(
        hop.ok().contains("wall: squares 4-7 (TTFF)"),
        "walls are explained",
    );
    hop.check(
        hop.stdout.contains("part: squares 2-3 (T.) = 1"),
        "parts are explained",
    );
    hop.check(
        hop.stdout.contains("Left steps 2 to 3"),
        "moves are explained",
    );
    let json = place.run(&["value", "--explain", "T.TTFF.F", "--format", "json"]);
    let rows: serde_json::Value = serde_json::from_str(json.ok()).expect("JSON");
    assert_eq!(
        rows[0]["explanation"]["parts"].as_array().map(Vec::len),
        Some(2)
    );
    place
        .run(&["value", "--explain", "T.F", "--format", "tsv"])
        .fails(2, &["--format text or json"]);
}

#[test]
fn bad_positions_are_refused_with_their_column() {
    let place = Place::new();
    place.run(&["value", "T.X"]).fails(2, &["column 3", "`X`"]);
    place.run(&["value", ""]).fails(2, &["no squares"]);
    place
        .run(&["value", "T^2000000"])
        .fails(2, &["longer than"]);
    place
        .run(&["value", "T(.F"])
        .fails(2, &["column 2", "never closed"]);
    place
        .run(&["value", "hello"])
        .fails(2, &["neither a position"]);
    place.run(&["value"]).fails(2, &["POSITION"]);
    place
        .run(&["value", "T^9 .^9 F^9", "--limit", "1000"])
        .fails(2, &["too large"]);
    place
        .run(&["value", "T.F", "--variant", "leap"])
        .fails(2, &["leap", "hopless"]);
    place
        .run(&["value", "T.F", "--format", "xml"])
        .fails(2, &["xml"]);
    let ran = place.run_on(&["value", "--format", "json", "-"], "T.F\n\nTX\n");
    ran.fails(2, &["standard input, line 3", "column 2"]);
    let rows: serde_json::Value =
        serde_json::from_str(&ran.stdout).expect("what was answered is well-formed");
    assert_eq!(rows.as_array().map(Vec::len), Some(1));
}

#[test]
fn long_values_are_cut_where_asked() {
    let place = Place::new();
    let ran = place.run(&["value", "TTT.TF.FFF", "--format", "tsv", "--max-text", "10"]);
    ran.check(
        ran.ok().contains("characters)\t"),
        "the text is cut and says so",
    );
}
