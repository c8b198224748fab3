//! The components of a strip without jumps.

use super::block::{Block, blocks};
use crate::square::Square;
use std::ops::Range;

/// Toads facing frogs, between two walls or edges: the largest pieces of a strip that do not feel each other.
///
/// Squares count from 0, in the strip. Blanks that no piece of the component can ever reach are not in its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// From the hindmost toad to the hindmost frog; to the edge of the strip where there are no toads, or no frogs.
    pub squares: Range<usize>,
    /// How many toads, a.
    pub toads: usize,
    /// How many frogs, b. Not both are 0.
    pub frogs: usize,
    /// The blanks between the foremost toad and the foremost frog, possibly none; `None` where there are no
    /// toads or no frogs. Its length is G.
    pub contested: Option<Range<usize>>,
    /// Gaps only toads will cross, from left to right; empty gaps are left out.
    pub toad_gaps: Vec<Gap>,
    /// Gaps only frogs will cross, from left to right; empty gaps are left out.
    pub frog_gaps: Vec<Gap>,
}

/// Blanks that only one side will cross.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The blanks; at least one.
    pub squares: Range<usize>,
    /// How many pieces stand behind the gap: each of its blanks is worth so many moves.
    pub weight: usize,
}

impl Gap {
    /// The free moves in it: weight times length.
    pub fn moves(&self) -> i64 {
        (self.weight * self.squares.len()) as i64
    }
}

/// What a component is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Worth {
    /// An even contested gap, or none.
    Integer(i64),
    /// An odd contested gap: the switch {left | right}, left ≥ right; equal for one toad and one frog (integer + ∗).
    Switch {
        /// What is left after Left's move into the gap.
        left: i64,
        /// What is left after Right's.
        right: i64,
    },
}

impl Component {
    /// Left's free moves, Σ i·gᵢ over the gaps of her block.
    pub fn left_free_moves(&self) -> i64 {
        self.toad_gaps.iter().map(Gap::moves).sum()
    }

    /// Right's free moves, a count of at least 0.
    pub fn right_free_moves(&self) -> i64 {
        self.frog_gaps.iter().map(Gap::moves).sum()
    }

    /// The length of the contested gap, 0 where there is none.
    pub fn gap(&self) -> usize {
        self.contested.as_ref().map_or(0, ExactSizeIterator::len)
    }

    /// Whether the contested gap is odd, so that the component is a switch.
    pub fn is_odd(&self) -> bool {
        self.gap() % 2 == 1
    }

    /// The value, by the theorems of the [module](super).
    pub fn worth(&self) -> Worth {
        let free = self.left_free_moves() - self.right_free_moves();
        worth(self.toads, self.frogs, self.gap(), free)
    }
}

/// Theorems 1 and 2 of the [module](super).
pub(super) fn worth(toads: usize, frogs: usize, gap: usize, free: i64) -> Worth {
    let (a, b, half_gap) = (toads as i64, frogs as i64, (gap / 2) as i64);
    let m = free + (a - b) * half_gap;
    if gap.is_multiple_of(2) {
        Worth::Integer(m)
    } else {
        Worth::Switch {
            left: m + (a - 1),
            right: m - (b - 1),
        }
    }
}

/// The components from left to right. Linear time; a strip of n squares has at most n/2 + 1.
pub fn components(squares: &[Square]) -> Vec<Component> {
    blocks(squares)
        .map(|block| describe(block, squares))
        .collect()
}

/// How many components have an odd contested gap, and so are switches. Linear time, no allocation.
pub fn odd_gaps(squares: &[Square]) -> usize {
    blocks(squares).filter(|block| block.gap() % 2 == 1).count()
}

/// A component, from its block.
fn describe(block: Block, squares: &[Square]) -> Component {
    let Block {
        squares: range,
        toads,
        frogs,
        contested,
        ..
    } = block;
    // The toads' own squares end, and the frogs' begin, at the contested gap; a block without one has all
    // of them.
    let ours = match (&contested, toads) {
        (Some(gap), _) => (range.start..gap.start, gap.end..range.end),
        (None, 0) => (range.start..range.start, range.clone()),
        (None, _) => (range.clone(), range.end..range.end),
    };
    let mut behind = 0;
    let toad_gaps = gaps(squares, ours.0, |pieces| {
        behind += pieces;
        behind
    });
    let mut ahead = frogs;
    let frog_gaps = gaps(squares, ours.1, |pieces| {
        ahead -= pieces;
        ahead
    });
    Component {
        squares: range,
        toads,
        frogs,
        contested,
        toad_gaps,
        frog_gaps,
    }
}

