//! T2 and T5: long rows Tᶜ .ᵃ Fᶜ, which are 0 from some a on, or 0 and ∗ in turn. By play alone.

use toads_game::{Relation, Value};
use toads_strip::Strip;

use super::judge::{Judge, arena};
use crate::claim::Scope;
use crate::finding::{Finding, Measure, Tested, listed};

/// T2: TT .ᵃ FF = ∗ if a = 7 + 6n, else 0, for a ≥ 7.
pub(super) fn t2(scope: &Scope<'_>) -> Finding {
    t2_with(scope, 6)
}

fn t2_with(scope: &Scope<'_>, period: u32) -> Finding {
    let arena = arena(scope);
    let judge = Judge::new(&arena, scope);
    let mut tested = Tested::default();
    let star = match arena.canonical(&[Value::ZERO], &[Value::ZERO]) {
        Ok(star) => star,
        Err(error) => return Finding::undecided(scope.bound, error).measured(Measure::A),
    };
    for a in 7..=scope.bound {
        let strip = row(2, a);
        let (value, name) = if a % period == 7 % period {
            (star, "*")
        } else {
            (Value::ZERO, "0")
        };
        match judge.played(&strip, value) {
            Ok(relation) => tested.case(relation == Relation::Equal, || {
                format!("{} {relation} {name}", strip.compact())
            }),
            Err(reason) => return Finding::undecided(scope.bound, reason).measured(Measure::A),
        }
    }
    tested.finding(scope.bound).measured(Measure::A)
}

/// T5 for C = 3.
pub(super) fn t5_three(scope: &Scope<'_>) -> Finding {
    last_non_zero(scope, 3)
}

/// T5 for C = 4.
pub(super) fn t5_four(scope: &Scope<'_>) -> Finding {
    last_non_zero(scope, 4)
}

/// No finite check can refute that the values are 0 from some a on; it tells the last that is not.
fn last_non_zero(scope: &Scope<'_>, pieces: u32) -> Finding {
    let arena = arena(scope);
    let judge = Judge::new(&arena, scope);
    let mut tested = Tested::default();
    let mut others = vec![];
    for a in 1..=scope.bound {
        match judge.played(&row(pieces, a), Value::ZERO) {
            Ok(relation) => {
                tested.case(true, String::new);
                if relation != Relation::Equal {
                    others.push(a);
                }
            }
            Err(reason) => return Finding::undecided(scope.bound, reason).measured(Measure::A),
        }
    }
    let last = others.last().copied().unwrap_or_default();
    let finding = tested.finding(scope.bound).measured(Measure::A);
    finding.with_figures(format!(
        "last non-zero at a = {last}, checked to {}; not 0 at a = {}",
        scope.bound,
        listed(others)
    ))
}

/// Tᶜ .ᵃ Fᶜ.
fn row(pieces: u32, a: u32) -> Strip {
    Strip::parse(&format!("T^{pieces} .^{a} F^{pieces}")).expect("powers")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Verdict;

    #[test]
    fn a_wrong_period_is_refuted() {
        let finding = t2_with(&Scope::to(20), 5);
        assert_eq!(finding.reason, "T^2 .^12 F^2 || *");
        let finding = t2(&Scope::to(20));
        assert_eq!(finding.verdict, Verdict::Holds);
        assert_eq!(finding.to_string(), "holds (to a = 20, 14 cases)");
    }

    #[test]
    fn the_last_is_told() {
        let finding = t5_three(&Scope::to(9));
        let figures = "last non-zero at a = 6, checked to 9; not 0 at a = 1 / 2 / 4 / 6";
        assert_eq!(finding.figures, figures);
    }
}
