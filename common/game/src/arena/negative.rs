//! Negatives, each remembered beside its value: 4 bytes a value, where they were asked for.

use std::sync::atomic::Ordering;

use super::bounds::Bounds;
use super::{Arena, Value};
use crate::error::Result;

impl Arena {
    /// −G: sides exchanged, options negated. One load once it is known.
    #[inline]
    pub fn neg(&self, value: Value) -> Result<Value> {
        // 0 is its own negative, and what is not known yet.
        let known = self.negatives[value.index()].load(Ordering::Relaxed);
        if known != 0 || value == Value::ZERO {
            return Ok(Value(known));
        }
        self.negate(value)
    }

    /// Recursive: as deep as the form, numbers apart.
    fn negate(&self, value: Value) -> Result<Value> {
        let negative = if let Some(number) = self.as_number(value) {
            self.number(-number)?
        } else {
            let negate = |option| self.neg(option);
            let mut left = self
                .right_options(value)
                .map(negate)
                .collect::<Result<Vec<_>>>()?;
            let mut right = self
                .left_options(value)
                .map(negate)
                .collect::<Result<Vec<_>>>()?;
            let bounds = self.bounds_of(value);
            // The negative of a canonical form is canonical.
            self.intern(
                &mut left,
                &mut right,
                Bounds {
                    upper: -bounds.lower,
                    lower: -bounds.upper,
                },
            )?
        };
        self.negatives[value.index()].store(negative.0, Ordering::Relaxed);
        self.negatives[negative.index()].store(value.0, Ordering::Relaxed);
        Ok(negative)
    }
}
