//! Positions whose value needs no options: pieces that never meet, one blank.

use toads_game::{Arena, Dyadic, GameError, Value};
use toads_strip::one_blank::{self, FoldError};

use super::position::Position;

impl Position {
    /// The value, if there is a closed form.
    pub(super) fn closed_form(self, arena: &Arena) -> Result<Option<Value>, GameError> {
        if let Some(moves) = self.never_meet() {
            return arena.integer(moves).map(Some);
        }
        if self.blanks().is_power_of_two() {
            return self.one_blank(arena);
        }
        Ok(None)
    }

    /// All frogs stand left of all toads: Left's moves less Right's. A toad has the blanks to its right, a frog those to its left.
    fn never_meet(self) -> Option<i64> {
        let last_frog = 64 - self.frogs.leading_zeros();
        if self.toads != 0 && last_frog > self.toads.trailing_zeros() {
            return None;
        }
        let blanks = self.blanks();
        let mut moves = 0;
        let mut rest = self.toads;
        while rest != 0 {
            let toad = rest.trailing_zeros();
            moves += i64::from((blanks >> toad).count_ones());
            rest &= rest - 1;
        }
        rest = self.frogs;
        while rest != 0 {
            let frog = rest & rest.wrapping_neg();
            moves -= i64::from((blanks & (frog - 1)).count_ones());
            rest ^= frog;
        }
        Some(moves)
    }

    /// By Theorem 1. A strip of 63 squares has no numbers finer than 2^−31.
    fn one_blank(self, arena: &Arena) -> Result<Option<Value>, GameError> {
        let Some(form) = one_blank::analyse(&self.strip()) else {
            return Ok(None);
        };
        let number = |number: one_blank::Number| match number.as_fraction() {
            Some((numerator, k)) => arena.number(Dyadic::new(numerator, k)?),
            None => Err(GameError::NumberOutOfRange {
                what: number.to_string(),
            }),
        };
        let game = |left, right| arena.canonical(&[left], &[right]);
        match form.fold(u64::MAX, number, game) {
            Ok(value) => Ok(Some(value)),
            Err(FoldError::Build(error)) => Err(error),
            Err(FoldError::TooLarge(_)) => Ok(None),
        }
    }
}
