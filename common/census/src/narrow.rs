//! Hop classes of long strips with few pieces: a dense table over pairs of sets, to 127 squares.
//!
//! The census kernel is for classes of up to 24 squares. A class such as (107; 2, 2) has only 31 million strips, and its table
//! is simplest as *sets of toads × sets of frogs*: sets are ranked so that every move lowers the rank of one set and leaves the other
//! alone, so index order is an evaluation order. Pairs that share a square are left out (few, where pieces are few).

use toads_game::{Arena, Canonicalizer, GameError, Value};
use toads_strip::{Square, Strip};

/// The most squares.
pub const MAX_NARROW_SQUARES: usize = 127;

/// The value of every strip of a class, by the sets of its toads and frogs.
pub struct NarrowClass {
    squares: u32,
    toads: Sets,
    frogs: Sets,
    values: Vec<Value>,
}

/// All sets of k squares out of n, in an order in which moves go down.
struct Sets {
    pieces: u32,
    sets: Vec<Set>,
}

struct Set {
    bits: u128,
    /// For each piece: its square, and the ranks after a step and after a jump; 0 where there is no room, which is never read.
    moves: Vec<(u32, [u32; 2])>,
}

/// n choose k, saturating.
fn choose(n: u32, k: u32) -> u64 {
    let product = (0..u128::from(k)).try_fold(1_u128, |product, i| {
        Some(product.checked_mul(u128::from(n).saturating_sub(i))? / (i + 1))
    });
    product.map_or(u64::MAX, |product| {
        u64::try_from(product).unwrap_or(u64::MAX)
    })
}

/// Bytes of the table of such a class, 4 for each pair of sets; `u64::MAX` where that cannot be.
pub fn narrow_bytes(squares: usize, toads: usize, frogs: usize) -> u64 {
    if squares > MAX_NARROW_SQUARES || toads + frogs > squares {
        return u64::MAX;
    }
    let n = squares as u32;
    choose(n, toads as u32)
        .saturating_mul(choose(n, frogs as u32))
        .saturating_mul(4)
}

impl Sets {
    /// In the order of the sums of C(square, i), i the number of the piece from the left: a piece that moves to the left lowers it.
    fn new(squares: u32, pieces: u32) -> Self {
        let mut sets = Vec::new();
        let mut set: Vec<u32> = (0..pieces).collect();
        loop {
            let bits = set.iter().fold(0, |bits, &square| bits | 1_u128 << square);
            let mut moves = Vec::with_capacity(set.len());
            for (at, &square) in set.iter().enumerate() {
                let to = |by: u32| {
                    let mut moved = set.clone();
                    moved[at] = square.checked_sub(by)?;
                    (at == 0 || moved[at] > set[at - 1]).then(|| rank(&moved))
                };
                moves.push((square, [1, 2].map(|by| to(by).unwrap_or(0))));
            }
            sets.push(Set { bits, moves });
            // The next in order: the first piece with room to its right moves, those before it go back to the left edge.
            let movable = (0..set.len()).find(|&at| {
                let next = set.get(at + 1).copied().unwrap_or(squares);
                set[at] + 1 < next
            });
            let Some(at) = movable else { break };
            set[at] += 1;
            for (before, square) in set[..at].iter_mut().zip(0..) {
                *before = square;
            }
        }
        Self { pieces, sets }
    }

    fn rank_of(&self, squares: impl Iterator<Item = u32>) -> usize {
        let set: Vec<u32> = squares.collect();
        debug_assert_eq!(set.len(), self.pieces as usize);
        rank(&set) as usize
    }
}

fn rank(set: &[u32]) -> u32 {
    let places = (1..).zip(set);
    places.map(|(i, &square)| choose(square, i) as u32).sum()
}

impl NarrowClass {
    /// Evaluates the class of these squares and pieces. `None` where the table would take more than `bytes`
    /// ([`narrow_bytes`]); about a microsecond for each strip on one core.
    pub fn evaluate(
        arena: &Arena,
        [squares, toads, frogs]: [usize; 3],
        bytes: u64,
    ) -> Result<Option<Self>, GameError> {
        if narrow_bytes(squares, toads, frogs) > bytes {
            return Ok(None);
        }
        let n = squares as u32;
        let (toads, frogs) = (Sets::new(n, toads as u32), Sets::new(n, frogs as u32));
        let mut class = Self {
            squares: n,
            values: vec![Value::ZERO; toads.sets.len() * frogs.sets.len()],
            toads,
            frogs,
        };
        class.fill(arena)?;
        Ok(Some(class))
    }

