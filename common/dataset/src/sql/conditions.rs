//! Conditions that SQLite hands to a table, and the ranges they leave over.
//!
//! A table may use them to read less, and need not be exact: SQLite tests every row again.

use rusqlite::types::Value as Sql;
use rusqlite::vtab::IndexConstraintOp;

/// A comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    Equal,
    Above,
    AtLeast,
    Below,
    AtMost,
}

impl Comparison {
    const ALL: [(Self, char); 5] = [
        (Self::Equal, '='),
        (Self::Above, '>'),
        (Self::AtLeast, 'g'),
        (Self::Below, '<'),
        (Self::AtMost, 'l'),
    ];

    /// The comparison an operator asks for, if it is one.
    pub(super) fn of(operator: &IndexConstraintOp) -> Option<Self> {
        use IndexConstraintOp as Op;
        match operator {
            Op::SQLITE_INDEX_CONSTRAINT_EQ | Op::SQLITE_INDEX_CONSTRAINT_IS => Some(Self::Equal),
            Op::SQLITE_INDEX_CONSTRAINT_GT => Some(Self::Above),
            Op::SQLITE_INDEX_CONSTRAINT_GE => Some(Self::AtLeast),
            Op::SQLITE_INDEX_CONSTRAINT_LT => Some(Self::Below),
            Op::SQLITE_INDEX_CONSTRAINT_LE => Some(Self::AtMost),
            _ => None,
        }
    }
}

/// Which comparisons of which columns come, in order: the part of a plan that is text, such as `1=;4g;`.
#[derive(Default)]
pub(super) struct Plan(String);

impl Plan {
    pub(super) fn push(&mut self, column: usize, comparison: Comparison) {
        let (_, sign) = Comparison::ALL
            .into_iter()
            .find(|&(other, _)| other == comparison)
            .expect("all comparisons are there");
        self.0 += &column.to_string();
        self.0.push(sign);
        self.0.push(';');
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    fn read(text: &str) -> impl Iterator<Item = (usize, Comparison)> + '_ {
        text.split_terminator(';').map(|part| {
            let (column, sign) = part.split_at(part.len() - 1);
            let comparison = Comparison::ALL
                .into_iter()
                .find(|&(_, other)| sign.starts_with(other))
                .expect("a plan is written by this module");
            let column = column.parse().expect("a plan is written by this module");
            (column, comparison.0)
        })
    }
}

/// The conditions on one reading of a table.
#[derive(Clone, Debug, Default)]
pub(super) struct Conditions(Vec<(usize, Comparison, Sql)>);

impl Conditions {
    /// The conditions of a plan, with the values compared with.
    pub(super) fn new(plan: &str, values: impl Iterator<Item = Sql>) -> Self {
        let pairs = Plan::read(plan).zip(values);
        Self(
            pairs
                .map(|((column, comparison), value)| (column, comparison, value))
                .collect(),
        )
    }

    /// Whether nothing can satisfy them: something is compared with NULL.
    pub(super) fn are_impossible(&self) -> bool {
        self.0.iter().any(|(_, _, value)| *value == Sql::Null)
    }

    /// The text that a column must equal.
    pub(super) fn text(&self, column: usize) -> Option<&str> {
        self.0
            .iter()
            .find_map(|(of, comparison, value)| match value {
                Sql::Text(text) if *of == column && *comparison == Comparison::Equal => {
                    Some(text.as_str())
                }
                _ => None,
            })
    }

    /// The integers that a column may be, inclusive; empty when the first is above the last. What compares with something
    /// that is no number restricts nothing.
    pub(super) fn range(&self, column: usize) -> (i64, i64) {
        let on_column = self.0.iter().filter(|(of, ..)| *of == column);
        on_column.fold(
            (i64::MIN, i64::MAX),
            |(first, last), (_, comparison, value)| {
                let Some((floor, is_whole)) = whole(value) else {
                    return (first, last);
                };
                let ceiling = floor.saturating_add(i64::from(!is_whole));
                match comparison {
                    Comparison::Equal => (first.max(ceiling), last.min(floor)),
                    Comparison::Above => (first.max(floor.saturating_add(1)), last),
                    Comparison::AtLeast => (first.max(ceiling), last),
                    Comparison::Below => (first, last.min(ceiling.saturating_sub(1))),
                    Comparison::AtMost => (first, last.min(floor)),
                }
            },
        )
    }

