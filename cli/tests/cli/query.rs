//! Questions: SQL from the command line and from standard input, filters in SQL, first and extreme values.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::place::Place;

fn census(squares: &str) -> Place {
    let place = Place::new();
    place.run(&["census", "run", "--squares", squares]).ok();
    place
}

const COUNTS: &str = "select n, count(*) as strips, max(temperature) as hottest, avg(num(mean)) as mean, null as empty
    from strips group by n order by n limit 2";

#[test]
fn sql_is_answered_in_every_format() {
    let place = census("1..6");
    let ask = |format| place.run(&["query", "sql", COUNTS, "--format", format]);
    assert_eq!(
        ask("tsv").ok(),
        "n\tstrips\thottest\tmean\tempty\n1\t3\t-1\t0.0\t\n2\t9\t-1\t0.0\t\n"
    );
    assert_eq!(
        ask("csv").ok(),
        "n,strips,hottest,mean,empty\n1,3,-1,0.0,\n2,9,-1,0.0,\n"
    );
    let json: serde_json::Value = serde_json::from_str(ask("json").ok()).expect("JSON");
    assert_eq!(
        json[1],
        serde_json::json!({"n": 2, "strips": 9, "hottest": "-1", "mean": 0.0, "empty": null})
    );
    let twice = ["query", "sql", "select 1 as a, 2 as b, 3 as a", "--format"];
    place
        .run(&[&twice[..], &["json"]].concat())
        .fails(2, &["two columns are named `a`", "AS"]);
    assert_eq!(
        place.run(&[&twice[..], &["csv"]].concat()).ok(),
        "a,b,a\n1,2,3\n"
    );
    let text = ask("text");
    text.check(text.ok().lines().count() == 3, "a header and two rows");
}

#[test]
fn statements_come_from_standard_input() {
    let place = census("1..5");
    let typed = "select count(*) as strips from strips;\n-- and\nselect value\nfrom values where value_id = value_id('{0|0}');\n";
    let ran = place.run_on(&["query", "sql", "--format", "tsv"], typed);
    assert_eq!(ran.ok(), "strips\n363\nvalue\n*\n");
    let ran = place.run_on(
        &["query", "sql", "--format", "tsv"],
        "select 1 as one; select * from nowhere; select 2",
    );
    ran.fails(2, &["no such table: nowhere", "strips, values"]);
    assert_eq!(ran.stdout, "one\n1\n", "what came before is there");
    place
        .run_on(&["query", "sql"], " ;-- nothing\n")
        .fails(2, &["no statement"]);
}

#[test]
fn statements_have_limits() {
    let place = census("1..4");
    let endless =
        "with recursive t(a) as (select 1 union all select a + 1 from t) select max(a) from t";
    place
        .run(&["query", "sql", endless, "--timeout", "1s"])
        .fails(2, &["longer than 1 s", "--timeout"]);
    let few = place.run(&[
        "query",
        "sql",
        "select strip from strips",
        "--limit",
        "2",
        "--format",
        "tsv",
    ]);
    assert_eq!(few.ok().lines().count(), 3);
    few.check(
        few.stderr.contains("there is more"),
        "it says that there is more",
    );
    place
        .run(&["query", "sql", "drop table strips"])
        .fails(2, &["write a select"]);
    let wrong = place.run(&["query", "sql", "select 1", "--timeout", "soon"]);
    wrong.check(
        wrong.code == 2 && wrong.stderr.contains("not a duration"),
        "a slip in a flag",
    );
}

#[test]
fn an_interrupt_ends_the_statement() {
    let place = census("1..3");
    let endless = "select 'begun' as it; with recursive t(a) as (select 1 union all select a + 1 from t) select max(a) from t";
    let mut child = place
        .command(&[
            "query",
            "sql",
            endless,
            "--format",
            "tsv",
            "--timeout",
            "10m",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("toads starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    assert_eq!(lines.nth(1).expect("a line").expect("text"), "begun");
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill starts").success());
    let status = child.wait().expect("it ends");
    let mut said = String::new();
    let mut stderr = child.stderr.take().expect("a pipe");
    stderr.read_to_string(&mut said).expect("text");
    assert_eq!(status.code(), Some(130), "{said}");
    assert!(said.contains("the statement was stopped"), "{said}");
}

#[test]
fn ready_questions_take_conditions_in_sql() {
    let place = census("1..7");
    let ask = |args: &[&str]| place.run(&[&["query"], args, &["--format", "tsv"]].concat());
    let summary = ask(&[
        "summary",
        "--where",
        "kind = 'switch' and temperature > '1/4'",
    ]);
    let found = ask(&[
        "sql",
        "select n, sum(count) from tallies where kind = 'switch' and temperature > '1/4' group by n order by n",
    ]);
    let figures = |text: &str| -> Vec<String> {
        let rows = text
            .lines()
            .skip(1)
            .map(|line| line.split('\t').take(2).collect::<Vec<_>>());
        rows.filter(|row| row[1] != "0")
            .map(|row| row.join("\t"))
            .collect()
    };
    assert_eq!(figures(summary.ok()), figures(found.ok()));
    assert!(!figures(summary.ok()).is_empty());
    let first = ask(&["first", "--where", "atomic_weight = '1'"]);
    first.check(
        first.ok().starts_with(
            "n\tfirst_strip\tvalue\tkind\toutcome\tstrips\tdistinct\tvalue_id\n5\tT.TFF\t^\t",
        ),
        "the first of weight 1",
    );
    let none = ask(&["first", "--value", "*9"]);
    none.check(
        none.ok().lines().count() == 1 && none.stderr.contains("does not occur"),
        "none",
    );
    let extremes = ask(&["extremes", "--squares", "7"]);
    extremes.check(
        extremes
            .ok()
            .starts_with("n\tproperty\tamount\tstrips\tdistinct\tvalue\tfirst_strip\n7\thottest\t"),
        "extremes",
    );
    let denominators = ask(&["denominators", "--squares", "4"]);
    denominators.check(
        denominators
            .ok()
            .starts_with("n\tdenominator\tstrips\tdistinct\n4\t1\t"),
        "denominators",
    );
    ask(&["summary", "--where", "hotness > 1"])
        .fails(2, &["no such column: hotness", "values has"]);
}

#[test]
fn slips_are_told_without_the_traces_of_how_they_were_read() {
    let place = census("1..3");
    place
        .run(&["query", "strips", "--value", "{1|"])
        .fails(2, &["`{1|`: column 4: found the end"]);
    place
        .run(&["query", "strips", "--value", "T.F"])
        .fails(2, &["is a position"]);
    place
        .run(&["query", "strips", "--toads", "9", "--squares", "3"])
        .fails(2, &["no strip of 3 squares has 9 toads"]);
    for (args, told) in [
        (
            &["check", "E1", "--bound", "0"][..],
            "`0` is not a bound from 1 to 10000",
        ),
        (&["value", "--limit", "-1", "T.F"], "invalid value '-1'"),
        (
            &["query", "values", "--limit", "x"],
            "`x` is not a whole number",
        ),
        (
            &["census", "verify", "--one-in", "0"],
            "`0` is not a whole number from 1 on",
        ),
        (&["value", "*99"], "column 2: a count beyond 31"),
    ] {
        let ran = place.run(args);
        ran.check(ran.code == 2 && ran.stderr.contains(told), told);
        for trace in ["value:", "..=", "' -", "` -"] {
            ran.check(!ran.stderr.contains(trace), trace);
        }
    }
}
