//! Questions as JSON, as they come to a coordinator, and their answers over a tiny store.

use toads_dataset::{Question, SqlLimits, Table, answer};
use toads_fuzz::{Fuzz, assert_clear};

use crate::census::store;

const SEEDS: [&str; 12] = [
    r#"{"ask": "summary"}"#,
    r#"{"ask": "outcomes", "filters": {"variant": "hopless", "squares": [1, 3]}}"#,
    r#"{"ask": "kinds", "filters": {"toads": [0, 2], "frogs": [1, 1]}}"#,
    r#"{"ask": "temperatures", "filters": {"outcome": "N"}}"#,
    r#"{"ask": "denominators", "filters": {"kind": "integer"}}"#,
    r#"{"ask": "extremes", "filters": {}, "max_text": 3}"#,
    r#"{"ask": "first", "filters": {"value": "{1|0}"}}"#,
    r#"{"ask": "classes", "filters": {"squares": null}}"#,
    r#"{"ask": "values", "filters": {"where": "temperature > 0"}, "limit": 5}"#,
    r#"{"ask": "strips", "filters": {"value": "9b779f74b305adc3ec513485085d52e9"}, "limit": 3}"#,
    r#"{"ask": "sql", "statement": "select count(*) from strips", "limits": {"timeout_ms": 50, "rows": 3}}"#,
    r#"{"ask": "value", "strip": "T^2 . F", "variant": "hop", "max_text": null}"#,
];

const WORDS: &[&str] = &[
    "\"filters\":",
    "\"where\":",
    "\"value\":",
    "\"squares\":[0,255]",
    "\"limit\":0",
    "\"max_text\":0",
    "null",
    "{",
    "}",
    "[",
    "]",
    ",",
    "\"*\"",
    "\"^200\"",
    "\"hopless\"",
    "-1",
    "1e99",
    "\\\"",
    "\\u0000",
    "temperature",
    " and ",
    "T",
];

/// What is asked of SQL may take a moment here, not a minute.
fn hurried(question: Question) -> Question {
    match question {
        Question::Sql { statement, .. } => Question::Sql {
            statement,
            limits: SqlLimits {
                timeout_ms: 200,
                memory: 16 << 20,
                rows: Some(50),
            },
        },
        other => other,
    }
}

#[test]
fn questions() {
    let store = store(3);
    let target = Fuzz::new("questions")
        .seeds(SEEDS)
        .words(WORDS)
        .longest(2_000)
        .quick(2_000);
    target.run(|input| {
        let Ok(question) = serde_json::from_slice::<Question>(input) else {
            return false;
        };
        let json = serde_json::to_string(&question).unwrap();
        assert_eq!(serde_json::from_str::<Question>(&json).unwrap(), question);
        let mut table = Table::default();
        match answer(&store, &hurried(question), &mut table) {
            Ok(()) => {
                assert!(
                    table
                        .rows
                        .iter()
                        .all(|row| row.len() == table.columns.len())
                );
                true
            }
            Err(error) => {
                assert_clear(&error);
                false
            }
        }
    });
}
