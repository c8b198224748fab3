//! How large and how hot values get, and how many odd gaps and half-swings there can be.

use toads_count::{Column, counts, distribution};
use toads_game::{Arena, Dyadic, Invariants};
use toads_strip::{Strip, hopless};

use crate::claim::Scope;
use crate::finding::{Finding, Tested, Verdict, grouped, listed};
use crate::moves::by_moves;
use crate::survey::all_strips;

/// Of all strips of n squares, by moves: the largest birthday, integer and temperature.
#[derive(Clone, Copy, Default)]
struct Largest {
    strips: u64,
    birthday: u32,
    integer: i64,
    temperature: Option<Dyadic>,
}

fn largest(scope: &Scope<'_>) -> Result<Vec<Largest>, Finding> {
    let arena = Arena::new();
    let mut invariants = Invariants::new(&arena);
    let mut seen = vec![false; 0];
    let mut largest = vec![Largest::default(); scope.bound as usize + 1];
    let mut squares = 0;
    by_moves(&arena, scope.bound, scope.threads, |strip, value| {
        if strip.len() > squares {
            squares = strip.len();
            seen.clear();
        }
        let row = &mut largest[squares];
        row.strips += 1;
        if seen.len() <= value.index() {
            seen.resize(value.index() + 1, false);
        }
        if !std::mem::replace(&mut seen[value.index()], true) {
            let record = invariants.record(value)?;
            row.birthday = row.birthday.max(record.birthday);
            row.temperature = row.temperature.max(Some(record.temperature));
            let integer = arena.as_number(value).and_then(Dyadic::as_integer);
            row.integer = row.integer.max(integer.unwrap_or(0));
        }
        Ok(())
    })
    .map_err(|error| Finding::undecided(scope.bound, error))?;
    Ok(largest)
}

pub(super) fn birthday(scope: &Scope<'_>) -> Finding {
    largest_are(scope, |n| n * n / 4)
}

/// The largest birthday and the largest integer of n squares.
fn largest_are(scope: &Scope<'_>, claimed: impl Fn(u32) -> u32) -> Finding {
    let rows = match largest(scope) {
        Ok(rows) => rows,
        Err(undecided) => return undecided,
    };
    let mut tested = Tested::default();
    for (n, row) in (0..).zip(&rows).skip(1) {
        let as_claimed = row.birthday == claimed(n) && row.integer == i64::from(claimed(n));
        tested.cases(row.strips, as_claimed, || {
            format!(
                "{n} squares: largest birthday {}, largest integer {}",
                row.birthday, row.integer
            )
        });
    }
    tested
        .finding(scope.bound)
        .with_figures(listed(rows.iter().skip(1).map(|row| row.birthday)))
}

pub(super) fn temperature(scope: &Scope<'_>) -> Finding {
    hottest_are(scope, |n| if n < 3 { -2 } else { i64::from(n) - 3 })
}

/// Twice the largest temperature of n squares.
fn hottest_are(scope: &Scope<'_>, claimed: impl Fn(u32) -> i64) -> Finding {
    let rows = match largest(scope) {
        Ok(rows) => rows,
        Err(undecided) => return undecided,
    };
    let mut tested = Tested::default();
    let text = |row: &Largest| row.temperature.map_or_else(String::new, |t| t.to_string());
    for (n, row) in (0..).zip(&rows).skip(1) {
        let as_claimed = row.temperature == Dyadic::new(claimed(n), 1).ok();
        tested.cases(row.strips, as_claimed, || {
            format!("{n} squares: largest temperature {}", text(row))
        });
    }
    let texts: Vec<_> = rows.iter().skip(1).map(text).collect();
    tested.finding(scope.bound).with_figures(texts.join(" / "))
}

pub(super) fn most_odd_gaps(scope: &Scope<'_>) -> Finding {
    at_most_gaps(scope, |n| n / 3, "T.FT.FT.F = *")
}

