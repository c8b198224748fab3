//! Conditions: pushed down, tested again, and those of `where` in filters.

use toads_dataset::{Filters, Question};
use toads_store::Keep;
use toads_strip::Variant;

use crate::support::{ask, census};
use crate::{LAST, cell, refused, rows};

#[test]
fn conditions_that_are_pushed_down_mean_what_they_mean_to_sqlite() {
    // A limit keeps conditions outside from being pushed down.
    const SLOW: &str = "(select * from strips limit -1)";
    let store = census(Variant::Hop, LAST, Keep::Blocks);
    for condition in [
        "n = 5",
        "n = '5'",
        "n = 5.0",
        "n = 5.5",
        "n > 5.5",
        "n < 2.5",
        "n >= '6'",
        "n between 3 and 4",
        "n in (2, 7, 99)",
        "n = -1",
        "n > 1e300",
        "n is 3",
        "n is null",
        "n = null",
        "variant = 'hop'",
        "variant = 'hopless'",
        "variant = 'HOP'",
        "toads = 2 and frogs <= 1",
        "toads > frogs",
        "toads < 1 and frogs > 5",
        "idx = 100",
        "n = 6 and idx = 100",
        "n = 6 and idx = 729",
        "n = 6 and idx = -1",
        "n = 6 and idx > 100 and idx <= 110",
        "idx < 3",
        "strip = 'T.F'",
        "strip = 't.f'",
        "strip = 'T . F'",
        "strip = 'X'",
        "strip > 'T'",
        "strip in ('T.F', '.', 'FT.')",
        "value = '*'",
        "value = '{0|0}'",
        "value = '{1|0}' and n = 6",
        "value = 'abc'",
        "value = '1' and toads = 1",
        "value in ('1', '-1/2')",
        "value_id = value_id('*') and n = 7",
        "value_id = value_id('17')",
        "value_id = 'x'",
        "value = '-2' and kind = 'integer'",
        "value = '-2' and kind = 'hot'",
        "kind = 'switch'",
        "kind = 'switch' and toads = 1 and frogs = 3",
        "kind = 'warm'",
        "outcome = 'P'",
        "outcome = 'R' and n = 4",
        "outcome = 'p'",
        "temperature > 0",
        "temperature >= '1/2'",
        "temperature = 0.5",
        "mean < '-1/2' and n = 5",
    ] {
        let of = |table: &str| {
            let columns = "n, idx, strip, value, kind, temperature";
            let statement =
                format!("select {columns} from {table} where {condition} order by n, idx");
            rows(&store, &statement)
        };
        assert_eq!(of("strips"), of(SLOW), "{condition}");
    }
}

#[test]
fn rows_come_in_the_order_asked_for() {
    let store = census(Variant::Hop, 5, Keep::Blocks);
    for (table, columns) in [
        ("strips", "n, toads, frogs, idx"),
        ("tallies", "n, toads, frogs"),
        ("classes", "n, toads, frogs"),
    ] {
        for (condition, order) in [
            ("1", columns.to_owned()),
            ("1", columns.replace("toads", "toads desc")),
            ("n = 4", columns.replace("n, ", "")),
            ("n = 4", columns.to_owned()),
            ("n > 3", columns.replace("n, ", "")),
            ("toads = 2", columns.replace("toads, ", "")),
        ] {
            let statement = |order: &str| {
                format!("select {columns} from {table} where {condition} order by {order}")
            };
            // An expression is never in the table's order.
            let sorted = order
                .split(", ")
                .map(|by| format!("0 + {by}"))
                .collect::<Vec<_>>()
                .join(", ");
            assert_eq!(
                rows(&store, &statement(&order)),
                rows(&store, &statement(&sorted)),
                "{}",
                statement(&order)
            );
        }
    }
}

#[test]
fn fractions_compare_and_sort_by_size() {
    let store = census(Variant::Hop, LAST, Keep::Tallies);
    let sorted = rows(
        &store,
        "select distinct temperature, num(temperature) from tallies order by temperature",
    );
    let sizes: Vec<f64> = sorted.iter().map(|row| row[1].parse().unwrap()).collect();
    assert!(sizes.is_sorted() && sizes.len() > 8, "{sorted:?}");
    assert_eq!(cell(&store, "select max(mean) from values"), "12");
    assert_eq!(
        cell(
            &store,
            "select count(*) from values where mean > 1.5 and mean < 2"
        ),
        cell(
            &store,
            "select count(*) from values where num(mean) > 1.5 and num(mean) < 2"
        )
    );
}

#[test]
fn filters_take_an_expression() {
    let store = census(Variant::Hop, LAST, Keep::Blocks);
    let with = |condition: &str| Filters {
        condition: Some(condition.to_owned()),
        ..Filters::default()
    };
    let kind = "kind = 'switch' -- they say";
    let summary = |filters| ask(&store, &Question::Summary { filters });
    let by_kind = Filters {
        kind: Some(toads_game::Kind::Switch),
        ..Filters::default()
    };
    assert_eq!(summary(with(kind)), summary(by_kind));
    let first = Question::First {
        filters: with("atomic_weight = '1' and kind = 'up'"),
        max_text: None,
    };
    let expected = rows(
        &store,
        "select n, strip, value from strips join values using (value, value_id) where atomic_weight = '1' and strips.kind = 'up'
         order by n, idx limit 1",
    );
    let found = ask(&store, &first);
    assert_eq!(
        found.rows[0][..3]
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>(),
        expected[0]
    );
    let strips = Question::Strips {
        filters: with("birthday = 3 and temperature > 0").squares(5..=5),
        limit: None,
        max_text: None,
    };
    let strips: Vec<_> = ask(&store, &strips)
        .rows
        .iter()
        .map(|row| row[0].to_string())
        .collect();
    let expected = rows(
        &store,
        "select strip from strips where n = 5 and birthday = 3 and temperature > 0 order by idx",
    );
    assert_eq!(strips, expected.concat());
    for (condition, part) in [
        ("temprature > 2", "values has value_id, value, kind"),
        ("temperature >", "SQL: "),
        ("1; select 2", "is not one condition"),
        ("1;", "is not one condition"),
        ("", "is not one condition"),
        ("'a", "close it"),
    ] {
        let error = refused(
            &store,
            &Question::Summary {
                filters: with(condition),
            },
        );
        assert!(
            error.is_input() && error.to_string().contains(part),
            "{condition}: {error}"
        );
    }
}
