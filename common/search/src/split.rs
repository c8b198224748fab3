//! From a board to what is left of it: the parts between walls, without dead ends and without pieces that run free.
//!
//! *Walls and dead ends* are those of [`toads_strip::walls`], found with words of bits.
//!
//! *Runners.* Let the leftmost piece be a frog with j blanks behind it (to its left), m other frogs on the strip, and at
//! least m squares between it and the leftmost toad. Then the frog is worth −j and its square can be taken out:
//! value(.^j F X) = value(.^j X) − j.
//!
//! Proof. Call the strips G = .^j F X and H = .^j X, where we keep the frog on H's left edge, dead, so that both have
//! the same squares; H's other j moves of it are the integer −j. Frogs left of all toads are *passed*; those in the
//! unbroken run of passed frogs that ends right beside the leftmost toad are *near*, the others *far*. The second player keeps
//! G − H − (−j) such that the two strips have the same toads, the same frogs that are not passed, the same near frogs and equally
//! many far ones, and such that the moves the far ones have left are equally many on both sides, the integer counted.
//! A toad's move and a move of a frog that is not passed or near depends only on what is equal: a jump lands on the
//! square beside the leftmost toad, which is blank in both or in neither; a near frog can move only if it is the last of its
//! run, and then has a blank before it. So it can be copied. It keeps the runs equal unless a far frog stands where the run grows to; but the run
//! and the far frogs behind our frog are m at most, and between it and the leftmost toad, which only goes away, there are at least
//! m squares, so our frog is reached only when all the others are near, and no other frog is left to come: from then on
//! Right's moves are the free moves of passed frogs, and equally many. A move of a far frog, or of the
//! integer, is answered by a far frog or the integer of the other side: there is one, as their moves are equally many. ∎
//! (Tests compare every strip of up to ten squares.)

use crate::board::{Board, low};

/// Hands the parts of a board to `found` and adds the integers it holds to `integer`. Parts have moves for both kinds of
/// pieces, no walls, no dead ends and no runners.
#[inline]
pub(crate) fn split(board: Board, integer: &mut i64, mut found: impl FnMut(Board)) {
    let occupied = board.toads | board.frogs;
    let toad_pairs = board.toads & (board.toads >> 1);
    let frog_pairs = board.frogs & (board.frogs >> 1);
    let end = board.squares;
    let mut start = 0;
    let mut at = 0;
    // Runs at the edges may be walls by themselves; inside a wall needs both pairs.
    while at < end {
        let run = at + (occupied >> at).trailing_zeros().min(end - at);
        if run == end {
            break;
        }
        let run_end = run + (!(occupied >> run)).trailing_zeros().min(end - run);
        at = run_end;
        let inside = low(run_end) & !low(run);
        let last_frogs = || 128 - (frog_pairs & inside).leading_zeros() + 1;
        let (wall, wall_end) = match (run == 0, run_end == end) {
            (true, true) => return,
            (true, false) => {
                if frog_pairs & inside != 0 {
                    (0, last_frogs())
                } else {
                    (0, (board.frogs & 1) as u32)
                }
            }
            (false, true) => {
                if toad_pairs & inside != 0 {
                    ((toad_pairs & inside).trailing_zeros(), end)
                } else {
                    (end - (board.toads >> (end - 1) & 1) as u32, end)
                }
            }
            (false, false) => {
                if toad_pairs & inside == 0 || frog_pairs & inside == 0 {
                    continue;
                }
                ((toad_pairs & inside).trailing_zeros(), last_frogs())
            }
        };
        if wall < wall_end {
            if wall > start {
                settle(board.cut(start, wall), integer, &mut found);
            }
            start = wall_end;
        }
    }
    if start < end {
        settle(board.cut(start, end), integer, &mut found);
    }
}

/// A part between walls: takes its runners out, and hands it on if it is not an integer.
#[inline]
fn settle(mut part: Board, integer: &mut i64, found: &mut impl FnMut(Board)) {
    loop {
        if part.frogs == 0 {
            *integer += i64::from(part.most());
            return;
        }
        if part.toads == 0 {
            *integer -= i64::from(part.least());
            return;
        }
        let (frog, toad) = (part.frogs.trailing_zeros(), part.toads.trailing_zeros());
        if frog < toad && toad - 1 - frog >= part.frogs.count_ones() - 1 {
            *integer -= i64::from(frog);
            part = Board {
                toads: part.toads >> 1,
                frogs: (part.frogs ^ 1 << frog) >> 1,
                squares: part.squares - 1,
            };
            continue;
        }
        let (frog, toad) = (
            127 - part.frogs.leading_zeros(),
            127 - part.toads.leading_zeros(),
        );
        if toad > frog && toad - 1 - frog >= part.toads.count_ones() - 1 {
            *integer += i64::from(part.squares - 1 - toad);
            part.toads ^= 1 << toad;
            part.squares -= 1;
            continue;
        }
        break;
    }
    if part.most() != 0 || part.least() != 0 {
        found(part);
    }
}
