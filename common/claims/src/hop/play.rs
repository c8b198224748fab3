//! Who wins a hop strip plus a value, by playing: no canonical form of the strip, only the rules.
//!
//! A position is always seen by the player who is to move: where Right moves, the strip is mirrored and the value negated, and
//! Left moves. So a position is stored once for both players. Pieces that can never meet are not played out but counted.

use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr, Sub};

use rustc_hash::FxHashMap;
use toads_game::{Arena, GameError, Relation, Value};
use toads_strip::{Square, Strip};

/// A word with a bit for each square.
trait Bits:
    Copy
    + Eq
    + Hash
    + From<u8>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + Sub<Output = Self>
{
    const ZERO: Self;
    const WIDTH: u32;
    fn zeros_below(self) -> u32;
    fn zeros_above(self) -> u32;
    fn ones(self) -> u32;
    fn reversed(self) -> Self;
}

macro_rules! bits {
    ($word:ty) => {
        impl Bits for $word {
            const ZERO: Self = 0;
            const WIDTH: u32 = <$word>::BITS;
            fn zeros_below(self) -> u32 {
                self.trailing_zeros()
            }
            fn zeros_above(self) -> u32 {
                self.leading_zeros()
            }
            fn ones(self) -> u32 {
                self.count_ones()
            }
            fn reversed(self) -> Self {
                self.reverse_bits()
            }
        }
    };
}

bits!(u64);
bits!(u128);

/// A strip and a value; Left is to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Sum<W> {
    toads: W,
    frogs: W,
    value: Value,
}

/// Plays one strip against values and remembers who won. Longest strip: 128 squares.
pub(crate) struct Play<'a> {
    arena: &'a Arena,
    /// No more positions than this are remembered; 24 to 48 bytes each, and as much again while the table grows.
    limit: usize,
}

impl<'a> Play<'a> {
    pub(crate) fn new(arena: &'a Arena, limit: usize) -> Self {
        Self { arena, limit }
    }

    /// How the strip compares with the value; `None` if that takes more positions than the limit, or 129 squares.
    pub(crate) fn compare(
        &self,
        strip: &Strip,
        value: Value,
    ) -> Result<Option<Relation>, GameError> {
        match strip.len() {
            0..=64 => Table::<u64>::new(self, strip.len()).compare(strip, value),
            65..=128 => Table::<u128>::new(self, strip.len()).compare(strip, value),
            _ => Ok(None),
        }
    }

    /// Whether Left wins the strip less the value when she begins.
    pub(crate) fn left_wins_first(
        &self,
        strip: &Strip,
        value: Value,
    ) -> Result<Option<bool>, GameError> {
        let negative = self.arena.neg(value)?;
        match strip.len() {
            0..=64 => {
                let mut table = Table::<u64>::new(self, strip.len());
                let sum = Table::<u64>::sum(strip, negative);
                table.mover_wins(sum)
            }
            _ => Ok(None),
        }
    }
}

struct Table<'p, 'a, W> {
    play: &'p Play<'a>,
    squares: u32,
    board: W,
    known: FxHashMap<Sum<W>, bool>,
    negatives: FxHashMap<Value, Value>,
}

impl<'p, 'a, W: Bits> Table<'p, 'a, W> {
    fn new(play: &'p Play<'a>, squares: usize) -> Self {
        let unused = W::WIDTH - squares as u32;
        Self {
            play,
            squares: squares as u32,
            board: if unused == W::WIDTH {
                W::ZERO
            } else {
                !W::ZERO >> unused
            },
            known: FxHashMap::default(),
            negatives: FxHashMap::default(),
        }
    }

    fn sum(strip: &Strip, value: Value) -> Sum<W> {
        let bits = |what: Square| {
            let squares = (0..).zip(strip.iter());
            squares
                .filter(|&(_, &square)| square == what)
                .fold(W::ZERO, |bits, (at, _)| bits | W::from(1) << at)
        };
        Sum {
            toads: bits(Square::Toad),
            frogs: bits(Square::Frog),
            value,
        }
    }

    fn compare(&mut self, strip: &Strip, value: Value) -> Result<Option<Relation>, GameError> {
        let difference = Self::sum(strip, self.play.arena.neg(value)?);
        let Some(left) = self.mover_wins(difference)? else {
            return Ok(None);
        };
        let mirrored = self.mirror(difference)?;
        let Some(right) = self.mover_wins(mirrored)? else {
            return Ok(None);
        };
        Ok(Some(match (left, right) {
            (false, false) => Relation::Equal,
            (true, false) => Relation::Greater,
            (false, true) => Relation::Less,
            (true, true) => Relation::Confused,
        }))
    }

    /// The same position with the players exchanged.
    fn mirror(&mut self, sum: Sum<W>) -> Result<Sum<W>, GameError> {
        let value = if let Some(&negative) = self.negatives.get(&sum.value) {
            negative
        } else {
            let negative = self.play.arena.neg(sum.value)?;
            self.negatives.insert(sum.value, negative);
            self.negatives.insert(negative, sum.value);
            negative
        };
        let unused = W::WIDTH - self.squares;
        let reverse = |bits: W| {
            if unused == W::WIDTH {
                bits
            } else {
                bits.reversed() >> unused
            }
        };
        Ok(Sum {
            toads: reverse(sum.frogs),
            frogs: reverse(sum.toads),
            value,
        })
    }

