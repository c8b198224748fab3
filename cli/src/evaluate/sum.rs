//! Sums of positions and values, as text: terms joined by ` + ` and ` - `.

use super::reading::{Subject, read};
use crate::failure::{Failure, Result};

/// A term of a sum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Term {
    /// Whether it is taken away.
    pub(crate) is_negated: bool,
    /// What it is.
    pub(crate) subject: Subject,
}

/// Reads `T^2 .F - 1/2 + {1|0}`. A joining sign has blanks on both sides and stands outside of all brackets; a sign in front of
/// the first term negates it.
pub(crate) fn read_sum(text: &str) -> Result<Vec<Term>> {
    let mut terms = Vec::new();
    let mut rest = text.trim();
    let mut is_negated = false;
    if let Some(after) = rest.strip_prefix("- ") {
        (rest, is_negated) = (after, true);
    }
    loop {
        let (term, next) = split_at_sign(rest);
        terms.push(read_term(term, is_negated)?);
        let Some((negates_next, after)) = next else {
            return Ok(terms);
        };
        (rest, is_negated) = (after, negates_next);
    }
}

/// The text up to the first joining sign, whether that sign is a minus, and the text behind it.
fn split_at_sign(text: &str) -> (&str, Option<(bool, &str)>) {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            '+' | '-' if depth == 0 => {
                let (before, after) = (&text[..at], &text[at + 1..]);
                if before.ends_with(char::is_whitespace) && after.starts_with(char::is_whitespace) {
                    return (before, Some((c == '-', after)));
                }
            }
            _ => {}
        }
    }
    (text, None)
}

fn read_term(text: &str, is_negated: bool) -> Result<Term> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Failure::input(
            "a term is missing: a sum is written T^2 .F - 1/2 + {1|0}",
        ));
    }
    // A minus in front of a position negates it; in front of a value it is part of the value.
    if let Some(Ok(Subject::Strip(strip))) = text.strip_prefix('-').map(read) {
        return Ok(Term {
            is_negated: !is_negated,
            subject: Subject::Strip(strip),
        });
    }
    Ok(Term {
        is_negated,
        subject: read(text)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let show = |term: &Term| {
            let sign = if term.is_negated { '-' } else { '+' };
            let kind = match term.subject {
                Subject::Strip(_) => "strip",
                Subject::Value(_) => "value",
            };
            format!("{sign}{kind} {}", term.subject)
        };
        read_sum(text)
            .unwrap()
            .iter()
            .map(show)
            .collect::<Vec<_>>()
            .join(", ")
    }

    #[test]
    fn terms_are_joined_by_signs_with_blanks() {
        for (text, terms) in [
            ("T.F", "+strip T.F"),
            (" -1/2", "+value -1/2"),
            ("-T.F", "-strip T.F"),
            ("- T.F + 1", "-strip T.F, +value 1"),
            (
                "T^2 .F - 1/2 + {1|0}",
                "+strip TT.F, -value 1/2, +value {1|0}",
            ),
            ("{1 + *|0 - ^} - T.F", "+value {1 + *|0 - ^}, -strip T.F"),
            ("value:1 - -1", "+value 1, -value -1"),
            ("(T.)^2 + strip:...", "+strip T.T., +strip ..."),
            ("2+*", "+value 2+*"),
        ] {
            assert_eq!(shown(text), terms, "{text}");
        }
    }

    #[test]
    fn broken_sums_are_refused() {
        for text in ["", "T.F +", "T.F + ", "1 - - 1", "T.X", "T.F - hello"] {
            assert!(read_sum(text).is_err(), "{text}");
        }
    }
}
