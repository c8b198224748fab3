//! A sum as it is played: parts of strips, terms and one number.

use smallvec::SmallVec;
use toads_game::{GameError, Value};

use crate::board::Board;
use crate::number::UNIT;
use crate::small::Small;
use crate::split::split;
use crate::table::Question;
use crate::term::{Centred, Term, Terms};

/// A part of a strip whose value is not known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) board: Board,
    hash: u128,
    mirror: u128,
    /// The value is at most this, and at least minus the other.
    most: i32,
    least: i32,
}

impl Part {
    fn new(board: Board) -> Self {
        Self {
            board,
            hash: board.hash(),
            mirror: board.mirror().hash(),
            most: board.most() as i32,
            least: board.least() as i32,
        }
    }
}

/// A sum of parts, terms and a number (in units of 2^−40). No part or term stands beside its negative.
#[derive(Clone, Debug, Default)]
pub(crate) struct Position {
    pub(crate) parts: SmallVec<[Part; 3]>,
    pub(crate) terms: SmallVec<[Term; 2]>,
    pub(crate) number: i64,
}

/// What one thread knows about boards and values.
pub(crate) struct Knowledge<'a> {
    pub(crate) terms: Terms<'a>,
    pub(crate) small: Small<'a>,
}

impl Position {
    /// Adds a strip.
    #[inline]
    pub(crate) fn add_board(
        &mut self,
        board: Board,
        knowledge: &mut Knowledge<'_>,
    ) -> Result<(), GameError> {
        let mut integer = 0;
        let mut parts: SmallVec<[Board; 4]> = SmallVec::new();
        split(board, &mut integer, |part| parts.push(part));
        self.number += integer * UNIT;
        for part in parts {
            match knowledge.small.value(part, &mut knowledge.terms) {
                Some(value) => self.add_value(value, &mut knowledge.terms)?,
                None => self.add_part(Part::new(part)),
            }
        }
        Ok(())
    }

    fn add_part(&mut self, part: Part) {
        let cancels =
            |other: &Part| other.hash == part.mirror && other.board == part.board.mirror();
        match self.parts.iter().position(cancels) {
            Some(at) => {
                self.parts.swap_remove(at);
            }
            None => self.parts.push(part),
        }
    }

    /// Adds a value.
    pub(crate) fn add_value(
        &mut self,
        value: Centred,
        terms: &mut Terms<'_>,
    ) -> Result<(), GameError> {
        self.number += value.number;
        let mut rest = value.value;
        'merge: while rest != Value::ZERO {
            let term = terms.term(rest)?;
            for at in 0..self.terms.len() {
                if let Some(sum) = terms.sum(self.terms[at], term)? {
                    self.terms.swap_remove(at);
                    self.number += sum.number;
                    rest = sum.value;
                    continue 'merge;
                }
            }
            self.terms.push(term);
            break;
        }
        Ok(())
    }

    /// Everything but the number, at least and at most, in units of 2^−40: strictly inside when there are terms.
    fn range(&self) -> (i64, i64) {
        let mut range = (0, 0);
        for part in &self.parts {
            range.0 -= i64::from(part.least) * UNIT;
            range.1 += i64::from(part.most) * UNIT;
        }
        for term in &self.terms {
            range.0 -= term.stop;
            range.1 += term.stop;
        }
        range
    }

    /// Whether the sum is ≥ 0 (or ≤ 0), where that can be seen.
    #[inline]
    pub(crate) fn seen(&self, at_least: bool, terms: &Terms<'_>) -> Option<bool> {
        let (low, high) = self.range();
        let (low, high) = (low + self.number, high + self.number);
        if self.terms.is_empty() {
            // low ≤ sum ≤ high
            if low >= 0 && (at_least || low > 0) {
                return Some(at_least);
            }
            if high <= 0 && (!at_least || high < 0) {
                return Some(!at_least);
            }
            return None;
        }
        // Values may pass their stops by infinitesimals.
        if low > 0 {
            return Some(at_least);
        }
        if high < 0 {
            return Some(!at_least);
        }
        if let ([], [term]) = (&self.parts[..], &self.terms[..]) {
            let arena = terms.arena();
            let threshold = crate::number::dyadic(-self.number)
                .and_then(|number| arena.number(number))
                .ok()?;
            return Some(if at_least {
                arena.leq(threshold, term.value)
            } else {
                arena.leq(term.value, threshold)
            });
        }
        None
    }

    /// The question whether it is ≥ 0 (or ≤ 0), to ask the table.
    #[inline]
    pub(crate) fn question(&self, at_least: bool) -> Option<Question> {
        let (hash, mirror) = self.fingerprints();
        Question::new(hash, mirror, -self.number, at_least)
    }

    /// Fingerprints of everything but the number, and of its negative. They do not depend on the order of summands.
    #[inline]
    fn fingerprints(&self) -> (u128, u128) {
        let (mut hash, mut mirror) = (0_u128, 0_u128);
        for part in &self.parts {
            hash = hash.wrapping_add(part.hash);
            mirror = mirror.wrapping_add(part.mirror);
        }
        for term in &self.terms {
            hash = hash.wrapping_add(term.hash());
            mirror = mirror.wrapping_add(term.mirror_hash());
        }
        (hash, mirror)
    }

    /// Whether turning the sum round changes nothing, so that ≥ 0 and ≤ 0 are one question.
    pub(crate) fn is_its_own_negative(&self) -> bool {
        let (hash, mirror) = self.fingerprints();
        hash == mirror && self.number == 0
    }
}
