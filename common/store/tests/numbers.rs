//! Numbers of values: one each whoever writes, the same after a crash, in order whatever came between.

mod support;

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use support::{commit, copy, forms, result, shard};
use toads_census::ValueForm;
use toads_game::ValueId;
use toads_store::{MemoryStore, OpenOptions, RocksStore, Store};

fn open(path: &Path) -> RocksStore {
    RocksStore::open(path, &OpenOptions::creating().memory(32 << 20)).unwrap()
}

fn scanned(store: &dyn Store) -> Vec<ValueForm> {
    let mut seen = Vec::new();
    let visited = store.scan_values(&mut |form| {
        seen.push(form);
        ControlFlow::Continue(())
    });
    visited.unwrap();
    seen
}

fn damage_of(store: &RocksStore) -> Vec<String> {
    let mut damage = Vec::new();
    let verified = store.verify(&mut |error| damage.push(error.to_string()));
    verified.unwrap();
    damage
}

#[test]
fn many_threads_give_every_value_one_number() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("s.db"));
    let forms = forms();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (store, forms) = (&store, &forms);
            scope.spawn(move || {
                // Everybody writes every prefix, in steps of their own.
                for end in (1..=forms.len()).step_by(5 + 3 * thread) {
                    store.put_values(&forms[..end]).unwrap();
                    let asked: Vec<ValueId> = forms[..end].iter().map(|form| form.id).collect();
                    assert_eq!(store.missing_values(&asked).unwrap(), []);
                }
                store.put_values(forms).unwrap();
            });
        }
    });
    let twin = MemoryStore::new();
    twin.put_values(&forms).unwrap();
    // All wrote the same prefixes, so whoever came first, the order is that of the forms.
    let seen = scanned(&store);
    assert_eq!(seen, scanned(&twin));
    drop(store);
    let store = open(&folder.path().join("s.db"));
    assert_eq!(scanned(&store), seen);
    assert_eq!(damage_of(&store), [""; 0]);
    let count = store
        .info()
        .unwrap()
        .into_iter()
        .find(|(key, _)| key == "values");
    assert_eq!(count.unwrap().1, seen.len().to_string());
}

#[test]
fn a_crash_between_values_and_tally_loses_nothing_but_the_tally() {
    let folder = tempfile::tempdir().unwrap();
    let (path, stopped) = (folder.path().join("s.db"), folder.path().join("stopped.db"));
    let (forms, one, other) = (forms(), shard(6, 3, 2), shard(7, 3, 2));
    let store = open(&path);
    let done = commit(&store, one, &forms[..30], 9);
    store.put_values(&forms[..60]).unwrap();
    copy(&path, &stopped);
    drop(store);
    let store = open(&stopped);
    assert_eq!(store.shards(None).unwrap(), [done]);
    assert_eq!(scanned(&store).len(), 60);
    // What was there keeps its number, what comes now goes on behind it.
    store.put_values(&forms).unwrap();
    let (record, tally) = result(other, &forms, 90, &[]);
    store.commit(&record, &tally, &[]).unwrap();
    assert_eq!(store.tally(other).unwrap(), Some(tally));
    let twin = MemoryStore::new();
    twin.put_values(&forms).unwrap();
    assert_eq!(scanned(&store), scanned(&twin));
    assert_eq!(damage_of(&store), [""; 0]);
}

#[test]
fn a_torn_log_keeps_a_prefix_of_the_numbers_and_every_tally_its_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    let forms = forms();
    let store = open(&path);
    for n in 3..12u8 {
        commit(
            &store,
            shard(n, 2, 1),
            &forms[..12 * usize::from(n)],
            3 * usize::from(n),
        );
    }
    let whole = scanned(&store);
    let log = fs::read_dir(&path)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == "log"))
        .max()
        .unwrap();
    let length = fs::metadata(&log).unwrap().len();
    let mut sizes = std::collections::BTreeSet::new();
    for i in 1..24u64 {
        let cut = folder.path().join(format!("cut-{i}.db"));
        copy(&path, &cut);
        // A store that lost its log is refused while its mark stands; here it is looked at without.
        fs::remove_file(cut.join("MARK")).unwrap();
        let file = fs::File::options()
            .write(true)
            .open(cut.join(log.file_name().unwrap()));
        file.unwrap().set_len(length * i / 24 + i % 7).unwrap();
        let store = open(&cut);
        let seen = scanned(&store);
        assert_eq!(seen, whole[..seen.len()]);
        for record in store.shards(None).unwrap() {
            assert!(store.tally(record.shard).unwrap().is_some());
        }
        assert_eq!(damage_of(&store), [""; 0]);
        store.put_values(&forms).unwrap();
        assert_eq!(scanned(&store)[..whole.len()], whole);
        sizes.insert(seen.len());
    }
    assert!(sizes.len() > 4, "{sizes:?}");
}
