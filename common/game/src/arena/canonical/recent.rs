//! The numbers one thread met last, so that it does not ask the shared table again.

use crate::arena::{Arena, Value, narrow};
use crate::error::Result;

const BITS: u32 = 9;

/// Direct mapped, 512 entries, by number in units of 2^−22.
pub(super) struct RecentNumbers(Box<[(i32, Value)]>);

impl Default for RecentNumbers {
    /// Every entry is a true one.
    fn default() -> Self {
        Self(vec![(0, Value::ZERO); 1 << BITS].into())
    }
}

impl RecentNumbers {
    #[inline]
    pub(super) fn get(&mut self, arena: &Arena, number: i32) -> Result<Value> {
        let scrambled = (number as u32).wrapping_mul(0x9e37_79b1);
        let cached = &mut self.0[(scrambled >> (32 - BITS)) as usize];
        if cached.0 != number {
            *cached = (number, arena.number(narrow::number(number))?);
        }
        Ok(cached.1)
    }
}
