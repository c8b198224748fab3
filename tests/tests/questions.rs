//! Ready questions, SQL, and DuckDB over the export give the same answers to 12 squares, in both variants.
//!
//! `TOADS_PYTHON` names a Python with DuckDB (`scripts/python-venv.sh` makes one; `make test` does it). Without it the test
//! says so and compares the first two alone.

use std::process::Command;

use toads_tests::Scene;

/// Ready questions with the same in SQL, `{}` for the variant. The columns are those of the ready question.
const SAME: [(&[&str], &str); 6] = [
    (
        &["summary"],
        "select n, count(*) as strips, count(distinct value_id) as \"distinct\",
            sum(case when v.kind in ('integer', 'dyadic') then 1 else 0 end) as numbers,
            sum(case when v.kind = 'integer' then 1 else 0 end) as integers,
            sum(case when v.value = '0' then 1 else 0 end) as zeros, sum(case when v.value = '*' then 1 else 0 end) as stars,
            sum(case when v.outcome = 'P' then 1 else 0 end) as P, sum(case when v.outcome = 'L' then 1 else 0 end) as L,
            sum(case when v.outcome = 'R' then 1 else 0 end) as R, sum(case when v.outcome = 'N' then 1 else 0 end) as nn
         from strips s join \"values\" v using (value_id) where variant = '{}' group by n order by n",
    ),
    (
        &["outcomes"],
        "select n, sum(case when v.outcome = 'P' then t.count else 0 end) as P, sum(case when v.outcome = 'L' then t.count else 0 end) as L,
            sum(case when v.outcome = 'R' then t.count else 0 end) as R, sum(case when v.outcome = 'N' then t.count else 0 end) as nn
         from tallies t join \"values\" v using (value_id) where variant = '{}' group by n order by n",
    ),
    (
        &["kinds", "--squares", "12", "--kind", "hot"],
        "select n, v.kind as kind, sum(t.count) as strips, count(distinct value_id) as \"distinct\"
         from tallies t join \"values\" v using (value_id) where variant = '{}' and n = 12 and v.kind = 'hot' group by n, v.kind",
    ),
    (
        &["strips", "--squares", "11", "--value", "{2|1}"],
        "select strip, value from strips where variant = '{}' and n = 11 and value = '{2|1}' order by idx",
    ),
    (
        &["strips", "--squares", "8", "--toads", "2", "--where", "birthday > 4 and kind <> 'integer'"],
        "select strip, s.value as value from strips s join \"values\" v using (value_id)
         where variant = '{}' and n = 8 and toads = 2 and v.birthday > 4 and v.kind <> 'integer' order by idx",
    ),
    (
        &["first", "--value", "{2|1}"],
        "select min(n) as n, min(first_strip) as first_strip from tallies join \"values\" v using (value_id)
         where variant = '{}' and v.value = '{2|1}' and n = (select min(n) from tallies join \"values\" v using (value_id)
         where variant = '{}' and v.value = '{2|1}')",
    ),
];

const SCRIPT: &str = r#"
import sys, duckdb
folder, statement = sys.argv[1], sys.argv[2]
con = duckdb.connect()
con.execute(f"create view strips as select * from read_parquet('{folder}/strips/*/*/*.parquet', hive_partitioning = true)")
for name in ["values", "tallies"]:
    con.execute(f"""create view "{name}" as select * from read_parquet('{folder}/{name}.parquet')""")
for row in con.execute(statement).fetchall():
    print(*row, sep='\t')
"#;

#[test]
fn ready_questions_sql_and_duckdb_agree() {
    let scene = Scene::new();
    for variant in ["hop", "hopless"] {
        let run = [
            "census",
            "run",
            "--squares",
            "1..12",
            "--variant",
            variant,
            "--store",
            "c.db",
        ];
        scene.run(&run).expect_code(0);
    }
    let python = std::env::var("TOADS_PYTHON")
        .ok()
        .filter(|python| !python.is_empty());
    if python.is_none() {
        eprintln!(
            "DuckDB is not asked: TOADS_PYTHON names no Python with duckdb (make test sets it)"
        );
    } else {
        for variant in ["hop", "hopless"] {
            let export = [
                "export",
                "parquet",
                "--variant",
                variant,
                "--store",
                "c.db",
                "--out",
                variant,
            ];
            scene.run(&export).expect_code(0);
        }
    }
    for variant in ["hop", "hopless"] {
        for (question, statement) in SAME {
            let statement = statement.replace("'{}'", &format!("'{variant}'"));
            let ask = |args: &[&str]| {
                let more = ["--variant", variant, "--store", "c.db", "--format", "tsv"];
                let ran = scene.run(&[&["query"], args, &more].concat());
                body(&ran.expect_code(0).stdout)
            };
            let in_sql = ask(&["sql", &statement]);
            assert!(!in_sql.is_empty(), "{variant}: {question:?} finds nothing");
            let columns = in_sql[0].len();
            let ready = ask(question);
            let ready: Vec<_> = ready.iter().map(|row| row[..columns].to_vec()).collect();
            assert_eq!(ready, in_sql, "{variant}: {question:?}");
            if let Some(python) = &python {
                let output = Command::new(python)
                    .args(["-c", SCRIPT])
                    .arg(scene.path(variant))
                    .arg(&statement)
                    .output()
                    .expect("python starts");
                let said = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{statement}\n{said}");
                let text = String::from_utf8_lossy(&output.stdout);
                let in_duckdb: Vec<Vec<String>> = text.lines().map(cells).collect();
                assert_eq!(in_duckdb, in_sql, "{variant}: {statement}");
            }
        }
    }
}

fn cells(line: &str) -> Vec<String> {
    line.split('\t').map(str::to_owned).collect()
}

/// The rows behind the header.
fn body(tsv: &str) -> Vec<Vec<String>> {
    tsv.lines().skip(1).map(cells).collect()
}
