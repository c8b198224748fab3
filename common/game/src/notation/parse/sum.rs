//! Sums of terms and their signs.

use super::super::ParseError;
use super::atom::{A_VALUE, read_atom, starts_with_digit};
use super::group::Group;
use super::reader::Reader;
use crate::arena::Value;

/// Minus signs people type.
const MINUS: &[char] = &['-', '\u{2212}', '\u{2013}'];

/// Terms joined by `+` and `-`.
pub(super) fn read_sum(reader: &mut Reader<'_, '_>) -> Result<Value, ParseError> {
    let depth = reader.depth();
    let mut sum = read_term(reader)?;
    loop {
        reader.skip_blanks();
        let place = reader.place();
        let (term, negate) = if take_plus_minus(reader) {
            (read_switch(reader, place)?, false)
        } else if reader.take("+") {
            (read_term(reader)?, false)
        } else if reader.take_any(MINUS) {
            (read_term(reader)?, true)
        } else {
            return Ok(sum);
        };
        reader.check_sum(place, depth)?;
        let total = if negate {
            reader.sub(sum, term)
        } else {
            reader.add(sum, term)
        };
        sum = total.map_err(|source| reader.game_error(place, source))?;
    }
}

/// A term with its signs. A minus before a number belongs to the number, another one to the whole term.
fn read_term(reader: &mut Reader<'_, '_>) -> Result<Value, ParseError> {
    let mut negate = false;
    loop {
        reader.skip_blanks();
        let place = reader.place();
        let term = if take_plus_minus(reader) {
            read_switch(reader, place)?
        } else if reader.take_any(MINUS) {
            reader.skip_blanks();
            if !starts_with_digit(reader) {
                negate = !negate;
                continue;
            }
            read_atom(reader, true)?
        } else if reader.take("+") {
            continue;
        } else {
            read_atom(reader, false)?
        };
        if !negate {
            return Ok(term);
        }
        return reader
            .arena
            .neg(term)
            .map_err(|source| reader.game_error(place, source));
    }
}

fn take_plus_minus(reader: &mut Reader<'_, '_>) -> bool {
    reader.take("+-") || reader.take("±")
}

/// What stands behind `+-`: the Left options of a game that is its own negative.
fn read_switch(reader: &mut Reader<'_, '_>, place: usize) -> Result<Value, ParseError> {
    reader.skip_blanks();
    let options = if reader.take("{") {
        Group::read(reader, Some("}"))?.switch_options(reader)?
    } else if reader.take("(") {
        Group::read(reader, Some(")"))?.switch_options(reader)?
    } else if reader.peek().is_none() {
        return Err(reader.unexpected(A_VALUE));
    } else {
        reader.enter()?;
        let option = read_term(reader)?;
        reader.leave();
        vec![option]
    };
    let arena = reader.arena;
    let switch = || {
        let negatives = options
            .iter()
            .map(|&option| arena.neg(option))
            .collect::<Result<Vec<_>, _>>()?;
        arena.canonical(&options, &negatives)
    };
    switch().map_err(|source| reader.game_error(place, source))
}
