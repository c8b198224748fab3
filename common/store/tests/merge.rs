//! Stores merged: copied once, repeated without effect, never overwritten.

mod support;

use std::ops::ControlFlow;
use std::path::Path;

use support::{commit, forms, result, shard};
use toads_census::Digest;
use toads_store::{
    MemoryStore, Merged, OpenOptions, RocksStore, Store, StoreError, SurveyRecord, SurveyState,
    merge, store_digest,
};
use toads_strip::Variant;
use toads_survey::{Budget, Cell, CellOutcome, CellRecord, Effort, Exact, Survey};

fn rocks(folder: &Path, name: &str) -> RocksStore {
    RocksStore::open(&folder.join(name), &OpenOptions::creating()).unwrap()
}

fn all(from: &dyn Store, into: &dyn Store) -> Vec<Merged> {
    let mut all = Vec::new();
    merge(from, into, "other.db", 7, &mut |merged| {
        all.push(merged);
        ControlFlow::Continue(())
    })
    .unwrap();
    all
}

fn digest(store: &dyn Store) -> Digest {
    store_digest(&store.shards(None).unwrap())
}

#[test]
fn what_is_missing_is_copied_and_doing_it_again_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (forms, a, b) = (
        forms(),
        rocks(folder.path(), "a.db"),
        rocks(folder.path(), "b.db"),
    );
    // The values of b have other numbers than those of a, and a has some that no shard of b needs.
    let common = commit(&b, shard(4, 2, 1), &forms[..20], 5);
    commit(&a, shard(4, 2, 1), &forms, 5);
    let only = commit(&a, shard(6, 3, 2), &forms, 40);
    let merged = all(&a, &b);
    assert_eq!(
        merged,
        [Merged::There(common.shard), Merged::Copied(only.shard)]
    );
    assert_eq!(digest(&b), digest(&a));
    assert_eq!(b.tally(only.shard).unwrap(), a.tally(only.shard).unwrap());
    for number in 0..only.blocks {
        let block = b.block(only.shard, number).unwrap();
        assert!(block.is_some() && block == a.block(only.shard, number).unwrap());
    }
    let record = b.shard(only.shard).unwrap().unwrap();
    assert_eq!((record.epoch, record.worker), (0, only.worker));
    let last = b.events(1, 100).unwrap().pop().unwrap();
    assert_eq!(
        (last.kind.as_str(), last.detail.as_str()),
        ("merged", "from other.db")
    );
    let events = b.next_event().unwrap();
    let again = all(&a, &b);
    assert!(
        again
            .iter()
            .all(|merged| matches!(merged, Merged::There(_)))
    );
    assert_eq!(b.next_event().unwrap(), events);
    drop(b);
    let b = RocksStore::open(&folder.path().join("b.db"), &OpenOptions::default()).unwrap();
    assert_eq!(digest(&b), digest(&a));
}

#[test]
fn another_digest_is_told_and_stays() {
    let (forms, a, b) = (forms(), MemoryStore::new(), MemoryStore::new());
    let there = commit(&a, shard(5, 2, 1), &forms, 9);
    let here = commit(&b, shard(5, 2, 1), &forms, 10);
    commit(&a, shard(5, 3, 1), &forms, 3);
    let differs = Merged::Differs {
        shard: here.shard,
        here: here.digest,
        there: there.digest,
    };
    assert_eq!(all(&a, &b), [differs, Merged::Copied(shard(5, 3, 1))]);
    assert_eq!(b.shard(here.shard).unwrap(), Some(here));
}

#[test]
fn values_of_single_strips_are_added_and_never_taken_away() {
    let (forms, a, b) = (forms(), MemoryStore::new(), MemoryStore::new());
    let full = commit(&a, shard(5, 2, 1), &forms, 9);
    let (record, result) = result(full.shard, &forms, 9, &[]);
    b.put_values(&forms).unwrap();
    b.commit(&record, &result, &[]).unwrap();
    assert_eq!(all(&b, &a), [Merged::There(full.shard)]);
    assert_eq!(all(&a, &b), [Merged::Copied(full.shard)]);
    assert_eq!(b.shard(full.shard).unwrap().unwrap().blocks, full.blocks);
}

#[test]
fn it_may_be_ended_early_and_what_was_copied_stays() {
    let (forms, a, b) = (forms(), MemoryStore::new(), MemoryStore::new());
    for toads in 1..=3 {
        commit(&a, shard(6, toads, 1), &forms, 4);
    }
    merge(&a, &b, "a", 0, &mut |_| ControlFlow::Break(())).unwrap();
    assert_eq!(b.shards(None).unwrap().len(), 1);
    assert_eq!(all(&a, &b).len(), 3);
    assert_eq!(digest(&b), digest(&a));
}

#[test]
fn a_store_that_was_opened_for_reading_takes_nothing() {
    let (forms, a) = (forms(), MemoryStore::new());
    commit(&a, shard(5, 2, 1), &forms, 9);
    let folder = tempfile::tempdir().unwrap();
    let b = rocks(folder.path(), "b.db");
    drop(b);
    let b = RocksStore::open_read_only(&folder.path().join("b.db"), &OpenOptions::default());
    let refused = merge(&a, &b.unwrap(), "a", 0, &mut |_| ControlFlow::Continue(()));
    assert!(matches!(refused, Err(StoreError::ReadOnly { .. })));
}

#[test]
fn surveys_come_along_cell_by_cell() {
    let cells = (1..=3).map(|a| Cell::new([("a", a)], format!("T^{a} . F")));
    let survey = Survey::new("t", Variant::Hop, Budget::default(), cells.collect()).unwrap();
    let record = SurveyRecord {
        survey,
        state: SurveyState::Active,
        created_ms: 5,
    };
    let exact = |text: &str, id: u8| CellRecord {
        outcome: CellOutcome::Exact {
            value: Exact {
                text: text.into(),
                id: Some(toads_game::ValueId([id; 16])),
                kind: "hot".into(),
            },
            how: "class table".into(),
        },
        effort: Effort {
            nodes: 1,
            milliseconds: 1,
        },
        worker: "w".into(),
        finished_ms: 1,
    };
    let (a, b) = (MemoryStore::new(), MemoryStore::new());
    let id = record.id();
    a.put_survey(&record).unwrap();
    a.put_cell(id, 0, &exact("1", 1), &[]).unwrap();
    a.put_cell(id, 1, &exact("2", 2), &[]).unwrap();
    b.put_survey(&record).unwrap();
    b.put_cell(id, 1, &exact("3", 3), &[]).unwrap();
    let merged = all(&a, &b);
    assert!(
        matches!(&merged[..], [Merged::Cell(copied), Merged::CellDiffers(key, _)]
            if copied.index == 0 && key.index == 1),
        "{merged:?}"
    );
    assert_eq!(b.cell(id, 1).unwrap(), Some(exact("3", 3)));
    let fresh = MemoryStore::new();
    assert_eq!(all(&a, &fresh).len(), 2);
    assert_eq!(fresh.cells(id).unwrap(), a.cells(id).unwrap());
}
