//! A census by the binary against the reference figures and the referee.

use std::collections::HashMap;

use toads_tests::referee::Referee;
use toads_tests::{Scene, golden};

fn census(scene: &Scene, variant: &str, squares: &str) {
    scene
        .run(&[
            "census",
            "run",
            "--variant",
            variant,
            "--squares",
            squares,
            "--store",
            "c.db",
        ])
        .expect_code(0);
}

/// The named columns of a tsv text, as rows of cells.
fn select(text: &str, columns: &[&str]) -> Vec<Vec<String>> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("a header").split('\t').collect();
    let places: Vec<usize> = columns
        .iter()
        .map(|name| header.iter().position(|column| column == name).expect(name))
        .collect();
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            places.iter().map(|&at| cells[at].to_owned()).collect()
        })
        .collect()
}

#[test]
fn summaries_equal_the_reference_figures() {
    let columns = [
        "n", "strips", "distinct", "numbers", "integers", "zeros", "stars", "P", "L", "R", "N",
    ];
    let scene = Scene::new();
    for variant in ["hop", "hopless"] {
        census(&scene, variant, "1..10");
        let answer = scene
            .run(&[
                "query",
                "summary",
                "--variant",
                variant,
                "--store",
                "c.db",
                "--format",
                "tsv",
            ])
            .expect_code(0);
        assert_eq!(
            select(&answer.stdout, &columns),
            select(&golden(&format!("census-{variant}.tsv")), &columns)
        );
    }
}

#[test]
fn number_valued_hopless_strips() {
    let scene = Scene::new();
    census(&scene, "hopless", "1..9");
    let answer = scene
        .run(&[
            "query",
            "summary",
            "--variant",
            "hopless",
            "--store",
            "c.db",
            "--format",
            "tsv",
        ])
        .expect_code(0);
    let numbers: Vec<u64> = answer
        .column("numbers")
        .iter()
        .map(|cell| cell.parse().unwrap())
        .collect();
    assert_eq!(
        answer.column("integers"),
        answer.column("numbers"),
        "all number values are integers"
    );
    assert_eq!(numbers[..8].iter().sum::<u64>(), 7784);
    assert_eq!(numbers.iter().sum::<u64>(), 22_329);
}

#[test]
fn every_value_of_a_census_to_ten_squares_is_the_referees() {
    let scene = Scene::new();
    for variant in ["hop", "hopless"] {
        census(&scene, variant, "1..10");
        scene
            .run(&[
                "export",
                "csv",
                "--variant",
                variant,
                "--tables",
                "strips",
                "--store",
                "c.db",
                "--out",
                variant,
            ])
            .expect_code(0);
        let mut found: HashMap<String, String> = HashMap::new();
        for file in files_below(&scene.path(variant), "csv") {
            let text = std::fs::read_to_string(file).unwrap();
            let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
            let place = |name: &str| {
                header
                    .iter()
                    .position(|&column| column == name)
                    .expect("a column")
            };
            let (strip, id) = (place("strip"), place("value_id"));
            for line in text.lines().skip(1) {
                // The columns before the value text hold no commas.
                let cells: Vec<&str> = line.split(',').collect();
                found.insert(cells[strip].to_owned(), cells[id].to_owned());
            }
        }
        let mut referee = Referee::default();
        let mut strips = 0;
        for n in 1..=10 {
            for index in 0..3usize.pow(n) {
                let strip: Vec<u8> = (0..n)
                    .rev()
                    .map(|at| [b'F', b'.', b'T'][index / 3usize.pow(at) % 3])
                    .collect();
                let game = referee.value(&strip, variant == "hop");
                let text = String::from_utf8(strip).unwrap();
                assert_eq!(
                    found.get(&text),
                    Some(&referee.id(game).to_string()),
                    "{variant} {text}"
                );
                strips += 1;
            }
        }
        assert_eq!(found.len(), strips);
    }
}

fn files_below(folder: &std::path::Path, extension: &str) -> Vec<std::path::PathBuf> {
    let mut files = vec![];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files
}

#[test]
fn a_run_is_extended_and_a_finished_one_is_not_repeated() {
    let scene = Scene::new();
    census(&scene, "hop", "1..8");
    let again = scene
        .run(&["census", "run", "--squares", "1..8", "--store", "c.db"])
        .expect_code(0);
    assert!(
        again.stderr.contains("complete") || again.stderr.contains("already"),
        "{}",
        again.stderr
    );
    census(&scene, "hop", "1..10");
    let direct = Scene::new();
    direct
        .run(&[
            "census",
            "run",
            "--squares",
            "1..10",
            "--store",
            "c.db",
            "--threads",
            "1",
        ])
        .expect_code(0);
    assert_eq!(scene.digest("c.db"), direct.digest("c.db"));
}
