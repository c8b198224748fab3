//! What stands in braces, in parentheses or alone: options, commas and runs of bars.

use super::super::ParseError;
use super::reader::Reader;
use super::sum::read_sum;
use crate::arena::Value;

const AFTER_OPTION: &str = "`+`, `-`, `,`, `|` or the end of the value";

/// A piece of a group and its place.
#[derive(Clone, Copy)]
enum Piece {
    Option(Value),
    Comma,
    Bars(usize),
}

/// The pieces between two brackets.
pub(super) struct Group {
    pieces: Vec<(Piece, usize)>,
    /// Where it begins and where its closing bracket stands.
    begin: usize,
    end: usize,
}

impl Group {
    /// Reads up to `close`, which is taken too, or to the end of the text.
    pub(super) fn read(
        reader: &mut Reader<'_, '_>,
        close: Option<&str>,
    ) -> Result<Self, ParseError> {
        let begin = reader.place();
        let mut pieces = Vec::new();
        reader.enter()?;
        loop {
            reader.skip_blanks();
            let place = reader.place();
            let closed = match close {
                Some(close) => reader.take(close),
                None => reader.peek().is_none(),
            };
            if closed {
                reader.leave();
                return Ok(Self {
                    pieces,
                    begin,
                    end: place,
                });
            }
            let piece = match reader.peek() {
                Some('|') => Piece::Bars(reader.take_while(|next| next == '|').len()),
                Some(',') => {
                    reader.take(",");
                    Piece::Comma
                }
                _ if matches!(pieces.last(), Some((Piece::Option(_), _))) => {
                    return Err(reader.unexpected(AFTER_OPTION));
                }
                _ => Piece::Option(read_sum(reader)?),
            };
            pieces.push((piece, place));
        }
    }

    fn has_bars(&self) -> bool {
        self.pieces
            .iter()
            .any(|(piece, _)| matches!(piece, Piece::Bars(_)))
    }

    /// The game it is; there must be bars.
    pub(super) fn game(&self, reader: &mut Reader<'_, '_>) -> Result<Value, ParseError> {
        if !self.has_bars() {
            return Err(
                reader.unexpected_at(self.end, "`|` between the Left and the Right options")
            );
        }
        self.split(reader, &self.pieces)
    }

    /// The one value it is: a game, or a single option.
    pub(super) fn single(&self, reader: &mut Reader<'_, '_>) -> Result<Value, ParseError> {
        if self.has_bars() {
            return self.split(reader, &self.pieces);
        }
        match self.pieces[..] {
            [(Piece::Option(value), _)] => Ok(value),
            [] => Err(reader.unexpected_at(self.end, "a value")),
            [(Piece::Option(_), _), (_, comma), ..] | [(_, comma), ..] => Err(reader
                .unexpected_at(
                    comma,
                    "one value (a list of options stands in braces, with a `|`)",
                )),
        }
    }

    /// The options of a switch: a game with bars is one option.
    pub(super) fn switch_options(
        &self,
        reader: &mut Reader<'_, '_>,
    ) -> Result<Vec<Value>, ParseError> {
        let options = self.side(reader, &self.pieces, self.end)?;
        if options.is_empty() {
            Err(reader.unexpected_at(self.end, "a Left option of the switch"))
        } else {
            Ok(options)
        }
    }

    /// Splits at the longest run of bars.
    fn split(
        &self,
        reader: &mut Reader<'_, '_>,
        pieces: &[(Piece, usize)],
    ) -> Result<Value, ParseError> {
        let bars = |&(piece, _): &(Piece, usize)| {
            if let Piece::Bars(count) = piece {
                count
            } else {
                0
            }
        };
        let longest = pieces.iter().map(bars).max().unwrap_or(0);
        let mut splits = pieces
            .iter()
            .enumerate()
            .filter(|(_, piece)| bars(piece) == longest);
        let (at, &(_, place)) = splits.next().expect("the caller saw bars");
        if let Some((_, &(_, second))) = splits.next() {
            let what = format!(
                "a second `{}` beside the first: add a bar to the outer one, or braces",
                "|".repeat(longest.min(8))
            );
            return Err(reader.refused(second, what));
        }
        reader.enter()?;
        let left = self.side(reader, &pieces[..at], place)?;
        let right = self.side(reader, &pieces[at + 1..], self.end)?;
        reader.leave();
        let begin = pieces.first().map_or(self.begin, |&(_, place)| place);
        reader
            .arena
            .canonical(&left, &right)
            .map_err(|source| reader.game_error(begin, source))
    }

    /// The options of a side that ends at `end`.
    fn side(
        &self,
        reader: &mut Reader<'_, '_>,
        pieces: &[(Piece, usize)],
        end: usize,
    ) -> Result<Vec<Value>, ParseError> {
        if pieces
            .iter()
            .any(|(piece, _)| matches!(piece, Piece::Bars(_)))
        {
            return Ok(vec![self.split(reader, pieces)?]);
        }
        let mut options = Vec::new();
        let mut wants_option = !pieces.is_empty();
        for &(piece, place) in pieces {
            match piece {
                Piece::Option(value) => {
                    options.push(value);
                    wants_option = false;
                }
                _ if wants_option => return Err(reader.unexpected_at(place, "an option")),
                _ => wants_option = true,
            }
        }
        if wants_option {
            Err(reader.unexpected_at(end, "an option after the comma"))
        } else {
            Ok(options)
        }
    }
}