    /// The depth is at most the number of moves, a quarter of the squares squared and a value's birthday.
    fn mover_wins(&mut self, sum: Sum<W>) -> Result<Option<bool>, GameError> {
        if let Some(moves) = self.never_meet(sum) {
            // Left to move wins unless moves + value ≤ 0.
            let bound = self.play.arena.integer(-moves)?;
            return Ok(Some(!self.play.arena.leq(sum.value, bound)));
        }
        if let Some(&wins) = self.known.get(&sum) {
            return Ok(Some(wins));
        }
        if self.known.len() >= self.play.limit {
            return Ok(None);
        }
        let wins = self.some_move_wins(sum)?;
        if let Some(wins) = wins {
            self.known.insert(sum, wins);
        }
        Ok(wins)
    }

    /// Jumps first, then steps, the foremost toad first; then moves in the value.
    fn some_move_wins(&mut self, sum: Sum<W>) -> Result<Option<bool>, GameError> {
        let blanks = self.board & !(sum.toads | sum.frogs);
        let jumps = sum.toads & sum.frogs >> 1 & blanks >> 2;
        let steps = sum.toads & blanks >> 1;
        for (mut movable, by) in [(jumps, 2), (steps, 1)] {
            while movable != W::ZERO {
                let from = W::from(1) << (W::WIDTH - 1 - movable.zeros_above());
                movable = movable ^ from;
                let toads = sum.toads ^ from ^ from << by;
                let next = self.mirror(Sum { toads, ..sum })?;
                match self.mover_wins(next)? {
                    None => return Ok(None),
                    Some(false) => return Ok(Some(true)),
                    Some(true) => {}
                }
            }
        }
        let arena = self.play.arena;
        for value in arena.left_options(sum.value) {
            let next = self.mirror(Sum { value, ..sum })?;
            match self.mover_wins(next)? {
                None => return Ok(None),
                Some(false) => return Ok(Some(true)),
                Some(true) => {}
            }
        }
        Ok(Some(false))
    }

    /// Left's moves less Right's, if all frogs stand left of all toads.
    fn never_meet(&self, sum: Sum<W>) -> Option<i64> {
        let behind_last_frog = W::WIDTH - sum.frogs.zeros_above();
        if sum.toads != W::ZERO && behind_last_frog > sum.toads.zeros_below() {
            return None;
        }
        let blanks = self.board & !(sum.toads | sum.frogs);
        let mut moves = 0;
        let mut rest = sum.toads;
        while rest != W::ZERO {
            moves += i64::from((blanks >> rest.zeros_below()).ones());
            rest = rest & (rest - W::from(1));
        }
        rest = sum.frogs;
        while rest != W::ZERO {
            let frog = W::from(1) << rest.zeros_below();
            moves -= i64::from((blanks & (frog - W::from(1))).ones());
            rest = rest ^ frog;
        }
        Some(moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use toads_census::Reach;
    use toads_game::notation;

    #[test]
    fn play_agrees_with_canonical_forms() {
        let arena = Arena::new();
        let mut reach = Reach::new(&arena, 100_000);
        let play = Play::new(&arena, 100_000);
        let values = ["0", "*", "1", "1*", "-1/2", "{1|0}", "^", "{2||1|0}"]
            .map(|text| notation::parse(&arena, text).unwrap());
        for text in [
            "T^2 .^5 F^2",
            "T^4 .^3 F^3",
            "T^2 . F",
            "TT.FF",
            "T.TF.F",
            "(TF)^2 .. T",
            "T..F.T.F",
            "T^3 .^2 F^3",
            "F.T",
            "T^4 . F",
        ] {
            let strip = Strip::parse(text).unwrap();
            let value = reach.value(&strip).unwrap();
            for other in values.into_iter().chain([value]) {
                let found = play.compare(&strip, other).unwrap();
                assert_eq!(found, Some(arena.compare(value, other)), "{text}");
                let first = play.left_wins_first(&strip, other).unwrap();
                assert_eq!(first, Some(!arena.leq(value, other)), "{text}");
            }
        }
    }

    #[test]
    fn long_strips_and_limits() {
        let arena = Arena::new();
        let relation = |text, limit| {
            let strip = Strip::parse(text).unwrap();
            Play::new(&arena, limit)
                .compare(&strip, Value::ZERO)
                .unwrap()
        };
        assert_eq!(relation("T .^62 F", 10_000), Some(Relation::Equal));
        assert_eq!(relation("T .^63 F", 10_000), Some(Relation::Confused));
        assert_eq!(relation("T .^126 F", 10_000), Some(Relation::Equal));
        assert_eq!(relation("T .^127 F", 10_000), None);
        assert_eq!(relation("T^4 .^4 F^4", 20), None);
    }
}
