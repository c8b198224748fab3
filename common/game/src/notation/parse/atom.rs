//! Numbers, ups, stars, tinies and brackets.

use super::super::ParseError;
use super::group::Group;
use super::reader::Reader;
use crate::arena::Value;
use crate::dyadic::Dyadic;
use crate::error::{GameError, Result as GameResult};
use crate::uptimal::Uptimals;

pub(super) const A_VALUE: &str =
    "a value: a number, `^`, `v`, `*`, `+-`, `Tiny(`, `Miny(`, `{` or `(`";

/// Multiples of ↑ and orders of ↑ᵏ and ↑[k].
const MOST_UPS: u32 = 200;

/// Ups as written.
enum Ups {
    None,
    /// n·↑.
    Multiple(u32),
    /// ↑ᵏ.
    Power(u32),
    /// ↑[k].
    Sum(u32),
}

impl Ups {
    /// Levels of the form, or a few more.
    fn count(&self) -> u32 {
        match *self {
            Self::None => 0,
            Self::Multiple(count) | Self::Power(count) | Self::Sum(count) => count,
        }
    }
}

pub(super) fn starts_with_digit(reader: &Reader<'_, '_>) -> bool {
    reader.peek().is_some_and(|next| next.is_ascii_digit())
}

/// A term without its signs, except that of a number.
pub(super) fn read_atom(reader: &mut Reader<'_, '_>, negative: bool) -> Result<Value, ParseError> {
    let place = reader.place();
    if reader.take("{") {
        return Group::read(reader, Some("}"))?.game(reader);
    }
    if reader.take("(") {
        return Group::read(reader, Some(")"))?.single(reader);
    }
    let number = if starts_with_digit(reader) {
        Some(read_number(reader, negative)?)
    } else {
        None
    };
    for (name, is_tiny) in [("tiny", true), ("miny", false)] {
        if reader.take_name(name) {
            reader.expect("(", "`(` and the argument")?;
            let size = Group::read(reader, Some(")"))?.single(reader)?;
            let tiny = tiny(reader, number.unwrap_or(Dyadic::ZERO), size, is_tiny);
            return tiny.map_err(|source| reader.game_error(place, source));
        }
    }
    let (ups, is_down) = read_ups(reader)?;
    reader.count_ups(ups.count());
    let nimber = read_star(reader)?;
    if matches!(ups, Ups::None) && nimber.is_none() && number.is_none() {
        return Err(reader.unexpected(A_VALUE));
    }
    let sum = number_ups_nimber(reader, number, &ups, is_down, nimber.unwrap_or(0));
    sum.map_err(|source| reader.game_error(place, source))
}

fn read_number(reader: &mut Reader<'_, '_>, negative: bool) -> Result<Dyadic, ParseError> {
    let place = reader.place();
    let mut text = if negative {
        "-".to_owned()
    } else {
        String::new()
    };
    text.push_str(reader.take_while(|next| next.is_ascii_digit()));
    if reader.take("/") {
        if !starts_with_digit(reader) {
            return Err(reader.unexpected("a power of two"));
        }
        text.push('/');
        text.push_str(reader.take_while(|next| next.is_ascii_digit()));
    }
    text.parse()
        .map_err(|source| reader.game_error(place, source))
}

/// The ups and whether they point down.
fn read_ups(reader: &mut Reader<'_, '_>) -> Result<(Ups, bool), ParseError> {
    let place = reader.place();
    let is_down = matches!(reader.peek(), Some('v' | '↓' | '⇓'));
    let arrows = if is_down {
        ['v', '↓', '⇓']
    } else {
        ['^', '↑', '⇑']
    };
    let run = reader.take_while(|next| arrows.contains(&next));
    let count: usize = run
        .chars()
        .map(|arrow| if arrow == arrows[2] { 2 } else { 1 })
        .sum();
    let ups = match count {
        0 => Ups::None,
        1 if starts_with_digit(reader) => Ups::Multiple(read_count(reader, 0, MOST_UPS)?),
        1 if reader.take("<") => {
            let order = read_count(reader, 1, MOST_UPS)?;
            reader.expect(">", "`>`")?;
            Ups::Power(order)
        }
        1 if reader.take("[") => {
            let order = read_count(reader, 1, MOST_UPS)?;
            reader.expect("]", "`]`")?;
            Ups::Sum(order)
        }
        _ if count > MOST_UPS as usize => return Err(too_large(reader, place, MOST_UPS)),
        _ => Ups::Multiple(count as u32),
    };
    Ok((ups, is_down))
}

/// `*` is *1.
fn read_star(reader: &mut Reader<'_, '_>) -> Result<Option<u32>, ParseError> {
    if !reader.take("*") {
        return Ok(None);
    }
    if starts_with_digit(reader) {
        read_count(reader, 0, Uptimals::LARGEST_NIMBER).map(Some)
    } else {
        Ok(Some(1))
    }
}

fn read_count(reader: &mut Reader<'_, '_>, least: u32, most: u32) -> Result<u32, ParseError> {
    let place = reader.place();
    let digits = reader.take_while(|next| next.is_ascii_digit());
    if digits.is_empty() {
        return Err(reader.unexpected_at(place, "a count"));
    }
    match digits.parse() {
        Ok(count) if count < least => Err(reader.unexpected_at(place, "a count of at least 1")),
        Ok(count) if count <= most => Ok(count),
        _ => Err(too_large(reader, place, most)),
    }
}

fn too_large(reader: &Reader<'_, '_>, place: usize, most: u32) -> ParseError {
    reader.refused(
        place,
        format!("a count beyond {most}, the largest that is read here"),
    )
}

/// n + Tiny(x) = {n || n | n − x}; n + Miny(x) is its mirror image.
fn tiny(
    reader: &mut Reader<'_, '_>,
    number: Dyadic,
    size: Value,
    is_tiny: bool,
) -> GameResult<Value> {
    let arena = reader.arena;
    let number = arena.number(number)?;
    if is_tiny {
        let threat = arena.canonical(&[number], &[reader.sub(number, size)?])?;
        arena.canonical(&[number], &[threat])
    } else {
        let threat = arena.canonical(&[reader.add(number, size)?], &[number])?;
        arena.canonical(&[threat], &[number])
    }
}

fn number_ups_nimber(
    reader: &mut Reader<'_, '_>,
    number: Option<Dyadic>,
    ups: &Ups,
    is_down: bool,
    nimber: u32,
) -> Result<Value, GameError> {
    let arena = reader.arena;
    let (ups, nimber) = match *ups {
        Ups::None => (Value::ZERO, nimber),
        Ups::Multiple(count) => (arena.ups_and_nimber(count, nimber)?, 0),
        Ups::Power(order) => (arena.up_power(order)?, nimber),
        Ups::Sum(order) => (arena.up_sum(order)?, nimber),
    };
    // A nimber is its own negative, so it may be part of what is turned.
    let ups = if is_down { arena.neg(ups)? } else { ups };
    let sum = reader.add(ups, arena.nimber(nimber)?)?;
    match number {
        Some(number) => reader.add(arena.number(number)?, sum),
        None => Ok(sum),
    }
}
