//! Sums. Not used by the census kernel; memoised per arena for notation, families and checks.

use std::sync::Mutex;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::{Arena, Value};
use crate::error::{GameError, Result};

/// Entries kept before a memo starts over: 2^20 of at most 24 bytes.
const MEMO_LIMIT: usize = 1 << 20;

/// Sums already computed.
#[derive(Default)]
pub(super) struct SumMemo {
    sums: Mutex<HashMap<(Value, Value), Value, FxBuildHasher>>,
}

/// Steps that additions may still take. A form costs one, and one for any two options of a player, which may have to be
/// compared: 25 to 350 ns a step.
#[derive(Clone, Debug)]
pub struct Steps {
    left: u64,
    most: u64,
}

impl Steps {
    /// So many.
    pub fn at_most(most: u64) -> Self {
        Self { left: most, most }
    }

    fn unlimited() -> Self {
        Self::at_most(u64::MAX)
    }

    /// For a form with so many Left and Right options.
    fn take(&mut self, left: usize, right: usize) -> Result<()> {
        let pairs = |options: usize| (options * options.saturating_sub(1) / 2) as u64;
        let steps = 1 + pairs(left) + pairs(right);
        self.left = self
            .left
            .checked_sub(steps)
            .ok_or(GameError::SumTooLarge { most: self.most })?;
        Ok(())
    }
}

fn remember<K: std::hash::Hash + Eq>(
    memo: &Mutex<HashMap<K, Value, FxBuildHasher>>,
    key: K,
    value: Value,
) {
    let mut memo = memo.lock().expect("no thread panics holding this lock");
    if memo.len() >= MEMO_LIMIT {
        memo.clear();
    }
    memo.insert(key, value);
}

fn recall<K: std::hash::Hash + Eq>(
    memo: &Mutex<HashMap<K, Value, FxBuildHasher>>,
    key: &K,
) -> Option<Value> {
    memo.lock()
        .expect("no thread panics holding this lock")
        .get(key)
        .copied()
}

impl Arena {
    /// G + H = {Gᴸ + H, G + Hᴸ | Gᴿ + H, G + Hᴿ}; options of a number are not needed (number translation).
    pub fn add(&self, g: Value, h: Value) -> Result<Value> {
        self.add_within(g, h, &mut Steps::unlimited())
    }

    /// [`Self::add`], or [`GameError::SumTooLarge`] where it would take more than `steps`. Sums remembered cost none.
    pub fn add_within(&self, g: Value, h: Value, steps: &mut Steps) -> Result<Value> {
        let (g, h) = if g <= h { (g, h) } else { (h, g) };
        match (self.as_number(g), self.as_number(h)) {
            (Some(x), Some(y)) => return self.number(x.checked_add(y)?),
            (Some(x), None) if x.signum() == 0 => return Ok(h),
            (None, Some(y)) if y.signum() == 0 => return Ok(g),
            _ => {}
        }
        if let Some(known) = recall(&self.sums.sums, &(g, h)) {
            return Ok(known);
        }
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (moving, resting) in [(g, h), (h, g)] {
            if self.as_number(moving).is_some() {
                continue;
            }
            for option in self.left_options(moving) {
                left.push(self.add_within(option, resting, steps)?);
            }
            for option in self.right_options(moving) {
                right.push(self.add_within(option, resting, steps)?);
            }
        }
        steps.take(left.len(), right.len())?;
        let sum = self.canonical(&left, &right)?;
        remember(&self.sums.sums, (g, h), sum);
        Ok(sum)
    }

    /// G − H.
    pub fn sub(&self, g: Value, h: Value) -> Result<Value> {
        self.add(g, self.neg(h)?)
    }
}
