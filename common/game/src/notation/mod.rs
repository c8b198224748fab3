//! Text of values, as CGSuite prints and reads it.

mod error;
mod writer;

pub use error::ParseError;
pub use writer::Writer;

use crate::arena::{Arena, Value};

/// What CGSuite prints. In a loop use one [`Writer`].
pub fn display(arena: &Arena, value: Value) -> String {
    Writer::new(arena).display(value)
}

/// The same, cut after `max_chars` characters with a `…` for the rest.
pub fn display_limited(arena: &Arena, value: Value, max_chars: usize) -> String {
    Writer::new(arena).display_limited(value, max_chars)
}

/// What CGSuite's parser accepts.
pub fn input(arena: &Arena, value: Value) -> String {
    Writer::new(arena).input(value)
}

/// The value a text stands for.
pub fn parse(arena: &Arena, text: &str) -> Result<Value, ParseError> {
    todo!("{} {}", arena.len(), text)
}
