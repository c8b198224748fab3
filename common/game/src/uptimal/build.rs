//! Sums of ups, built from their options.

use crate::arena::{Arena, Value};
use crate::error::Result;

impl Arena {
    /// n·↑ + *m for n ≥ 1. Linear in n the first time, quadratic in m.
    ///
    /// n·↑ + *m = {0 | (n−1)·↑ + *(m ⊕ 1)}, except ↑ + * = {0, * | 0}.
    pub(crate) fn ups_and_nimber(&self, n: u32, m: u32) -> Result<Value> {
        let mut nimber = if n.is_multiple_of(2) { m } else { m ^ 1 };
        let mut value = self.nimber(nimber)?;
        for ups in 1..=n {
            nimber ^= 1;
            let star = self.nimber(1)?;
            let left = [Value::ZERO, star];
            let left = if ups == 1 && nimber == 1 {
                &left[..]
            } else {
                &left[..1]
            };
            value = self.canonical(left, &[value])?;
        }
        Ok(value)
    }

    /// ↑ᵏ = {0 | ↓[k−1] + *} for k ≥ 1.
    pub(crate) fn up_power(&self, k: u32) -> Result<Value> {
        let star = self.nimber(1)?;
        if k == 1 {
            return self.up();
        }
        let reply = self.add(self.neg(self.up_sum(k - 1)?)?, star)?;
        self.canonical(&[Value::ZERO], &[reply])
    }

    /// ↑[k] = ↑ + ↑² + … + ↑ᵏ = {↑[k−1] | *} for k ≥ 1.
    pub(crate) fn up_sum(&self, k: u32) -> Result<Value> {
        let star = self.nimber(1)?;
        (0..k).try_fold(Value::ZERO, |sum, _| self.canonical(&[sum], &[star]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_are_the_sums_they_stand_for() {
        let arena = Arena::new();
        let up = arena.up().unwrap();
        for nimber in 0..6 {
            let mut sum = arena.nimber(nimber).unwrap();
            for ups in 1..8 {
                sum = arena.add(sum, up).unwrap();
                assert_eq!(
                    arena.ups_and_nimber(ups, nimber).unwrap(),
                    sum,
                    "{ups} ups and *{nimber}"
                );
            }
        }
        let mut sum = Value::ZERO;
        for k in 1..9 {
            sum = arena.add(sum, arena.up_power(k).unwrap()).unwrap();
            assert_eq!(arena.up_sum(k).unwrap(), sum, "^[{k}]");
        }
    }
}
