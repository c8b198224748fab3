//! Hop classes of long strips with few pieces: a dense table over pairs of sets, to 127 squares.
//!
//! The census kernel is for classes of up to 24 squares. A class such as (107; 2, 2) has only 31 million strips, and its table
//! is simplest as *sets of toads × sets of frogs*: sets are ranked so that every move lowers the rank of one set and leaves the other
//! alone, so index order is an evaluation order. Pairs that share a square are left out (few, where pieces are few).

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use toads_game::zeroed::{Zeroed, zeroed};
use toads_game::{
    Arena, Canonicalizer, GameError, MOST_OPTIONS, NO_LEFT, NO_RIGHT, NarrowStops, Value,
};
use toads_strip::{Square, Strip};

/// The most squares.
pub const MAX_NARROW_SQUARES: usize = 127;

/// Columns below which a level of rows is left to one thread.
const WORTH_SPLITTING: usize = 10_000;

/// The value of every strip of a class, by the sets of its toads and frogs.
pub struct NarrowClass {
    squares: u32,
    toads: Sets,
    frogs: Sets,
    /// A row for each set of toads, a column for each set of frogs.
    values: Zeroed<AtomicU32>,
}

/// All sets of k squares out of n, in an order in which moves go down. Both players are written as one that moves to the left:
/// sets of toads are those of the mirror image.
struct Sets {
    pieces: usize,
    bits: Vec<u128>,
    /// The same in the mirror.
    mirrored: Vec<u128>,
    /// Those of the first set, of the second, …
    places: Vec<Piece>,
}

/// A piece of a set, and the ranks of the sets after its moves; [`NOWHERE`] where its own side or the edge is in the way.
struct Piece {
    square: u32,
    step: u32,
    jump: u32,
}

const NOWHERE: u32 = u32::MAX;

impl Piece {
    /// The rank after its move, if it has one; `others` are the other player's pieces, two squares further up.
    #[inline]
    fn target(&self, others: u128) -> Option<usize> {
        // One square ahead of it, then two.
        let target = match (others >> self.square) as u32 & 3 {
            0 | 1 => self.step,
            2 => self.jump,
            _ => NOWHERE,
        };
        (target != NOWHERE).then_some(target as usize)
    }
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
        let mut sets = Self {
            pieces: pieces as usize,
            bits: vec![],
            mirrored: vec![],
            places: vec![],
        };
        let mut set: Vec<u32> = (0..pieces).collect();
        loop {
            let bits = |square: &dyn Fn(u32) -> u32| {
                set.iter().fold(0, |bits, &at| bits | 1_u128 << square(at))
            };
            sets.bits.push(bits(&|at| at));
            sets.mirrored.push(bits(&|at| squares - 1 - at));
            for (at, &square) in set.iter().enumerate() {
                let to = |by: u32| {
                    let mut moved = set.clone();
                    moved[at] = square.checked_sub(by)?;
                    (at == 0 || moved[at] > set[at - 1]).then(|| rank(&moved))
                };
                sets.places.push(Piece {
                    square,
                    step: to(1).unwrap_or(NOWHERE),
                    jump: to(2).unwrap_or(NOWHERE),
                });
            }
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
        sets
    }

    fn len(&self) -> usize {
        self.bits.len()
    }

    fn pieces_of(&self, rank: usize) -> &[Piece] {
        &self.places[rank * self.pieces..(rank + 1) * self.pieces]
    }

    /// The ranks by the sum of their squares, which every move lowers: the sets of one level do not depend on each other.
    fn levels(&self) -> Vec<Vec<usize>> {
        let mut levels = vec![];
        for rank in 0..self.len() {
            let squares = self.pieces_of(rank).iter().map(|piece| piece.square);
            let level = squares.sum::<u32>() as usize;
            if levels.len() <= level {
                levels.resize(level + 1, vec![]);
            }
            levels[level].push(rank);
        }
        levels
    }

    fn rank_of(&self, squares: impl Iterator<Item = u32>) -> usize {
        let set: Vec<u32> = squares.collect();
        debug_assert_eq!(set.len(), self.pieces);
        rank(&set) as usize
    }
}

fn rank(set: &[u32]) -> u32 {
    let places = (1..).zip(set);
    places.map(|(i, &square)| choose(square, i) as u32).sum()
}

