//! Values printed by the binary against the reference lists.

use toads_tests::{Scene, golden};

/// Every line of a reference list, asked for in one call.
fn check(name: &str, variant: &str) {
    let text = golden(name);
    let rows: Vec<(&str, &str)> = text
        .lines()
        .map(|line| line.split_once('\t').expect("two columns"))
        .collect();
    let strips: Vec<&str> = rows.iter().map(|&(strip, _)| strip).collect();
    let input = strips.join("\n");
    let scene = Scene::new();
    let answer = scene
        .run_with_input(
            &["value", "--variant", variant, "--format", "tsv", "-"],
            &input,
        )
        .expect_code(0);
    let values = answer.column("value");
    assert_eq!(values.len(), rows.len());
    for ((strip, expected), found) in rows.iter().zip(values) {
        assert_eq!(&found, expected, "{variant} {strip}");
    }
}

#[test]
fn every_hop_strip_of_eight_squares() {
    check("values-hop-8.tsv", "hop");
}

#[test]
fn every_hopless_strip_of_eight_squares() {
    check("values-hopless-8.tsv", "hopless");
}

#[test]
fn the_hardest_hop_strips_of_ten_squares() {
    check("values-hop-10.tsv", "hop");
}
