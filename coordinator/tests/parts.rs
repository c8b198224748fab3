//! Parts of a split census, evaluated without a coordinator and imported into a store.

use std::convert::Infallible;
use std::fs;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};

use toads_census::{Digest, Shard};
use toads_coordinator::import::{ImportError, Imported, Outline, import_part};
use toads_store::{MemoryStore, ShardRecord, Store, store_digest};
use toads_strip::Variant;
use toads_wire::part::{PartError, PartHeader, PartReader, PartWriter, Started};
use toads_wire::v1::submit_request::Part;
use toads_worker::{Job, Offline};

/// A folder of parts.
struct Parts {
    folder: tempfile::TempDir,
}

impl Parts {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Computes a part.
    fn compute(&self, header: &PartHeader) -> PathBuf {
        let kept = if header.keep_blocks { "" } else { "-tallies" };
        let path = self.path(&format!("{}-of-{}{kept}", header.part, header.parts));
        let worker = Offline::new(2, 256 << 20);
        Self::write(&path, header, |shard, send| {
            worker
                .evaluate(&Job::new(shard, header.keep_blocks), &mut |part| {
                    send(part);
                    Ok::<_, Infallible>(())
                })
                .unwrap();
        });
        path
    }

    fn write(path: &Path, header: &PartHeader, mut shard: impl FnMut(Shard, &mut dyn FnMut(Part))) {
        let Started::Writing(mut writer, _) = PartWriter::start(path, header).unwrap() else {
            panic!("{} is there", path.display());
        };
        for of in header.shards() {
            shard(of, &mut |part| writer.write(part).unwrap());
        }
        writer.finish().unwrap();
    }

    /// A part whose checksums hold and whose messages were changed.
    fn forge(&self, of: &Path, header: &PartHeader, change: impl Fn(&mut Vec<Part>)) -> PathBuf {
        let mut reader = PartReader::open(of).unwrap();
        let mut messages = Vec::new();
        while let Some(part) = reader.next().unwrap() {
            messages.push(part);
        }
        change(&mut messages);
        let path = self.path("forged");
        let _ = fs::remove_file(&path);
        let Started::Writing(mut writer, _) = PartWriter::start(&path, header).unwrap() else {
            panic!("{} is there", path.display());
        };
        for part in messages {
            writer.write(part).unwrap();
        }
        writer.finish().unwrap();
        path
    }
}

fn hop(squares: RangeInclusive<u8>, number: (u32, u32)) -> PartHeader {
    PartHeader::new(Variant::Hop, squares, number, true)
}

fn import(store: &dyn Store, path: &Path) -> Result<(Outline, Vec<Imported>), ImportError> {
    let mut all = Vec::new();
    let outline = import_part(store, path, 0, &mut |_, imported| {
        all.push(imported);
        ControlFlow::Continue(())
    })?;
    Ok((outline, all))
}

fn digest(store: &dyn Store) -> Digest {
    store_digest(&store.shards(None).unwrap())
}

/// The census in one part.
fn whole(parts: &Parts, squares: RangeInclusive<u8>) -> MemoryStore {
    let store = MemoryStore::new();
    import(&store, &parts.compute(&hop(squares, (1, 1)))).unwrap();
    store
}

#[test]
fn parts_of_any_split_in_any_order_make_the_same_store() {
    let parts = Parts::new();
    let whole = whole(&parts, 1..=9);
    let seven: Vec<PathBuf> = (1..=7)
        .map(|part| parts.compute(&hop(1..=9, (part, 7))))
        .collect();
    let others = [(2, 3), (4, 5)].map(|number| parts.compute(&hop(1..=9, number)));
    let store = MemoryStore::new();
    let order = [&seven[3..], &others, &seven[2..5], &seven[..3]].concat();
    for path in &order {
        let (outline, imported) = import(&store, path).unwrap();
        assert_eq!(imported.len(), outline.shards.len());
    }
    assert_eq!(digest(&store), digest(&whole));
    for shard in store.shards(None).unwrap() {
        assert_eq!(
            store.tally(shard.shard).unwrap(),
            whole.tally(shard.shard).unwrap()
        );
        for block in 0..shard.blocks {
            assert_eq!(
                store.block(shard.shard, block).unwrap(),
                whole.block(shard.shard, block).unwrap()
            );
        }
    }
    for path in &order {
        let (_, imported) = import(&store, path).unwrap();
        assert!(imported.iter().all(|&what| what == Imported::There));
    }
    let kinds: Vec<String> = store
        .events(1, 10_000)
        .unwrap()
        .into_iter()
        .map(|event| event.kind)
        .collect();
    assert_eq!(
        kinds.len(),
        whole.shards(None).unwrap().len(),
        "one event for each commit"
    );
}

#[test]
fn a_flipped_bit_anywhere_is_refused_and_nothing_is_stored() {
    let parts = Parts::new();
    let good = fs::read(parts.compute(&hop(1..=3, (2, 3)))).unwrap();
    let path = parts.path("flipped");
    let store = MemoryStore::new();
    for at in 0..good.len() {
        let mut bytes = good.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&path, &bytes).unwrap();
        let refused = import(&store, &path).unwrap_err();
        assert!(
            refused.to_string().contains("flipped"),
            "byte {at}: {refused}"
        );
        fs::write(&path, &good[..at]).unwrap();
        assert!(import(&store, &path).is_err(), "cut at {at}");
    }
    assert_eq!(store.shards(None).unwrap(), []);
    assert_eq!(store.next_event().unwrap(), 1);
    let mut values = 0;
    let mut count = |_| {
        values += 1;
        ControlFlow::Continue(())
    };
    store.describe_values(&mut count).unwrap();
    assert_eq!(values, 0);
}

