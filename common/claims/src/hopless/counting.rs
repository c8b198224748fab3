//! What `toads count` says, against all strips one by one.

use num_bigint::BigUint;
use rustc_hash::FxHashSet;
use toads_count::{Column, Columns, Counts, counts};
use toads_strip::hopless::{self, ClosedForm};
use toads_strip::{Outcome, Square};

use crate::claim::Scope;
use crate::finding::{Finding, Tested, listed};
use crate::survey::all_strips;

/// What is counted of the strips of n squares.
#[derive(Clone, Default)]
struct Row {
    numbers: u64,
    outcomes: [u64; 4],
    by_gaps: Vec<u64>,
    numbers_by_gaps: Vec<u64>,
    values: FxHashSet<ClosedForm>,
}

impl Row {
    fn add(&mut self, squares: &[Square]) {
        let form = hopless::analyse(squares);
        let gaps = hopless::odd_gaps(squares);
        self.outcomes[place(form.outcome())] += 1;
        self.by_gaps[gaps] += 1;
        if form.is_number() {
            self.numbers += 1;
            self.numbers_by_gaps[gaps] += 1;
        }
        if !self.values.contains(&form) {
            self.values.insert(form);
        }
    }

    fn merge(&mut self, later: Self) {
        self.numbers += later.numbers;
        let pairs = [
            (&mut self.outcomes[..], &later.outcomes[..]),
            (&mut self.by_gaps, &later.by_gaps),
            (&mut self.numbers_by_gaps, &later.numbers_by_gaps),
        ];
        for (sums, more) in pairs {
            for (sum, more) in sums.iter_mut().zip(more) {
                *sum += more;
            }
        }
        self.values.extend(later.values);
    }

    /// In the order of the columns.
    fn cells(&self) -> Vec<u64> {
        let [p, l, r, n] = self.outcomes;
        let mut cells = vec![self.numbers, p, p, l, r, n, self.values.len() as u64];
        cells.extend(&self.by_gaps);
        cells.extend(self.numbers_by_gaps.iter().step_by(2));
        cells
    }
}

fn place(outcome: Outcome) -> usize {
    match outcome {
        Outcome::P => 0,
        Outcome::L => 1,
        Outcome::R => 2,
        Outcome::N => 3,
    }
}

/// By n.
fn enumerated(scope: &Scope<'_>) -> Vec<Row> {
    let new = || {
        let row = |n: u32| Row {
            by_gaps: vec![0; n as usize / 3 + 1],
            numbers_by_gaps: vec![0; n as usize / 3 + 1],
            ..Row::default()
        };
        (0..=scope.bound).map(row).collect::<Vec<_>>()
    };
    all_strips(
        0..=scope.bound,
        scope.threads,
        new,
        |rows, squares| rows[squares.len()].add(squares),
        |rows, later| {
            for (row, later) in rows.iter_mut().zip(later) {
                row.merge(later);
            }
        },
    )
}

pub(super) fn every_column(scope: &Scope<'_>) -> Finding {
    equal_to(scope, |row| row)
}

/// Counts, seen through `seen`, are those of all strips.
fn equal_to(scope: &Scope<'_>, seen: impl Fn(Counts) -> Counts) -> Finding {
    let rows = counts(0..=scope.bound, Columns::all(), scope.threads);
    let mut tested = Tested::default();
    for (row, of_strips) in rows.expect("within every limit").zip(enumerated(scope)) {
        let (n, cells) = (row.n, cells(seen(row)));
        let expected: Vec<BigUint> = of_strips.cells().into_iter().map(BigUint::from).collect();
        tested.cases(3_u64.pow(n), cells == expected, || {
            format!(
                "{n} squares: count has {}, there are {}",
                listed(&cells),
                listed(&expected)
            )
        });
    }
    tested.finding(scope.bound)
}

