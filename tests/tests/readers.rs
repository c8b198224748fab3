//! Exports read back by readers that are not ours: DuckDB and pyarrow.
//!
//! `TOADS_PYTHON` names a Python with both (`scripts/python-venv.sh` makes one; `make test` does it). Without it the test
//! says so and checks nothing.

use std::process::Command;

use toads_tests::{Scene, golden};

const SCRIPT: &str = r#"
import sys, glob, duckdb, pyarrow.dataset as ds
folder, csv = sys.argv[1], sys.argv[2]
con = duckdb.connect()
strips = f"read_parquet('{folder}/strips/*/*/*.parquet', hive_partitioning = true)"
texts = f"read_csv('{csv}/strips.csv', all_varchar = true)"
for n in range(1, 11):
    total, distinct, zeros = con.execute(
        f"select count(*), count(distinct value_id), count(*) filter (value = '0') from {strips} where n = {n}").fetchone()
    text = con.execute(f"select count(*), count(distinct value_id), count(*) filter (value = '0') from {texts} where n = '{n}'").fetchone()
    assert text == (total, distinct, zeros), (n, text, total, distinct, zeros)
    print(n, total, distinct, zeros, sep='\t')
files = [f for f in glob.glob(f'{folder}/**/*.parquet', recursive=True) if 'strips' in f]
assert ds.dataset(files).count_rows() == sum(3 ** n for n in range(1, 11))
"#;

#[test]
fn duckdb_and_pyarrow_read_the_exports_with_the_same_totals() {
    let Some(python) = std::env::var("TOADS_PYTHON")
        .ok()
        .filter(|python| !python.is_empty())
    else {
        eprintln!(
            "skipped: TOADS_PYTHON names no Python with duckdb and pyarrow (make test sets it)"
        );
        return;
    };
    let scene = Scene::new();
    scene
        .run(&["census", "run", "--squares", "1..10", "--store", "c.db"])
        .expect_code(0);
    scene
        .run(&["export", "parquet", "--store", "c.db", "--out", "parquet"])
        .expect_code(0);
    scene
        .run(&["export", "csv", "--store", "c.db", "--out", "csv"])
        .expect_code(0);
    let output = Command::new(python)
        .args(["-c", SCRIPT])
        .args([scene.path("parquet"), scene.path("csv")])
        .output()
        .expect("python starts");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{stdout}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let found: Vec<Vec<&str>> = stdout
        .lines()
        .map(|line| line.split('\t').collect())
        .collect();
    let expected = golden("census-hop.tsv");
    let expected: Vec<Vec<&str>> = expected
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .map(|row| vec![row[0], row[1], row[2], row[5]])
        .collect();
    assert_eq!(found, expected);
}
