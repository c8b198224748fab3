//! When switches cancel, what is read off a closed form, and who wins on long strips.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use toads_game::{
    Arena, Dyadic, GameError, Invariants, Outcome as GameOutcome, Value, ValueInvariants,
};
use toads_strip::hopless::{self, ClosedForm, Half};
use toads_strip::{Outcome, Strip};

use crate::claim::Scope;
use crate::finding::{Finding, Tested};
use crate::moves::by_moves;

pub(super) fn cancellation(scope: &Scope<'_>) -> Finding {
    cancel_iff(scope, |one, other| {
        one.toads + one.frogs == other.toads + other.frogs
    })
}

/// The sum of two odd components is a number exactly when they are like this. Components are those that fill a strip of
/// at most `bound` squares; their values are found by moves, and added as canonical forms.
fn cancel_iff(
    scope: &Scope<'_>,
    criterion: impl Fn(&hopless::Component, &hopless::Component) -> bool,
) -> Finding {
    let arena = Arena::new();
    // By toads, frogs and value: one of them and how many there are. The order of handles is that of first sight.
    let mut kinds = BTreeMap::<(usize, usize, usize), (Strip, hopless::Component, u64)>::new();
    let seen = by_moves(&arena, scope.bound, scope.threads, |strip, value| {
        if let [component] = &hopless::components(strip)[..]
            && component.is_odd()
            && component.squares == (0..strip.len())
        {
            let kind = (component.toads, component.frogs, value.index());
            let first = || (strip.clone(), component.clone(), 0);
            kinds.entry(kind).or_insert_with(first).2 += 1;
        }
        Ok(())
    });
    let kinds: Vec<_> = kinds.into_iter().collect();
    let mut tested = Tested::default();
    let mut add_pairs = || -> Result<(), GameError> {
        for (at, (one, (strip, component, count))) in kinds.iter().enumerate() {
            for (other, (strip2, component2, count2)) in &kinds[at..] {
                let pairs = if one == other {
                    count * (count + 1) / 2
                } else {
                    count * count2
                };
                let sum = arena.add(Value::from_index(one.2), Value::from_index(other.2))?;
                let cancels = arena.as_number(sum).is_some();
                tested.cases(pairs, cancels == criterion(component, component2), || {
                    let text = toads_game::notation::display(&arena, sum);
                    format!("{strip} + {strip2} = {text}")
                });
            }
        }
        Ok(())
    };
    match seen.and_then(|()| Ok(add_pairs()?)) {
        Ok(()) => tested.finding(scope.bound),
        Err(error) => Finding::undecided(scope.bound, error),
    }
}

/// What is compared of a value: outcome, both stops, mean, temperature, birthday.
type ReadOff = (GameOutcome, [Dyadic; 4], u64);

pub(super) fn read_off(scope: &Scope<'_>) -> Finding {
    reads(scope, |form| {
        (
            match form.outcome() {
                Outcome::P => GameOutcome::P,
                Outcome::L => GameOutcome::L,
                Outcome::R => GameOutcome::R,
                Outcome::N => GameOutcome::N,
            },
            [
                integer(form.left_stop()),
                integer(form.right_stop()),
                half(form.mean()),
                half(form.temperature()),
            ],
            form.birthday(),
        )
    })
}

fn integer(n: i64) -> Dyadic {
    half(Half::from_twice(2 * n))
}

fn half(half: Half) -> Dyadic {
    Dyadic::new(half.twice(), 1).expect("small strips have small numbers")
}

/// What a reader says of each strip's closed form is what its canonical form, found by moves, has.
fn reads(scope: &Scope<'_>, read: impl Fn(&ClosedForm) -> ReadOff) -> Finding {
    let arena = Arena::new();
    let mut invariants = Invariants::new(&arena);
    let mut known = BTreeMap::<usize, ValueInvariants>::new();
    let mut tested = Tested::default();
    let done = by_moves(&arena, scope.bound, scope.threads, |strip, value| {
        let record = match known.entry(value.index()) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => *entry.insert(invariants.record(value)?),
        };
        let found = (
            record.outcome,
            [
                record.left_stop,
                record.right_stop,
                record.mean,
                record.temperature,
            ],
            u64::from(record.birthday),
        );
        let claimed = read(&hopless::analyse(strip));
        tested.case(claimed == found, || {
            format!("{strip}: {}, not {}", told(&found), told(&claimed))
        });
        Ok(())
    });
    match done {
        Ok(()) => tested.finding(scope.bound),
        Err(error) => Finding::undecided(scope.bound, error),
    }
}

fn told((outcome, [left, right, mean, temperature], birthday): &ReadOff) -> String {
    format!(
        "outcome {outcome}, stops {left} and {right}, mean {mean}, temperature {temperature}, birthday {birthday}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Verdict;

    const SCOPE: Scope<'_> = Scope::to(7);

    #[test]
    fn a_wrong_criterion_for_cancelling_is_refuted() {
        let finding = cancel_iff(&SCOPE, |one, other| one.toads == other.toads);
        assert_eq!(finding.verdict, Verdict::Refuted);
        assert!(finding.reason.contains(" + "), "{finding}");
        let finding = cancel_iff(&SCOPE, |one, other| one.gap() == other.gap());
        assert_eq!(finding.verdict, Verdict::Refuted);
    }

    #[test]
    fn a_wrong_reading_is_refuted() {
        let wrong = |form: &ClosedForm| {
            let temperature = integer(form.left_stop() - form.right_stop());
            (
                GameOutcome::N,
                [
                    integer(form.left_stop()),
                    integer(form.right_stop()),
                    half(form.mean()),
                    temperature,
                ],
                form.birthday(),
            )
        };
        let finding = reads(&SCOPE, wrong);
        assert_eq!(finding.verdict, Verdict::Refuted);
        assert!(finding.reason.contains("outcome P, "), "{finding}");
    }
}