/// In the order of [`Row::cells`].
fn cells(row: Counts) -> Vec<BigUint> {
    let mut cells: Vec<BigUint> = [row.numbers, row.zeros].into_iter().flatten().collect();
    if let Some(outcomes) = row.outcomes {
        cells.extend([outcomes.p, outcomes.l, outcomes.r, outcomes.n]);
    }
    cells.extend(row.distinct);
    cells.extend(row.odd_gaps.into_iter().flatten());
    cells.extend(row.numbers_by_odd_gaps.into_iter().flatten());
    cells
}

pub(super) fn distinct(scope: &Scope<'_>) -> Finding {
    distinct_are(scope, [1, 3, 6, 12, 23, 41, 70, 113, 180, 276], 7_052)
}

/// Different values of 1, 2, … squares, and of 20; by enumeration to the bound, and by the formula.
fn distinct_are(scope: &Scope<'_>, claimed: [u32; 10], of_twenty: u32) -> Finding {
    let columns = [Column::Distinct].into_iter().collect();
    let rows = counts(1..=20, columns, scope.threads).expect("within its limit");
    let formula: Vec<BigUint> = rows.filter_map(|row| row.distinct).collect();
    let mut tested = Tested::default();
    for (n, claimed) in (1..).zip(claimed) {
        let found = &formula[n - 1];
        tested.case(*found == BigUint::from(claimed), || {
            format!("{n} squares: {found} by the formula")
        });
    }
    tested.case(formula[19] == BigUint::from(of_twenty), || {
        format!("20 squares: {} by the formula", formula[19])
    });
    for (n, row) in enumerated(scope).iter().enumerate().skip(1) {
        let found = row.values.len();
        tested.cases(
            3_u64.pow(n as u32),
            formula[n - 1] == BigUint::from(found),
            || {
                format!(
                    "{n} squares: {found} by enumeration, {} by the formula",
                    formula[n - 1]
                )
            },
        );
    }
    tested.finding(scope.bound).with_figures(format!(
        "{} for 1 to 20 squares by the formula; to {} squares from enumeration, equal",
        listed(&formula),
        scope.bound
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Verdict;

    const SCOPE: Scope<'_> = Scope {
        threads: 2,
        ..Scope::to(7)
    };

    /// Makes a row wrong in one column, with a way to make a count one too large.
    type Spoil = fn(&mut Counts, &dyn Fn(&mut Option<BigUint>));

    #[test]
    fn a_wrong_count_is_refuted_in_whatever_column() {
        assert_eq!(equal_to(&SCOPE, |row| row).verdict, Verdict::Holds);
        let one_more = |count: &mut Option<BigUint>| *count.as_mut().unwrap() += 1_u32;
        let wrong: [Spoil; 5] = [
            |row, wrong| wrong(&mut row.numbers),
            |row, wrong| wrong(&mut row.zeros),
            |row, wrong| wrong(&mut row.distinct),
            |row, _| row.outcomes.as_mut().unwrap().n += 1_u32,
            |row, _| row.odd_gaps.as_mut().unwrap()[0] += 1_u32,
        ];
        for spoil in wrong {
            let finding = equal_to(&SCOPE, |mut row| {
                if row.n == 7 {
                    spoil(&mut row, &one_more);
                }
                row
            });
            assert_eq!(finding.verdict, Verdict::Refuted);
            assert!(finding.reason.starts_with("7 squares"), "{finding}");
        }
    }

    #[test]
    fn wrong_numbers_of_values_are_refuted() {
        let right = [1, 3, 6, 12, 23, 41, 70, 113, 180, 276];
        let wrong = [1, 3, 6, 12, 23, 41, 71, 113, 180, 276];
        assert_eq!(distinct_are(&SCOPE, right, 7_053).verdict, Verdict::Refuted);
        assert_eq!(
            distinct_are(&SCOPE, wrong, 7_052).to_string(),
            "refuted by 7 squares: 70 by the formula"
        );
    }
}