/// The gaps in a range, from left to right; `weigh` is told how many pieces stand since the last gap.
fn gaps(
    squares: &[Square],
    range: Range<usize>,
    mut weigh: impl FnMut(usize) -> usize,
) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let mut at = range.start;
    let mut pieces = 0;
    for run in squares[range].chunk_by(|&a, &b| (a == Square::Blank) == (b == Square::Blank)) {
        if run[0] == Square::Blank {
            gaps.push(Gap {
                squares: at..at + run.len(),
                weight: weigh(pieces),
            });
        } else {
            pieces = run.len();
        }
        at += run.len();
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::{Component, Gap, Worth, blocks, components, odd_gaps};
    use crate::{Square, Strip};
    use proptest::prelude::*;

    fn read(text: &str) -> Vec<Component> {
        components(&Strip::parse(text).unwrap())
    }

    #[test]
    fn gaps_and_weights() {
        // A block of three toads, one of three frogs, and a toad that walks away from them.
        let found = read("TT.T..F.FFT..");
        assert_eq!(found.len(), 2);
        let expected = Component {
            squares: 0..10,
            toads: 3,
            frogs: 3,
            contested: Some(4..6),
            toad_gaps: vec![Gap {
                squares: 2..3,
                weight: 2,
            }],
            frog_gaps: vec![Gap {
                squares: 7..8,
                weight: 2,
            }],
        };
        assert_eq!(found[0], expected);
        assert_eq!(found[1].squares, 10..13);
        assert_eq!(found[1].contested, None);
        assert_eq!(found[1].worth(), Worth::Integer(2));
    }

    #[test]
    fn edges_belong_to_blocks_without_an_enemy() {
        let found = read("..F.FF");
        assert_eq!(found[0].squares, 0..6);
        assert_eq!(
            found[0].frog_gaps,
            [
                Gap {
                    squares: 0..2,
                    weight: 3
                },
                Gap {
                    squares: 3..4,
                    weight: 2
                }
            ]
        );
        assert_eq!(found[0].worth(), Worth::Integer(-8));
        assert_eq!(read("TT.T..")[0].worth(), Worth::Integer(8));
    }

    #[test]
    fn blanks_behind_the_pieces_are_in_no_component() {
        let found = read("..T.F..T.F..");
        let ranges: Vec<_> = found
            .iter()
            .map(|component| component.squares.clone())
            .collect();
        assert_eq!(ranges, [2..5, 7..10]);
        assert_eq!(read("...."), []);
        assert_eq!(read("TF")[0].contested, Some(1..1));
    }

    #[test]
    fn worths() {
        assert_eq!(read("T.F")[0].worth(), Worth::Switch { left: 0, right: 0 });
        assert_eq!(read("TT.F")[0].worth(), Worth::Switch { left: 1, right: 0 });
        assert_eq!(
            read("TT...FFF")[0].worth(),
            Worth::Switch { left: 0, right: -3 }
        );
        assert_eq!(read("TTT..F")[0].worth(), Worth::Integer(2));
    }

    proptest! {
        #[test]
        fn the_quick_scan_agrees_with_the_description(
            squares in prop::collection::vec(prop::sample::select(&Square::ALL[..]), 0..80)
        ) {
            let described = components(&squares);
            let scanned: Vec<_> = blocks(&squares).collect();
            prop_assert_eq!(described.len(), scanned.len());
            for (component, block) in described.iter().zip(&scanned) {
                prop_assert_eq!(component.worth(), block.worth());
            }
            prop_assert_eq!(odd_gaps(&squares), described.iter().filter(|component| component.is_odd()).count());
            prop_assert_eq!(described.iter().map(|c| c.toads + c.frogs).sum::<usize>(),
                squares.iter().filter(|&&square| square != Square::Blank).count());
            prop_assert!(described.windows(2).all(|pair| pair[0].squares.end <= pair[1].squares.start));
        }
    }
}