impl NarrowClass {
    /// Evaluates the class of these squares and pieces on `threads` threads. `None` where the table would take more than
    /// `bytes` ([`narrow_bytes`]); about 100 ns for each strip on one core. A panic in a thread is passed on.
    pub fn evaluate(
        arena: &Arena,
        [squares, toads, frogs]: [usize; 3],
        bytes: u64,
        threads: usize,
    ) -> Result<Option<Self>, GameError> {
        if narrow_bytes(squares, toads, frogs) > bytes {
            return Ok(None);
        }
        let n = squares as u32;
        let (toads, frogs) = (Sets::new(n, toads as u32), Sets::new(n, frogs as u32));
        let class = Self {
            squares: n,
            values: zeroed(toads.len() * frogs.len()),
            toads,
            frogs,
        };
        class.fill(arena, threads)?;
        Ok(Some(class))
    }

    /// Row by row; the rows of one level on all threads.
    fn fill(&self, arena: &Arena, threads: usize) -> Result<(), GameError> {
        let mut canonicalizer = Canonicalizer::new(arena);
        for rows in self.toads.levels() {
            if threads <= 1 || rows.len() * self.frogs.len() < WORTH_SPLITTING {
                for row in rows {
                    self.fill_row(&mut canonicalizer, row)?;
                }
                continue;
            }
            let next = AtomicUsize::new(0);
            let work = || {
                let mut canonicalizer = Canonicalizer::new(arena);
                while let Some(&row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    self.fill_row(&mut canonicalizer, row)?;
                }
                Ok(())
            };
            std::thread::scope(|scope| {
                let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
                threads.into_iter().try_for_each(|thread| {
                    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
                })
            })?;
        }
        Ok(())
    }

    fn fill_row(&self, canonicalizer: &mut Canonicalizer<'_>, row: usize) -> Result<(), GameError> {
        let width = self.frogs.len();
        let (toads, toad_bits) = (self.toads.pieces_of(row), self.toads.mirrored[row]);
        let is_short = self.toads.pieces.max(self.frogs.pieces) <= MOST_OPTIONS;
        let (mut left, mut right) = (vec![], vec![]);
        for column in 0..width {
            if toad_bits & self.frogs.bits[column] != 0 {
                continue;
            }
            left.clear();
            right.clear();
            let frogs = self.frogs.mirrored[column] << 2;
            for above in toads.iter().filter_map(|toad| toad.target(frogs)) {
                left.push(self.at(above * width + column));
            }
            for frog in self.frogs.pieces_of(column) {
                if let Some(before) = frog.target(toad_bits << 2) {
                    right.push(self.at(row * width + before));
                }
            }
            let value = if is_short {
                canonical(canonicalizer, &left, &right)?
            } else {
                canonicalizer.canonical(&left, &right)?
            };
            self.values[row * width + column].store(value.index() as u32, Ordering::Relaxed);
        }
        Ok(())
    }

    #[inline]
    fn at(&self, place: usize) -> Value {
        Value::from_index(self.values[place].load(Ordering::Relaxed) as usize)
    }

    /// The value of a strip of the class; `None` for other strips.
    pub fn value(&self, strip: &Strip) -> Option<Value> {
        let ours = [self.squares as usize, self.toads.pieces, self.frogs.pieces];
        let counts = [strip.len(), strip.toads(), strip.frogs()];
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
        Some(self.at(row * self.frogs.len() + column))
    }
}

/// The canonical form of at most [`MOST_OPTIONS`] options a side. Few values occur in a narrow class, so what is known of them
/// stays in the processor's cache.
fn canonical(
    canonicalizer: &mut Canonicalizer<'_>,
    left: &[Value],
    right: &[Value],
) -> Result<Value, GameError> {
    let arena = canonicalizer.arena();
    let (mut above, mut below) = (NO_LEFT, NO_RIGHT);
    for &option in left {
        above = above.max(arena.narrow_stops(option)?.lower);
    }
    for &option in right {
        below = below.min(arena.narrow_stops(option)?.upper);
    }
    let stops = NarrowStops::of_form(above, below)?;
    if stops.is_number() {
        canonicalizer.count_numbers(1);
        return canonicalizer.number(stops);
    }
    let mut form = canonicalizer.begin(0, stops);
    for &option in left {
        form.left(arena.narrow_stops(option)?, option);
    }
    for &option in right {
        form.right(arena.narrow_stops(option)?, option);
    }
    form.wait();
    let mut found = Value::ZERO;
    canonicalizer.settle(|_, value| found = value)?;
    Ok(found)
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
            let narrow = NarrowClass::evaluate(&arena, counts, 1 << 30, 2)
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
        let narrow = NarrowClass::evaluate(&arena, [127, 1, 1], 1 << 20, 2)
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
            NarrowClass::evaluate(&arena, [107, 2, 2], 1000, 1)
                .unwrap()
                .is_none()
        );
    }
}
