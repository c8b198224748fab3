//! Dead ends: squares at an end of a strip that never move again, so that the strip is worth one of a smaller class.
//!
//! A frog on the leftmost square is dead. And so is every piece of a prefix without blanks that ends with two frogs: nothing
//! inside has a blank to go to, no toad can pass two frogs, and no frog from outside can enter or jump in. (At the other end the
//! mirror image: a toad, or a suffix without blanks that begins with two toads.) The shortest such end is taken; then the
//! squares behind it are those of the smaller strip.

use toads_strip::Class;

use super::word::{FROG, TOAD};
use crate::shard::Shard;

/// How many kinds of dead ends there are, each the shortest of its strip and at most five squares long.
pub(super) const KINDS: usize = 5;

/// What a dead end consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) squares: u8,
    /// Pieces that are dead on this end by themselves: frogs on the left, toads on the right.
    pub(super) own: u8,
    /// The other player's pieces.
    pub(super) other: u8,
}

impl Kind {
    /// The shard without this dead end on its left, if a census computes it.
    pub(super) fn left_off(self, shard: Shard) -> Option<Shard> {
        self.off(shard, self.other, self.own)
    }

    /// The shard without this dead end on its right.
    pub(super) fn right_off(self, shard: Shard) -> Option<Shard> {
        self.off(shard, self.own, self.other)
    }

    fn off(self, shard: Shard, toads: u8, frogs: u8) -> Option<Shard> {
        let class = Class {
            n: shard.class.n.checked_sub(self.squares)?,
            toads: shard.class.toads.checked_sub(toads)?,
            frogs: shard.class.frogs.checked_sub(frogs)?,
        };
        (class.n > 0 && class.is_computed()).then(|| Shard::whole(shard.variant, class))
    }
}

/// The kinds, shortest first. On the right: T; TTF; TTFF; TTFFF; TTFTF.
pub(super) const DEAD_ENDS: [Kind; KINDS] =
    [kind(1, 0), kind(2, 1), kind(2, 2), kind(2, 3), kind(3, 2)];

const fn kind(own: u8, other: u8) -> Kind {
    Kind {
        squares: own + other,
        own,
        other,
    }
}

/// The kind of the dead end on the left of a word, as an index into [`DEAD_ENDS`]; `digits` are its squares, leftmost first.
pub(super) fn on_the_left(digits: &[u32]) -> Option<usize> {
    dead_end(digits.iter().copied(), FROG, TOAD)
}

/// The kind of the dead end on the right.
pub(super) fn on_the_right(digits: &[u32]) -> Option<usize> {
    dead_end(digits.iter().rev().copied(), TOAD, FROG)
}

/// Reads from the end inwards.
fn dead_end(squares: impl Iterator<Item = u32>, own: u32, other: u32) -> Option<usize> {
    let (mut owns, mut others, mut last) = (0, 0, own);
    for square in squares {
        if square == own {
            owns += 1;
            if last == own {
                let ends = kind(owns, others);
                return DEAD_ENDS.iter().position(|&kind| kind == ends);
            }
        } else if square == other {
            others += 1;
        } else {
            return None;
        }
        last = square;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_dead_end_is_found() {
        let kinds = |word: &str| {
            let digit = |square: char| "F.T".find(square).unwrap() as u32;
            let digits: Vec<u32> = word.chars().map(digit).collect();
            (on_the_left(&digits), on_the_right(&digits))
        };
        assert_eq!(kinds("F.T"), (Some(0), Some(0)));
        assert_eq!(kinds("FFTT"), (Some(0), Some(0)));
        assert_eq!(kinds("TFF..TTF"), (Some(1), Some(1)));
        assert_eq!(kinds("TTFF."), (Some(2), None));
        assert_eq!(kinds(".TTFF"), (None, Some(2)));
        assert_eq!(kinds("TTTFF.TTFFF"), (Some(3), Some(3)));
        assert_eq!(kinds("TFTFF.TTFTF"), (Some(4), Some(4)));
        assert_eq!(kinds("TF.FF"), (None, None));
        assert_eq!(kinds("TTTTFF."), (None, None), "longer than five");
    }
}
