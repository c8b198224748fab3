//! Tallies: columns of a run of entries in ascending order of value id.
//!
//! A class of 20 squares has up to two million values, so a tally is cut into parts of [`PART_ENTRIES`], about 2 MB
//! each, and read part by part. Ids are hashes and first indices look random in that order: they are stored as they
//! are, the indices in as few bytes as the largest needs. Counts are mostly small and repeat, so they are varints under
//! zstd, when that helps.

use toads_census::TallyEntry;
use toads_game::ValueId;

use super::bytes::{Malformed, Reader, open_row, put_varint, seal_row};

const TALLY: u8 = 1;

/// Entries of a part, except the last.
pub const PART_ENTRIES: usize = 1 << 16;

const PLAIN: u8 = 0;
const ZSTD: u8 = 1;

/// A part of a tally under `key`.
pub fn encode_tally_part(key: &[u8], entries: &[TallyEntry]) -> Vec<u8> {
    debug_assert!(entries.len() <= PART_ENTRIES);
    debug_assert!(entries.is_sorted_by(|a, b| a.value < b.value));
    let mut row = Vec::with_capacity(32 + entries.len() * 30);
    row.push(TALLY);
    put_varint(&mut row, entries.len() as u64);
    for entry in entries {
        row.extend_from_slice(&entry.value.0);
    }
    let mut counts = Vec::with_capacity(entries.len() * 2);
    for entry in entries {
        put_varint(&mut counts, entry.count);
    }
    put_column(&mut row, &counts);
    put_fixed(&mut row, entries.iter().map(|entry| entry.first));
    put_fixed(&mut row, entries.iter().map(|entry| entry.first_mirrored));
    seal_row(key, &mut row);
    row
}

/// Appends the entries of a part to `out`. Checks that ids ascend, from the last one of `out` on.
pub fn decode_tally_part(
    key: &[u8],
    row: &[u8],
    out: &mut Vec<TallyEntry>,
) -> Result<(), Malformed> {
    let mut reader = open_row(key, row, TALLY)?;
    let count: usize = reader.narrow()?;
    if count > PART_ENTRIES {
        return Err(Malformed::Field("a part of a tally is too large"));
    }
    let (ids, _) = reader.bytes(count * 16)?.as_chunks::<16>();
    let counts = read_column(&mut reader, count)?;
    let mut counts = Reader::new(&counts);
    let firsts = read_fixed(&mut reader, count)?;
    let mirrored = read_fixed(&mut reader, count)?;
    reader.end()?;
    out.reserve(count);
    for (i, id) in ids.iter().enumerate() {
        let entry = TallyEntry {
            value: ValueId(*id),
            count: counts.varint()?,
            first: firsts.get(i),
            first_mirrored: mirrored.get(i),
        };
        if out.last().is_some_and(|last| last.value >= entry.value) {
            return Err(Malformed::Field("value ids do not ascend"));
        }
        out.push(entry);
    }
    counts.end()
}

fn put_column(row: &mut Vec<u8>, bytes: &[u8]) {
    let packed = zstd::bulk::compress(bytes, 1)
        .ok()
        .filter(|packed| packed.len() < bytes.len());
    row.push(if packed.is_some() { ZSTD } else { PLAIN });
    let stored = packed.as_deref().unwrap_or(bytes);
    put_varint(row, stored.len() as u64);
    row.extend_from_slice(stored);
}

fn read_column(reader: &mut Reader<'_>, count: usize) -> Result<Vec<u8>, Malformed> {
    let codec = reader.byte()?;
    let length: usize = reader.narrow()?;
    let stored = reader.bytes(length)?;
    match codec {
        PLAIN => Ok(stored.to_vec()),
        // Ten bytes are the longest varint.
        ZSTD => zstd::bulk::decompress(stored, count * 10)
            .map_err(|_| Malformed::Field("counts do not decompress")),
        _ => Err(Malformed::Field("unknown compression")),
    }
}

/// All in the width of the largest, little endian; width 0 when all are 0.
fn put_fixed(row: &mut Vec<u8>, column: impl Iterator<Item = u64> + Clone) {
    let largest = column.clone().max().unwrap_or(0);
    let width = (64 - largest.leading_zeros() as usize).div_ceil(8);
    row.push(width as u8);
    for number in column {
        row.extend_from_slice(&number.to_le_bytes()[..width]);
    }
}

struct Fixed<'a> {
    bytes: &'a [u8],
    width: usize,
}

impl Fixed<'_> {
    fn get(&self, index: usize) -> u64 {
        let mut bytes = [0; 8];
        bytes[..self.width].copy_from_slice(&self.bytes[index * self.width..][..self.width]);
        u64::from_le_bytes(bytes)
    }
}

fn read_fixed<'a>(reader: &mut Reader<'a>, count: usize) -> Result<Fixed<'a>, Malformed> {
    let width = usize::from(reader.byte()?);
    if width > 8 {
        return Err(Malformed::Field("a column is too wide"));
    }
    Ok(Fixed {
        bytes: reader.bytes(count * width)?,
        width,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entries() -> impl Strategy<Value = Vec<TallyEntry>> {
        proptest::collection::btree_map(
            any::<[u8; 16]>(),
            (any::<u64>(), 0..64u32, any::<u64>()),
            0..200,
        )
        .prop_map(|map| {
            let entry = |(id, (count, shift, index)): ([u8; 16], (u64, u32, u64))| TallyEntry {
                value: ValueId(id),
                count: count >> shift,
                first: index >> shift,
                first_mirrored: !index >> shift,
            };
            map.into_iter().map(entry).collect()
        })
    }

    proptest! {
        #[test]
        fn parts_read_back(entries in entries()) {
            let row = encode_tally_part(b"k", &entries);
            let mut out = Vec::new();
            prop_assert_eq!(decode_tally_part(b"k", &row, &mut out), Ok(()));
            prop_assert_eq!(out, entries);
        }

        #[test]
        fn junk_behind_a_good_checksum_never_panics(junk in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut row = vec![TALLY];
            row.extend(junk);
            seal_row(b"k", &mut row);
            let _ = decode_tally_part(b"k", &row, &mut Vec::new());
        }
    }

    #[test]
    fn ids_ascend_across_parts() {
        let entry = |byte| TallyEntry {
            value: ValueId([byte; 16]),
            count: 1,
            first: 0,
            first_mirrored: 0,
        };
        let row = encode_tally_part(b"k", &[entry(5), entry(6)]);
        let mut out = vec![entry(4)];
        assert_eq!(decode_tally_part(b"k", &row, &mut out), Ok(()));
        assert_eq!(
            decode_tally_part(b"k", &row, &mut out),
            Err(Malformed::Field("value ids do not ascend"))
        );
    }
}
