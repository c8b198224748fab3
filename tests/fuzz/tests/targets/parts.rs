//! Part files: read, and imported into a store with the checks that a worker's submission passes.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use prost::Message as _;
use toads_coordinator::import::import_part;
use toads_fuzz::{Fuzz, assert_clear, folder};
use toads_store::{MemoryStore, Store};
use toads_strip::Variant;
use toads_wire::part::{PartHeader, PartReader, PartWriter, Started};
use toads_wire::v1;

use crate::census::evaluated;
use crate::messages::submission;

const MAGIC: &[u8] = b"toads part 1\n";

/// The kind of the last record.
const END: u8 = 3;

fn part(folder: &Path, header: &PartHeader) -> Vec<u8> {
    let path = folder.join("seed");
    let Ok(Started::Writing(mut writer, _)) = PartWriter::start(&path, header) else {
        panic!("a seed is written anew");
    };
    for shard in header.shards() {
        for part in submission(&evaluated(shard)) {
            writer.write(part).unwrap();
        }
    }
    writer.finish().unwrap();
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    bytes
}

fn seeds(folder: &Path) -> Vec<Vec<u8>> {
    let headers = [
        PartHeader::new(Variant::Hop, 1..=3, (1, 1), true),
        PartHeader::new(Variant::Hop, 2..=4, (2, 3), true),
        PartHeader::new(Variant::Hopless, 3..=3, (1, 2), true),
        PartHeader::new(Variant::Hopless, 1..=1, (1, 1), true),
    ];
    headers.iter().map(|header| part(folder, header)).collect()
}

/// Makes the checksum of every record fit, as far as lengths lead from one to the next, and the digest at the end.
fn repair(input: &mut Vec<u8>) {
    let mut at = MAGIC.len();
    while let Some(head) = input.get(at..at + 5) {
        let (kind, length) = (
            head[0],
            u32::from_le_bytes(head[1..].try_into().unwrap()) as usize,
        );
        let end = at + 5 + length;
        if end + 4 > input.len() {
            return;
        }
        if kind == END
            && let Ok(mut message) = v1::PartEnd::decode(&input[at + 5..end])
        {
            message.digest = blake3::hash(&input[..at]).as_bytes().to_vec();
            input.truncate(at);
            let message = message.encode_to_vec();
            input.push(END);
            input.extend_from_slice(&(message.len() as u32).to_le_bytes());
            input.extend_from_slice(&message);
            let checksum = crc32fast::hash(&input[at..]);
            input.extend_from_slice(&checksum.to_le_bytes());
            return;
        }
        let checksum = crc32fast::hash(&input[at..end]);
        input[end..end + 4].copy_from_slice(&checksum.to_le_bytes());
        at = end + 4;
    }
}

#[test]
fn parts() {
    let folder = folder();
    let target = Fuzz::new("parts")
        .seeds(seeds(folder.path()))
        .repair(repair);
    target.run(|input| {
        let Ok(mut reader) = PartReader::new(input) else {
            return false;
        };
        assert!(!reader.header().to_string().is_empty());
        loop {
            match reader.next() {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) => {
                    assert_clear(&error);
                    return false;
                }
            }
        }
        let end = reader.end().expect("it was read to its end");
        assert!(end.shards as usize <= input.len());
        true
    });
}

#[test]
fn imports() {
    let folder = folder();
    let path = folder.path().join("part");
    let target = Fuzz::new("imports")
        .seeds(seeds(folder.path()))
        .repair(repair)
        .quick(2_000);
    target.run(|input| {
        fs::write(&path, input).unwrap();
        let store = MemoryStore::new();
        let imported = import_part(&store, &path, 5, &mut |_, _| ControlFlow::Continue(()));
        // What is committed is complete, whatever came behind it.
        for record in store.shards(None).unwrap() {
            let result = store
                .tally(record.shard)
                .unwrap()
                .expect("a tally comes with the marker");
            let counted: u64 = result.tally.iter().map(|entry| entry.count).sum();
            assert_eq!(
                (counted, result.tally.len() as u64),
                (record.strips, record.distinct)
            );
            assert_eq!(record.strips, record.shard.strips());
            let ids: Vec<_> = result.tally.iter().map(|entry| entry.value).collect();
            assert!(store.values(&ids).unwrap().iter().all(Option::is_some));
            for block in 0..record.blocks {
                assert!(store.block(record.shard, block).unwrap().is_some());
            }
        }
        match imported {
            Ok(outline) => {
                assert_eq!(store.shards(None).unwrap().len(), outline.shards.len());
                true
            }
            Err(error) => {
                assert_clear(&error);
                false
            }
        }
    });
}
