//! Which rule prints a value, and how many bars it leaves open.

use super::{Style, Writer};
use crate::arena::Value;
use crate::dyadic::Dyadic;
use crate::error::Result;
use crate::tiny::Tiny;
use crate::uptimal::Uptimal;

/// How a value is printed.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// Rule 1: number, ups and nimber.
    Sum(Uptimal),
    /// Rule 2: the negative of itself.
    Switch,
    /// Rule 3: a number and a tiny or miny of the value `threat`.
    Tiny {
        number: Dyadic,
        threat: Value,
        is_tiny: bool,
    },
    /// Rule 4, with so many bars (1 to 4).
    Slashes { bars: u8 },
}

/// From this many bars on a form stands in braces.
pub(super) const MOST_BARS: u8 = 4;

impl Shape {
    /// Whether rules 1 to 3 print it.
    pub(super) fn is_atomic(&self) -> bool {
        !matches!(self, Self::Slashes { .. })
    }

    /// The bars it shows to the form it is the only option of.
    fn open_bars(&self) -> u8 {
        match *self {
            Self::Slashes { bars } if bars < MOST_BARS => bars,
            _ => 0,
        }
    }
}

impl Writer<'_> {
    /// The shape of `value`. Visits each part of its form once; as deep in calls as the form without its sums.
    pub(super) fn shape(&mut self, value: Value, style: Style) -> Shape {
        if let Some(known) = self.memo(style).shapes.get(&value) {
            return known.clone();
        }
        let shape = self.find_shape(value, style);
        if self.arena.as_number(value).is_none() {
            self.memo(style).shapes.insert(value, shape.clone());
        }
        shape
    }

    fn find_shape(&mut self, value: Value, style: Style) -> Shape {
        if let Some(sum) = self
            .uptimals
            .get(value)
            .filter(|sum| is_written_as_sum(sum, style))
        {
            return Shape::Sum(sum);
        }
        if self.is_own_negative(value)
            && (style == Style::Display || self.arena.left_options(value).len() == 1)
        {
            return Shape::Switch;
        }
        if style == Style::Display
            && let Some(tiny) = Tiny::find(self.arena, &mut self.thermographs, value)
            // The slashes are right for a tiny whose argument an arena cannot hold: they read back as well.
            && let Ok(threat) = self.size_of_threat(&tiny)
        {
            return Shape::Tiny {
                number: tiny.number,
                threat,
                is_tiny: tiny.downward,
            };
        }
        let arena = self.arena;
        let mut open = 0;
        if arena.left_options(value).len() == 1 {
            open = arena
                .left_options(value)
                .map(|option| self.shape(option, style).open_bars())
                .max()
                .unwrap_or(0);
        }
        if arena.right_options(value).len() == 1 {
            let right = arena
                .right_options(value)
                .map(|option| self.shape(option, style).open_bars())
                .max();
            open = open.max(right.unwrap_or(0));
        }
        Shape::Slashes { bars: open + 1 }
    }

    fn is_own_negative(&self, value: Value) -> bool {
        let arena = self.arena;
        arena.left_stop(value) == -arena.right_stop(value)
            && arena.left_options(value).len() == arena.right_options(value).len()
            && arena.id(value) == arena.negative_id(value)
    }

    /// n − r, or l − n.
    fn size_of_threat(&self, tiny: &Tiny) -> Result<Value> {
        let number = self.arena.number(tiny.number)?;
        if tiny.downward {
            self.arena.sub(number, tiny.threat)
        } else {
            self.arena.sub(tiny.threat, number)
        }
    }
}

/// Ups beyond multiples of ↑ have notation only where they are ±↑ᵏ or ±↑[k]; CGSuite reads neither.
fn is_written_as_sum(sum: &Uptimal, style: Style) -> bool {
    let ups = &sum.ups[..];
    match ups {
        [] | [_] => true,
        _ if style == Style::Input => false,
        [zeros @ .., last] => {
            last.abs() == 1
                && (zeros.iter().all(|&up| up == 0) || zeros.iter().all(|up| up == last))
        }
    }
}
