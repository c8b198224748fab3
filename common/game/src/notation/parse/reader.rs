//! A place in the text.

use super::super::ParseError;
use crate::arena::{Arena, Steps, Value};
use crate::error::{GameError, Result as GameResult};

/// Braces, parentheses, signs and runs of bars within each other.
const MOST_LEVELS: usize = 500;

/// Ups, brackets and runs of bars of all terms of a sum. A sum is as deep as its terms together, and so are the recursions of its
/// canonical form.
const MOST_IN_SUM: usize = 500;

/// Steps of all sums of a text: a second or less.
const MOST_STEPS: u64 = 2_000_000;

pub(super) struct Reader<'t, 'a> {
    pub(super) arena: &'a Arena,
    text: &'t str,
    /// In bytes.
    at: usize,
    level: usize,
    /// Ups and levels read so far.
    depth: usize,
    steps: Steps,
}

impl<'t, 'a> Reader<'t, 'a> {
    pub(super) fn new(arena: &'a Arena, text: &'t str) -> Self {
        Self {
            arena,
            text,
            at: 0,
            level: 0,
            depth: 0,
            steps: Steps::at_most(MOST_STEPS),
        }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The next character.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Takes `text` if it comes next.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// Takes any of these characters.
    pub(super) fn take_any(&mut self, characters: &[char]) -> bool {
        let found = self.peek().filter(|next| characters.contains(next));
        self.at += found.map_or(0, char::len_utf8);
        found.is_some()
    }

    /// Takes the characters that satisfy `wanted`.
    pub(super) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|next| !wanted(next)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Takes a name, whatever its case.
    pub(super) fn take_name(&mut self, name: &str) -> bool {
        let found = self
            .rest()
            .get(..name.len())
            .is_some_and(|next| next.eq_ignore_ascii_case(name));
        if found {
            self.at += name.len();
        }
        found
    }

    /// Takes `text` or reports what stands there.
    pub(super) fn expect(&mut self, text: &str, expected: &'static str) -> Result<(), ParseError> {
        if self.take(text) {
            Ok(())
        } else {
            Err(self.unexpected(expected))
        }
    }

    /// Goes one level in; the caller goes out again with [`Self::leave`], except on an error, which ends reading.
    pub(super) fn enter(&mut self) -> Result<(), ParseError> {
        self.level += 1;
        self.depth += 1;
        if self.level > MOST_LEVELS {
            return Err(self.refused(
                self.at,
                format!("more than {MOST_LEVELS} levels of nesting"),
            ));
        }
        Ok(())
    }

    /// G + H, while the text has steps left.
    pub(super) fn add(&mut self, g: Value, h: Value) -> GameResult<Value> {
        self.arena.add_within(g, h, &mut self.steps)
    }

    /// G − H.
    pub(super) fn sub(&mut self, g: Value, h: Value) -> GameResult<Value> {
        let negative = self.arena.neg(h)?;
        self.add(g, negative)
    }

    /// Counts ups that were read.
    pub(super) fn count_ups(&mut self, ups: u32) {
        self.depth += ups as usize;
    }

    /// Ups and levels read so far: where a sum begins.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Refuses to add a term to a sum that began at `depth`, if that becomes too deep.
    pub(super) fn check_sum(&self, place: usize, depth: usize) -> Result<(), ParseError> {
        if self.depth - depth > MOST_IN_SUM {
            let what = format!("more than {MOST_IN_SUM} ups and brackets in the terms of a sum");
            return Err(self.refused(place, what));
        }
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.level -= 1;
    }

    /// The place, to be named in an error later.
    pub(super) fn place(&self) -> usize {
        self.at
    }

    fn column(&self, place: usize) -> usize {
        self.text[..place].chars().count() + 1
    }

    pub(super) fn unexpected(&self, expected: &'static str) -> ParseError {
        self.unexpected_at(self.at, expected)
    }

    pub(super) fn unexpected_at(&self, place: usize, expected: &'static str) -> ParseError {
        let found = match self.text[place..].chars().next() {
            Some(next) => format!("`{}`", next.escape_debug()),
            None => "the end".to_owned(),
        };
        ParseError::Unexpected {
            column: self.column(place),
            found,
            expected,
        }
    }

    pub(super) fn refused(&self, place: usize, what: String) -> ParseError {
        ParseError::Refused {
            column: self.column(place),
            what,
        }
    }

    pub(super) fn game_error(&self, place: usize, source: GameError) -> ParseError {
        ParseError::Game {
            column: self.column(place),
            source,
        }
    }
}
