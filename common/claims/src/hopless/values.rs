//! Theorems about the values of strips, tested against values found by moves.

use toads_game::{Arena, Dyadic, Value};
use toads_strip::{Strip, hopless};

use crate::claim::Scope;
use crate::finding::{Finding, Tested};
use crate::moves::{Forms, by_moves, each_by_moves, shown};

/// Whether a value is a number, and whether that is an integer.
fn is_number(arena: &Arena, value: Value) -> bool {
    arena.as_number(value).is_some()
}

fn is_integer(arena: &Arena, value: Value) -> bool {
    arena.as_number(value).is_some_and(Dyadic::is_integer)
}

pub(super) fn no_odd_gap(scope: &Scope<'_>) -> Finding {
    with_odd_gaps(scope, |gaps| gaps == 0, is_integer)
}

pub(super) fn one_odd_gap(scope: &Scope<'_>) -> Finding {
    with_odd_gaps(
        scope,
        |gaps| gaps == 1,
        |arena, value| !is_number(arena, value),
    )
}

pub(super) fn odd_number_of_gaps(scope: &Scope<'_>) -> Finding {
    let odd = |gaps: usize| gaps % 2 == 1;
    with_odd_gaps(scope, odd, |arena, value| !is_number(arena, value))
}

/// All strips with so many odd contested gaps have such values.
fn with_odd_gaps(
    scope: &Scope<'_>,
    gaps: impl Fn(usize) -> bool,
    holds: impl Fn(&Arena, Value) -> bool,
) -> Finding {
    each_by_moves(scope, |arena, strip, value| {
        gaps(hopless::odd_gaps(strip)).then(|| holds(arena, value))
    })
}

pub(super) fn integers(scope: &Scope<'_>) -> Finding {
    each_by_moves(scope, |arena, _, value| {
        is_number(arena, value).then(|| is_integer(arena, value))
    })
}

pub(super) fn number_criterion(scope: &Scope<'_>) -> Finding {
    number_iff(scope, |pieces| {
        pieces
            .chunk_by(|a, b| a == b)
            .all(|equal| equal.len() % 2 == 0)
    })
}

/// A strip is a number exactly when the numbers of pieces of its odd components, in order of size, are like this.
fn number_iff(scope: &Scope<'_>, criterion: impl Fn(&[usize]) -> bool) -> Finding {
    each_by_moves(scope, |arena, strip, value| {
        Some(is_number(arena, value) == criterion(&odd_pieces(strip)))
    })
}

/// How many pieces each odd component holds; sorted.
fn odd_pieces(strip: &Strip) -> Vec<usize> {
    let odd = hopless::components(strip)
        .into_iter()
        .filter(hopless::Component::is_odd);
    let mut pieces: Vec<_> = odd
        .map(|component| component.toads + component.frogs)
        .collect();
    pieces.sort_unstable();
    pieces
}

pub(super) fn closed_form(scope: &Scope<'_>) -> Finding {
    equals_by_moves(scope, hopless::analyse)
}

/// A way to find closed forms gives the canonical form that moves give.
fn equals_by_moves(
    scope: &Scope<'_>,
    analyse: impl Fn(&[toads_strip::Square]) -> hopless::ClosedForm,
) -> Finding {
    let arena = Arena::new();
    let mut forms = Forms::new(&arena);
    let mut tested = Tested::default();
    let done = by_moves(&arena, scope.bound, scope.threads, |strip, value| {
        let form = analyse(strip);
        let text = form.to_string();
        let as_claimed = forms.value(form)? == value;
        tested.case(as_claimed, || {
            format!("{}, not {text}", shown(&arena, strip, value))
        });
        Ok(())
    });
    match done {
        Ok(()) => tested.finding(scope.bound),
        Err(error) => Finding::undecided(scope.bound, error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Verdict;

    const SCOPE: Scope<'_> = Scope::to(7);

    #[test]
    fn wrong_statements_about_odd_gaps_are_refuted() {
        let finding = with_odd_gaps(
            &SCOPE,
            |gaps| gaps == 0,
            |arena, value| !is_number(arena, value),
        );
        assert_eq!(finding.to_string(), "refuted by . = 0");
        let finding = with_odd_gaps(
            &SCOPE,
            |gaps| gaps == 2,
            |arena, value| !is_number(arena, value),
        );
        assert_eq!(finding.to_string(), "refuted by T.FT.F = 0");
        let finding = with_odd_gaps(&SCOPE, |gaps| gaps == 1, is_integer);
        assert_eq!(finding.to_string(), "refuted by T.F = *");
        assert_eq!(finding.verdict, Verdict::Refuted);
    }

    #[test]
    fn a_wrong_criterion_is_refuted() {
        let finding = number_iff(&SCOPE, |pieces| pieces.len() % 2 == 0);
        assert_eq!(finding.verdict, Verdict::Refuted);
        assert!(finding.reason.contains(" = "), "{finding}");
    }

    #[test]
    fn a_wrong_closed_form_is_refuted() {
        let finding = equals_by_moves(&SCOPE, |squares| -hopless::analyse(squares));
        assert_eq!(finding.verdict, Verdict::Refuted);
        assert!(finding.reason.contains("not"), "{finding}");
    }
}