/// The most odd gaps of n squares, by enumeration and by count, and the only strip of nine squares with three.
fn at_most_gaps(scope: &Scope<'_>, claimed: impl Fn(u32) -> u32, only: &str) -> Finding {
    let most = all_strips(
        1..=scope.bound,
        scope.threads,
        || (vec![0; scope.bound as usize + 1], vec![]),
        |(most, of_nine): &mut (Vec<usize>, Vec<Strip>), squares| {
            let gaps = hopless::odd_gaps(squares);
            most[squares.len()] = most[squares.len()].max(gaps);
            if gaps == 3 && squares.len() == 9 {
                of_nine.push(Strip::new(squares));
            }
        },
        |(most, of_nine), (more, later)| {
            for (most, more) in most.iter_mut().zip(more) {
                *most = more.max(*most);
            }
            of_nine.extend(later);
        },
    );
    let (most, of_nine) = most;
    let mut tested = Tested::default();
    for (n, &most) in (0..).zip(&most).skip(1) {
        tested.cases(3_u64.pow(n), most as u32 == claimed(n), || {
            format!("{n} squares: up to {most} odd gaps")
        });
    }
    let texts: Vec<_> = of_nine
        .iter()
        .map(|strip| format!("{strip} = {}", hopless::analyse(strip)))
        .collect();
    tested.case(texts == [only], || {
        format!("three of nine squares: {}", texts.join(", "))
    });
    let columns = [Column::OddGaps].into_iter().collect();
    for row in
        counts(1..=100, columns, scope.threads).expect("a hundred squares are within the limit")
    {
        let counted = row.odd_gaps.map_or(0, |gaps| gaps.len() as u32 - 1);
        tested.case(counted == claimed(row.n), || {
            format!("{} squares: up to {counted} odd gaps", row.n)
        });
    }
    tested
        .finding(scope.bound)
        .with_figures(format!("{}; to 100 squares from count", texts.join(", ")))
}

pub(super) fn half_swings(scope: &Scope<'_>) -> Finding {
    survive_from(scope, |k| k * (k + 5) / 2)
}

/// The least squares in which k half-swings survive: by enumeration to the bound, and from the distribution of values.
fn survive_from(scope: &Scope<'_>, claimed: impl Fn(u32) -> u32) -> Finding {
    const COUNTED: u32 = 25;
    let mut first = all_strips(
        1..=scope.bound,
        scope.threads,
        Vec::new,
        |first: &mut Vec<Strip>, squares| {
            let survivors = hopless::analyse(squares).swings().len();
            while first.len() < survivors {
                first.push(Strip::new(squares));
            }
        },
        |first, later| first.extend(later.into_iter().skip(first.len())),
    );
    let mut tested = Tested::default();
    for n in 1..=scope.bound {
        let found = first.iter().filter(|strip| strip.len() as u32 <= n).count();
        let expected = (1..=n).take_while(|&k| claimed(k) <= n).count();
        tested.cases(3_u64.pow(n), found == expected, || {
            format!("{n} squares: {found} half-swings survive")
        });
    }
    for n in 1..=COUNTED {
        let values = distribution(n, scope.threads).expect("within its limit");
        let found = values
            .iter()
            .map(|value| value.swings.len())
            .max()
            .unwrap_or(0);
        let expected = (1..=n).take_while(|&k| claimed(k) <= n).count();
        tested.cases(values.len() as u64, found == expected, || {
            format!("{n} squares: {found} half-swings survive")
        });
    }
    let texts: Vec<_> = first
        .drain(..)
        .map(|strip| format!("{strip} = {}", hopless::analyse(&strip)))
        .collect();
    let finding = tested.finding(scope.bound);
    if finding.verdict != Verdict::Holds {
        return finding;
    }
    finding.with_figures(format!(
        "first {}; to {} squares from count",
        texts.join(", "),
        grouped(&COUNTED)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCOPE: Scope<'_> = Scope::to(9);

    #[test]
    fn wrong_extremes_are_refuted() {
        let wrong = [
            largest_are(&SCOPE, |n| n * n / 4 + u32::from(n == 9)),
            hottest_are(&SCOPE, |n| i64::from(n) - 3),
            at_most_gaps(&SCOPE, |n| n / 4, "T.FT.FT.F = *"),
            at_most_gaps(&SCOPE, |n| n / 3, "T.FT.FT.F = 0"),
            survive_from(&SCOPE, |k| 3 * k),
        ];
        let reasons = wrong.map(|finding| {
            assert_eq!(finding.verdict, Verdict::Refuted);
            finding.reason
        });
        assert_eq!(
            reasons,
            [
                "9 squares: largest birthday 20, largest integer 20",
                "2 squares: largest temperature -1",
                "3 squares: up to 1 odd gaps",
                "three of nine squares: T.FT.FT.F = *",
                "6 squares: 1 half-swings survive",
            ]
        );
    }
}
