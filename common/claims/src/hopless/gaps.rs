//! Strips by number of odd contested gaps.

use num_bigint::BigUint;
use toads_count::{Column, counts};
use toads_strip::{Square, hopless};

use crate::claim::Scope;
use crate::finding::{Finding, Tested, Verdict, grouped, listed};
use crate::survey::all_strips;

/// By n and j: strips of n squares with j odd contested gaps, and those of them that are numbers.
type ByGaps = Vec<Vec<[u64; 2]>>;

fn enumerated(squares: std::ops::RangeInclusive<u32>, threads: usize) -> ByGaps {
    let empty = || -> ByGaps {
        (0..=*squares.end())
            .map(|n| vec![[0; 2]; n as usize / 3 + 1])
            .collect()
    };
    all_strips(
        squares.clone(),
        threads,
        empty,
        |by_gaps, strip: &[Square]| {
            let [strips, numbers] = &mut by_gaps[strip.len()][hopless::odd_gaps(strip)];
            *strips += 1;
            *numbers += u64::from(hopless::analyse(strip).is_number());
        },
        |by_gaps, later| {
            let cells = by_gaps.iter_mut().flatten().flatten();
            for (sum, more) in cells.zip(later.into_iter().flatten().flatten()) {
                *sum += more;
            }
        },
    )
}

/// The rows n of s(n, j), from count.
fn counted(squares: std::ops::RangeInclusive<u32>, threads: usize) -> Vec<Vec<BigUint>> {
    let columns = [Column::OddGaps].into_iter().collect();
    let rows = counts(squares, columns, threads).expect("within the limit of the column");
    rows.filter_map(|row| row.odd_gaps).collect()
}

pub(super) fn rows(scope: &Scope<'_>) -> Finding {
    rows_are(
        scope,
        &[
            (12, &[337_976, 171_606, 21_286, 572, 1]),
            (15, &[7_913_226, 5_316_789, 1_051_610, 66_281, 1_000, 1]),
        ],
    )
}

/// Rows of s(n, j), from count, and by enumeration up to the bound.
fn rows_are(scope: &Scope<'_>, claimed: &[(u32, &[u64])]) -> Finding {
    let mut tested = Tested::default();
    let mut by = vec![];
    for &(n, row) in claimed {
        let found = &counted(n..=n, scope.threads)[0];
        let equal = found.iter().eq(row
            .iter()
            .map(|&count| BigUint::from(count))
            .collect::<Vec<_>>()
            .iter());
        tested.case(equal, || format!("count, {n} squares: {}", listed(found)));
        if n <= scope.bound {
            let found: Vec<u64> = enumerated(n..=n, scope.threads)[n as usize]
                .iter()
                .map(|[strips, _]| *strips)
                .collect();
            tested.cases(3_u64.pow(n), found == row, || {
                format!("enumeration, {n} squares: {}", listed(&found))
            });
            by.push(format!("{n} from count and from enumeration"));
        } else {
            by.push(format!("{n} from count (--bound {n} enumerates it)"));
        }
    }
    tested.finding(scope.bound).with_figures(by.join("; "))
}

/// Of four odd gaps: strips and numbers of n = 12, 13, 14, 15 squares.
const FOUR: [[u64; 2]; 4] = [[1, 1], [15, 7], [139, 63], [1_000, 396]];

pub(super) fn more_gaps(scope: &Scope<'_>) -> Finding {
    more_gaps_do(scope, FOUR)
}

fn more_gaps_do(scope: &Scope<'_>, four: [[u64; 2]; 4]) -> Finding {
    let mut tested = Tested::default();
    let columns = [Column::OddGaps, Column::NumbersByOddGaps];
    let rows = counts(12..=15, columns.into_iter().collect(), scope.threads);
    for (row, claimed) in rows.expect("within the limits of the columns").zip(four) {
        let at = |gaps: Option<Vec<BigUint>>, at: usize| {
            gaps.and_then(|gaps| u64::try_from(&gaps[at]).ok())
                .unwrap_or_default()
        };
        let found = [at(row.odd_gaps, 4), at(row.numbers_by_odd_gaps, 2)];
        tested.case(found == claimed, || {
            format!(
                "count, {} squares with four: {} of which {} are numbers",
                row.n, found[0], found[1]
            )
        });
    }
    let by_gaps = enumerated(9..=scope.bound, scope.threads);
    for (n, by_gaps) in by_gaps.iter().enumerate() {
        for (gaps, &[strips, numbers]) in by_gaps.iter().enumerate().skip(3) {
            let claimed = match (n, gaps) {
                (12..=15, 4) => four[n - 12],
                (_, gaps) if gaps % 2 == 1 => [strips, 0],
                _ => [strips, numbers],
            };
            tested.cases(strips, [strips, numbers] == claimed, || {
                format!("{n} squares with {gaps}: {strips} of which {numbers} are numbers")
            });
        }
    }
    let three: Vec<u64> = (10..)
        .zip(by_gaps.iter().skip(10))
        .map(|(_, row): (u32, _)| row[3][0])
        .collect();
    let four: Vec<_> = four
        .iter()
        .map(|[strips, numbers]| format!("{numbers} of {} are numbers", grouped(strips)))
        .collect();
    tested.finding(scope.bound).with_figures(format!(
        "with three, 10 to {} squares: {}, none a number; with four, 12 to 15 squares, {}",
        scope.bound,
        listed(three),
        four.join(", ")
    ))
}

