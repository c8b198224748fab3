//! Text to strip.
//!
//! ```text
//! strip  = item+
//! item   = (square | "(" item+ ")") power?
//! square = "T" | "t" | "F" | "f" | "." | "_" | "□"
//! power  = "^" digits | digits
//! ```
//!
//! Blanks (any white space) are ignored between the parts. A power may be 0, which contributes nothing: families use
//! exponents that start at 0. The strip as a whole must have a square. Groups nest to any depth.

use crate::error::{Result, StripError};
use crate::square::Square;
use crate::strip::Strip;
use std::iter::Peekable;
use std::str::Chars;

/// Reads a strip of at most `limit` squares.
///
/// Nothing longer than `limit` squares is ever allocated, whatever powers the text has. To that end a group must fit behind
/// what stands before it even if its power is 0.
pub fn parse(text: &str, limit: usize) -> Result<Strip> {
    let mut reader = Reader {
        chars: text.chars().peekable(),
        column: 1,
    };
    let mut squares: Vec<Square> = Vec::new();
    // Groups that are still open: the column of the parenthesis, the squares before it, and whether it has an item.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut group_is_empty = false;
    loop {
        reader.skip_blanks();
        let column = reader.column;
        let Some(found) = reader.next() else { break };
        let start = match found {
            '(' => {
                open.push((column, squares.len()));
                group_is_empty = true;
                continue;
            }
            ')' if group_is_empty => return Err(StripError::EmptyGroup { column }),
            ')' => open.pop().ok_or(StripError::UnopenedGroup { column })?.1,
            '^' | '0'..='9' => return Err(StripError::PowerWithoutBase { column, found }),
            _ => {
                let square = Square::from_char(found)
                    .ok_or(StripError::UnknownCharacter { column, found })?;
                squares.push(square);
                squares.len() - 1
            }
        };
        group_is_empty = false;
        // What the power repeats now ends `squares`; it begins at `start`.
        let power = reader.power()?;
        let once = squares.len() - start;
        let length = once
            .checked_mul(power)
            .and_then(|repeated| repeated.checked_add(start));
        let Some(length) = length.filter(|&length| length <= limit) else {
            return Err(StripError::TooLong { column, limit });
        };
        squares.truncate(length.max(start));
        while squares.len() < length {
            let missing = length - squares.len();
            squares.extend_from_within(start..start + missing.min(squares.len() - start));
        }
    }
    if let Some(&(column, _)) = open.last() {
        return Err(StripError::UnclosedGroup { column });
    }
    if squares.is_empty() {
        return Err(StripError::Empty);
    }
    Ok(Strip::from(squares))
}

