//! A slow evaluator of a whole class, by the rules and one rank at a time.

use toads_census::Shard;
use toads_game::{GameError, Value};
use toads_strip::{Player, Strip};

use super::values::ValueAudit;

/// The values of all strips of a class, by rank. Each strip is evaluated from its options, which come before it.
pub(super) fn evaluate(values: &mut ValueAudit<'_>, shard: Shard) -> Result<Vec<Value>, GameError> {
    let class = shard.class;
    let mut table: Vec<Value> = Vec::with_capacity(class.size() as usize);
    for strip in class.strips() {
        let options = |player| {
            let at = |option: &Strip| table[class.rank(option) as usize];
            strip
                .moves(shard.variant, player)
                .iter()
                .map(at)
                .collect::<Vec<_>>()
        };
        let value = values.canonical(&options(Player::Left), &options(Player::Right))?;
        table.push(value);
    }
    Ok(table)
}