    /// The same for counts up to `most`.
    pub(super) fn counts(&self, column: usize, most: u8) -> std::ops::RangeInclusive<u8> {
        let (first, last) = self.range(column);
        let most = i64::from(most);
        if first > last || first > most || last < 0 {
            #[expect(
                clippy::reversed_empty_ranges,
                reason = "nothing satisfies the conditions"
            )]
            return 1..=0;
        }
        first.clamp(0, most) as u8..=last.clamp(0, most) as u8
    }
}

/// The largest integer that is not above a number, and whether it is the number.
fn whole(value: &Sql) -> Option<(i64, bool)> {
    let of_real = |real: f64| {
        let floor = real.floor();
        // Beyond these a float is an integer, and no column reaches there.
        (floor.abs() < 9e15).then(|| (floor as i64, (floor - real).abs() == 0.0))
    };
    match value {
        Sql::Integer(integer) => Some((*integer, true)),
        Sql::Real(real) => of_real(*real),
        // A column of integers reads a text as a number before it compares.
        Sql::Text(text) => match text.trim().parse::<i64>() {
            Ok(integer) => Some((integer, true)),
            Err(_) => text.trim().parse().ok().and_then(of_real),
        },
        Sql::Null | Sql::Blob(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(conditions: &[(Comparison, Sql)]) -> (i64, i64) {
        let mut plan = Plan::default();
        for (comparison, _) in conditions {
            plan.push(12, *comparison);
        }
        let values = conditions.iter().map(|(_, value)| value.clone());
        Conditions::new(plan.as_str(), values).range(12)
    }

    #[test]
    fn comparisons_leave_ranges_of_integers() {
        use Comparison::{Above, AtLeast, AtMost, Below, Equal};
        let (all, none) = ((i64::MIN, i64::MAX), (4, 3));
        for (conditions, expected) in [
            (vec![], all),
            (vec![(Equal, Sql::Integer(7))], (7, 7)),
            (
                vec![(Above, Sql::Integer(3)), (AtMost, Sql::Real(9.5))],
                (4, 9),
            ),
            (
                vec![(AtLeast, Sql::Real(3.5)), (Below, Sql::Real(9.0))],
                (4, 8),
            ),
            (vec![(Below, Sql::Real(9.5))], (i64::MIN, 9)),
            (vec![(Equal, Sql::Real(3.5))], none),
            (vec![(Equal, Sql::Text(" 12 ".to_owned()))], (12, 12)),
            (vec![(Equal, Sql::Text("T.F".to_owned()))], all),
            (vec![(Above, Sql::Real(1e300))], all),
            (vec![(Below, Sql::Integer(i64::MIN))], (i64::MIN, i64::MIN)),
        ] {
            assert_eq!(range(&conditions), expected, "{conditions:?}");
        }
    }

    #[test]
    fn texts_and_nulls_are_found_by_column() {
        let mut plan = Plan::default();
        plan.push(3, Comparison::Equal);
        plan.push(4, Comparison::Below);
        let conditions = |last| {
            let values = [Sql::Text("T.F".to_owned()), last];
            Conditions::new(plan.as_str(), values.into_iter())
        };
        assert_eq!(conditions(Sql::Integer(1)).text(3), Some("T.F"));
        assert_eq!(conditions(Sql::Text("b".to_owned())).text(4), None);
        assert!(conditions(Sql::Null).are_impossible());
        assert_eq!(conditions(Sql::Integer(-1)).counts(4, 24).count(), 0);
        assert_eq!(conditions(Sql::Integer(99)).counts(4, 24), 0..=24);
    }
}
