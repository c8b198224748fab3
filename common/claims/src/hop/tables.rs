//! The published tables, row by row: by canonical form and by play.

use std::sync::LazyLock;

use toads_game::{Relation, notation};
use toads_strip::Strip;

use super::judge::{Claimed, Judge, arena};
use crate::claim::Scope;
use crate::finding::{Finding, Tested, Verdict};

/// Thanatipanonda 2011, tables 3.1–3.4 and two remarks, as published: table, position, relation, value.
const PRINT: &str = include_str!("../../../../tests/golden/paper-tables.tsv");

/// A row as printed.
#[derive(Clone, Debug)]
struct Row {
    table: &'static str,
    position: &'static str,
    strip: Strip,
    /// `=`, `<`, `>`, `||`, or `~`: infinitesimally close.
    relation: &'static str,
    value: &'static str,
}

/// All 400 rows.
fn rows() -> &'static [Row] {
    static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| PRINT.lines().skip(1).map(read).collect());
    &ROWS
}

fn read(line: &'static str) -> Row {
    let mut cells = line.split('\t');
    let mut cell = || cells.next().expect("a row of the table has four cells");
    let (table, position, relation, value) = (cell(), cell(), cell(), cell());
    Row {
        table,
        position,
        strip: Strip::parse(position).expect("positions of the tables are strips"),
        relation,
        value,
    }
}

/// How a row was decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Decided {
    /// By canonical form, as printed or not.
    form: Option<bool>,
    /// By play.
    play: Option<bool>,
}

/// Table 3.1, Tᵃ .ᵇ Fᵃ.
pub(super) fn table_1(scope: &Scope<'_>) -> Finding {
    check(scope, "3.1")
}

/// Table 3.2, Tᵃ .ᵇ Fᵃ⁻¹.
pub(super) fn table_2(scope: &Scope<'_>) -> Finding {
    check(scope, "3.2")
}

/// Table 3.3, Tᵃ .ᵇ Fᵃ⁻².
pub(super) fn table_3(scope: &Scope<'_>) -> Finding {
    check(scope, "3.3")
}

/// Table 3.4, Tᵃ .ᵇ Fᵃ⁻³.
pub(super) fn table_4(scope: &Scope<'_>) -> Finding {
    check(scope, "3.4")
}

/// The first remark on table 3.1, T² .ᵇ F² to b = 103.
pub(super) fn remark_1(scope: &Scope<'_>) -> Finding {
    check(scope, "3.1 remark 1")
}

/// The second, T³ .ᵇ F³ to b = 53.
pub(super) fn remark_2(scope: &Scope<'_>) -> Finding {
    check(scope, "3.1 remark 2")
}

fn check(scope: &Scope<'_>, table: &str) -> Finding {
    check_rows(
        scope,
        rows().iter().filter(|row| row.table == table).cloned(),
    )
}

fn check_rows(scope: &Scope<'_>, rows: impl Iterator<Item = Row>) -> Finding {
    let arena = arena(scope);
    let mut judge = Judge::new(&arena, scope);
    let mut rows: Vec<_> = rows
        .filter(|row| row.strip.len() <= scope.bound as usize)
        .collect();
    rows.sort_by_key(|row| row.strip.len());
    let mut tested = Tested::default();
    let (mut both, mut differing, mut open) = (0, vec![], vec![]);
    for row in &rows {
        let decided = decide(&mut judge, row);
        match (decided.form, decided.play) {
            (Some(form), Some(play)) if form != play => {
                let reason = format!("canonical form and play disagree on {}", row.position);
                return Finding::undecided(scope.bound, reason);
            }
            (None, None) => open.push(row.position),
            (form, play) => {
                both += u32::from(form.is_some() && play.is_some());
                let as_printed = form.or(play) == Some(true);
                tested.case(as_printed, String::new);
                if !as_printed {
                    differing.push(contradicted(&mut judge, row));
                }
            }
        }
    }
    let one = match rows.len() - both as usize - open.len() {
        0 => String::new(),
        one => format!(", {one} one way"),
    };
    let undecided = match open.len() {
        0 => String::new(),
        many => format!(", {many} undecided ({})", open.join(", ")),
    };
    let figures = format!(
        "{} rows: {both} decided both ways{one}{undecided}",
        rows.len()
    );
    let mut finding = tested.finding(scope.bound).with_figures(figures);
    if !differing.is_empty() {
        finding.verdict = Verdict::DiffersFromPrint;
        finding.reason = differing.join("; ");
    } else if !open.is_empty() {
        finding.verdict = Verdict::Undecided;
        finding.reason = format!("{} rows need more memory", open.len());
    }
    finding
}

fn decide(judge: &mut Judge<'_>, row: &Row) -> Decided {
    if row.relation == "~" {
        let form = judge.value(&row.strip).ok();
        return Decided {
            form: form.map(|value| judge.is_infinitesimal(value)),
            play: judge.plays_as(&row.strip, &Claimed::Infinitesimal).ok(),
        };
    }
    let printed = notation::parse(judge.arena, row.value).expect("values of the tables are values");
    let as_printed = |relation: Relation| relation.to_string() == row.relation;
    let form = judge.value(&row.strip).ok();
    Decided {
        form: form.map(|value| as_printed(judge.arena.compare(value, printed))),
        play: judge.played(&row.strip, printed).ok().map(as_printed),
    }
}

/// `T^2 . F^1 = {1/2|0}, in print = 1`.
fn contradicted(judge: &mut Judge<'_>, row: &Row) -> String {
    let told = judge.told(&row.strip);
    format!("{told}, in print {} {}", row.relation, row.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rows_are_read() {
        assert_eq!(rows().len(), 400);
        assert!(
            rows()
                .iter()
                .all(|row| ["=", "<", ">", "||", "~"].contains(&row.relation))
        );
    }

    #[test]
    fn a_misprint_is_found_by_both_ways() {
        let wrong = read("3.1\tT^2 .^5 F^2\t=\t*");
        let finding = check_rows(&Scope::to(12), [wrong].into_iter());
        assert_eq!(finding.verdict, Verdict::DiffersFromPrint);
        assert_eq!(finding.reason, "T^2 .^5 F^2 = 0, in print = *");
        assert_eq!(finding.figures, "1 rows: 1 decided both ways");
    }
}
