//! A hop strip as two words of bits: moves, mirror, cuts and what either player can do at most.

use toads_strip::Square;

/// The most squares a board has.
pub const MAX_SQUARES: usize = 128;

/// A strip of at most [`MAX_SQUARES`] squares. Bit i is square i from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Board {
    pub(crate) toads: u128,
    pub(crate) frogs: u128,
    pub(crate) squares: u32,
}

/// The `count` lowest bits; `count` is 128 at most.
#[inline]
pub(crate) fn low(count: u32) -> u128 {
    u128::MAX.checked_shr(128 - count).unwrap_or(0)
}

/// The positions of the bits, from the lowest.
#[inline]
fn bits(word: u128) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(word), |&rest| Some(rest & rest.wrapping_sub(1)))
        .take_while(|&rest| rest != 0)
        .map(u128::trailing_zeros)
}

impl Board {
    /// The board of these squares, [`MAX_SQUARES`] at most.
    pub(crate) fn new(squares: &[Square]) -> Self {
        debug_assert!(squares.len() <= MAX_SQUARES);
        let bits = |what: Square| {
            let at = squares.iter().enumerate().filter(|&(_, &s)| s == what);
            at.fold(0, |bits, (at, _)| bits | 1 << at)
        };
        Self {
            toads: bits(Square::Toad),
            frogs: bits(Square::Frog),
            squares: squares.len() as u32,
        }
    }

    /// The squares, from left to right.
    pub(crate) fn to_squares(self) -> Vec<Square> {
        let square = |at: u32| match (self.toads >> at & 1, self.frogs >> at & 1) {
            (1, _) => Square::Toad,
            (_, 1) => Square::Frog,
            _ => Square::Blank,
        };
        (0..self.squares).map(square).collect()
    }

    #[inline]
    pub(crate) fn blanks(self) -> u128 {
        !(self.toads | self.frogs) & low(self.squares)
    }

    /// Reversed, with toads and frogs exchanged: the negative.
    #[inline]
    pub(crate) fn mirror(self) -> Self {
        if self.squares == 0 {
            return self;
        }
        let by = 128 - self.squares;
        Self {
            toads: self.frogs.reverse_bits() >> by,
            frogs: self.toads.reverse_bits() >> by,
            squares: self.squares,
        }
    }

    /// The squares from `start` to before `end`.
    #[inline]
    pub(crate) fn cut(self, start: u32, end: u32) -> Self {
        let keep = low(end - start);
        Self {
            toads: self.toads.checked_shr(start).unwrap_or(0) & keep,
            frogs: self.frogs.checked_shr(start).unwrap_or(0) & keep,
            squares: end - start,
        }
    }

    /// The boards Left can move to.
    #[inline]
    pub(crate) fn left_moves(self) -> impl Iterator<Item = Self> {
        let blanks = self.blanks();
        let steps = self.toads & (blanks >> 1);
        let jumps = self.toads & (self.frogs >> 1) & (blanks >> 2);
        bits(steps)
            .map(|at| 0b11 << at)
            .chain(bits(jumps).map(|at| 0b101 << at))
            .map(move |flip: u128| Self {
                toads: self.toads ^ flip,
                ..self
            })
    }

    /// The boards Right can move to.
    #[inline]
    pub(crate) fn right_moves(self) -> impl Iterator<Item = Self> {
        let blanks = self.blanks();
        let steps = self.frogs & (blanks << 1);
        let jumps = self.frogs & (self.toads << 1) & (blanks << 2);
        bits(steps)
            .map(|at| 0b11 << (at - 1))
            .chain(bits(jumps).map(|at| 0b101 << (at - 2)))
            .map(move |flip: u128| Self {
                frogs: self.frogs ^ flip,
                ..self
            })
    }

    /// How many moves Left can make at most while Right makes none: each toad passes the blanks on its right,
    /// up to the first two frogs in a row. The value is no more than this.
    #[inline]
    pub(crate) fn most(self) -> u32 {
        let blanks = self.blanks();
        let pairs = self.frogs & (self.frogs >> 1);
        bits(self.toads)
            .map(|at| {
                let ahead = blanks >> at;
                let stop = (pairs >> at).trailing_zeros();
                (ahead & low(stop)).count_ones()
            })
            .sum()
    }

    /// How many moves Right can make at most while Left makes none.
    #[inline]
    pub(crate) fn least(self) -> u32 {
        let blanks = self.blanks();
        let pairs = self.toads & (self.toads << 1);
        bits(self.frogs)
            .map(|at| {
                let behind = low(at);
                let stop = 128 - (pairs & behind).leading_zeros();
                (blanks & behind & !low(stop)).count_ones()
            })
            .sum()
    }

