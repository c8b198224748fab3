//! `toads table`: grids, rows, budgets, bad input.

use crate::place::Place;

#[test]
fn a_family_is_a_grid_for_people() {
    let place = Place::new();
    let shown = place
        .run(&["table", "T^a .^b F^a", "a=1..3", "b=1..4"])
        .ok()
        .to_owned();
    let words: Vec<Vec<&str>> = shown
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(words[0], ["a\\b", "1", "2", "3", "4"], "{shown}");
    assert_eq!(words[1], ["1", "*", "0", "*", "0"], "{shown}");
    assert_eq!(words[2], ["2", "*", "*", "*", "*"], "{shown}");
    assert_eq!(words[3], ["3", "*", "+-1/8", "0", "*"], "{shown}");
    let markdown = place
        .run(&["table", "T^a .^2 F", "a=1..2", "--format", "markdown"])
        .ok()
        .to_owned();
    assert!(
        markdown.starts_with("| a | value |\n|---|---|\n| 1 | 0 |\n"),
        "{markdown}"
    );
    let latex = place
        .run(&["table", "T^3 .^b F^3", "b=2", "--format", "latex"])
        .ok()
        .to_owned();
    assert!(
        latex.contains("\\begin{tabular}{ll}") && latex.contains("2 & $\\pm$1/8"),
        "{latex}"
    );
}

#[test]
fn scripts_get_a_row_for_each_cell() {
    let place = Place::new();
    let rows = place
        .run(&[
            "table",
            "T^(a+1) .^b F^a",
            "a=2",
            "b=2..3",
            "--format",
            "tsv",
        ])
        .ok()
        .to_owned();
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split('\t').collect()).collect();
    assert_eq!(
        rows[0],
        ["a", "b", "strip", "value", "relations", "how", "value_id"]
    );
    assert_eq!(rows[1][..4], ["2", "2", "T^3 .^2 F^2", "{1/2|0}"][..]);
    assert_eq!(rows[2][4], format!("= {}", rows[2][3]));
    assert_eq!(rows.len(), 3);
    let hopless = place
        .run(&[
            "table",
            "--variant",
            "hopless",
            "T^a .^3 F^b",
            "a=2",
            "b=1..2",
            "--format",
            "tsv",
        ])
        .ok()
        .to_owned();
    assert!(
        hopless.contains("T^2 .^3 F^2\t+-1\t= +-1\tclosed form"),
        "{hopless}"
    );
}

#[test]
fn beyond_the_budget_there_are_relations_or_a_question_mark() {
    let place = Place::new();
    let rows = place
        .run(&[
            "table",
            "T^a .^a F^(a-1)",
            "a=6",
            "--budget",
            "20",
            "--format",
            "tsv",
        ])
        .ok()
        .to_owned();
    let cells: Vec<&str> = rows.lines().nth(1).unwrap().split('\t').collect();
    assert_eq!(cells[2], "", "{rows}");
    assert_eq!(cells[3], "?", "{rows}");
    assert!(cells[4].contains("budget"), "{rows}");
    let rows = place
        .run(&["table", "T^2 .^5 F^2", "--budget", "0", "--format", "tsv"])
        .ok()
        .to_owned();
    assert!(rows.contains('?'), "{rows}");
}

#[test]
fn what_is_wrong_is_said() {
    let place = Place::new();
    place
        .run(&["table", "T^a .^b F^a", "a=1..3"])
        .fails(2, &["b", "range"]);
    place
        .run(&["table", "T^a .F", "a=3..1"])
        .fails(2, &["empty"]);
    place
        .run(&["table", "T^(a-3) .F", "a=1..5"])
        .fails(2, &["a"]);
    place
        .run(&["table", "T^a .", "a=1..1000000"])
        .fails(2, &["squares together", "smaller ranges"]);
    place
        .run(&["table", "T^(a .F", "a=1"])
        .fails(2, &["column 6", "closing parenthesis"]);
    place
        .run(&["table", "T^a .F", "a=1", "--budget", "soon"])
        .fails(2, &["soon"]);
}
