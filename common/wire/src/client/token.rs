//! Bearer tokens. Nothing here prints one.

use std::fmt;
use std::sync::Arc;

/// The shortest token that is taken. `toads cert new` makes tokens of 64.
pub(super) const SHORTEST: usize = 20;

/// The longest.
pub(super) const LONGEST: usize = 512;

/// A secret word that stands for a role. `Debug` does not show it, and there is no `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(Arc<str>);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// What is wrong with a token. Says nothing of what it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TokenError {
    /// Nothing is there.
    #[error("there is no token; a token has {SHORTEST} to {LONGEST} characters without blanks")]
    Missing,
    /// Too short to be a secret, or too long for a header.
    #[error("the token has {0} characters; it must have {SHORTEST} to {LONGEST}")]
    Length(usize),
    /// A character that a header does not take.
    #[error("the token holds something else than visible ASCII characters")]
    Character,
    /// More than one.
    #[error("there is more than one word; one token is wanted, alone on its line")]
    Several,
}

impl Token {
    /// Takes a word for a token.
    pub fn new(word: &str) -> Result<Self, TokenError> {
        if word.is_empty() {
            return Err(TokenError::Missing);
        }
        if !word.chars().all(|c| c.is_ascii_graphic()) {
            return Err(TokenError::Character);
        }
        if !(SHORTEST..=LONGEST).contains(&word.len()) {
            return Err(TokenError::Length(word.len()));
        }
        Ok(Self(word.into()))
    }

    /// Reads a client's token file: one token on a line of its own; empty lines and lines that begin with `#` do not count.
    /// The error comes with the number of its line, from 1; the first where there is nothing at all.
    pub fn parse(text: &str) -> Result<Self, (usize, TokenError)> {
        let mut lines = text
            .lines()
            .zip(1..)
            .map(|(line, number)| (line.trim(), number))
            .filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
        let Some((line, number)) = lines.next() else {
            return Err((1, TokenError::Missing));
        };
        if line.contains(char::is_whitespace) {
            return Err((number, TokenError::Several));
        }
        if let Some((_, second)) = lines.next() {
            return Err((second, TokenError::Several));
        }
        Self::new(line).map_err(|error| (number, error))
    }

    /// The word itself, to be put into a header or hashed, and nowhere else.
    pub fn secret(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORD: &str = "0123456789abcdefghij";

    #[test]
    fn a_file_holds_one_token_and_errors_name_the_line() {
        let read = |text: &str| Token::parse(text).map(|token| token.secret().to_owned());
        assert_eq!(read(&format!("# mine\n\n  {WORD} \n")), Ok(WORD.to_owned()));
        for (text, line, error) in [
            ("", 1, TokenError::Missing),
            ("# nothing\n\n", 1, TokenError::Missing),
            ("\nshort\n", 2, TokenError::Length(5)),
            (&"x".repeat(LONGEST + 1), 1, TokenError::Length(LONGEST + 1)),
            ("0123456789abcdefghijé", 1, TokenError::Character),
            (&format!("worker {WORD}"), 1, TokenError::Several),
            (&format!("{WORD}\n# and\n{WORD}\n"), 3, TokenError::Several),
        ] {
            assert_eq!(read(text), Err((line, error)), "{text}");
        }
    }

    #[test]
    fn nothing_shows_the_word() {
        let token = Token::new(WORD).unwrap();
        assert!(!format!("{token:?}").contains(WORD));
        let access = crate::client::Access {
            authorities: None,
            token: Some(token),
        };
        assert!(!format!("{access:?}").contains(WORD));
        let bearer = crate::client::Bearer::new(&access);
        assert!(!format!("{bearer:?}").contains(WORD), "{bearer:?}");
    }
}
