//! Text of values, as CGSuite prints and reads it.
//!
//! Two writers, `display` (what CGSuite prints) and `input` (what its parser accepts), and one reader that takes both and
//! more. Text is a tree over forms that share their parts, so it can be exponentially longer than the form: use
//! [`display_limited`] in tables, and a [`ValueId`](crate::ValueId), never text, as an identity.
//!
//! How `display` writes a value, the first that fits:
//!
//! 1. A *sum* number + ups + nimber, glued: `5`, `-1/2`, `3/4*`, `*2`, `^`, `^^`, `^3`, `v3`, `1v*2`; with ups of higher
//!    order only where they are ±↑ᵏ (`^<k>`, `v<k>`) or ±(↑ + ↑² + … + ↑ᵏ) (`^[k]`, `v[k]`).
//! 2. A *switch* G = −G by its Left options: `+-1`, `+-(1*)`, `+-{2|1}`, `+-{a,b}`.
//! 3. *Number + tiny or miny*: `Tiny(x)`, `nTiny(x)`, `nMiny(x)`, where Tiny(x) = {0 || 0 | −x}.
//! 4. *Slashes*: options joined by `,` and sides by a run of bars one longer than any left open inside, in braces at top
//!    level and where the run has four bars: `{2||1|0}`. Beside other options of its side, an option that is not printed
//!    by rules 1 to 3 stands in braces.
//!
//! Options are ordered by structure alone (numbers, then nimbers, then other sums, then the rest by their options), so
//! the text is the same in every arena.

mod error;
mod parse;
mod writer;

pub use error::ParseError;
pub use parse::parse;
pub use writer::Writer;

use crate::arena::{Arena, Value};

/// What CGSuite prints. In a loop use one [`Writer`].
pub fn display(arena: &Arena, value: Value) -> String {
    Writer::new(arena).display(value)
}

/// The same in at most `max_chars` characters: a longer text is cut and ends with `…`.
pub fn display_limited(arena: &Arena, value: Value, max_chars: usize) -> String {
    Writer::new(arena).display_limited(value, max_chars)
}

/// What CGSuite's parser accepts: like [`display`], but `1+^*` for `1^*`, `+-(1/2)` for `+-1/2`, and slashes for ups of
/// higher order, for tinies and for switches with several options.
pub fn input(arena: &Arena, value: Value) -> String {
    Writer::new(arena).input(value)
}
