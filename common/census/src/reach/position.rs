//! A strip of at most 63 squares as two words of bits, and its moves.

use std::hash::{Hash, Hasher};

use toads_strip::{Square, Strip};

/// Bit i of a word is square i from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    pub(super) toads: u64,
    pub(super) frogs: u64,
    pub(super) squares: u32,
}

impl Hash for Position {
    /// The words of few pieces differ in few bits, at either end: both halves of a product know all of them.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let toads = self.toads ^ 0x9e37_79b9_7f4a_7c15;
        let frogs = self.frogs.rotate_left(32) ^ 0xbf58_476d_1ce4_e5b9 ^ u64::from(self.squares);
        let product = u128::from(toads) * u128::from(frogs);
        state.write_u64((product >> 64) as u64 ^ product as u64);
    }
}

/// The most squares of a [`Position`].
pub(super) const MAX_SQUARES: usize = 63;

impl Position {
    /// `None` for more than [`MAX_SQUARES`] squares.
    pub(super) fn new(squares: &[Square]) -> Option<Self> {
        if squares.len() > MAX_SQUARES {
            return None;
        }
        let bits = |what: Square| {
            let places = squares.iter().enumerate();
            places
                .filter(|&(_, &square)| square == what)
                .fold(0, |bits, (at, _)| bits | 1 << at)
        };
        Some(Self {
            toads: bits(Square::Toad),
            frogs: bits(Square::Frog),
            squares: squares.len() as u32,
        })
    }

    pub(super) fn strip(self) -> Strip {
        (0..self.squares)
            .map(|at| match (self.toads >> at & 1, self.frogs >> at & 1) {
                (1, _) => Square::Toad,
                (_, 1) => Square::Frog,
                _ => Square::Blank,
            })
            .collect()
    }

    pub(super) fn mirror(self) -> Self {
        let reverse = |bits: u64| {
            bits.reverse_bits()
                .checked_shr(64 - self.squares)
                .unwrap_or(0)
        };
        Self {
            toads: reverse(self.frogs),
            frogs: reverse(self.toads),
            squares: self.squares,
        }
    }

    pub(super) fn blanks(self) -> u64 {
        !(self.toads | self.frogs) & ((1 << self.squares) - 1)
    }

    /// The squares from `start` up to `end`.
    pub(super) fn part(self, start: u32, end: u32) -> Self {
        let mask = (1 << (end - start)) - 1;
        Self {
            toads: self.toads >> start & mask,
            frogs: self.frogs >> start & mask,
            squares: end - start,
        }
    }

    /// Shows the positions after each move of a player, with jumps.
    pub(super) fn moves(self, left: bool, mut visit: impl FnMut(Self)) {
        let blanks = self.blanks();
        let (own, other) = if left {
            (self.toads, self.frogs)
        } else {
            (self.frogs, self.toads)
        };
        let (steps, jumps) = if left {
            (own & blanks >> 1, own & other >> 1 & blanks >> 2)
        } else {
            (own & blanks << 1, own & other << 1 & blanks << 2)
        };
        for (mut movable, by) in [(steps, 1), (jumps, 2)] {
            while movable != 0 {
                let from = movable & movable.wrapping_neg();
                movable ^= from;
                visit(if left {
                    Self {
                        toads: self.toads ^ from ^ from << by,
                        ..self
                    }
                } else {
                    Self {
                        frogs: self.frogs ^ from ^ from >> by,
                        ..self
                    }
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Position;
    use toads_strip::{Player, Strip, Variant};

    #[test]
    fn moves_and_mirrors_are_those_of_strips() {
        for index in 0..3_u128.pow(8) {
            let strip = Strip::from_index(8, index).unwrap();
            let position = Position::new(&strip).unwrap();
            assert_eq!(position.strip(), strip);
            assert_eq!(position.mirror().strip(), strip.mirror());
            for player in Player::BOTH {
                let mut found = vec![];
                position.moves(player == Player::Left, |next| found.push(next.strip()));
                found.sort();
                let mut expected = strip.moves(Variant::Hop, player);
                expected.sort();
                assert_eq!(found, expected, "{strip} {player}");
            }
        }
        assert_eq!(Position::new(&Strip::parse("T64").unwrap()), None);
        let empty = Position::new(&[]).unwrap();
        assert_eq!(empty.mirror(), empty);
    }
}
