//! The columns that say of a value what is stored with it. They may be named in every table whose rows have a value.

use toads_game::{Kind, Outcome};

use crate::read::Facts;
use crate::sql::conditions::Conditions;
use crate::sql::virtual_table::{ColumnSpec, Holds, Out, column};
use crate::sql::world::Codes;

/// `kind outcome left_stop right_stop mean temperature birthday`.
pub(super) const OF_VALUE: [ColumnSpec; 7] = [
    column("kind", Holds::Text).told(),
    column("outcome", Holds::Text).told(),
    column("left_stop", Holds::Fraction),
    column("right_stop", Holds::Fraction),
    column("mean", Holds::Fraction),
    column("temperature", Holds::Fraction),
    column("birthday", Holds::Integer),
];

/// A cell of these columns, from 0.
pub(super) fn cell(codes: &Codes, code: u32, column: usize, out: &mut Out<'_>) {
    let of = &codes.invariants[code as usize];
    match column {
        0 => out.text(of.kind.name()),
        1 => out.text(name(of.outcome)),
        2 => out.display(of.left_stop),
        3 => out.display(of.right_stop),
        4 => out.display(of.mean),
        5 => out.display(of.temperature),
        _ => out.integer(of.birthday),
    }
}

fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::P => "P",
        Outcome::L => "L",
        Outcome::R => "R",
        Outcome::N => "N",
    }
}

/// Conditions on kind and outcome.
#[derive(Clone, Copy, Debug)]
pub(super) struct Admits {
    kind: Wanted<Kind>,
    outcome: Wanted<Outcome>,
}

/// A condition on one column.
#[derive(Clone, Copy, Debug)]
enum Wanted<T> {
    /// None.
    Any,
    /// This one.
    Only(T),
    /// The name of nothing.
    Nothing,
}

impl<T: Copy + PartialEq> Wanted<T> {
    fn named(text: Option<&str>, read: impl Fn(&str) -> Option<T>) -> Self {
        match text.map(read) {
            None => Self::Any,
            Some(Some(wanted)) => Self::Only(wanted),
            Some(None) => Self::Nothing,
        }
    }

    fn restricts(self) -> bool {
        !matches!(self, Self::Any)
    }

    fn admits(self, found: T) -> bool {
        match self {
            Self::Any => true,
            Self::Only(wanted) => wanted == found,
            Self::Nothing => false,
        }
    }
}

impl Admits {
    /// The conditions on the columns of [`OF_VALUE`], which begin at `first`.
    pub(super) fn new(conditions: &Conditions, first: usize) -> Self {
        Self {
            kind: Wanted::named(conditions.text(first), |text| text.parse().ok()),
            outcome: Wanted::named(conditions.text(first + 1), |text| {
                let all = [Outcome::P, Outcome::L, Outcome::R, Outcome::N];
                all.into_iter().find(|&outcome| name(outcome) == text)
            }),
        }
    }

    /// Whether there are any.
    pub(super) fn restrict(self) -> bool {
        self.kind.restricts() || self.outcome.restricts()
    }

    /// Whether a value satisfies them. A name of nothing is satisfied by none.
    pub(super) fn admits(self, facts: &Facts) -> bool {
        self.kind.admits(facts.kind) && self.outcome.admits(facts.outcome)
    }
}
