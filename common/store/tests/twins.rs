//! Random operations have the same outcome on disk and in memory, with the store closed and opened in between.

mod support;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use support::{blocks, event, forms, result, run, shard};
use toads_census::{Shard, ValueForm};
use toads_store::{MemoryStore, OpenOptions, QuarantineRecord, RocksStore, RunState, Store};

static FORMS: LazyLock<Vec<ValueForm>> = LazyLock::new(forms);

#[derive(Clone, Debug)]
enum Op {
    Reopen,
    Sweep,
    PutRun(u32, bool),
    PutValues(usize, usize),
    PutBlocks(u8, u32, u8),
    Commit {
        shard: u8,
        distinct: usize,
        blocks: u32,
        sequence: u64,
    },
    Invalidate(u8),
    Quarantine(u8, bool),
    Events(u64, bool),
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        1 => Just(Op::Reopen),
        1 => Just(Op::Sweep),
        1 => (0..3u32, any::<bool>()).prop_map(|(id, paused)| Op::PutRun(id, paused)),
        4 => (prop_oneof![Just(0), 0..100usize], 0..100usize).prop_map(|(from, count)| Op::PutValues(from, count)),
        4 => (0..4u8, 0..4u32, 0..3u8).prop_map(|(shard, count, salt)| Op::PutBlocks(shard, count, salt / 2)),
        6 => (0..4u8, 1..4usize, 0..3u32, 0..12u64)
            .prop_map(|(shard, distinct, blocks, sequence)| Op::Commit { shard, distinct: 7 * distinct, blocks, sequence }),
        1 => (0..4u8).prop_map(Op::Invalidate),
        1 => (0..4u8, any::<bool>()).prop_map(|(shard, on)| Op::Quarantine(shard, on)),
        2 => (0..12u64, any::<bool>()).prop_map(|(sequence, other)| Op::Events(sequence, other)),
    ]
}

fn shard_of(number: u8) -> Shard {
    [
        shard(5, 2, 1),
        shard(5, 2, 2),
        shard(6, 3, 2),
        shard(6, 1, 1),
    ][usize::from(number)]
}

/// What the store says, word for word.
fn apply(store: &dyn Store, op: &Op) -> String {
    let words = |answer: toads_store::Result<()>| {
        answer.map_or_else(|error| error.to_string(), |()| "done".into())
    };
    match *op {
        Op::Reopen => String::new(),
        Op::Sweep => format!("{:?}", store.sweep().unwrap()),
        Op::PutRun(id, paused) => {
            let state = if paused {
                RunState::Paused
            } else {
                RunState::Active
            };
            words(store.put_run(&toads_store::RunRecord { state, ..run(id) }))
        }
        Op::PutValues(from, count) => {
            let range = &FORMS[from..(from + count).min(FORMS.len())];
            words(store.put_values(range))
        }
        Op::PutBlocks(number, count, salt) => {
            words(store.put_blocks(shard_of(number), &blocks(count, salt)))
        }
        Op::Commit {
            shard,
            distinct,
            blocks: count,
            sequence,
        } => {
            let (record, result) = result(shard_of(shard), &FORMS, distinct, &blocks(count, 0));
            words(store.commit(&record, &result, &[event(sequence, "committed")]))
        }
        Op::Invalidate(number) => words(store.invalidate(shard_of(number), &[])),
        Op::Quarantine(number, on) => {
            let shard = shard_of(number);
            let record = QuarantineRecord {
                shard,
                failures: vec![],
                since_ms: 1,
            };
            words(store.set_quarantine(shard, on.then_some(&record)))
        }
        Op::Events(sequence, other) => {
            words(store.append_events(&[event(sequence, if other { "other" } else { "leased" })]))
        }
    }
}

/// Everything a reader can see.
fn everything(store: &dyn Store) -> impl PartialEq + std::fmt::Debug {
    let ids: Vec<_> = FORMS.iter().map(|form| form.id).collect();
    let shards = (0..4).map(shard_of).map(|shard| {
        let blocks: Vec<_> = (0..4)
            .map(|number| store.block(shard, number).unwrap())
            .collect();
        (
            store.shard(shard).unwrap(),
            store.tally(shard).unwrap(),
            store.numbered_tally(shard).unwrap(),
            blocks,
        )
    });
    let mut scanned = Vec::new();
    let visited = store.scan_values(&mut |form| {
        scanned.push(form);
        ControlFlow::Continue(())
    });
    visited.unwrap();
    (
        store.runs().unwrap(),
        store.shards(None).unwrap(),
        shards.collect::<Vec<_>>(),
        (
            store.missing_values(&ids).unwrap(),
            store.values(&ids).unwrap(),
            scanned,
        ),
        (
            store.quarantine().unwrap(),
            store.events(0, 99).unwrap(),
            store.next_event().unwrap(),
        ),
    )
}

fn open(path: &Path) -> RocksStore {
    RocksStore::open(path, &OpenOptions::creating().memory(32 << 20)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_twins_agree(ops in proptest::collection::vec(op(), 1..60)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.db");
        let (mut disk, memory) = (Some(open(&path)), MemoryStore::new());
        for op in &ops {
            if matches!(op, Op::Reopen) {
                drop(disk.take());
                disk = Some(open(&path));
            }
            let disk = disk.as_ref().unwrap();
            prop_assert_eq!(apply(disk, op), apply(&memory, op), "{:?}", op);
        }
        let disk = disk.unwrap();
        prop_assert_eq!(everything(&disk), everything(&memory));
        let mut damage = Vec::new();
        disk.verify(&mut |error| damage.push(error.to_string())).unwrap();
        prop_assert!(damage.is_empty(), "{damage:?}");
    }
}
