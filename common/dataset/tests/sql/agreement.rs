//! The ready questions and SQL give the same figures.

use toads_dataset::{Filters, Question};
use toads_store::{Keep, MemoryStore};
use toads_strip::Variant;

use crate::rows;
use crate::support::{ask, census};

/// Squares of these censuses.
const SQUARES: u8 = 10;

fn ready(store: &MemoryStore, question: &Question, columns: &[usize]) -> Vec<Vec<String>> {
    let table = ask(store, question);
    let cells = |row: &Vec<_>| {
        columns
            .iter()
            .map(|&at: &usize| ToString::to_string(&row[at]))
            .collect()
    };
    table.rows.iter().map(cells).collect()
}

#[test]
fn sql_and_ready_questions_agree() {
    for variant in Variant::ALL {
        let store = census(variant, SQUARES, Keep::Blocks);
        let filters = || Filters::of(variant);
        let first_columns: Vec<usize> = (0..11).collect();
        let summary = "select n, sum(count), count(distinct value_id),
                sum(case when kind in ('integer', 'dyadic') then count else 0 end),
                sum(case when kind = 'integer' then count else 0 end),
                sum(case when value_id = value_id('0') then count else 0 end),
                sum(case when value_id = value_id('*') then count else 0 end),
                sum(case when outcome = 'P' then count else 0 end), sum(case when outcome = 'L' then count else 0 end),
                sum(case when outcome = 'R' then count else 0 end), sum(case when outcome = 'N' then count else 0 end)
            from tallies group by n order by n";
        let expected = ready(
            &store,
            &Question::Summary { filters: filters() },
            &first_columns,
        );
        assert_eq!(rows(&store, summary), expected);
        // The same of the strips one by one.
        assert_eq!(
            rows(
                &store,
                &summary
                    .replace("sum(count)", "count(*)")
                    .replace("then count", "then 1")
                    .replace("from tallies", "from strips")
            ),
            expected
        );
        let of = |question: &Question, columns: &[usize]| ready(&store, question, columns);
        let mut classes = of(&Question::Classes { filters: filters() }, &first_columns);
        classes.sort();
        let mut found = rows(&store, "select n, toads, frogs, strips, distinct, numbers, outcome_P, outcome_L, outcome_R, outcome_N, state from classes".replace("distinct", "\"distinct\"").as_str());
        found.sort();
        assert_eq!(found, classes);
        assert_eq!(
            rows(
                &store,
                "select n, temperature, sum(count), count(distinct value_id) from tallies group by n, temperature order by n, temperature"
            ),
            of(
                &Question::Temperatures { filters: filters() },
                &[0, 1, 2, 3]
            )
        );
        assert_eq!(
            rows(&store, "select n, denominator, sum(count), count(distinct value_id) from tallies join values using (value_id)
                where denominator is not null group by n, denominator order by n, denominator"),
            of(&Question::Denominators { filters: filters() }, &[0, 1, 2, 3])
        );
        let mut kinds = of(&Question::Kinds { filters: filters() }, &[0, 1, 2, 3]);
        kinds.sort();
        let mut found = rows(
            &store,
            "select n, kind, sum(count), count(distinct value_id) from tallies group by n, kind",
        );
        found.sort();
        assert_eq!(found, kinds);
        let values = Question::Values {
            filters: filters(),
            limit: None,
            max_text: None,
        };
        let mut expected = of(&values, &[0, 1, 2, 4, 5, 6, 7, 8, 9]);
        expected.sort();
        let mut found = rows(
            &store,
            "select value, sum(count), min(n), kind, outcome, mean, temperature, birthday, value_id
            from tallies group by value_id",
        );
        found.sort();
        assert_eq!(found, expected);
        extremes_agree(&store, filters());
    }
}

/// The amounts, strips and distinct values; and the first strip through a query of its own.
fn extremes_agree(store: &MemoryStore, filters: Filters) {
    let question = Question::Extremes {
        filters: filters.clone(),
        max_text: None,
    };
    let found = ready(store, &question, &[0, 1, 2, 3, 4, 5, 6]);
    let expressions = [
        ("hottest", "max(temperature)", "temperature"),
        ("largest", "max(mean)", "mean"),
        ("smallest", "min(mean)", "mean"),
        ("oldest", "max(birthday)", "birthday"),
    ];
    for (property, best, column) in expressions {
        for row in found.iter().filter(|row| row[1] == property) {
            let n = &row[0];
            let statement = format!(
                "with best as (select {best} as it from tallies where n = {n})
                 select {n}, '{property}', (select it from best), sum(count), count(distinct value_id),
                 (select value from strips where n = {n} and {column} = (select it from best) order by idx limit 1),
                 (select strip from strips where n = {n} and {column} = (select it from best) order by idx limit 1)
                 from tallies where n = {n} and {column} = (select it from best)"
            );
            assert_eq!(
                rows(store, &statement),
                std::slice::from_ref(row),
                "{statement}"
            );
        }
    }
    let first = Question::First {
        filters: filters.value("{1|0}"),
        max_text: None,
    };
    assert_eq!(
        ready(store, &first, &[0, 1]),
        rows(
            store,
            "select n, strip from strips where value = '{1|0}' order by n, idx limit 1"
        )
    );
}
