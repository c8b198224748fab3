//! Is it a position or a value? The rule of the command line.

use std::fmt;

use toads_game::Arena;
use toads_strip::Strip;

use crate::failure::{Failure, Result};

/// What a person asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Subject {
    /// A position.
    Strip(Strip),
    /// A value, as text that the notation's reader takes.
    Value(String),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Longer strips are easier to read with powers.
            Self::Strip(strip) if strip.len() > 40 => f.write_str(&strip.compact()),
            Self::Strip(strip) => strip.fmt(f),
            Self::Value(text) => f.write_str(text),
        }
    }
}

/// Reads a position or a value.
///
/// It is a position iff it has only strip characters, powers, groups and blanks, and at least one square; `strip:` and
/// `value:` in front decide otherwise. Errors name the text and the column.
pub(crate) fn read(text: &str) -> Result<Subject> {
    let text = text.trim();
    let wrong =
        |error: &dyn fmt::Display| Failure::Input(format!("`{}`: {error}", super::clip(text, 60)));
    let strip = |text: &str| {
        Strip::parse(text)
            .map(Subject::Strip)
            .map_err(|error| wrong(&error))
    };
    if let Some(rest) = text.strip_prefix("strip:") {
        return strip(rest);
    }
    let (forced, value) = text
        .strip_prefix("value:")
        .map_or((false, text), |rest| (true, rest.trim()));
    let names_tiny = text.contains("iny("); // Tiny(x), Miny(x)
    let meant_as_strip =
        !names_tiny && text.contains(['T', 'F', '_', '\u{25a1}']) || text.is_empty();
    if !forced && (looks_like_strip(text) || (meant_as_strip && !text.contains(['{', '|', '}']))) {
        return strip(text);
    }
    match toads_game::notation::parse(&Arena::new(), value) {
        Ok(_) => Ok(Subject::Value(value.to_owned())),
        // What fails later than at its first word is a value with a slip in it.
        Err(error) if !forced && error.column() == 1 => Err(wrong(&format_args!(
            "{error} (neither a position, such as T^2 .F, nor a value, such as {{1|0}})"
        ))),
        Err(error) => Err(wrong(&error)),
    }
}

/// Reads a value where nothing else will do; its text without blanks around it and without `value:` in front.
pub(crate) fn read_value(text: &str) -> Result<String> {
    let text = text.trim();
    let text = text.strip_prefix("value:").unwrap_or(text).trim();
    match toads_game::notation::parse(&Arena::new(), text) {
        Ok(_) => Ok(text.to_owned()),
        Err(_) if looks_like_strip(text) => Err(Failure::Input(format!(
            "`{text}` is a position where a value is asked for, such as {{1|0}}"
        ))),
        Err(error) => Err(Failure::Input(format!(
            "`{}`: {error}",
            super::clip(text, 60)
        ))),
    }
}

fn looks_like_strip(text: &str) -> bool {
    let square = |c: char| matches!(c, 'T' | 't' | 'F' | 'f' | '.' | '_' | '\u{25a1}');
    let other = |c: char| matches!(c, '(' | ')' | '^') || c.is_ascii_digit() || c.is_whitespace();
    text.chars().any(square) && text.chars().all(|c| square(c) || other(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_told_from_values() {
        for text in [
            "T.F",
            "t_f",
            "T^4 .^3 F^3",
            "strip:T.F",
            "...",
            "T4.3F3",
            " T.F",
        ] {
            assert!(matches!(read(text), Ok(Subject::Strip(_))), "{text}");
        }
        for text in [
            "1/2",
            "-1/2",
            "{1|0}",
            "*",
            "value:*2",
            "^",
            "2",
            "Tiny(1)",
            "-1Tiny(1/2)",
            "Miny(1*)",
        ] {
            assert!(matches!(read(text), Ok(Subject::Value(_))), "{text}");
        }
    }

    #[test]
    fn errors_are_about_what_was_meant() {
        for (text, part) in [
            ("T.X", "column 3: found `X`"),
            ("", "no squares"),
            ("T(.F", "column 2"),
            ("strip:1", "column 1"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!(
            read("hello")
                .unwrap_err()
                .to_string()
                .contains("neither a position")
        );
    }
}
