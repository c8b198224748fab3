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
        let (frog, toad) = (part.frogs.ilog2(), part.toads.ilog2());
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

#[cfg(test)]
mod tests {
    use super::split;
    use crate::board::Board;
    use toads_game::{Arena, Value};
    use toads_strip::{Player, Strip, Variant, walls};

    fn parts(text: &str) -> (i64, Vec<String>) {
        let mut integer = 0;
        let mut parts = Vec::new();
        let strip = Strip::parse(text).unwrap();
        split(Board::new(&strip), &mut integer, |part| {
            parts.push(text_of(part));
        });
        (integer, parts)
    }

    fn text_of(board: Board) -> String {
        Strip::from(board.to_squares()).to_string()
    }

    #[test]
    fn runners_become_integers_and_parts_are_left() {
        for (text, integer, left) in [
            ("T.F", 0, vec!["T.F"]),
            ("FT.FT", 0, vec!["T.F"]),
            ("T.TTFF.F", 0, vec![]),
            ("..F..T.F", -2, vec!["....T.F"]),
            ("..F.T.F", -2, vec!["...T.F"]),
            (".FT.F", 0, vec![".FT.F"]), // a frog too near for one that may come
            (".FT.", 0, vec![]),
            ("T.F..T..", 2, vec!["T.F...."]),
            ("..T", 0, vec![]),
            ("T..", 2, vec![]),
            ("TFTF", 0, vec![]),
        ] {
            let left = left.into_iter().map(str::to_owned).collect();
            assert_eq!(parts(text), (integer, left), "{text}");
        }
    }

    #[test]
    fn walls_are_those_of_the_strip_crate() {
        for index in 0..3_u128.pow(9) {
            let strip = Strip::from_index(9, index).unwrap();
            // Where no piece runs free the parts must be the same, letter by letter.
            let (integer, parts) = parts(&strip.to_string());
            let expected: Vec<_> = walls::split(&strip)
                .iter()
                .map(ToString::to_string)
                .collect();
            if integer == 0 && parts.concat().len() == expected.concat().len() {
                assert_eq!(parts, expected, "{strip}");
            }
        }
    }

    /// The value of every strip of up to 10 squares is that of its parts and its integer.
    #[test]
    fn no_value_changes() {
        let arena = Arena::new();
        for squares in 1..=10_usize {
            let count = 3_usize.pow(squares as u32);
            let mut values: Vec<Value> = Vec::with_capacity(count);
            for index in 0..count {
                let strip = Strip::from_index(squares, index as u128).unwrap();
                let options = |player| -> Vec<Value> {
                    let moves = strip.moves(Variant::Hop, player).into_iter();
                    moves
                        .map(|option| values[option.index().unwrap() as usize])
                        .collect()
                };
                let value = arena.canonical(&options(Player::Left), &options(Player::Right));
                values.push(value.unwrap());
            }
            for (index, &value) in values.iter().enumerate() {
                let strip = Strip::from_index(squares, index as u128).unwrap();
                let (integer, parts) = parts(&strip.to_string());
                let mut sum = arena.integer(integer).unwrap();
                for part in parts {
                    // A part padded with dead ends is a strip of these squares with the same value.
                    let padded = "F".repeat(squares - part.len()) + &part;
                    let padded = Strip::parse(&padded).unwrap().index().unwrap();
                    sum = arena.add(sum, values[padded as usize]).unwrap();
                }
                assert_eq!(sum, value, "{strip}");
            }
        }
    }
}
