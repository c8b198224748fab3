//! SQL over stores in memory: against brute force, against the ready questions, and what it refuses.

#[path = "../support/mod.rs"]
mod support;
#[path = "../support/tampered.rs"]
mod tampered;

mod agreement;
mod conditions;
mod reads;
mod refusals;
mod tables;

use toads_dataset::{DatasetError, Question, SqlLimits, Table, answer};
use toads_store::Store;

/// Squares of the censuses asked about.
const LAST: u8 = 7;

fn question(statement: &str) -> Question {
    Question::Sql {
        statement: statement.to_owned(),
        limits: SqlLimits::default(),
    }
}

/// The rows of a statement, as text.
fn rows(store: &dyn Store, statement: &str) -> Vec<Vec<String>> {
    let mut table = Table::default();
    answer(store, &question(statement), &mut table)
        .unwrap_or_else(|error| panic!("{statement}: {error}"));
    let text = |row: &Vec<_>| row.iter().map(ToString::to_string).collect();
    table.rows.iter().map(text).collect()
}

/// The only cell of a statement.
fn cell(store: &dyn Store, statement: &str) -> String {
    let rows = rows(store, statement);
    assert_eq!((rows.len(), rows[0].len()), (1, 1), "{statement}");
    rows[0][0].clone()
}

/// Why a statement is refused.
fn refused(store: &dyn Store, question: &Question) -> DatasetError {
    answer(store, question, &mut Table::default()).expect_err("it must be refused")
}
