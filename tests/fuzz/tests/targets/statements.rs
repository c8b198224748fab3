//! SQL: the cutting of texts into statements, and statements over a tiny store. Nothing but reading is let through.

use toads_dataset::sql::{is_complete, split};
use toads_dataset::{Question, SqlLimits, Table, answer};
use toads_fuzz::{Fuzz, assert_clear};

use crate::census::store;

const SEEDS: [&str; 14] = [
    "select * from values",
    "select n, max(temperature) from tallies where variant = 'hop' group by n",
    "select strip, value from strips where n = 3 and value = '*' order by strip limit 2",
    "select v.kind, count(*) from values v join tallies t on t.value_id = v.value_id group by 1",
    "with a(x) as (select 1 union all select x + 1 from a where x < 9) select sum(x) from a",
    "select num(temperature), value_id('{1|0}'), num('1/2') from values",
    "select * from classes where n between 1 and 2 or toads > 1.5",
    "values (1), (2)",
    "select ';', \"n\" from [tallies] -- ; no\n",
    "select /* ; */ `n` from tallies where first_strip like 'T%'",
    "pragma table_info('strips')",
    "explain select 1",
    "select case when mean >= '1/2' then 1 else null end from values order by mean desc",
    "select distinct outcome from values where birthday in (0, 1) except select 'P'",
];

const WORDS: &[&str] = &[
    "select ",
    " from ",
    " where ",
    "values",
    "strips",
    "tallies",
    "classes",
    " join ",
    " order by ",
    " group by ",
    " limit ",
    "(",
    ")",
    ",",
    ";",
    "'",
    "\"",
    "`",
    "[",
    "--",
    "/*",
    "*/",
    "\n",
    "num(",
    "value_id(",
    "'^200'",
    "null",
    "-1",
    "1e308",
    "9223372036854775807",
    "x'00'",
    "attach 'a' as b",
    "pragma ",
    "insert into ",
    "delete from ",
    "create table a(b)",
    "vacuum",
    "begin",
    "load_extension('a')",
    " collate ",
    "randomblob(",
    "zeroblob(",
    "hex(",
    "json_each(",
    " recursive ",
    "{1|0}",
    " match ",
    " glob ",
    " is not ",
    "?",
    "@a",
];

/// What a statement that is answered may begin with.
const READS: [&str; 5] = ["select", "with", "values", "explain", "pragma"];

#[test]
fn texts() {
    Fuzz::new("statement texts")
        .seeds(SEEDS)
        .words(WORDS)
        .run(|input| {
            let text = &*String::from_utf8_lossy(input);
            let statements = split(text);
            for statement in &statements {
                assert!(!statement.is_empty() && statement.trim() == statement);
                assert_eq!(split(statement), [statement.as_str()], "{text}");
            }
            let whole: usize = statements.iter().map(String::len).sum();
            assert!(whole <= text.len());
            assert!(!is_complete(text) || text.contains(';'));
            !statements.is_empty()
        });
}

#[test]
fn statements() {
    let store = store(3);
    let limits = SqlLimits {
        timeout_ms: 200,
        memory: 16 << 20,
        rows: Some(50),
    };
    let target = Fuzz::new("statements")
        .seeds(SEEDS)
        .words(WORDS)
        .longest(1_000)
        .quick(1_000);
    target.run(|input| {
        let statement = String::from_utf8_lossy(input).into_owned();
        let text = split(&statement).concat();
        let mut table = Table::default();
        match answer(&store, &Question::Sql { statement, limits }, &mut table) {
            Ok(()) => {
                assert!(table.rows.len() <= 50);
                assert!(is_reading(&text), "{text}");
                true
            }
            Err(error) => {
                assert_clear(&error);
                false
            }
        }
    });
}

/// Whether the first word, behind comments and parentheses, is one that reads.
fn is_reading(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    READS.iter().any(|word| lower.contains(word))
}
