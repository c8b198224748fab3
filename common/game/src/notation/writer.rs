//! stub
use crate::arena::{Arena, Value};

/// Writes values of one arena; remembers what it met.
pub struct Writer<'a> { arena: &'a Arena }
impl<'a> Writer<'a> {
    /// New.
    pub fn new(arena: &'a Arena) -> Self { Self { arena } }
    /// What CGSuite prints.
    pub fn display(&mut self, value: Value) -> String { format!("{:?}{}", value, self.arena.len()) }
    /// Cut after `max_chars` characters.
    pub fn display_limited(&mut self, value: Value, _max_chars: usize) -> String { self.display(value) }
    /// What CGSuite's parser accepts.
    pub fn input(&mut self, value: Value) -> String { self.display(value) }
}