    fn fill(&mut self, arena: &Arena) -> Result<(), GameError> {
        let mut canonicalizer = Canonicalizer::new(arena);
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let width = self.frogs.sets.len();
        let unused = 128 - self.squares;
        let board = if unused == 128 {
            0
        } else {
            u128::MAX >> unused
        };
        for (row, toads) in self.toads.sets.iter().enumerate() {
            // Sets of toads are ranked in the mirror, where toads go to the left.
            let toad_bits = if unused == 128 {
                0
            } else {
                toads.bits.reverse_bits() >> unused
            };
            for (column, frogs) in self.frogs.sets.iter().enumerate() {
                if toad_bits & frogs.bits != 0 {
                    continue;
                }
                let blanks = board & !(toad_bits | frogs.bits);
                left.clear();
                right.clear();
                for &(mirrored, ranks) in &toads.moves {
                    let from = self.squares - 1 - mirrored;
                    if let Some(by) = reach(blanks >> from, frogs.bits >> from) {
                        left.push(self.values[ranks[by] as usize * width + column]);
                    }
                }
                let (blanks, toad_bits) = (blanks.reverse_bits(), toad_bits.reverse_bits());
                for &(from, ranks) in &frogs.moves {
                    let from = 127 - from;
                    if let Some(by) = reach(blanks >> from, toad_bits >> from) {
                        right.push(self.values[row * width + ranks[by] as usize]);
                    }
                }
                self.values[row * width + column] = canonicalizer.canonical(&left, &right)?;
            }
        }
        Ok(())
    }

    /// The value of a strip of the class; `None` for other strips.
    pub fn value(&self, strip: &Strip) -> Option<Value> {
        let ours = [self.squares, self.toads.pieces, self.frogs.pieces];
        let counts = [strip.len(), strip.toads(), strip.frogs()].map(|count| count as u32);
        if counts != ours {
            return None;
        }
        let squares = |what: Square| {
            let places = (0..).zip(strip.iter());
            places
                .filter(move |&(_, &square)| square == what)
                .map(|(at, _)| at)
        };
        let mut mirrored: Vec<u32> = squares(Square::Toad)
            .map(|at| self.squares - 1 - at)
            .collect();
        mirrored.reverse();
        let row = self.toads.rank_of(mirrored.into_iter());
        let column = self.frogs.rank_of(squares(Square::Frog));
        Some(self.values[row * self.frogs.sets.len() + column])
    }
}

/// Whether the piece on bit 0 can step (0) or jump (1) upwards.
fn reach(blanks: u128, others: u128) -> Option<usize> {
    if blanks & 2 != 0 {
        Some(0)
    } else if others & 2 != 0 && blanks & 4 != 0 {
        Some(1)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Control, Shard, evaluate};
    use toads_strip::{Class, Variant};

    #[test]
    fn every_strip_is_as_in_the_census() {
        let arena = Arena::new();
        for class in (1..=9).flat_map(Class::all) {
            let counts = [class.n, class.toads, class.frogs].map(usize::from);
            let narrow = NarrowClass::evaluate(&arena, counts, 1 << 30)
                .unwrap()
                .unwrap();
            let shard = Shard::whole(Variant::Hop, class);
            let values = evaluate(&arena, shard, 1, &Control::default()).unwrap();
            for (strip, rank) in class.strips().zip(0..) {
                assert_eq!(narrow.value(&strip), Some(values.value_at(rank)), "{strip}");
            }
        }
    }

    #[test]
    fn long_strips_and_large_tables() {
        let arena = Arena::new();
        let narrow = NarrowClass::evaluate(&arena, [127, 1, 1], 1 << 20)
            .unwrap()
            .unwrap();
        let value = |text: &str| narrow.value(&Strip::parse(text).unwrap());
        assert_eq!(
            value("T .^125 F"),
            arena.canonical(&[Value::ZERO], &[Value::ZERO]).ok()
        );
        assert_eq!(value("F .^125 T"), Some(Value::ZERO));
        assert_eq!(value("T .^124 F"), None);
        assert_eq!(narrow_bytes(107, 2, 2), 5671 * 5671 * 4);
        assert_eq!(narrow_bytes(128, 2, 2), u64::MAX);
        assert!(
            NarrowClass::evaluate(&arena, [107, 2, 2], 1000)
                .unwrap()
                .is_none()
        );
    }
}