/// Characters with the column of the next one.
struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
    column: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let next = self.chars.next();
        self.column += usize::from(next.is_some());
        next
    }

    fn skip_blanks(&mut self) {
        while self.chars.peek().is_some_and(|c| c.is_whitespace()) {
            self.next();
        }
    }

    /// The power that stands here; 1 if there is none. Saturates: a power no strip can have stays one.
    fn power(&mut self) -> Result<usize> {
        self.skip_blanks();
        let caret = self.chars.peek() == Some(&'^');
        if caret {
            self.next();
            self.skip_blanks();
        }
        let mut power: Option<usize> = None;
        while let Some(digit) = self.chars.peek().and_then(|c| c.to_digit(10)) {
            self.next();
            power = Some(
                power
                    .unwrap_or(0)
                    .saturating_mul(10)
                    .saturating_add(digit as usize),
            );
        }
        match power {
            Some(power) => Ok(power),
            None if caret => Err(StripError::MissingPower {
                column: self.column,
                found: self.chars.peek().copied(),
            }),
            None => Ok(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::StripError as E;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<String, E> {
        parse(text, 1000).map(|strip| strip.to_string())
    }

    #[test]
    fn reads_every_form_of_the_grammar() {
        for (text, plain) in [
            ("T.F", "T.F"),
            ("t_f", "T.F"),
            ("T\u{25a1}F", "T.F"),
            ("  T\t. F ", "T.F"),
            ("T^4 .^3 F^3", "TTTT...FFF"),
            ("T4.3F3", "TTTT...FFF"),
            (".3", "..."),
            ("T ^ 2 . 3", "TT..."),
            ("T^2 .(TF)^2", "TT.TFTF"),
            ("T2.(TF)2", "TT.TFTF"),
            ("((T.)2F)^2", "T.T.FT.T.F"),
            ("(((T)))", "T"),
            ("T^0.F0", "."),
            ("(TF)0.", "."),
            ("T(T^0)^99999999999999999999.", "T."),
            ("(T.)3", "T.T.T."),
            ("T^12", "TTTTTTTTTTTT"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(plain), "{text}");
        }
    }

    #[test]
    fn errors_point_at_the_column() {
        for (text, error) in [
            ("", E::Empty),
            (" \t", E::Empty),
            ("T0", E::Empty),
            ("(TF)^0", E::Empty),
            (
                "T.x",
                E::UnknownCharacter {
                    column: 3,
                    found: 'x',
                },
            ),
            (
                "\u{25a1}\u{25a1}\u{e9}",
                E::UnknownCharacter {
                    column: 3,
                    found: '\u{e9}',
                },
            ),
            (
                "^3T",
                E::PowerWithoutBase {
                    column: 1,
                    found: '^',
                },
            ),
            (
                " 4T",
                E::PowerWithoutBase {
                    column: 2,
                    found: '4',
                },
            ),
            (
                "T^2^3",
                E::PowerWithoutBase {
                    column: 4,
                    found: '^',
                },
            ),
            (
                "T^1 2",
                E::PowerWithoutBase {
                    column: 5,
                    found: '2',
                },
            ),
            (
                "(^2T)",
                E::PowerWithoutBase {
                    column: 2,
                    found: '^',
                },
            ),
            (
                "T^",
                E::MissingPower {
                    column: 3,
                    found: None,
                },
            ),
            (
                "T^.",
                E::MissingPower {
                    column: 3,
                    found: Some('.'),
                },
            ),
            (
                "T^-1",
                E::MissingPower {
                    column: 3,
                    found: Some('-'),
                },
            ),
            ("T)", E::UnopenedGroup { column: 2 }),
            ("(T.))F", E::UnopenedGroup { column: 5 }),
            ("T(.(F)", E::UnclosedGroup { column: 2 }),
            ("(", E::UnclosedGroup { column: 1 }),
            ("T()", E::EmptyGroup { column: 3 }),
            ("T( )2", E::EmptyGroup { column: 4 }),
            (
                "T^1001",
                E::TooLong {
                    column: 1,
                    limit: 1000,
                },
            ),
            (
                ".T^1000",
                E::TooLong {
                    column: 2,
                    limit: 1000,
                },
            ),
            (
                "T^99999999999999999999999999",
                E::TooLong {
                    column: 1,
                    limit: 1000,
                },
            ),
            (
                "((((T^99)^99)^99)^99)^99",
                E::TooLong {
                    column: 9,
                    limit: 1000,
                },
            ),
        ] {
            assert_eq!(read(text), Err(error), "{text}");
        }
    }

    #[test]
    fn messages_name_what_was_found_and_expected() {
        let message = read("T^").unwrap_err().to_string();
        assert_eq!(
            message,
            "column 3: found the end, expected digits after `^`"
        );
        let message = read("T.x").unwrap_err().to_string();
        assert!(
            message.starts_with("column 3: found `x`, expected a square"),
            "{message}"
        );
    }

    #[test]
    fn messages_are_one_line_whatever_was_found() {
        let message = read("T.\u{1b}").unwrap_err().to_string();
        assert!(message.contains("found `\\u{1b}`"), "{message}");
    }

    #[test]
    fn the_limit_is_inclusive() {
        assert_eq!(parse("T^5", 5).map(|strip| strip.len()), Ok(5));
        assert!(parse("T^6", 5).is_err());
        assert!(parse("TTTTTT", 5).is_err());
    }

    #[test]
    fn deep_nesting_needs_no_stack() {
        let deep = "(".repeat(200_000) + "T" + &")".repeat(200_000);
        assert_eq!(read(&deep).as_deref(), Ok("T"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_at_a_column(text in "[TFtf._ ()^0-9x]{0,40}") {
            match parse(&text, 12) {
                Ok(strip) => prop_assert!((1..=12).contains(&strip.len())),
                Err(error) => prop_assert!((1..=text.chars().count() + 1).contains(&error.column().unwrap())),
            }
        }

        /// Every item is right here, so all that can go wrong is the length.
        #[test]
        fn well_formed_text_is_read_or_too_long(
            items in prop::collection::vec(("[TF.]|\\([TF.]{1,3}\\)", 0_usize..9), 1..5)
        ) {
            let text: Vec<_> = items.iter().map(|(base, power)| format!("{base}^{power}")).collect();
            let plain: Vec<_> = items.iter().map(|(base, power)| base.trim_matches(['(', ')']).repeat(*power)).collect();
            let plain = plain.concat();
            match parse(&text.concat(), 20) {
                Ok(strip) => {
                    prop_assert!(strip.len() <= 20);
                    prop_assert_eq!(strip.to_string(), plain);
                }
                // A group has been read, once, by the time its power turns out to be 0.
                Err(E::TooLong { .. }) => {
                    let zero = items.iter().filter(|(_, power)| *power == 0).map(|(base, _)| base.len()).max();
                    prop_assert!(plain.len() + zero.unwrap_or(0) > 20);
                }
                Err(error) => prop_assert_eq!((error, plain.as_str()), (E::Empty, "")),
            }
        }

        #[test]
        fn groups_mean_repetition(a in "[TF.]{1,5}", k in 0_usize..5, b in "[TF.]{1,5}") {
            prop_assert_eq!(read(&format!("({a})^{k}{b}")), Ok(a.repeat(k) + &b));
        }
    }
}
