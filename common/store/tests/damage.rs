//! A machine that stops at any moment, and bytes that change on disk.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use support::{blocks, commit, copy, event, forms, result, shard};
use toads_store::{OpenOptions, RocksStore, Store, StoreError};

fn open(path: &Path) -> toads_store::Result<RocksStore> {
    RocksStore::open(path, &OpenOptions::creating().memory(32 << 20))
}

fn damage_of(store: &RocksStore) -> Vec<String> {
    let mut damage = Vec::new();
    store
        .verify(&mut |error| damage.push(error.to_string()))
        .unwrap();
    damage
}

/// Files of a store whose names end so, oldest first.
fn files(path: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    files
}

/// Bytes that do not compress.
fn noise(seed: u32, length: u32) -> Vec<u8> {
    let byte = |i: u32| {
        (seed * length + i)
            .wrapping_mul(0x9e37_79b9)
            .rotate_left(15)
    };
    (0..length)
        .map(|i| (byte(i).wrapping_mul(0x85eb_ca6b) >> 24) as u8)
        .collect()
}

#[test]
fn a_machine_that_stops_keeps_what_was_committed_and_shows_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let forms = forms();
    let store = open(&folder.path().join("s.db")).unwrap();
    let done = commit(&store, shard(6, 3, 2), &forms, 9);
    let half = shard(7, 3, 2);
    store.put_blocks(half, &blocks(2, 1)).unwrap();
    let stopped = folder.path().join("stopped.db");
    copy(&folder.path().join("s.db"), &stopped);
    drop(store);
    let store = open(&stopped).unwrap();
    assert_eq!(store.shards(None).unwrap(), [done]);
    assert_eq!(store.block(half, 0).unwrap(), None);
    assert_eq!(damage_of(&store), [""; 0]);
    assert_eq!(store.sweep().unwrap().uncommitted, 1);
    let (record, tally) = result(half, &forms, 9, &blocks(3, 1));
    store.put_blocks(half, &blocks(3, 1)).unwrap();
    store.commit(&record, &tally, &[]).unwrap();
    assert_eq!(damage_of(&store), [""; 0]);
}

#[test]
fn a_log_that_was_cut_anywhere_is_refused_and_without_a_mark_leaves_a_prefix_of_the_commits() {
    let folder = tempfile::tempdir().unwrap();
    let forms = forms();
    let path = folder.path().join("s.db");
    let store = open(&path).unwrap();
    let records: Vec<_> = (3..11)
        .map(|n| commit(&store, shard(n, 2, 1), &forms[..usize::from(4 * n)], 3))
        .collect();
    let (mut previous, mut seen) = (records.len(), std::collections::BTreeSet::new());
    let log = files(&path, "log").pop().unwrap();
    let length = fs::metadata(&log).unwrap().len();
    for i in 0..25u64 {
        let cut = folder.path().join(format!("cut-{i}.db"));
        copy(&path, &cut);
        let file = fs::File::options()
            .write(true)
            .open(cut.join(log.file_name().unwrap()))
            .unwrap();
        file.set_len(length - i * length / 25 - u64::from(i > 0))
            .unwrap();
        let refused = open(&cut).err().map(|error| error.to_string());
        fs::remove_file(cut.join("MARK")).unwrap();
        let store = open(&cut).unwrap();
        let found = store.shards(None).unwrap();
        assert_eq!(
            refused.is_some_and(|error| error.contains("MARK")),
            found.len() < records.len()
        );
        assert_eq!(found, records[..found.len()]);
        assert!(found.len() <= previous);
        assert_eq!(damage_of(&store), [""; 0]);
        assert!(store.next_event().unwrap() > found.len() as u64);
        previous = found.len();
        seen.insert(found.len());
    }
    assert!(seen.len() > 4 && seen.contains(&records.len()), "{seen:?}");
}

#[test]
fn changed_bytes_in_files_are_damage_with_a_place() {
    let folder = tempfile::tempdir().unwrap();
    let forms = forms();
    let path = folder.path().join("s.db");
    let store = open(&path).unwrap();
    let shard = shard(9, 3, 2);
    let big: Vec<_> = (0..40)
        .map(|number| (number, noise(number, 50_000)))
        .collect();
    let (record, tally) = result(shard, &forms, 90, &big);
    store.put_values(&forms).unwrap();
    store.put_blocks(shard, &big).unwrap();
    store
        .commit(&record, &tally, &[event(1, "committed")])
        .unwrap();
    store.compact().unwrap();
    drop(store);
    let largest = |files: Vec<PathBuf>| {
        files
            .into_iter()
            .max_by_key(|path| fs::metadata(path).unwrap().len())
            .unwrap()
    };
    let file = largest(files(&path, "sst"));
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&file, bytes).unwrap();

    let store = open(&path).unwrap();
    assert_eq!(store.shards(None).unwrap(), [record]);
    let errors: Vec<StoreError> = big
        .iter()
        .filter_map(|&(number, _)| store.block(shard, number).err())
        .collect();
    assert!(!errors.is_empty() && errors.len() < 10, "{errors:?}");
    for error in errors {
        assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains("blocks"), "{error}");
    }
    let damage = damage_of(&store);
    assert!(
        damage.iter().all(|text| text.contains("blocks")) && !damage.is_empty(),
        "{damage:?}"
    );
}

#[test]
fn a_file_that_is_gone_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    let store = open(&path).unwrap();
    commit(&store, shard(6, 3, 2), &forms(), 9);
    store.compact().unwrap();
    drop(store);
    fs::remove_file(files(&path, "sst").pop().unwrap()).unwrap();
    let error = open(&path).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert!(error.to_string().contains("s.db"), "{error}");
}
