//! Small stores to test with: real values from an arena, results that add up.

#![allow(dead_code, reason = "each test binary uses its own part")]

use std::path::Path;

use toads_census::{Digest, Shard, ShardResult, TallyEntry, ValueForm};
use toads_game::{Arena, Invariants, Value, ValueId};
use toads_store::{EventRecord, Keep, RunRecord, RunState, ShardRecord, Store};
use toads_strip::{Class, Variant};

/// Forms of integers, nimbers, switches and sums, options before values.
pub(crate) fn forms() -> Vec<ValueForm> {
    let arena = Arena::new();
    let mut values = vec![Value::ZERO];
    for n in -3..=3 {
        values.push(arena.integer(n).unwrap());
    }
    for n in 1..=3 {
        values.push(arena.nimber(n).unwrap());
    }
    for i in 0..values.len() {
        for j in 0..values.len() {
            values.push(arena.canonical(&[values[i]], &[values[j]]).unwrap());
        }
    }
    // Whatever was made on the way, negatives and options included: handles ascend from options to values.
    for value in values {
        arena.neg(value).unwrap();
    }
    let mut invariants = Invariants::new(&arena);
    let ids = |options: Vec<Value>| {
        let mut ids: Vec<ValueId> = options.into_iter().map(|option| arena.id(option)).collect();
        ids.sort_unstable();
        ids
    };
    (0..arena.len())
        .map(Value::from_index)
        .map(|value| ValueForm {
            id: arena.id(value),
            negative: arena.id(arena.neg(value).unwrap()),
            left: ids(arena.left_options(value).collect()),
            right: ids(arena.right_options(value).collect()),
            invariants: invariants.record(value).unwrap(),
        })
        .collect()
}

pub(crate) fn shard(n: u8, toads: u8, frogs: u8) -> Shard {
    Shard::whole(Variant::Hop, Class { n, toads, frogs })
}

/// A result over the first `distinct` of `forms` whose counts add up to the class, and its marker.
pub(crate) fn result(
    shard: Shard,
    forms: &[ValueForm],
    distinct: usize,
    blocks: &[(u32, Vec<u8>)],
) -> (ShardRecord, ShardResult) {
    let strips = shard.strips();
    let distinct = distinct.clamp(1, forms.len().min(strips as usize));
    let mut tally: Vec<TallyEntry> = forms[..distinct]
        .iter()
        .zip(shard.class.strips())
        .map(|(form, strip)| TallyEntry {
            value: form.id,
            count: 1,
            first: strip.index().unwrap() as u64,
            first_mirrored: strip.mirror().index().unwrap() as u64,
        })
        .collect();
    tally.sort_unstable_by_key(|entry| entry.value);
    tally[0].count += strips - distinct as u64;
    let digest = Digest([distinct as u8; 32]);
    let record = ShardRecord {
        shard,
        digest,
        strips,
        distinct: tally.len() as u64,
        blocks: blocks.len() as u32,
        block_bytes: blocks.iter().map(|(_, bytes)| bytes.len() as u64).sum(),
        epoch: 1,
        worker: "worker-1".into(),
        committed_ms: 1_700_000_000_000,
        evaluate_ms: 12,
    };
    (record, ShardResult { digest, tally })
}

/// Blocks `0..count` that differ from each other and between salts.
pub(crate) fn blocks(count: u32, salt: u8) -> Vec<(u32, Vec<u8>)> {
    (0..count)
        .map(|number| (number, vec![salt ^ number as u8; 100 + number as usize]))
        .collect()
}

pub(crate) fn event(sequence: u64, kind: &str) -> EventRecord {
    EventRecord {
        sequence,
        at_ms: 1_700_000_000_000 + sequence,
        kind: kind.into(),
        shard: Some(shard(5, 2, 1)),
        worker: "worker-1".into(),
        epoch: sequence,
        detail: String::new(),
    }
}

pub(crate) fn run(id: u32) -> RunRecord {
    RunRecord {
        id,
        variant: Variant::Hop,
        first_n: 1,
        last_n: 12,
        keep: Keep::Blocks,
        state: RunState::Active,
        created_ms: 1_700_000_000_000,
    }
}

/// Streams and commits one shard with three blocks.
pub(crate) fn commit(
    store: &dyn Store,
    shard: Shard,
    forms: &[ValueForm],
    distinct: usize,
) -> ShardRecord {
    let blocks = blocks(3, shard.class.n);
    let (record, result) = result(shard, forms, distinct, &blocks);
    store.put_values(forms).unwrap();
    store.put_blocks(shard, &blocks).unwrap();
    let sequence = store.next_event().unwrap();
    store
        .commit(&record, &result, &[event(sequence, "committed")])
        .unwrap();
    record
}

/// The files of a folder with their bytes, to see that nothing changed.
pub(crate) fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| {
            (
                entry.file_name().into_string().unwrap(),
                std::fs::read(entry.path()).unwrap(),
            )
        })
        .collect();
    files.sort();
    files
}

/// Copies a store's files as they are now, as a machine that stops would leave them.
pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}
