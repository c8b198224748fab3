//! What is refused, and what ends a statement.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use toads_dataset::{
    Cancelled, Cell, Column, DatasetError, Question, Reader, RowSink, SqlLimits, Table, answer,
    answer_with,
};
use toads_store::Keep;
use toads_strip::Variant;

use crate::support::census;
use crate::{question, refused, rows};

#[test]
fn nothing_is_changed_attached_or_loaded() {
    let store = census(Variant::Hop, 4, Keep::Blocks);
    for statement in [
        "create table t(a)",
        "create temp table t(a)",
        "create view v as select 1",
        "create virtual table t using strips",
        "insert into strips values (1)",
        "insert into runs(run) values (7)",
        "delete from values",
        "update tallies set count = 0",
        "drop table strips",
        "attach 'other.db' as other",
        "attach ':memory:' as other",
        "detach main",
        "pragma journal_mode = wal",
        "pragma temp_store_directory = '/tmp'",
        "pragma hard_heap_limit = 0",
        "pragma writable_schema = on",
        "vacuum",
        "vacuum into '/tmp/stolen.db'",
        "begin",
        "savepoint s",
        "reindex",
        "analyze",
        "select load_extension('/tmp/evil.so')",
        "select * from sqlite_dbpage",
        "select readfile('/etc/passwd')",
    ] {
        let error = refused(&store, &question(statement));
        let text = error.to_string();
        assert!(error.is_input(), "{statement}: {text}");
        assert!(!text.contains('\n'), "{statement}: {text}");
    }
    assert_eq!(rows(&store, "select count(*) from runs"), [["0"]]);
}

#[test]
fn slips_are_told_in_one_line_with_what_there_is() {
    let store = census(Variant::Hop, 4, Keep::Blocks);
    for (statement, parts) in [
        (
            "select * from strip",
            &[
                "no such table: strip",
                "strips, values, tallies, classes, runs, shards",
            ][..],
        ),
        (
            "select hotness from values",
            &[
                "no such column: hotness",
                "values has value_id, value, kind",
            ],
        ),
        (
            "select strips.nn from strips",
            &["no such column", "strips has variant, n, idx"],
        ),
        ("selec 1", &["syntax error"]),
        ("select", &["incomplete input"]),
        ("", &["one statement"]),
        ("select 1; select 2", &["one statement"]),
        ("select 'a", &["close it"]),
        ("select /* a", &["close it"]),
        ("select frobnicate(1)", &["no such function"]),
        ("select value_id('{1|')", &["is not a value"]),
        (
            "select * from values where value_id = value_id('x')",
            &["`x` is not a value"],
        ),
    ] {
        let error = refused(&store, &question(statement));
        for part in parts {
            assert!(error.to_string().contains(part), "{statement}: {error}");
        }
        assert!(error.is_input() && !error.to_string().contains('\n'));
    }
}

#[test]
fn a_statement_may_end_in_a_semicolon_and_name_columns_as_it_likes() {
    let store = census(Variant::Hop, 4, Keep::Blocks);
    let mut table = Table::default();
    let statement = "select 1.5 as real, 7 as \"whole number\", null as empty, 'a' || 'b' as text, x'0aff' as bytes ; -- end";
    answer(&store, &question(statement), &mut table).unwrap();
    let names: Vec<_> = table.columns.iter().map(|column| &*column.name).collect();
    assert_eq!(names, ["real", "whole number", "empty", "text", "bytes"]);
    assert_eq!(table.to_tsv().lines().nth(1), Some("1.5\t7\t\tab\t0aff"));
    let json = serde_json::to_string(&table.rows[0]).unwrap();
    assert_eq!(json, r#"[1.5,7,null,"ab","0aff"]"#);
    assert_eq!(
        serde_json::from_str::<Vec<Cell>>(&json).unwrap(),
        table.rows[0]
    );
}

/// A statement that never ends, and gives no row.
const ENDLESS: &str =
    "with recursive t(a) as (select 1 union all select a + 1 from t) select max(a) from t";

fn limited(statement: &str, limits: SqlLimits) -> Question {
    Question::Sql {
        statement: statement.to_owned(),
        limits,
    }
}

#[test]
fn time_memory_and_rows_are_limited() {
    let store = census(Variant::Hop, 4, Keep::Blocks);
    let short = SqlLimits {
        timeout_ms: 50,
        ..SqlLimits::default()
    };
    let error = refused(&store, &limited(ENDLESS, short));
    assert!(
        error.is_input() && error.to_string().contains("--timeout"),
        "{error}"
    );
    let small = SqlLimits {
        memory: 4 << 20,
        ..SqlLimits::default()
    };
    let large = "with recursive t(a) as (select 1 union all select a + 1 from t where a < 1000000)
        select count(*) from (select a || 'a text that takes some room' as b from t order by b)";
    let error = refused(&store, &limited(large, small));
    assert!(
        error.is_input() && error.to_string().contains("--memory"),
        "{error}"
    );
    // Within its memory the same is answered, and the limit of one session ends with it.
    assert_eq!(rows(&store, large), [["1000000"]]);
    let few = SqlLimits {
        rows: Some(5),
        ..SqlLimits::default()
    };
    let mut table = Table::default();
    answer(&store, &limited("select * from strips", few), &mut table).unwrap();
    assert_eq!(table.rows.len(), 5);
}

/// Does not want the answer any more once it was asked a few times whether it does.
struct Impatient {
    asked: Arc<AtomicUsize>,
    rows: usize,
}

impl RowSink for Impatient {
    fn cancelled(&self) -> Cancelled {
        let asked = Arc::clone(&self.asked);
        Cancelled::when(move || asked.fetch_add(1, Ordering::Relaxed) >= 3)
    }

    fn columns(&mut self, _: &[Column]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn row(&mut self, _: &[Cell]) -> ControlFlow<()> {
        self.rows += 1;
        ControlFlow::Break(())
    }

    fn note(&mut self, _: &str) {}
}

#[test]
fn who_does_not_wait_any_more_ends_the_statement() {
    let store = census(Variant::Hop, 4, Keep::Blocks);
    let mut sink = Impatient {
        asked: Arc::default(),
        rows: 0,
    };
    let error = answer(&store, &question(ENDLESS), &mut sink).unwrap_err();
    assert!(matches!(error, DatasetError::Stopped), "{error}");
    // And whoever has enough rows breaks off.
    let mut sink = Impatient {
        asked: Arc::default(),
        rows: 0,
    };
    answer(
        &store,
        &question("select * from runs union all select * from runs"),
        &mut sink,
    )
    .unwrap();
    answer(
        &store,
        &question("select strip from strips limit 9"),
        &mut sink,
    )
    .unwrap();
    assert_eq!(sink.rows, 1);
}

#[test]
fn what_fails_in_a_table_is_told_as_it_is() {
    let store = census(Variant::Hop, 6, Keep::Tallies);
    let small = |variant| Ok(Reader::new(&store, variant)?.evaluating_up_to(10));
    let statement = question("select count(*) from strips where n = 6");
    let error = answer_with(&statement, &mut Table::default(), small).unwrap_err();
    assert!(matches!(error, DatasetError::NeedsBlocks { .. }), "{error}");
    assert!(error.to_string().contains("needs --keep blocks"));
    let tiny = SqlLimits {
        memory: 1 << 10,
        ..SqlLimits::default()
    };
    let error = refused(&store, &limited("select count(*) from values", tiny));
    assert!(error.to_string().contains("--memory"), "{error}");
}
