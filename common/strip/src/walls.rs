//! Walls: blocks that never move again, and the independent parts between them, in both variants.
//!
//! A *wall* is a blank-free block of squares that
//!
//! - starts with `TT` and ends with `FF`, as `TTFF` or `TTFTFF`; or
//! - starts at the left edge of the strip and ends with `FF`, or is all `F`, as `TFF` or `F`; or
//! - ends at the right edge and starts with `TT`, or is all `T`, as `TTF` or `T`; or
//! - is the whole strip.
//!
//! *Nothing in a wall ever moves*, with or without jumps. As long as nothing has moved there is no blank inside to
//! go to, so the first piece to move would leave the block. A frog leaves to the left, from one of the two leftmost
//! squares, by a step or a jump over one toad; but toads stand on both, or the strip ends there, or the block has no frogs.
//! By the mirror no toad leaves to the right.
//!
//! *Nothing outside feels what is on the other side.* A toad that comes up to the wall from the left meets a toad, which it
//! can neither move onto nor jump; frogs there go the other way. By the mirror the same holds on the right. So for
//! the squares on either side the wall is an edge of the strip, and value(P W Q) = value(P) + value(Q).

use crate::moves::legal_moves;
use crate::player::Player;
use crate::square::Square;
use crate::strip::Strip;
use crate::variant::Variant;
use std::ops::Range;

/// The independent parts of a strip, from left to right: its value is the sum of theirs, in either variant.
///
/// Walls are left out, and parts in which nobody can move even with jumps, which are worth 0. No parts at all
/// means that the strip is worth 0. Parts cannot be split further: `split` of a part is that part. Linear time.
pub fn split(squares: &[Square]) -> Vec<Strip> {
    parts(squares)
        .into_iter()
        .map(|part| Strip::new(&squares[part]))
        .collect()
}

/// Where the [independent parts](split) are: disjoint, from left to right.
pub fn parts(squares: &[Square]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for wall in walls(squares)
        .into_iter()
        .chain(std::iter::once(squares.len()..squares.len()))
    {
        let part = start..wall.start;
        let moves = |player| {
            legal_moves(&squares[part.clone()], Variant::Hop, player)
                .next()
                .is_some()
        };
        if Player::BOTH.into_iter().any(moves) {
            parts.push(part);
        }
        start = wall.end;
    }
    parts
}

/// The walls of a strip, each as long as it can be: disjoint, from left to right. Linear time.
pub fn walls(squares: &[Square]) -> Vec<Range<usize>> {
    let mut walls = Vec::new();
    let mut start = 0;
    for run in squares.split(|&square| square == Square::Blank) {
        let range = start..start + run.len();
        start = range.end + 1;
        walls_of_run(run, range.start == 0, range.end == squares.len(), |wall| {
            walls.push(range.start + wall.start..range.start + wall.end);
        });
    }
    walls
}

/// The walls of a maximal blank-free run: at most two, of which the first is at the left edge and the second at
/// the right.
fn walls_of_run(
    run: &[Square],
    at_left: bool,
    at_right: bool,
    mut found: impl FnMut(Range<usize>),
) {
    if run.is_empty() {
        return;
    }
    if at_left && at_right {
        return found(0..run.len());
    }
    let first_toads = run.windows(2).position(|pair| pair == [Square::Toad; 2]);
    let last_frogs = run
        .windows(2)
        .rposition(|pair| pair == [Square::Frog; 2])
        .map(|at| at + 2);
    let wall = if at_left {
        // Without `FF`, only a single leading frog is dead.
        0..last_frogs.unwrap_or_else(|| usize::from(run[0] == Square::Frog))
    } else if at_right {
        first_toads.unwrap_or_else(|| run.len() - usize::from(run[run.len() - 1] == Square::Toad))
            ..run.len()
    } else if let (Some(start), Some(end)) = (first_toads, last_frogs) {
        start..end
    } else {
        return;
    };
    if wall.start < wall.end {
        found(wall);
    }
}

#[cfg(test)]
mod tests {
    use super::{split, walls};
    use crate::{Square, Strip};
    use proptest::prelude::*;

    fn parts(text: &str) -> Vec<String> {
        split(&Strip::parse(text).unwrap())
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn walls_part_the_strip() {
        for (text, expected) in [
            ("T.F", vec!["T.F"]),
            ("T.TTFF.F", vec!["T.", ".F"]),
            ("T.TTFTFF.F", vec!["T.", ".F"]),
            ("T.FTTFFT.F", vec!["T.F", "T.F"]),
            ("T.TTF.F", vec!["T.TTF.F"]),
            ("FT.F", vec!["T.F"]),
            ("TFFT.F", vec!["T.F"]),
            ("TFTFF.F", vec![".F"]),
            ("T.FTTF", vec!["T.F"]),
            ("T.TTFTF", vec!["T."]),
            ("TTFF", vec![]),
            ("TFTF", vec![]),
            ("...", vec![]),
            ("F..T", vec![]),
            ("F.TTFF.T", vec![]),
            ("TF.FT", vec!["TF.F"]),
            ("T.TTFF..TTFF.F", vec!["T.", ".F"]),
            ("T.TTFFT.FTTFF.F", vec!["T.", "T.F", ".F"]),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
    }

    #[test]
    fn walls_are_as_long_as_can_be() {
        let strip = Strip::parse("FFT.FTTFFTFFT.TTF").unwrap();
        assert_eq!(walls(&strip), [0..2, 5..12, 14..17]);
        assert_eq!(walls(&[]), []);
    }

    proptest! {
        #[test]
        fn parts_cannot_be_split_further(
            squares in prop::collection::vec(prop::sample::select(&Square::ALL[..]), 0..60)
        ) {
            for part in split(&squares) {
                prop_assert_eq!(split(&part), vec![part]);
            }
        }
    }
}
