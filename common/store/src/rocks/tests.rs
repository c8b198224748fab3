//! Rows changed behind the engine's back, and tallies of more than one part.

use std::path::Path;

use rocksdb::WriteBatch;
use toads_census::{Digest, Shard, ShardResult, TallyEntry, ValueForm};
use toads_game::{Arena, Invariants, Value, ValueId};
use toads_strip::{Class, Variant};
use toads_survey::{Budget, Cell, CellOutcome, CellRecord, Effort, Survey};

use super::RocksStore;
use super::options::Column;
use crate::encode::{PART_ENTRIES, ROW_VALUES, encode_ids};
use crate::error::StoreError;
use crate::keys;
use crate::open::OpenOptions;
use crate::ranks::{Ranks, Strips};
use crate::records::{ShardRecord, SurveyRecord, SurveyState};
use crate::store::Store;

fn create(path: &Path) -> RocksStore {
    RocksStore::open(path, &OpenOptions::creating().memory(32 << 20)).unwrap()
}

fn zero() -> ValueForm {
    let arena = Arena::new();
    let invariants = Invariants::new(&arena).record(Value::ZERO).unwrap();
    let id = arena.id(Value::ZERO);
    ValueForm {
        id,
        negative: id,
        left: vec![],
        right: vec![],
        invariants,
    }
}

fn star() -> ValueForm {
    let id = ValueId::of(&mut [zero().id], &mut [zero().id]);
    ValueForm {
        id,
        negative: id,
        left: vec![zero().id],
        right: vec![zero().id],
        ..zero()
    }
}

fn marker(shard: Shard, tally: &[TallyEntry], blocks: u32, block_bytes: u64) -> ShardRecord {
    ShardRecord {
        shard,
        digest: Digest([1; 32]),
        strips: shard.strips(),
        distinct: tally.len() as u64,
        blocks,
        block_bytes,
        epoch: 0,
        worker: String::new(),
        committed_ms: 0,
        evaluate_ms: 0,
    }
}

fn small() -> (Shard, ShardResult) {
    let shard = Shard::whole(
        Variant::Hop,
        Class {
            n: 3,
            toads: 1,
            frogs: 1,
        },
    );
    let tally = vec![TallyEntry {
        value: zero().id,
        count: 6,
        first: 5,
        first_mirrored: 5,
    }];
    (
        shard,
        ShardResult {
            digest: Digest([1; 32]),
            tally,
        },
    )
}

/// A row, and how to read it.
type Case<'a> = (Column, Vec<u8>, &'a dyn Fn() -> StoreError);

fn flip(store: &RocksStore, column: Column, key: &[u8], at: usize) {
    let mut row = store.db.get(column, key).unwrap().unwrap().to_vec();
    let at = at % row.len();
    row[at] ^= 1;
    let mut batch = WriteBatch::default();
    batch.put_cf(&store.db.column(column), key, row);
    store.db.write(batch).unwrap();
}

#[test]
fn damaged_surveys_and_cells_are_named_and_hide_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = create(&folder.path().join("s.db"));
    let cells = (1..=3).map(|a| Cell::new([("a", a)], format!("T^{a} . F")));
    let survey = Survey::new("x", Variant::Hop, Budget::default(), cells.collect()).unwrap();
    let id = survey.id();
    let state = SurveyState::Active;
    let asked = SurveyRecord {
        survey,
        state,
        created_ms: 1,
    };
    store.put_survey(&asked).unwrap();
    let record = CellRecord {
        outcome: CellOutcome::failed("a test"),
        effort: Effort::default(),
        worker: String::new(),
        finished_ms: 0,
    };
    for index in 0..3 {
        store.put_cell(id, index, &record, &[]).unwrap();
    }
    let found = || {
        let mut places = Vec::new();
        let verified = store.verify(&mut |error| match error {
            StoreError::Damaged { place, .. } => places.push(place),
            other => panic!("{other}"),
        });
        assert_eq!(verified.unwrap().cells, 3);
        places
    };
    assert_eq!(found(), [""; 0]);
    flip(&store, Column::Cells, &keys::cell(id, 1), 9);
    assert_eq!(found().len(), 1);
    assert!(found()[0].starts_with("cells"), "{:?}", found());
    let error = store.cells(id).unwrap_err();
    assert!(error.to_string().contains("in a new store"), "{error}");
    flip(&store, Column::Surveys, &id.0, 9);
    assert_eq!(found().len(), 2);
    assert!(store.surveys().is_err());
    // A cell of a survey that is gone.
    let mut batch = WriteBatch::default();
    batch.delete_cf(&store.db.column(Column::Surveys), id.0);
    store.db.write(batch).unwrap();
    assert_eq!(found().len(), 3);
}

