//! The kernel without its tables: every strip's moves, ranked one by one. For classes too short to cut in two, and
//! the check of the fast path.

use toads_game::{Canonicalizer, Value};
use toads_strip::Player;

use super::EvaluateError;
use crate::shard::Shard;

/// The values of all strips of the shard's class, in rank order. About a microsecond a strip beside canonicalisation.
pub fn evaluate(
    canonicalizer: &mut Canonicalizer<'_>,
    shard: Shard,
) -> Result<Vec<Value>, EvaluateError> {
    let class = shard.class;
    let mut table: Vec<Value> = Vec::with_capacity(class.size() as usize);
    for strip in class.strips() {
        let options = |player| {
            let moves = strip.moves(shard.variant, player);
            moves
                .iter()
                .map(|option| table[class.rank(option) as usize])
                .collect::<Vec<_>>()
        };
        let (left, right) = (options(Player::Left), options(Player::Right));
        table.push(canonicalizer.canonical(&left, &right)?);
    }
    Ok(table)
}