#[test]
fn what_contradicts_itself_behind_good_checksums_is_refused_by_name() {
    let parts = Parts::new();
    let header = hop(1..=4, (1, 2));
    let path = parts.compute(&header);
    let refused = |header: &PartHeader, change: &dyn Fn(&mut Vec<Part>)| {
        let store = MemoryStore::new();
        let refused = import(&store, &parts.forge(&path, header, change)).unwrap_err();
        (refused, store.shards(None).unwrap().len())
    };
    let (error, committed) = refused(&header, &|parts| {
        let Some(Part::Tally(tally)) = parts
            .iter_mut()
            .rfind(|part| matches!(part, Part::Tally(_)))
        else {
            panic!("there is a tally");
        };
        tally.entries[0].count += 1;
    });
    assert!(
        matches!(&error, ImportError::Refused { shard, committed: n, .. }
            if shard == header.shards().last().unwrap() && *n == committed && committed > 0),
        "{error}"
    );
    let (error, committed) = refused(&header, &|parts| {
        parts.retain(|part| !matches!(part, Part::Forms(_)));
    });
    assert!(
        error.to_string().contains("not stored") && committed == 0,
        "{error}"
    );
    let (error, committed) = refused(&header, &|parts| {
        parts.truncate(
            1 + parts
                .iter()
                .position(|part| matches!(part, Part::Trailer(_)))
                .unwrap(),
        );
    });
    assert!(
        error.to_string().contains("does not have it") && committed == 0,
        "{error}"
    );
    let tallies = PartHeader {
        keep_blocks: false,
        ..header.clone()
    };
    let (error, committed) = refused(&tallies, &|_| {});
    assert!(
        error.to_string().contains("keeps something else") && committed == 0,
        "{error}"
    );
    let (error, committed) = refused(&hop(1..=4, (2, 2)), &|_| {});
    assert!(
        error.to_string().contains("the plan does not have it") && committed == 0,
        "{error}"
    );
    let foreign = PartHeader {
        fingerprint: Digest([7; 32]),
        ..header.clone()
    };
    let (error, _) = refused(&foreign, &|_| {});
    assert!(matches!(error, ImportError::Incompatible { .. }), "{error}");
    let (error, committed) = refused(&header, &|parts| {
        let Some(Part::Trailer(trailer)) = parts.last_mut() else {
            panic!("the last message is a trailer");
        };
        trailer.strips += 1;
    });
    assert!(
        matches!(
            &error,
            ImportError::Part {
                source: PartError::Damaged { .. },
                ..
            }
        ) && committed == 0,
        "{error}"
    );
}

#[test]
fn another_digest_stays_and_is_told() {
    let parts = Parts::new();
    let whole = whole(&parts, 1..=5);
    let store = MemoryStore::new();
    let odd = whole.shards(None).unwrap()[7].clone();
    let mut forms = Vec::new();
    let mut collect = |form| {
        forms.push(form);
        ControlFlow::Continue(())
    };
    whole.scan_values(&mut collect).unwrap();
    store.put_values(&forms).unwrap();
    let mut result = whole.tally(odd.shard).unwrap().unwrap();
    result.digest = Digest([1; 32]);
    let record = ShardRecord {
        digest: result.digest,
        blocks: 0,
        block_bytes: 0,
        ..odd.clone()
    };
    store.commit(&record, &result, &[]).unwrap();
    let (_, imported) = import(&store, &parts.path("1-of-1")).unwrap();
    let differs = Imported::Differs {
        stored: record.digest,
        offered: odd.digest,
    };
    assert_eq!(imported.iter().filter(|&&what| what == differs).count(), 1);
    assert_eq!(
        imported
            .iter()
            .filter(|&&what| what == Imported::Committed)
            .count(),
        imported.len() - 1
    );
    assert_eq!(store.shard(odd.shard).unwrap(), Some(record));
}

#[test]
fn values_of_single_strips_are_added_to_tallies() {
    let parts = Parts::new();
    let whole = whole(&parts, 1..=5);
    let tallies = PartHeader {
        keep_blocks: false,
        ..hop(1..=5, (1, 1))
    };
    let store = MemoryStore::new();
    let path = parts.compute(&tallies);
    import(&store, &path).unwrap();
    assert!(
        store
            .shards(None)
            .unwrap()
            .iter()
            .all(|record| record.blocks == 0)
    );
    let (_, imported) = import(&store, &parts.path("1-of-1")).unwrap();
    assert!(imported.iter().all(|&what| what == Imported::Committed));
    assert!(
        store
            .shards(None)
            .unwrap()
            .iter()
            .all(|record| record.blocks > 0)
    );
    let (_, imported) = import(&store, &path).unwrap();
    assert!(imported.iter().all(|&what| what == Imported::There));
    assert_eq!(digest(&store), digest(&whole));
}