pub(super) fn recurrence(scope: &Scope<'_>) -> Finding {
    recurs(scope, [3, 1, 4, 1])
}

/// s(n, j) + c₃ s(n−3, j) = c₁ s(n−1, j) + c₂ s(n−2, j) + c₄ s(n−3, j−1): on rows that an automaton counts, which equal
/// the enumerated ones up to the bound, and those of count.
fn recurs(scope: &Scope<'_>, [c1, c2, c3, c4]: [u32; 4]) -> Finding {
    const COUNTED: usize = 100;
    let rows = by_automaton(COUNTED);
    let mut tested = Tested::default();
    for (n, row) in enumerated(0..=scope.bound, scope.threads)
        .iter()
        .enumerate()
    {
        let equal = row
            .iter()
            .map(|[strips, _]| BigUint::from(*strips))
            .eq(rows[n].iter().cloned());
        tested.cases(row.len() as u64, equal, || {
            format!("enumeration, {n} squares")
        });
    }
    for (n, row) in counted(0..=COUNTED as u32, scope.threads)
        .iter()
        .enumerate()
    {
        tested.cases(row.len() as u64, *row == rows[n], || {
            format!("count, {n} squares")
        });
    }
    let zero = BigUint::ZERO;
    for n in 3..=COUNTED {
        let s =
            |back: usize, j: Option<usize>| j.and_then(|j| rows[n - back].get(j)).unwrap_or(&zero);
        for j in 0..=n / 3 {
            let found = s(0, Some(j)) + s(3, Some(j)) * c3;
            let claimed = s(1, Some(j)) * c1 + s(2, Some(j)) * c2 + s(3, j.checked_sub(1)) * c4;
            tested.case(found == claimed, || format!("n = {n}, j = {j}"));
        }
    }
    let finding = tested.finding(scope.bound);
    if finding.verdict != Verdict::Holds {
        return finding;
    }
    finding.with_figures(format!(
        "rows to {} squares by enumeration, to {COUNTED} by an automaton that reads strips square by square",
        scope.bound
    ))
}

/// Reads all strips square by square: it remembers whether the last piece was a toad and, if so, whether the blanks since
/// are even or odd in number. A frog after an odd number of them closes an odd contested gap.
fn by_automaton(squares: usize) -> Vec<Vec<BigUint>> {
    // No toad to be met; a toad and evenly many blanks; a toad and oddly many. By number of odd gaps so far.
    let mut states = [vec![BigUint::from(1_u32)], vec![], vec![]];
    let mut rows = vec![];
    for n in 0..=squares {
        let at = |state: &[BigUint], j: usize| state.get(j).cloned().unwrap_or_default();
        let sum = |j: usize| states.iter().map(|state| at(state, j)).sum::<BigUint>();
        let width = n / 3 + 1;
        rows.push((0..width).map(sum).collect());
        let [none, even, odd] = &states;
        let next = |of: &dyn Fn(usize) -> BigUint| (0..=width).map(of).collect::<Vec<_>>();
        states = [
            // A blank or a frog where there is no toad; a frog after evenly many blanks, or after oddly many.
            next(&|j| {
                at(none, j) * 2_u32
                    + at(even, j)
                    + j.checked_sub(1).map(|j| at(odd, j)).unwrap_or_default()
            }),
            // A toad after anything; a blank after oddly many.
            next(&|j| sum(j) + at(odd, j)),
            next(&|j| at(even, j)),
        ];
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCOPE: Scope<'_> = Scope::to(9);

    #[test]
    fn a_wrong_row_is_refuted() {
        let wrong = rows_are(&SCOPE, &[(9, &[14_434, 4_963, 285, 2])]);
        assert_eq!(
            wrong.to_string(),
            "refuted by count, 9 squares: 14,434 / 4,963 / 285 / 1"
        );
        let right = rows_are(&SCOPE, &[(9, &[14_434, 4_963, 285, 1])]);
        assert_eq!((right.verdict, right.cases), (Verdict::Holds, 19_684));
    }

    #[test]
    fn a_wrong_recurrence_is_refuted() {
        for wrong in [[2, 1, 4, 1], [3, 1, 4, 2], [3, 0, 4, 1]] {
            assert_eq!(recurs(&SCOPE, wrong).verdict, Verdict::Refuted, "{wrong:?}");
        }
    }

    #[test]
    fn wrong_numbers_with_four_gaps_are_refuted() {
        let mut wrong = FOUR;
        wrong[3][1] += 1;
        let finding = more_gaps_do(&Scope { bound: 12, ..SCOPE }, wrong);
        assert_eq!(finding.verdict, Verdict::Refuted);
        assert!(finding.reason.starts_with("count, 15 squares"), "{finding}");
    }
}
