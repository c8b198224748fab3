//! Blocks: the values of the core strips of one chunk of a class, packed.
//!
//! A block names values by their place in the tally of its shard (ascending order of id), so it is read together with
//! that tally. Format 1, little endian:
//!
//! | bytes | what |
//! |---|---|
//! | 4 | `TFB1` |
//! | 4 | variant, n, toads, frogs |
//! | 4 | block number: ranks 65,536·k up to 65,536·(k+1) of the class |
//! | 4 | c, the number of core strips among them |
//! | 4 | d, the number of distinct values among those |
//! | 1 | b, the bits of a code: the least that hold d − 1 |
//! | … | the dictionary: d places in the tally, ascending, as LEB128 varints of the differences less one |
//! | ⌈c·b/8⌉ | the codes, in rank order: places in the dictionary, b bits each, lowest bit first |
//! | 4 | CRC-32 of everything before |

use toads_strip::{Class, Variant};

use crate::shard::Shard;

const MAGIC: [u8; 4] = *b"TFB1";
const HEADER: usize = 21;

/// Why bytes are not a block.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// Not even a header and a checksum.
    #[error("the block is cut short at {0} bytes")]
    Truncated(usize),
    /// Another format, or no block at all.
    #[error("not a block of format 1")]
    UnknownFormat,
    /// Bits have changed.
    #[error("the checksum is {found:08x}, the content's is {expected:08x}")]
    Checksum {
        /// In the block.
        found: u32,
        /// Of its content.
        expected: u32,
    },
    /// The checksum holds but the content makes no sense.
    #[error("the block is malformed: {0}")]
    Malformed(&'static str),
}

/// A block, unpacked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The shard it belongs to.
    pub shard: Shard,
    /// Which block of the shard.
    pub number: u32,
    /// Places in the shard's tally, strictly ascending.
    pub dictionary: Vec<u32>,
    /// A place in the dictionary for each core strip, in rank order.
    pub codes: Vec<u16>,
}

impl Block {
    /// The number of core strips.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether no strip of the chunk is a core strip.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The place in the tally of the value of the block's `at`-th core strip.
    pub fn tally_place(&self, at: usize) -> Option<u32> {
        self.codes
            .get(at)
            .map(|&code| self.dictionary[usize::from(code)])
    }

    /// The places in the tally, strip by strip.
    pub fn tally_places(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.codes
            .iter()
            .map(|&code| self.dictionary[usize::from(code)])
    }
}

fn code_bits(dictionary: usize) -> u32 {
    dictionary
        .saturating_sub(1)
        .checked_ilog2()
        .map_or(0, |bits| bits + 1)
}

/// Packs a block. `places` are the places in the tally, strip by strip; at most 65,536.
pub fn encode(shard: Shard, number: u32, places: &[u32]) -> Vec<u8> {
    let mut dictionary = places.to_vec();
    dictionary.sort_unstable();
    dictionary.dedup();
    let bits = code_bits(dictionary.len());
    let mut bytes =
        Vec::with_capacity(HEADER + dictionary.len() * 2 + places.len() * bits as usize / 8 + 8);
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&[
        shard.variant.code(),
        shard.class.n,
        shard.class.toads,
        shard.class.frogs,
    ]);
    bytes.extend_from_slice(&number.to_le_bytes());
    bytes.extend_from_slice(&(places.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&(dictionary.len() as u32).to_le_bytes());
    bytes.push(bits as u8);
    let mut expected = 0;
    for &place in &dictionary {
        push_varint(&mut bytes, place - expected);
        expected = place + 1;
    }
    let (mut pending, mut filled) = (0u64, 0);
    for &place in places {
        let code = dictionary
            .binary_search(&place)
            .expect("the dictionary holds every place");
        pending |= (code as u64) << filled;
        filled += bits;
        while filled >= 8 {
            bytes.push(pending as u8);
            pending >>= 8;
            filled -= 8;
        }
    }
    if filled > 0 {
        bytes.push(pending as u8);
    }
    let checksum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Unpacks a block and checks everything that can be checked without its tally: checksum, ranges and lengths.
pub fn decode(bytes: &[u8]) -> Result<Block, CodecError> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    if bytes.len() < HEADER + 4 {
        return Err(CodecError::Truncated(bytes.len()));
    }
    if bytes[..4] != MAGIC {
        return Err(CodecError::UnknownFormat);
    }
    let end = bytes.len() - 4;
    let (found, expected) = (word(end), crc32fast::hash(&bytes[..end]));
    if found != expected {
        return Err(CodecError::Checksum { found, expected });
    }
    let variant = Variant::from_code(bytes[4]).ok_or(CodecError::Malformed("unknown variant"))?;
    let class = Class::new(bytes[5].into(), bytes[6].into(), bytes[7].into())
        .map_err(|_| CodecError::Malformed("no such class"))?;
    let (number, count, distinct, bits) = (
        word(8),
        word(12) as usize,
        word(16) as usize,
        u32::from(bytes[20]),
    );
    if count > 65_536
        || distinct > count
        || bits != code_bits(distinct)
        || (count > 0 && distinct == 0)
    {
        return Err(CodecError::Malformed("impossible counts"));
    }
    let (mut at, mut expected) = (HEADER, 0u32);
    let mut dictionary = Vec::with_capacity(distinct);
    for _ in 0..distinct {
        let place = read_varint(&bytes[..end], &mut at)
            .and_then(|gap| expected.checked_add(gap))
            .filter(|&place| place < u32::MAX)
            .ok_or(CodecError::Malformed("the dictionary does not end"))?;
        dictionary.push(place);
        expected = place + 1;
    }
    let packed = &bytes[at..end];
    if packed.len() != (count * bits as usize).div_ceil(8) {
        return Err(CodecError::Malformed("the codes do not fill the block"));
    }
    let codes = unpack(packed, count, bits, distinct)
        .ok_or(CodecError::Malformed("a code outside the dictionary"))?;
    Ok(Block {
        shard: Shard::whole(variant, class),
        number,
        dictionary,
        codes,
    })
}