#[test]
fn a_flipped_bit_in_any_row_is_damage_that_names_the_row() {
    let folder = tempfile::tempdir().unwrap();
    let store = create(&folder.path().join("s.db"));
    let (shard, result) = small();
    store.put_values(&[zero()]).unwrap();
    store.put_blocks(shard, &[(0, vec![7; 30])]).unwrap();
    store
        .commit(&marker(shard, &result.tally, 1, 30), &result, &[])
        .unwrap();
    let place_of = |error: StoreError| match error {
        StoreError::Damaged { place, what } => format!("{place}: {what}"),
        other => panic!("{other}"),
    };
    let mut clean = Vec::new();
    store
        .verify(&mut |error| clean.push(error.to_string()))
        .unwrap();
    assert_eq!(clean, [""; 0]);
    let name = shard.to_string();
    let row = 0u32.to_be_bytes().to_vec();
    let cases: [Case<'_>; 5] = [
        (Column::Ids, row.clone(), &|| {
            store.load_numbers().unwrap_err()
        }),
        (Column::Values, row, &|| store.value(zero().id).unwrap_err()),
        (Column::Blocks, keys::part(shard, 0).to_vec(), &|| {
            store.block(shard, 0).unwrap_err()
        }),
        (Column::Tallies, keys::part(shard, 0).to_vec(), &|| {
            store.tally(shard).unwrap_err()
        }),
        (Column::Shards, keys::shard(shard).to_vec(), &|| {
            store.shard(shard).unwrap_err()
        }),
    ];
    for (column, key, read) in cases {
        for at in [0, 1, 9, usize::MAX] {
            flip(&store, column, &key, at);
            let place = place_of(read());
            assert!(
                place.starts_with(column.name()) && place.contains("checksum"),
                "{place}"
            );
            assert!(
                place.contains(&name) || place.contains("from number 0"),
                "{place}"
            );
            let mut found = 0;
            store.verify(&mut |_| found += 1).unwrap();
            assert!(found > 0, "{place}");
            flip(&store, column, &key, at);
        }
        read_again(&store, shard);
    }
}

fn read_again(store: &RocksStore, shard: Shard) {
    assert!(store.value(zero().id).unwrap().is_some());
    assert!(store.block(shard, 0).unwrap().is_some());
    assert!(store.tally(shard).unwrap().is_some());
}

#[test]
fn rows_that_are_gone_are_damage() {
    let folder = tempfile::tempdir().unwrap();
    let store = create(&folder.path().join("s.db"));
    let (shard, result) = small();
    store.put_values(&[zero()]).unwrap();
    store.put_blocks(shard, &[(0, vec![7; 30])]).unwrap();
    store
        .commit(&marker(shard, &result.tally, 1, 30), &result, &[])
        .unwrap();
    let mut batch = WriteBatch::default();
    batch.delete_cf(&store.db.column(Column::Blocks), keys::part(shard, 0));
    batch.delete_cf(&store.db.column(Column::Tallies), keys::part(shard, 0));
    store.db.write(batch).unwrap();
    assert!(matches!(
        store.block(shard, 0),
        Err(StoreError::Damaged { .. })
    ));
    assert!(matches!(
        store.tally(shard),
        Err(StoreError::Damaged { .. })
    ));
}

#[test]
fn a_stamp_inside_that_differs_from_the_one_outside_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    let store = create(&path);
    let mut row = vec![1];
    row.extend_from_slice(&1u32.to_be_bytes());
    crate::encode::seal_row(b"format", &mut row);
    let mut batch = WriteBatch::default();
    batch.put_cf(&store.db.column(Column::Meta), b"format", row);
    store.db.write_synced(batch).unwrap();
    drop(store);
    let error = RocksStore::open(&path, &OpenOptions::default()).unwrap_err();
    assert!(matches!(error, StoreError::Incompatible { .. }), "{error}");
}

/// Rows of ids from a number on.
fn put_ids(store: &RocksStore, first: u32, ids: &[ValueId]) {
    let mut batch = WriteBatch::default();
    for (first, ids) in (first..).step_by(ROW_VALUES).zip(ids.chunks(ROW_VALUES)) {
        let key = first.to_be_bytes();
        batch.put_cf(&store.db.column(Column::Ids), key, encode_ids(&key, ids));
    }
    store.db.write(batch).unwrap();
}

