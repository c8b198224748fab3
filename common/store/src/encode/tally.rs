//! Tallies: columns of a run of entries in ascending order of value number.
//!
//! A class of 20 squares has up to two million values, so a tally is cut into parts of [`PART_ENTRIES`], about 300 kB
//! each, and read part by part. Numbers are written as differences, counts as varints, both under zstd: differences are
//! small and most counts are 1. The first strip and the first mirror image are ranks in the class and in its mirror
//! class, as wide as the size of the class asks for; where the count is 1 the mirror image is that of the first strip,
//! and is not written. 5 to 6 bytes an entry at 16 squares.

use toads_strip::Class;

use super::bytes::{Malformed, Reader, open_row, put_varint, seal_row};
use super::columns::{Bits, Packer, put_bits, read_column, width};
use crate::ranks::{Ranks, Strips};
use crate::records::NumberedEntry;

const TALLY: u8 = 2;

/// Entries of a part, except the last.
pub const PART_ENTRIES: usize = 1 << 16;

/// Writes and reads the parts of the tally of one class. Costs tables of some bytes for each of 3^⌈n/2⌉ halves, built in
/// 0.2 ms at 20 squares, and some 30 ns an entry.
#[derive(Debug)]
pub struct TallyCodec {
    strips: Strips,
    own: Ranks,
    mirror: Ranks,
    width: u32,
}

impl TallyCodec {
    /// For tallies of `class`.
    pub fn new(class: Class) -> Self {
        let own = Ranks::new(class);
        Self {
            strips: Strips::new(class.n),
            width: width(own.size()),
            mirror: Ranks::new(class.mirror()),
            own,
        }
    }

    /// A part of a tally under `key`. The entries are those of `check.rs`: their strips are of the class, and the
    /// two strips of a count of 1 mirror each other.
    pub fn encode(&self, packer: &mut Packer, key: &[u8], entries: &[NumberedEntry]) -> Vec<u8> {
        debug_assert!(entries.len() <= PART_ENTRIES);
        debug_assert!(entries.is_sorted_by(|a, b| a.number < b.number));
        let mut row = Vec::with_capacity(32 + entries.len() * 7);
        row.push(TALLY);
        put_varint(&mut row, entries.len() as u64);
        let mut column = Vec::with_capacity(entries.len() * 2);
        let mut next = 0;
        for entry in entries {
            put_varint(&mut column, u64::from(entry.number) - next);
            next = u64::from(entry.number) + 1;
        }
        packer.put(&mut row, &column);
        column.clear();
        for entry in entries {
            put_varint(&mut column, entry.count);
        }
        packer.put(&mut row, &column);
        let rank = |ranks: &Ranks, index| ranks.rank(index).expect("checked to be of the class");
        let firsts = entries.iter().map(|entry| rank(&self.own, entry.first));
        put_bits(&mut row, self.width, firsts);
        let several = entries.iter().filter(|entry| entry.count > 1);
        let mirrored = several.map(|entry| rank(&self.mirror, entry.first_mirrored));
        put_bits(&mut row, self.width, mirrored);
        seal_row(key, &mut row);
        row
    }

