//! One pass over a strip that finds its components and counts what their worth depends on.

use super::component::{Worth, worth};
use crate::square::Square;
use std::ops::Range;

/// What the worth of a component depends on. The fields are those of [`super::Component`]; `free` is Left's free
/// moves less Right's.
pub(super) struct Block {
    pub(super) squares: Range<usize>,
    pub(super) toads: usize,
    pub(super) frogs: usize,
    pub(super) contested: Option<Range<usize>>,
    free: i64,
}

impl Block {
    pub(super) fn gap(&self) -> usize {
        self.contested.as_ref().map_or(0, ExactSizeIterator::len)
    }

    pub(super) fn worth(&self) -> Worth {
        worth(self.toads, self.frogs, self.gap(), self.free)
    }
}

/// The components as [`Block`]s, from left to right.
pub(super) fn blocks(squares: &[Square]) -> impl Iterator<Item = Block> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || next_block(squares, &mut at))
}

fn next_block(squares: &[Square], at: &mut usize) -> Option<Block> {
    let first = *at
        + squares[*at..]
            .iter()
            .position(|&square| square != Square::Blank)?;
    let (mut toads, mut frogs, mut free) = (0_usize, 0_usize, 0);

    // The toads, each with the blanks ahead of the one before it.
    let mut i = first;
    let mut unseen = 0; // blanks since the last piece
    while i < squares.len() && squares[i] != Square::Frog {
        if squares[i] == Square::Blank {
            unseen += 1;
        } else {
            free += (toads * unseen) as i64;
            toads += 1;
            unseen = 0;
        }
        i += 1;
    }
    *at = i;
    if i == squares.len() {
        free += (toads * unseen) as i64;
        return Some(Block {
            squares: first..i,
            toads,
            frogs,
            contested: None,
            free,
        });
    }

    // The frogs. A gap before the l-th of b frogs weighs b + 1 - l, and b is known only at the end.
    let (start, contested) = if toads > 0 {
        (first, Some(i - unseen..i))
    } else {
        (0, None)
    };
    unseen = if toads > 0 { 0 } else { i };
    let (mut blanks, mut blanks_by_place) = (0_i64, 0_i64);
    let mut end = i;
    while i < squares.len() && squares[i] != Square::Toad {
        if squares[i] == Square::Blank {
            unseen += 1;
        } else {
            frogs += 1;
            blanks += unseen as i64;
            blanks_by_place += (frogs * unseen) as i64;
            unseen = 0;
            end = i + 1;
        }
        i += 1;
    }
    *at = i;
    free -= (frogs as i64 + 1) * blanks - blanks_by_place;
    Some(Block {
        squares: start..end,
        toads,
        frogs,
        contested,
        free,
    })
}