fn unpack(packed: &[u8], count: usize, bits: u32, distinct: usize) -> Option<Vec<u16>> {
    if bits == 0 {
        return Some(vec![0; count]);
    }
    let mut codes = Vec::with_capacity(count);
    let (mut pending, mut filled) = (0u64, 0);
    let mut bytes = packed.iter();
    for _ in 0..count {
        while filled < bits {
            pending |= u64::from(*bytes.next()?) << filled;
            filled += 8;
        }
        let code = pending & ((1 << bits) - 1);
        if code as usize >= distinct {
            return None;
        }
        codes.push(code as u16);
        pending >>= bits;
        filled -= bits;
    }
    Some(codes)
}

fn push_varint(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn read_varint(bytes: &[u8], at: &mut usize) -> Option<u32> {
    let mut value = 0u32;
    for shift in (0..35).step_by(7) {
        let byte = *bytes.get(*at)?;
        *at += 1;
        let low = u32::from(byte & 0x7f);
        if shift == 28 && low > 0xf {
            return None;
        }
        value |= low << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shard() -> Shard {
        Shard::whole(Variant::Hop, Class::new(14, 5, 4).unwrap())
    }

    proptest! {
        #[test]
        fn decoding_undoes_encoding(places in prop::collection::vec(0u32..100_000, 0..3000), number in 0u32..1000) {
            let block = decode(&encode(shard(), number, &places)).unwrap();
            prop_assert_eq!(block.shard, shard());
            prop_assert_eq!(block.number, number);
            prop_assert_eq!(block.tally_places().collect::<Vec<_>>(), places);
        }

        #[test]
        fn any_flipped_bit_is_noticed(places in prop::collection::vec(0u32..500, 0..200), at in any::<prop::sample::Index>(), bit in 0..8) {
            let mut bytes = encode(shard(), 7, &places);
            let at = at.index(bytes.len());
            bytes[at] ^= 1u8 << bit;
            prop_assert!(decode(&bytes).is_err());
        }

        #[test]
        fn any_cut_is_noticed(places in prop::collection::vec(0u32..500, 0..200), at in any::<prop::sample::Index>()) {
            let bytes = encode(shard(), 7, &places);
            prop_assert!(decode(&bytes[..at.index(bytes.len())]).is_err());
        }

        #[test]
        fn nonsense_with_a_good_checksum_is_refused_or_read_but_never_panics(mut bytes in prop::collection::vec(any::<u8>(), 17..200)) {
            bytes.splice(0..0, MAGIC);
            let checksum = crc32fast::hash(&bytes);
            bytes.extend_from_slice(&checksum.to_le_bytes());
            let _ = decode(&bytes);
        }
    }

    #[test]
    fn a_block_of_one_value_spends_no_bits_on_codes() {
        let bytes = encode(shard(), 0, &vec![3; 60_000]);
        assert_eq!(bytes.len(), HEADER + 1 + 4);
        assert_eq!(decode(&bytes).unwrap().len(), 60_000);
    }
}
