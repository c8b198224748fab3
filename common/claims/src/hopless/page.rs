//! Strips of 1–9 squares by odd contested gaps, and the numbers among them.

use toads_strip::{Square, Strip, hopless};

use crate::claim::Scope;
use crate::finding::{Finding, Measure, Tested, Verdict, grouped, listed};
use crate::page::{PAGE_SQUARES, PageTally};
use crate::survey::all_strips;

/// The tallies of all sources at hand, and how to name them.
fn sources(scope: &Scope<'_>) -> (Vec<(&'static str, PageTally)>, &'static str) {
    let mut sources = vec![
        ("enumeration", PageTally::enumerated(scope.threads)),
        ("count", PageTally::counted(scope.threads)),
    ];
    if let Some(&census) = scope.census {
        sources.push(("the store", census));
        (
            sources,
            "from the store, from count and from enumeration, equal",
        )
    } else {
        (sources, "from count and from enumeration, equal")
    }
}

/// Every source must give these figures.
fn figures<const N: usize>(
    scope: &Scope<'_>,
    expected: [u64; N],
    of: impl Fn(&PageTally) -> [u64; N],
) -> Finding {
    let (sources, together) = sources(scope);
    let mut tested = Tested::default();
    for (name, tally) in &sources {
        let found = of(tally);
        tested.case(found == expected, || format!("{name}: {}", listed(found)));
    }
    let found = listed(of(&sources[0].1));
    let finding = tested.finding(PAGE_SQUARES);
    let equal = finding.verdict == Verdict::Holds;
    Finding {
        cases: PageTally::all_strips(),
        ..finding
    }
    .with_figures(if equal {
        format!("{found} {together}")
    } else {
        found
    })
}

pub(super) fn odd_gaps(scope: &Scope<'_>) -> Finding {
    figures(scope, [22_186, 6_985, 351, 1], |tally| tally.by_gaps)
}

pub(super) fn two_odd_gaps(scope: &Scope<'_>) -> Finding {
    let split = |tally: &PageTally| {
        let numbers = tally.numbers_by_gaps[2];
        [tally.by_gaps[2], numbers, tally.by_gaps[2] - numbers]
    };
    let finding = figures(scope, [351, 143, 208], split);
    let smallest = first_number_with_two_odd_gaps(scope);
    let text = smallest.as_ref().map_or_else(
        || "none is a number".to_owned(),
        |strip| format!("the first number is {strip} = {}", hopless::analyse(strip)),
    );
    if finding.verdict == Verdict::Holds && text != "the first number is T.FT.F = 0" {
        return Finding {
            verdict: Verdict::Refuted,
            reason: text,
            ..finding
        };
    }
    let figures = format!("{}; {text}", finding.figures);
    finding.with_figures(figures)
}

fn first_number_with_two_odd_gaps(scope: &Scope<'_>) -> Option<Strip> {
    let is_one = |squares: &[Square]| {
        hopless::odd_gaps(squares) == 2 && hopless::analyse(squares).is_number()
    };
    all_strips(
        1..=PAGE_SQUARES,
        scope.threads,
        || None,
        |first: &mut Option<Strip>, squares| {
            if first.is_none() && is_one(squares) {
                *first = Some(Strip::new(squares));
            }
        },
        |first, later| *first = first.take().or(later),
    )
}

pub(super) fn numbers(scope: &Scope<'_>) -> Finding {
    figures(scope, [7_784, 22_329], |tally| {
        [tally.numbers_to(8), tally.numbers_to(9)]
    })
}

pub(super) fn numbers_in_print(scope: &Scope<'_>) -> Finding {
    printed(scope, 7_746)
}

/// A printed number of number-valued strips of 1–8 squares. If it is not that, perhaps it begins with more squares.
fn printed(scope: &Scope<'_>, print: u64) -> Finding {
    let finding = figures(scope, [print], |tally| [tally.numbers_to(8)]);
    if finding.verdict == Verdict::Holds {
        return finding;
    }
    let (sources, _) = sources(scope);
    let (_, tally) = &sources[0];
    if let Some((name, other)) = sources.iter().find(|(_, other)| other != tally) {
        let reason = format!(
            "{name}: {} instead of {}",
            listed(other.numbers_by_squares),
            listed(tally.numbers_by_squares)
        );
        return Finding { reason, ..finding };
    }
    let all = tally.numbers_to(8);
    let from = (2..=8).find(|first| all - tally.numbers_to(first - 1) == print);
    let really = from.map_or_else(String::new, |first| {
        format!("; {} is the sum for {first}–8 squares", grouped(&print))
    });
    Finding {
        verdict: Verdict::DiffersFromPrint,
        bound: 8,
        measure: Measure::Squares,
        cases: (1..=8).map(|n| 3_u64.pow(n)).sum(),
        reason: format!("1–8 squares give {}{really}", grouped(&all)),
        figures: listed(&tally.numbers_by_squares[..8]) + " for 1, 2, …, 8 squares",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(census: Option<&PageTally>) -> Scope<'_> {
        Scope {
            census,
            ..Scope::to(PAGE_SQUARES)
        }
    }

    #[test]
    fn wrong_figures_are_refuted() {
        let finding = figures(&scope(None), [22_186, 6_985, 352, 1], |tally| tally.by_gaps);
        assert_eq!(finding.verdict, Verdict::Refuted);
        assert_eq!(
            finding.to_string(),
            "refuted by enumeration: 22,186 / 6,985 / 351 / 1"
        );
    }

    #[test]
    fn a_census_that_differs_refutes_and_one_that_agrees_is_named() {
        let mut census = PageTally::enumerated(1);
        let agreed = odd_gaps(&scope(Some(&census)));
        assert_eq!(
            agreed.figures,
            "22,186 / 6,985 / 351 / 1 from the store, from count and from enumeration, equal"
        );
        census.by_gaps[2] -= 1;
        census.numbers_by_gaps[2] -= 1;
        census.numbers_by_squares[8] -= 1;
        for check in [odd_gaps, two_odd_gaps, numbers, numbers_in_print] {
            let finding = check(&scope(Some(&census)));
            assert_eq!(finding.verdict, Verdict::Refuted);
            assert!(finding.reason.starts_with("the store: "), "{finding}");
        }
    }

    #[test]
    fn print_that_is_right_holds_and_print_that_is_wrong_differs() {
        assert_eq!(printed(&scope(None), 7_784).verdict, Verdict::Holds);
        assert_eq!(
            printed(&scope(None), 7_746).to_string(),
            "differs from print: 1–8 squares give 7,784; 7,746 is the sum for 4–8 squares"
        );
        assert_eq!(
            printed(&scope(None), 7_000).to_string(),
            "differs from print: 1–8 squares give 7,784"
        );
    }
}
