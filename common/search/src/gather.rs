//! From two sums to the difference that is played.

use toads_game::{Arena, Dyadic, GameError, Value};
use toads_strip::{Variant, hopless};

use crate::board::{Board, MAX_SQUARES};
use crate::error::{Result, SearchError};
use crate::number::{UNIT, raw};
use crate::position::{Knowledge, Position};
use crate::sum::{Sum, Summand};

/// Numbers of a sum stay below this magnitude, all told, with room for what play adds.
const LARGEST: i64 = 1 << 21;

/// G − H, every strip split, every value centred. Hopless strips become their closed form.
pub(crate) fn gather(
    knowledge: &mut Knowledge<'_>,
    variant: Variant,
    g: &Sum,
    h: &Sum,
) -> Result<Position> {
    let mut position = Position::default();
    let mut size = 0_i64;
    let mut closed = hopless::ClosedForm::integer(0);
    let left = g.summands.iter().map(|(negated, s)| (*negated, s));
    let right = h.summands.iter().map(|(negated, s)| (!*negated, s));
    for (negated, summand) in left.chain(right) {
        match summand {
            Summand::Value(value) => {
                let arena = knowledge.terms.arena();
                let stops = [arena.left_stop(*value), arena.right_stop(*value)];
                size += stops
                    .map(|stop| raw(stop).abs() / UNIT + 1)
                    .into_iter()
                    .max()
                    .unwrap_or(0);
                let value = if negated { arena.neg(*value)? } else { *value };
                fits(size)?;
                let value = knowledge.terms.centre(value)?;
                position.add_value(value, &mut knowledge.terms)?;
            }
            Summand::Strip(strip) if variant == Variant::Hopless => {
                let form = hopless::analyse(strip);
                closed = &closed + &if negated { -form } else { form };
            }
            Summand::Strip(strip) => {
                if strip.len() > MAX_SQUARES {
                    return Err(SearchError::TooLong {
                        squares: strip.len(),
                    });
                }
                size += (strip.len() * strip.len() / 4) as i64 + 1;
                fits(size)?;
                let board = Board::new(strip);
                let board = if negated { board.mirror() } else { board };
                position.add_board(board, knowledge)?;
            }
        }
    }
    size += closed.left_stop().abs().max(closed.right_stop().abs());
    size += closed.swings().iter().sum::<i64>();
    fits(size)?;
    position.number += closed.mean().twice() * (UNIT / 2);
    for &swing in closed.swings() {
        let value = switch(knowledge.terms.arena(), swing)?;
        let value = knowledge.terms.centre(value)?;
        position.add_value(value, &mut knowledge.terms)?;
    }
    Ok(position)
}

/// ± half the swing.
fn switch(arena: &Arena, swing: i64) -> Result<Value, GameError> {
    let half = Dyadic::new(swing, 1)?;
    arena.canonical(&[arena.number(half)?], &[arena.number(-half)?])
}

fn fits(size: i64) -> Result<()> {
    if size < LARGEST / 2 {
        Ok(())
    } else {
        Err(SearchError::TooLarge)
    }
}
