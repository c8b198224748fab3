//! A small census, evaluated: where seeds come from.

use toads_census::{
    Control, Forms, KnownValues, Shard, ShardResult, ValueForm, evaluate, forms, plan,
};
use toads_game::Arena;
use toads_store::{MemoryStore, ShardRecord, Store};
use toads_strip::Variant;

/// What a worker computes of a shard.
pub(crate) struct Evaluated {
    pub(crate) shard: Shard,
    pub(crate) forms: Vec<ValueForm>,
    pub(crate) result: ShardResult,
    pub(crate) blocks: Vec<(u32, Vec<u8>)>,
}

/// A shard, evaluated.
pub(crate) fn evaluated(shard: Shard) -> Evaluated {
    let (arena, control) = (Arena::with_capacity_bytes(64 << 20), Control::default());
    let class = evaluate(&arena, shard, 1, &control).unwrap();
    let finished = class.tally(&arena, 1, &control).unwrap();
    let values = forms::closure(&arena, &finished.distinct, &mut KnownValues::default());
    let mut writer = Forms::new(&arena);
    let forms = values.into_iter().map(|value| writer.form(value).unwrap());
    let forms = forms.collect();
    let mut blocks = Vec::new();
    let mut emit = |number, bytes| {
        blocks.push((number, bytes));
        Ok(())
    };
    class.blocks(&finished, 1, &control, &mut emit).unwrap();
    Evaluated {
        shard,
        forms,
        result: finished.result,
        blocks,
    }
}

/// The shards of both variants from 1 to `last` squares, evaluated.
pub(crate) fn census(last: u8) -> Vec<Evaluated> {
    let shards = Variant::ALL
        .into_iter()
        .flat_map(|variant| plan::shards(variant, 1..=last));
    shards.map(evaluated).collect()
}

/// The marker of a shard.
pub(crate) fn record(of: &Evaluated) -> ShardRecord {
    ShardRecord {
        shard: of.shard,
        digest: of.result.digest,
        strips: of.shard.strips(),
        distinct: of.result.tally.len() as u64,
        blocks: of.blocks.len() as u32,
        block_bytes: of.blocks.iter().map(|(_, bytes)| bytes.len() as u64).sum(),
        epoch: 1,
        worker: "node-7/4711".to_owned(),
        committed_ms: 1_700_000_000_000,
        evaluate_ms: 12,
    }
}

/// A store with the census from 1 to `last` squares.
pub(crate) fn store(last: u8) -> MemoryStore {
    let store = MemoryStore::new();
    for evaluated in census(last) {
        store.put_values(&evaluated.forms).unwrap();
        store
            .put_blocks(evaluated.shard, &evaluated.blocks)
            .unwrap();
        store
            .commit(&record(&evaluated), &evaluated.result, &[])
            .unwrap();
    }
    store
}
