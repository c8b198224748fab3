//! A question about one class reads one class: the reads are counted.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use toads_census::Shard;
use toads_store::Keep;
use toads_strip::{Class, Strip, Variant};

use crate::support::census;
use crate::tampered::Tampered;
use crate::{LAST, rows};

/// What a statement read.
#[derive(Default, Debug)]
struct Reads {
    blocks: Vec<Shard>,
    tallies: BTreeSet<Shard>,
}

/// Runs a statement; how many rows it gave, and what it read.
fn reads(statement: &str) -> (usize, Reads) {
    let seen = Arc::new(Mutex::new(Reads::default()));
    let mut store = Tampered::new(census(Variant::Hop, LAST, Keep::Blocks));
    let noted = Arc::clone(&seen);
    store.block = Box::new(move |block| {
        noted.lock().unwrap().blocks.push(block.0);
        block
    });
    let noted = Arc::clone(&seen);
    store.tally = Box::new(move |tally| {
        noted.lock().unwrap().tallies.insert(tally.0);
        tally
    });
    let noted = Arc::clone(&seen);
    store.numbered = Box::new(move |shard| {
        noted.lock().unwrap().tallies.insert(shard);
        shard
    });
    let count = rows(&store, statement).len();
    let seen = std::mem::take(&mut *seen.lock().unwrap());
    (count, seen)
}

fn shard(n: u8, toads: u8, frogs: u8) -> Shard {
    let class = Class { n, toads, frogs };
    Shard::whole(
        Variant::Hop,
        if class.is_computed() {
            class
        } else {
            class.mirror()
        },
    )
}

/// The shards that hold the cores of the strips of a class: fewer squares, toads and frogs for the dead ends.
fn cores(n: u8, toads: u8, frogs: u8) -> BTreeSet<Shard> {
    let classes =
        (0..=toads).flat_map(|t| (0..=frogs).map(move |f| (n - t - f, toads - t, frogs - f)));
    classes
        .map(|(n, toads, frogs)| shard(n, toads, frogs))
        .collect()
}

#[test]
fn one_class_reads_the_blocks_of_its_cores() {
    for (toads, frogs) in [(3, 1), (1, 3), (2, 2)] {
        for condition in ["", " and kind = 'switch'"] {
            let statement = format!(
                "select value_id from strips where n = 7 and toads = {toads} and frogs = {frogs}{condition}"
            );
            let (rows, reads) = reads(&statement);
            assert!(rows > 0 && !reads.blocks.is_empty());
            let allowed = cores(7, toads, frogs);
            assert!(
                reads.blocks.iter().all(|shard| allowed.contains(shard)),
                "{reads:?}"
            );
            // No block twice, except where the mirror of a class is one of the cores as well.
            assert!(
                reads.blocks.len() <= usize::from((toads + 1) * (frogs + 1)),
                "{reads:?}"
            );
            assert!(
                reads.tallies.iter().all(|shard| allowed.contains(shard)),
                "{reads:?}"
            );
        }
    }
}

#[test]
fn one_strip_reads_one_block() {
    let strip = Strip::parse("FTT.F.T").unwrap();
    for condition in [
        "strip = 'FTT.F.T'".to_owned(),
        format!("n = 7 and idx = {}", strip.index().unwrap()),
        format!(
            "n = 7 and idx >= {0} and idx <= {0}",
            strip.index().unwrap()
        ),
    ] {
        let (rows, reads) = reads(&format!("select value from strips where {condition}"));
        assert_eq!((rows, reads.blocks.len()), (1, 1), "{condition}: {reads:?}");
        assert_eq!(reads.tallies.len(), 1);
    }
}

#[test]
fn one_value_reads_only_blocks_of_classes_that_have_it() {
    // 12 is the value of T^3…: one class of 7 squares has it, and its mirror image -12.
    for value in ["12", "-12"] {
        let (rows, reads) = reads(&format!(
            "select strip from strips where n = 7 and value = '{value}'"
        ));
        let having: BTreeSet<_> = cores(7, 3, 0).union(&cores(7, 4, 0)).copied().collect();
        assert!(
            rows > 0 && reads.blocks.iter().all(|shard| having.contains(shard)),
            "{reads:?}"
        );
        assert!(
            reads
                .tallies
                .iter()
                .all(|shard| shard.class.n == 7 || having.contains(shard))
        );
    }
    let (rows, reads) = reads("select strip from strips where value = '13'");
    assert_eq!((rows, reads.blocks.len()), (0, 0));
}

#[test]
fn tallies_and_values_read_no_blocks() {
    let (rows, read) = reads("select * from tallies where n = 6 and toads = 1 and frogs = 2");
    assert!(rows > 0 && read.blocks.is_empty());
    assert_eq!(read.tallies, BTreeSet::from([shard(6, 2, 1)]));
    let (rows, read) = reads("select kind from values where value = '1/2'");
    assert_eq!((rows, read.blocks.len(), read.tallies.len()), (1, 0, 0));
    let (_, read) = reads("select count(*) from tallies where n = 5 and variant = 'hopless'");
    assert_eq!(read.tallies.len(), 0);
}
