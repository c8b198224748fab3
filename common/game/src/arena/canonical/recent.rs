//! The numbers one thread met last, so that it does not ask the shared table again.

use crate::arena::{Arena, Value, narrow};
use crate::error::Result;

const BITS: u32 = 9;

/// Direct mapped, 512 entries, by number in units of 2^−22.
pub(super) struct RecentNumbers(Box<[(i32, Value); 1 << BITS]>);

impl Default for RecentNumbers {
    /// Every entry is a true one.
    fn default() -> Self {
        Self(Box::new([(0, Value::ZERO); 1 << BITS]))
    }
}

impl RecentNumbers {
    pub(super) fn forget(&mut self) {
        self.0.fill((0, Value::ZERO));
    }

    #[inline]
    pub(super) fn get(&mut self, arena: &Arena, number: i32) -> Result<Value> {
        let cached = &mut self.0[place(number)];
        if cached.0 != number {
            *cached = (number, arena.number(narrow::number(number))?);
        }
        Ok(cached.1)
    }

    /// What stands where the number would, and whether it is that number.
    #[inline]
    pub(super) fn peek(&self, number: i32) -> (Value, bool) {
        let (cached, value) = self.0[place(number)];
        (value, cached == number)
    }
}

#[inline]
fn place(number: i32) -> usize {
    ((number as u32).wrapping_mul(0x9e37_79b1) >> (32 - BITS)) as usize
}