    /// 128 bits that tell boards apart; see [`crate::table`] for how far they can be trusted.
    #[inline]
    pub(crate) fn hash(self) -> u128 {
        let words = [
            self.toads as u64,
            (self.toads >> 64) as u64,
            self.frogs as u64,
            (self.frogs >> 64) as u64,
        ];
        scramble(words, u64::from(self.squares))
    }
}

/// A 128-bit fingerprint of four words and a small number.
#[inline]
pub(crate) fn scramble(words: [u64; 4], small: u64) -> u128 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let lane = |keys: [u64; 6]| {
        let x = fold(words[0] ^ keys[0], words[1] ^ keys[1]);
        let y = fold(words[2] ^ keys[2], words[3] ^ keys[3]);
        let z = small.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        fold(x ^ keys[4], y.rotate_left(29) ^ z ^ keys[5])
    };
    let first = lane([
        0x243f_6a88_85a3_08d3,
        0x1319_8a2e_0370_7344,
        0xa409_3822_299f_31d0,
        0x082e_fa98_ec4e_6c89,
        0x4528_21e6_38d0_1377,
        0xbe54_66cf_34e9_0c6c,
    ]);
    let second = lane([
        0xc0ac_29b7_c97c_50dd,
        0x3f84_d5b5_b547_0917,
        0x9216_d5d9_8979_fb1b,
        0xd131_0ba6_98df_b5ac,
        0x2ffd_72db_d01a_dfb7,
        0xb8e1_afed_6a26_7e96,
    ]);
    u128::from(first) << 64 | u128::from(second)
}

#[cfg(test)]
mod tests {
    use super::{Board, MAX_SQUARES};
    use proptest::prelude::*;
    use toads_strip::{Player, Square, Strip, Variant};

    fn strips() -> impl Strategy<Value = Strip> {
        prop::collection::vec(prop::sample::select(&Square::ALL[..]), 1..=MAX_SQUARES)
            .prop_map(Strip::from)
    }

    /// The most moves of one player alone, by making them.
    fn alone(strip: &Strip, player: Player) -> u32 {
        let after = |step| 1 + alone(&strip.after(step), player);
        strip
            .legal_moves(Variant::Hop, player)
            .map(after)
            .max()
            .unwrap_or(0)
    }

    proptest! {
        #[test]
        fn moves_and_mirror_are_those_of_the_strip(strip in strips()) {
            let board = Board::new(&strip);
            prop_assert_eq!(board.mirror(), Board::new(&strip.mirror()));
            prop_assert_eq!(&board.to_squares()[..], strip.squares());
            for (player, mut moved) in [
                (Player::Left, board.left_moves().collect::<Vec<_>>()),
                (Player::Right, board.right_moves().collect()),
            ] {
                let mut expected: Vec<_> =
                    strip.moves(Variant::Hop, player).iter().map(|option| Board::new(option)).collect();
                moved.sort_by_key(|board| (board.toads, board.frogs));
                expected.sort_by_key(|board| (board.toads, board.frogs));
                prop_assert_eq!(moved, expected);
            }
        }

        #[test]
        fn cuts_are_slices(strip in strips(), a in 0..=MAX_SQUARES, b in 0..=MAX_SQUARES) {
            let (start, end) = (a.min(b).min(strip.len()), a.max(b).min(strip.len()));
            let cut = Board::new(&strip).cut(start as u32, end as u32);
            prop_assert_eq!(cut, Board::new(&strip[start..end]));
        }

        #[test]
        fn nobody_makes_more_moves_alone(squares in prop::collection::vec(prop::sample::select(&Square::ALL[..]), 1..9)) {
            let strip = Strip::from(squares);
            let board = Board::new(&strip);
            prop_assert_eq!(board.most(), alone(&strip, Player::Left));
            prop_assert_eq!(board.least(), alone(&strip, Player::Right));
        }
    }

    #[test]
    fn fingerprints_tell_edges_apart() {
        // The same bits on strips of other lengths, at the end of the words.
        let boards = (100..=128).flat_map(|squares| {
            (100..squares).map(move |at| Board {
                toads: 1,
                frogs: 1 << at,
                squares,
            })
        });
        let mut hashes: Vec<_> = boards.map(Board::hash).collect();
        let count = hashes.len();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), count);
    }
}
