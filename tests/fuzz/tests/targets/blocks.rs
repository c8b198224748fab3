//! Blocks as the census packs them: from a worker, a part or a store.

use toads_census::codec;
use toads_fuzz::Fuzz;

use crate::census::census;

/// The checksum is the CRC-32 of all before it.
fn repair(input: &mut Vec<u8>) {
    input.truncate(input.len().saturating_sub(4));
    let checksum = crc32fast::hash(input);
    input.extend_from_slice(&checksum.to_le_bytes());
}

#[test]
fn blocks() {
    let seeds = census(7).into_iter().flat_map(|shard| shard.blocks);
    let seeds: Vec<_> = seeds.map(|(_, bytes)| bytes).collect();
    Fuzz::new("blocks")
        .seeds(seeds)
        .repair(repair)
        .run(|input| {
            let Ok(block) = codec::decode(input) else {
                return false;
            };
            assert!(block.len() <= 65_536 && block.dictionary.is_sorted_by(|a, b| a < b));
            let places: Vec<u32> = block.tally_places().collect();
            let again = codec::decode(&codec::encode(block.shard, block.number, &places)).unwrap();
            assert_eq!((again.shard, again.number), (block.shard, block.number));
            assert_eq!(again.tally_places().collect::<Vec<_>>(), places);
            true
        });
}
