//! What a comparison found out.

use std::fmt;

use toads_game::Relation;

/// How G and H compare, as far as the budget went. Both halves are exact where they are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether G ≥ H.
    pub at_least: Option<bool>,
    /// Whether G ≤ H.
    pub at_most: Option<bool>,
    /// Positions expanded.
    pub nodes: u64,
}

impl Answer {
    /// The relation, if both halves are known.
    pub fn relation(self) -> Option<Relation> {
        Some(match (self.at_least?, self.at_most?) {
            (true, true) => Relation::Equal,
            (true, false) => Relation::Greater,
            (false, true) => Relation::Less,
            (false, false) => Relation::Confused,
        })
    }
}

impl fmt::Display for Answer {
    /// `=`, `<`, `>`, `||`; less where less is known: `>=`, `<=`, `< or ||`, `> or ||`, `?`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match (self.at_least, self.at_most) {
            (Some(true), Some(true)) => "=",
            (Some(true), Some(false)) => ">",
            (Some(false), Some(true)) => "<",
            (Some(false), Some(false)) => "||",
            (Some(true), None) => ">=",
            (None, Some(true)) => "<=",
            (Some(false), None) => "< or ||",
            (None, Some(false)) => "> or ||",
            (None, None) => "?",
        })
    }
}
