//! Small censuses in memory, and a referee that shares nothing with the kernel but the arena.

#![allow(dead_code, reason = "each test file uses a part")]

use std::collections::HashMap;
use std::path::PathBuf;

use toads_census::{Control, Forms, KnownValues, Shard, evaluate, forms, plan};
use toads_dataset::{Question, Table, answer};
use toads_game::{Arena, Value};
use toads_store::{Keep, MemoryStore, ShardRecord, Store};
use toads_strip::{Player, Strip, Variant};

/// A store with a complete census of `variant` from 1 to `last` squares.
pub(crate) fn census(variant: Variant, last: u8, keep: Keep) -> MemoryStore {
    let store = MemoryStore::new();
    for shard in plan::shards(variant, 1..=last) {
        commit(&store, shard, keep);
    }
    store
}

/// Evaluates a shard and commits it.
pub(crate) fn commit(store: &dyn Store, shard: Shard, keep: Keep) {
    let (arena, control) = (Arena::new(), Control::default());
    let evaluated = evaluate(&arena, shard, 1, &control).unwrap();
    let finished = evaluated.tally(&arena, 1, &control).unwrap();
    let mut writer = Forms::new(&arena);
    let values = forms::closure(&arena, &finished.distinct, &mut KnownValues::default());
    let values: Vec<_> = values
        .into_iter()
        .map(|value| writer.form(value).unwrap())
        .collect();
    store.put_values(&values).unwrap();
    let (mut blocks, mut block_bytes) = (0, 0);
    if keep == Keep::Blocks {
        let mut emit = |number, bytes: Vec<u8>| {
            blocks += 1;
            block_bytes += bytes.len() as u64;
            store.put_blocks(shard, &[(number, bytes)]).unwrap();
            Ok(())
        };
        evaluated.blocks(&finished, 1, &control, &mut emit).unwrap();
    }
    let record = ShardRecord {
        shard,
        digest: finished.result.digest,
        strips: shard.strips(),
        distinct: finished.result.tally.len() as u64,
        blocks,
        block_bytes,
        epoch: 1,
        worker: "test".to_owned(),
        committed_ms: 0,
        evaluate_ms: 0,
    };
    store.commit(&record, &finished.result, &[]).unwrap();
}

/// The answer to a question, whole.
pub(crate) fn ask(store: &dyn Store, question: &Question) -> Table {
    let mut table = Table::default();
    answer(store, question, &mut table).unwrap();
    table
}

/// A reference figure.
pub(crate) fn golden(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/golden")
        .join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every strip of `n` squares in index order, with its value by plain recursion.
pub(crate) struct Referee {
    pub(crate) arena: Arena,
    variant: Variant,
    known: HashMap<Strip, Value>,
}

impl Referee {
    pub(crate) fn new(variant: Variant) -> Self {
        Self {
            arena: Arena::new(),
            variant,
            known: HashMap::new(),
        }
    }

    pub(crate) fn value(&mut self, strip: &Strip) -> Value {
        if let Some(&value) = self.known.get(strip) {
            return value;
        }
        let options = |this: &mut Self, player| {
            strip
                .moves(this.variant, player)
                .iter()
                .map(|option| this.value(option))
                .collect::<Vec<_>>()
        };
        let (left, right) = (options(self, Player::Left), options(self, Player::Right));
        let value = self.arena.canonical(&left, &right).unwrap();
        self.known.insert(strip.clone(), value);
        value
    }

    pub(crate) fn all(&mut self, n: u8) -> Vec<(Strip, Value)> {
        let strips =
            (0..3u128.pow(n.into())).map(|index| Strip::from_index(n.into(), index).unwrap());
        strips
            .map(|strip| (strip.clone(), self.value(&strip)))
            .collect()
    }
}