#[test]
fn numbers_without_a_gap_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let store = create(&folder.path().join("s.db"));
    let ids: Vec<ValueId> = (0..2000u32)
        .map(|i| {
            let mut id = [0; 16];
            id[..4].copy_from_slice(&i.to_be_bytes());
            ValueId(id)
        })
        .collect();
    put_ids(&store, 0, &ids);
    let numbers = store.load_numbers().unwrap();
    assert_eq!((numbers.len(), store.value_count().unwrap()), (2000, 2000));
    let mut found = Vec::new();
    numbers.find_all(ids.iter().copied(), &mut found);
    assert!(found.into_iter().eq(0..2000));
    let mut batch = WriteBatch::default();
    batch.delete_cf(&store.db.column(Column::Ids), 512u32.to_be_bytes());
    store.db.write(batch).unwrap();
    let error = store.value(ids[0]).unwrap_err().to_string();
    assert!(error.contains("ids, from number 1024"), "{error}");
    assert!(error.contains("compute into a new store"), "{error}");
    let mut found = Vec::new();
    store
        .verify(&mut |error| found.push(error.to_string()))
        .unwrap();
    assert!(found[0].contains("ids, from number 1024"), "{found:?}");
}

#[test]
fn every_damaged_row_is_told_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let store = create(&folder.path().join("s.db"));
    let (shard, result) = small();
    store.put_values(&[zero()]).unwrap();
    let blocks: Vec<_> = (0..4).map(|number| (number, vec![7; 30])).collect();
    store.put_blocks(shard, &blocks).unwrap();
    store
        .commit(&marker(shard, &result.tally, 4, 120), &result, &[])
        .unwrap();
    flip(&store, Column::Blocks, &keys::part(shard, 1), 9);
    flip(&store, Column::Blocks, &keys::part(shard, 3), 9);
    flip(&store, Column::Tallies, &keys::part(shard, 0), 9);
    flip(&store, Column::Values, &0u32.to_be_bytes(), 9);
    let mut found = Vec::new();
    let verified = store.verify(&mut |error| found.push(error.to_string()));
    let places = [
        "values, from number 0".to_owned(),
        format!("tallies, {shard}, part 0"),
        format!("blocks, {shard}, block 1"),
        format!("blocks, {shard}, block 3"),
    ];
    assert_eq!(found.len(), places.len(), "{found:?}");
    for (text, place) in found.iter().zip(&places) {
        assert!(text.contains(place.as_str()), "{text} {place}");
    }
    assert_eq!(verified.unwrap().blocks, 2);
}

#[test]
fn a_write_that_fails_gives_out_no_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    create(&path).put_values(&[zero()]).unwrap();
    // The engine of a store opened for reading refuses every write.
    let store = RocksStore::open_read_only(&path, &OpenOptions::default()).unwrap();
    let star = star();
    let error = store.write_values(std::slice::from_ref(&star)).unwrap_err();
    assert!(error.is_fatal(), "{error}");
    assert_eq!(
        store.missing_values(&[zero().id, star.id]).unwrap(),
        [star.id]
    );
    assert_eq!(store.read_numbers().unwrap().len(), 1);
}

/// A class of many strips, each with a value of its own; values that are only ids.
fn large() -> (Shard, ShardResult) {
    let shard = Shard::whole(
        Variant::Hop,
        Class {
            n: 14,
            toads: 5,
            frogs: 4,
        },
    );
    let count = 3 * PART_ENTRIES as u64 + 5;
    let id = |i: u64| {
        let mut id = [0; 16];
        id[..8].copy_from_slice(&(i * 90_000_000_000_000).to_be_bytes());
        ValueId(id)
    };
    let (ranks, strips) = (Ranks::new(shard.class), Strips::new(shard.class.n));
    let mut tally: Vec<_> = (0..count)
        .map(|i| {
            let first = ranks.index(i).unwrap();
            TallyEntry {
                value: id(i),
                count: 1,
                first,
                first_mirrored: strips.mirror(first).unwrap(),
            }
        })
        .collect();
    tally[0].count += shard.strips() - count;
    (
        shard,
        ShardResult {
            digest: Digest([1; 32]),
            tally,
        },
    )
}

#[test]
fn a_long_tally_is_written_in_parts_and_invisible_until_the_marker() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    let store = create(&path);
    let (shard, result) = large();
    let record = marker(shard, &result.tally, 0, 0);
    assert!(matches!(
        store.commit(&record, &result, &[]),
        Err(StoreError::Incomplete { .. })
    ));
    // Ids without forms, the last id first: only numbers are asked for.
    let ids: Vec<ValueId> = result.tally.iter().rev().map(|entry| entry.value).collect();
    put_ids(&store, 0, &ids);
    drop(store);
    let store = create(&path);
    store.commit(&record, &result, &[]).unwrap();
    assert_eq!(store.tally(shard).unwrap(), Some(result));
    assert_eq!(store.marker(shard).unwrap().unwrap().tally_parts, 4);
    // The machine stopped after the parts and before the marker.
    let mut batch = WriteBatch::default();
    batch.delete_cf(&store.db.column(Column::Shards), keys::shard(shard));
    store.db.write(batch).unwrap();
    assert_eq!(store.tally(shard).unwrap(), None);
    assert_eq!(store.sweep().unwrap().uncommitted, 1);
    assert_eq!(store.db.last_key(Column::Tallies).unwrap(), None);
}
