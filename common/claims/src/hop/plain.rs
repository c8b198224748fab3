//! The value of hop strips from their moves alone: no closed form, no cuts, no census kernel.

use rustc_hash::FxHashMap;
use toads_game::{Arena, Canonicalizer, GameError, Value};
use toads_strip::{Square, Strip};

/// Bit i is square i from the left; a further bit of both words is at the right edge.
type Board = (u64, u64);

/// Remembers every strip it met. For strips of at most 63 squares with few blanks.
pub(super) struct Plain<'a> {
    pub(super) arena: &'a Arena,
    canonicalizer: Canonicalizer<'a>,
    known: FxHashMap<Board, Value>,
    open: Vec<Board>,
}

impl<'a> Plain<'a> {
    pub(super) fn new(arena: &'a Arena) -> Self {
        Self {
            arena,
            canonicalizer: Canonicalizer::new(arena),
            known: FxHashMap::default(),
            open: Vec::new(),
        }
    }

    /// The value of a strip; no recursion.
    ///
    /// # Panics
    /// For more than 63 squares.
    pub(super) fn value(&mut self, strip: &Strip) -> Result<Value, GameError> {
        assert!(
            strip.len() < 64,
            "a strip of a lemma has 63 squares at most"
        );
        let bits = |what: Square| {
            let squares = strip.iter().enumerate();
            squares
                .filter(|&(_, &square)| square == what)
                .fold(1_u64 << strip.len(), |bits, (at, _)| bits | 1 << at)
        };
        let board = (bits(Square::Toad), bits(Square::Frog));
        self.open.push(board);
        while let Some(&top) = self.open.last() {
            if self.known.contains_key(&top) {
                self.open.pop();
                continue;
            }
            let before = self.open.len();
            let mut options = [Vec::new(), Vec::new()];
            for (left, next) in moves(top) {
                match self.known.get(&next) {
                    None => self.open.push(next),
                    Some(&value) => options[usize::from(!left)].push(value),
                }
            }
            if self.open.len() == before {
                let [left, right] = &options;
                let value = self.canonicalizer.canonical(left, right)?;
                self.known.insert(top, value);
            }
        }
        Ok(self.known[&board])
    }
}

/// The boards after each move, with whether Left makes it.
fn moves((toads, frogs): Board) -> impl Iterator<Item = (bool, Board)> {
    let edge = toads & frogs;
    let blanks = !(toads | frogs) & (edge - 1);
    let (toads_only, frogs_only) = (toads ^ edge, frogs ^ edge);
    let each = |movable: u64| {
        std::iter::successors(Some(movable), |&rest| Some(rest & rest.wrapping_sub(1)))
            .take_while(|&rest| rest != 0)
            .map(|rest| rest & rest.wrapping_neg())
    };
    let left = [
        (toads_only & blanks >> 1, 1),
        (toads_only & frogs_only >> 1 & blanks >> 2, 2),
    ];
    let right = [
        (frogs_only & blanks << 1, 1),
        (frogs_only & toads_only << 1 & blanks << 2, 2),
    ];
    let by_left = left.into_iter().flat_map(move |(movable, by)| {
        each(movable).map(move |from| (true, (toads ^ from ^ from << by, frogs)))
    });
    let by_right = right.into_iter().flat_map(move |(movable, by)| {
        each(movable).map(move |from| (false, (toads, frogs ^ from ^ from >> by)))
    });
    by_left.chain(by_right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use toads_game::notation;

    #[test]
    fn golden_values() {
        let arena = Arena::new();
        let mut plain = Plain::new(&arena);
        let golden = include_str!("../../../../tests/golden/values-hop-8.tsv");
        for line in golden.lines() {
            let mut cells = line.split('\t');
            let (strip, value) = (cells.next().unwrap(), cells.next().unwrap());
            let found = plain.value(&Strip::parse(strip).unwrap()).unwrap();
            assert_eq!(notation::display(&arena, found), value, "{strip}");
        }
    }
}
