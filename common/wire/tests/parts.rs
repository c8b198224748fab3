//! Part files that are whole, cut, changed, continued.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use toads_strip::Variant;

use toads_wire::part::{PartError, PartHeader, PartReader, PartWriter, Started, verify_part};
use toads_wire::v1::submit_request::Part;
use toads_wire::{convert, v1};

fn header() -> PartHeader {
    PartHeader::new(Variant::Hop, 1..=4, (2, 3), true)
}

/// Messages of the shards of the part; what they say does not matter here.
fn messages(header: &PartHeader) -> Vec<Part> {
    let submission = |shard| {
        [
            Part::Header(v1::SubmitHeader {
                worker: None,
                key: Some(v1::LeaseKey {
                    shard: Some(convert::to_shard(shard)),
                    epoch: 0,
                }),
                keep: convert::to_keep(true).into(),
                evaluate_ms: 7,
            }),
            Part::Blocks(v1::SubmitBlocks {
                blocks: vec![v1::Block {
                    number: 0,
                    data: vec![1, 2, 3],
                }],
            }),
            Part::Trailer(v1::SubmitTrailer {
                strips: shard.strips(),
                ..v1::SubmitTrailer::default()
            }),
        ]
    };
    header.shards().into_iter().flat_map(submission).collect()
}

fn writer(path: &Path, header: &PartHeader) -> (PartWriter, usize) {
    match PartWriter::start(path, header).unwrap() {
        Started::Writing(writer, done) => (*writer, done.len()),
        Started::Complete(_) => panic!("it is complete"),
    }
}

fn write(path: &Path, header: &PartHeader) {
    let (mut writer, done) = writer(path, header);
    for part in messages(header).into_iter().skip(3 * done) {
        writer.write(part).unwrap();
    }
    writer.finish().unwrap();
}

fn read(bytes: &[u8]) -> Result<Vec<Part>, PartError> {
    let mut reader = PartReader::new(bytes)?;
    let mut parts = Vec::new();
    while let Some(part) = reader.next()? {
        parts.push(part);
    }
    Ok(parts)
}

#[test]
fn what_is_written_reads_back_and_is_named_when_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("part");
    let (mut writer, done) = writer(&path, &header());
    assert!(done == 0 && !path.exists());
    let messages = messages(&header());
    for part in messages.clone() {
        writer.write(part).unwrap();
    }
    let end = writer.finish().unwrap();
    assert_eq!(verify_part(&path).unwrap(), (header(), end));
    assert_eq!(end.shards as usize, header().shards().len());
    assert_eq!(read(&fs::read(&path).unwrap()).unwrap(), messages);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(matches!(
        PartWriter::start(&path, &header()).unwrap(),
        Started::Complete(there) if there == end
    ));
}

#[test]
fn every_flipped_bit_and_every_cut_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("part");
    write(&path, &header());
    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() {
        for bit in 0..8 {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            assert!(read(&bytes).is_err(), "bit {bit} of byte {at}");
        }
        assert!(read(&whole[..at]).is_err(), "cut at {at}");
    }
    let longer = [&whole[..], b"x"].concat();
    assert!(matches!(read(&longer), Err(PartError::Damaged { .. })));
}

#[test]
fn an_interrupted_file_goes_on_wherever_it_was_cut() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    write(&whole, &header());
    let whole = fs::read(&whole).unwrap();
    for cut in 0..whole.len() {
        let path = folder.path().join(format!("{cut}"));
        let partial = folder.path().join(format!("{cut}.partial"));
        fs::write(&partial, &whole[..cut]).unwrap();
        write(&path, &header());
        assert_eq!(fs::read(&path).unwrap(), whole, "cut at {cut}");
    }
}

#[test]
fn what_belongs_to_another_part_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("part");
    let other = PartHeader {
        part: 3,
        ..header()
    };
    let (unfinished, _) = writer(&path, &other);
    assert!(matches!(
        PartWriter::start(&path, &other),
        Err(PartError::InUse)
    ));
    drop(unfinished);
    assert!(matches!(
        PartWriter::start(&path, &header()),
        Err(PartError::Other(_))
    ));
    write(&path, &other);
    let refused = PartWriter::start(&path, &header()).err().unwrap();
    assert!(
        refused.to_string().contains("part 3/3 of hop 1..4"),
        "{refused}"
    );
    assert_eq!(verify_part(&path).unwrap().0, other);
}

#[test]
fn other_files_are_told_from_other_versions() {
    assert!(matches!(read(b""), Err(PartError::NotAPart)));
    assert!(matches!(read(b"PAR1 and more"), Err(PartError::NotAPart)));
    match read(b"toads part 2\nand more") {
        Err(PartError::Version(found)) => assert_eq!(found, "2"),
        other => panic!("{other:?}"),
    }
}

proptest! {
    #[test]
    fn junk_behind_the_first_line_never_panics(junk in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut bytes = b"toads part 1\n".to_vec();
        bytes.extend(&junk);
        prop_assert!(read(&bytes).is_err());
    }
}
