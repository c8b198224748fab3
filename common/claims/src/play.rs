//! Who wins, by playing: no theory, only the rules. The hopless strips are two words of bits.

use rustc_hash::FxHashMap;
use toads_strip::{Outcome, Square};

/// A sum of a hopless strip of at most 64 squares, an integer, and perhaps ∗.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sum {
    /// Bit i is square i from the left.
    toads: u64,
    frogs: u64,
    squares: u32,
    /// So many moves for Left, or, below 0, for Right.
    integer: i32,
    star: bool,
}

impl Sum {
    /// # Panics
    /// When there are more than 64 squares.
    pub(crate) fn new(squares: &[Square], integer: i32, star: bool) -> Self {
        assert!(
            squares.len() <= 64,
            "a strip for play has 64 squares at most"
        );
        let bits = |what: Square| {
            squares
                .iter()
                .enumerate()
                .filter(|&(_, &square)| square == what)
                .fold(0, |bits, (at, _)| bits | 1 << at)
        };
        Self {
            toads: bits(Square::Toad),
            frogs: bits(Square::Frog),
            squares: squares.len() as u32,
            integer,
            star,
        }
    }

    /// The positions after each move of a player.
    fn moves(self, left: bool) -> impl Iterator<Item = Self> {
        let all = u64::MAX.checked_shr(64 - self.squares).unwrap_or(0);
        let blanks = all & !(self.toads | self.frogs);
        let movable = if left {
            self.toads & (blanks >> 1)
        } else {
            self.frogs & (blanks << 1)
        };
        let steps = std::iter::successors(Some(movable), |&rest| Some(rest & rest.wrapping_sub(1)))
            .take_while(|&rest| rest != 0)
            .map(move |rest| {
                let from = rest & rest.wrapping_neg();
                if left {
                    let toads = self.toads ^ from ^ (from << 1);
                    Self { toads, ..self }
                } else {
                    let frogs = self.frogs ^ from ^ (from >> 1);
                    Self { frogs, ..self }
                }
            });
        let star = self.star.then_some(Self {
            star: false,
            ..self
        });
        let sign = if left { 1 } else { -1 };
        let integer = (self.integer * sign > 0).then_some(Self {
            integer: self.integer - sign,
            ..self
        });
        steps.chain(star).chain(integer)
    }
}

/// Plays sums out and remembers who won.
pub(crate) struct Play {
    known: FxHashMap<(Sum, bool), bool>,
    /// No more positions than this are remembered.
    limit: usize,
}

impl Play {
    /// Gives up where more than `limit` positions would have to be remembered; some 100 bytes each.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            known: FxHashMap::default(),
            limit,
        }
    }

    /// Who wins, or `None` if it takes too many positions to find out.
    pub(crate) fn outcome(&mut self, sum: Sum) -> Option<Outcome> {
        let left = self.mover_wins(sum, true)?;
        let right = self.mover_wins(sum, false)?;
        Some(Outcome::from_first_player_wins(left, right))
    }

    fn mover_wins(&mut self, sum: Sum, left: bool) -> Option<bool> {
        if let Some(&wins) = self.known.get(&(sum, left)) {
            return Some(wins);
        }
        if self.known.len() >= self.limit {
            return None;
        }
        let mut wins = false;
        for option in sum.moves(left) {
            if !self.mover_wins(option, !left)? {
                wins = true;
                break;
            }
        }
        self.known.insert((sum, left), wins);
        Some(wins)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use toads_strip::Strip;

    fn outcome(text: &str, integer: i32, star: bool) -> Option<Outcome> {
        let strip = Strip::parse(text).unwrap();
        Play::new(1_000).outcome(Sum::new(&strip, integer, star))
    }

    #[test]
    fn small_sums_are_played_out() {
        assert_eq!(outcome("T.F", 0, false), Some(Outcome::N));
        assert_eq!(outcome("T.F", 0, true), Some(Outcome::P));
        assert_eq!(outcome("TT.", -2, false), Some(Outcome::P));
        assert_eq!(outcome("TT.", -1, true), Some(Outcome::L));
        assert_eq!(outcome("TT.", -3, false), Some(Outcome::R));
        assert_eq!(outcome("TT.F", -1, false), Some(Outcome::N));
        assert_eq!(outcome("TT.F", -2, false), Some(Outcome::R));
        assert_eq!(outcome("TT.F", 0, false), Some(Outcome::N));
    }

    #[test]
    fn too_large_a_search_is_given_up() {
        let strip = Strip::parse("T10 .5 F10").unwrap();
        assert_eq!(Play::new(50).outcome(Sum::new(&strip, 0, false)), None);
    }

    #[test]
    fn sixty_four_squares_fit() {
        let strip = Strip::parse("T62 . F").unwrap();
        let play = |integer| Play::new(10_000).outcome(Sum::new(&strip, integer, false));
        // {61 | 0}
        assert_eq!(play(0), Some(Outcome::N));
        assert_eq!(play(-62), Some(Outcome::R));
        assert_eq!(play(1), Some(Outcome::L));
    }
}