    /// Appends the entries of a part to `out`. Checks that numbers ascend, from the last one of `out` on, and that the
    /// strips are of the class.
    pub fn decode(
        &self,
        key: &[u8],
        row: &[u8],
        out: &mut Vec<NumberedEntry>,
    ) -> Result<(), Malformed> {
        let mut reader = open_row(key, row, TALLY)?;
        let count: usize = reader.narrow()?;
        if count > PART_ENTRIES {
            return Err(Malformed::Field("a part of a tally is too large"));
        }
        let numbers = read_column(&mut reader, count * 10)?;
        let counts = read_column(&mut reader, count * 10)?;
        let (mut numbers, mut counts) = (Reader::new(&numbers), Reader::new(&counts));
        let start = out.len();
        out.reserve(count);
        let mut next = out.last().map_or(0, |last| u64::from(last.number) + 1);
        let mut number = 0;
        let mut several = 0;
        for _ in 0..count {
            number += numbers.narrow::<u32>().map(u64::from)?;
            if number < next {
                return Err(Malformed::Field("value numbers do not ascend"));
            }
            next = number + 1;
            let count = counts.varint()?;
            several += usize::from(count > 1);
            out.push(NumberedEntry {
                number: u32::try_from(number)
                    .map_err(|_| Malformed::Field("a value number is too large"))?,
                count,
                first: 0,
                first_mirrored: 0,
            });
            number += 1;
        }
        numbers.end()?;
        counts.end()?;
        let firsts = Bits::read(&mut reader, self.width, count)?;
        let mirrored = Bits::read(&mut reader, self.width, several)?;
        reader.end()?;
        let beyond = Malformed::Field("a rank is beyond the class");
        let mut several = 0;
        for (i, entry) in out[start..].iter_mut().enumerate() {
            entry.first = self.own.index(firsts.get(i)).ok_or(beyond.clone())?;
            entry.first_mirrored = if entry.count > 1 {
                several += 1;
                self.mirror.index(mirrored.get(several - 1))
            } else {
                self.strips.mirror(entry.first)
            }
            .ok_or(beyond.clone())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CLASS: Class = Class {
        n: 9,
        toads: 3,
        frogs: 2,
    };

    fn entries() -> impl Strategy<Value = Vec<NumberedEntry>> {
        let ranks = 0..CLASS.size();
        proptest::collection::btree_map(
            any::<u32>(),
            (any::<u64>(), 0..64u32, ranks.clone(), ranks),
            0..200,
        )
        .prop_map(|map| {
            let index = |class: Class, rank| class.unrank(rank).index().unwrap() as u64;
            map.into_iter()
                .map(|(number, (count, shift, first, mirrored))| {
                    let (count, first) = ((count >> shift).max(1), index(CLASS, first));
                    let first_mirrored = if count == 1 {
                        Strips::new(CLASS.n).mirror(first).unwrap()
                    } else {
                        index(CLASS.mirror(), mirrored)
                    };
                    NumberedEntry {
                        number,
                        count,
                        first,
                        first_mirrored,
                    }
                })
                .collect()
        })
    }

    proptest! {
        #[test]
        fn parts_read_back(entries in entries()) {
            let codec = TallyCodec::new(CLASS);
            let row = codec.encode(&mut Packer::new(), b"k", &entries);
            let mut out = Vec::new();
            prop_assert_eq!(codec.decode(b"k", &row, &mut out), Ok(()));
            prop_assert_eq!(out, entries);
        }

        #[test]
        fn junk_behind_a_good_checksum_never_panics(
            entries in entries(),
            junk in proptest::collection::vec(any::<u8>(), 0..20),
            at in any::<proptest::sample::Index>(),
        ) {
            // Junk alone, and junk inside a good row, which gets further.
            let codec = TallyCodec::new(CLASS);
            let mut spoilt = codec.encode(&mut Packer::new(), b"k", &entries);
            spoilt.truncate(spoilt.len() - 4);
            let at = at.index(spoilt.len());
            for (byte, junk) in spoilt[at..].iter_mut().skip(1).zip(&junk) {
                *byte = *junk;
            }
            for mut row in [spoilt, [&[TALLY][..], &junk[..]].concat()] {
                seal_row(b"k", &mut row);
                let _ = codec.decode(b"k", &row, &mut Vec::new());
            }
        }
    }

    #[test]
    fn numbers_ascend_across_parts() {
        let codec = TallyCodec::new(CLASS);
        let first = CLASS.unrank(0).index().unwrap() as u64;
        let entry = |number| NumberedEntry {
            number,
            count: 1,
            first,
            first_mirrored: Strips::new(CLASS.n).mirror(first).unwrap(),
        };
        let row = codec.encode(&mut Packer::new(), b"k", &[entry(5), entry(6)]);
        let mut out = vec![entry(4)];
        assert_eq!(codec.decode(b"k", &row, &mut out), Ok(()));
        assert_eq!(
            codec.decode(b"k", &row, &mut out),
            Err(Malformed::Field("value numbers do not ascend"))
        );
    }

    #[test]
    fn the_largest_number_is_written_and_one_more_is_refused() {
        let codec = TallyCodec::new(CLASS);
        let first = CLASS.unrank(7).index().unwrap() as u64;
        let entry = NumberedEntry {
            number: u32::MAX,
            count: 1,
            first,
            first_mirrored: Strips::new(CLASS.n).mirror(first).unwrap(),
        };
        let row = codec.encode(&mut Packer::new(), b"k", &[entry]);
        let mut out = Vec::new();
        assert_eq!(codec.decode(b"k", &row, &mut out), Ok(()));
        assert_eq!(out, [entry]);
        let mut row = vec![TALLY, 2, 0, 6];
        put_varint(&mut row, u32::MAX.into());
        row.extend([0, 0, 2, 1, 1]);
        row.extend([0; 3]);
        seal_row(b"k", &mut row);
        assert_eq!(
            codec.decode(b"k", &row, &mut Vec::new()),
            Err(Malformed::Field("a value number is too large"))
        );
    }
}
