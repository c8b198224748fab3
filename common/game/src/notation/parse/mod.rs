//! Reading values: both ways of writing, the form with braces and commas of other tools, and forms that are not canonical.
//!
//! ```text
//! value  = sum | game
//! game   = side bars side            the longest run of bars splits; a shorter one belongs to a side
//! side   = game | [value {"," value}]
//! sum    = term {("+" | "-") term} ; "+-" and "±" are one sign, also between terms: 1+-2 = 1 + (+-2) = {3|-1}
//! term   = number [ups] [star] | [number] ("Tiny" | "Miny") "(" value ")" | "{" game "}" | "(" value ")"
//!        | "+-" (term | "{" side "}" | "(" side ")") | "-" term
//! ups    = "^"… | "^" count | "^<" k ">" | "^[" k "]"     likewise "v", ↑, ↓; ⇑ is ^^, ⇓ is vv
//! star   = "*" [count]
//! ```
//!
//! A minus right before a number belongs to the number: `-1^` is −1 + ↑.

mod atom;
mod group;
mod reader;
mod sum;

use super::ParseError;
use crate::arena::{Arena, Value};
use group::Group;
use reader::Reader;

/// The value `text` stands for; see [`super`] and the notes at each error for what can be written.
///
/// Takes sums and forms that are not canonical, such as `{1,2|}`, which is 3. Nesting is limited to 500 levels, ups to
/// 200 and nimbers to *31, the terms of a sum to 500 ups and brackets together. Sums of many hot parts can be exponentially large: after two million
/// steps, a second or less, they are refused ([`GameError::SumTooLarge`](crate::GameError::SumTooLarge)).
pub fn parse(arena: &Arena, text: &str) -> Result<Value, ParseError> {
    let mut reader = Reader::new(arena, text);
    let group = Group::read(&mut reader, None)?;
    group.single(&mut reader)
}
