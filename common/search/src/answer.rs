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

#[cfg(test)]
mod tests {
    use super::Answer;

    #[test]
    fn what_is_known_is_said_and_no_more() {
        let (yes, no) = (Some(true), Some(false));
        for (at_least, at_most, text) in [
            (yes, yes, "="),
            (yes, no, ">"),
            (no, yes, "<"),
            (no, no, "||"),
            (yes, None, ">="),
            (None, yes, "<="),
            (no, None, "< or ||"),
            (None, no, "> or ||"),
            (None, None, "?"),
        ] {
            let answer = Answer {
                at_least,
                at_most,
                nodes: 0,
            };
            assert_eq!(answer.to_string(), text);
            let relation = answer.relation().map(|relation| relation.to_string());
            assert_eq!(relation.is_some(), at_least.is_some() && at_most.is_some());
            assert!(relation.is_none_or(|relation| relation == text));
        }
    }
}
