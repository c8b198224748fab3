//! Numbers, nimbers and ups: the values everything else is measured by.

use std::sync::RwLock;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::bounds::Bounds;
use super::{Apart, Arena, Value};
use crate::dyadic::Dyadic;
use crate::error::{GameError, Result};

/// The largest integer an arena builds: its canonical form has as many subpositions.
const LARGEST_INTEGER: i64 = 1 << 20;

/// Handles of the numbers met so far.
#[derive(Default)]
pub(super) struct NumberTable {
    handles: Apart<RwLock<HashMap<Dyadic, Value, FxBuildHasher>>>,
}

impl NumberTable {
    pub(super) fn insert(&self, number: Dyadic, value: Value) {
        self.handles
            .0
            .write()
            .expect("no thread panics holding this lock")
            .insert(number, value);
    }

    fn get(&self, number: Dyadic) -> Option<Value> {
        self.handles
            .0
            .read()
            .expect("no thread panics holding this lock")
            .get(&number)
            .copied()
    }
}

impl Arena {
    /// The integer `n`, |n| ≤ 2^20. Linear in |n| the first time.
    pub fn integer(&self, n: i64) -> Result<Value> {
        self.number(Dyadic::integer(n)?)
    }

    /// The number, at most 2^20 in magnitude. Linear in its birthday the first time.
    pub fn number(&self, number: Dyadic) -> Result<Value> {
        if let Some(value) = self.numbers.get(number) {
            return Ok(value);
        }
        let value = if let Some(n) = number.as_integer() {
            self.build_integer(n)?
        } else {
            // The reduced fraction m/2^k = {(m − 1)/2^k | (m + 1)/2^k}; both options have smaller denominators.
            let (m, k) = (number.numerator(), number.log2_denominator());
            let below = self.number(Dyadic::new(m - 1, k)?)?;
            let above = self.number(Dyadic::new(m + 1, k)?)?;
            self.intern(&mut [below], &mut [above], Bounds::of_number(number))?
        };
        self.numbers.insert(number, value);
        Ok(value)
    }

    fn build_integer(&self, n: i64) -> Result<Value> {
        if n.abs() > LARGEST_INTEGER {
            return Err(GameError::NumberOutOfRange {
                what: n.to_string(),
            });
        }
        let step = n.signum();
        let mut from = n;
        while self.numbers.get(Dyadic::integer(from)?).is_none() {
            from -= step;
        }
        let mut value = self
            .numbers
            .get(Dyadic::integer(from)?)
            .expect("the loop stops at zero at the latest");
        while from != n {
            from += step;
            let number = Dyadic::integer(from)?;
            let bounds = Bounds::of_number(number);
            value = if step > 0 {
                self.intern(&mut [value], &mut [], bounds)?
            } else {
                self.intern(&mut [], &mut [value], bounds)?
            };
            self.numbers.insert(number, value);
        }
        Ok(value)
    }

    /// The nimber *k = {*0, …, *(k−1) | *0, …, *(k−1)}. Quadratic in k.
    pub fn nimber(&self, k: u32) -> Result<Value> {
        // The form is canonical as it stands, and confused with 0: no need to compare its options.
        let bounds = Bounds {
            upper: 1,
            lower: -1,
        };
        let mut smaller = vec![Value::ZERO];
        for _ in 0..k {
            let next = self.intern(&mut smaller.clone(), &mut smaller.clone(), bounds)?;
            smaller.push(next);
        }
        Ok(smaller[k as usize])
    }

    /// ↑ = {0 | *}.
    pub fn up(&self) -> Result<Value> {
        let star = self.nimber(1)?;
        self.canonical(&[Value::ZERO], &[star])
    }
}
