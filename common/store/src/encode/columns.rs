//! Columns: runs of bytes under zstd where it pays, and numbers of equal width packed bit by bit.

use std::borrow::Cow;
use std::cell::RefCell;

use zstd::bulk::{Compressor, Decompressor};

use super::bytes::{Malformed, Reader, put_varint};

const PLAIN: u8 = 0;
const ZSTD: u8 = 1;

/// For columns of a few kilobytes: about as small as the slower levels make them.
const LEVEL: i32 = 3;

/// For blocks: a tenth larger than level 3 makes them, in half the time.
const FAST: i32 = 1;

/// The largest column that is compressed: what a row claims beyond it is not believed.
pub(super) const MAX_COLUMN_BYTES: usize = 16 << 20;

/// Compresses columns; its tables (a megabyte or so) serve one column after the other.
pub struct Packer(Option<Compressor<'static>>);

impl Packer {
    /// Without memory for the tables it writes columns as they are.
    pub fn new() -> Self {
        Self(Compressor::new(LEVEL).ok())
    }

    /// The same, faster and looser.
    pub fn fast() -> Self {
        Self(Compressor::new(FAST).ok())
    }

    /// Appends a column: how it is stored, its length, its bytes.
    pub(super) fn put(&mut self, row: &mut Vec<u8>, bytes: &[u8]) {
        let packed = self
            .0
            .as_mut()
            .filter(|_| bytes.len() <= MAX_COLUMN_BYTES)
            .and_then(|zstd| zstd.compress(bytes).ok())
            .filter(|packed| packed.len() + 3 < bytes.len());
        if let Some(packed) = packed {
            row.push(ZSTD);
            put_varint(row, bytes.len() as u64);
            put_varint(row, packed.len() as u64);
            row.extend_from_slice(&packed);
        } else {
            row.push(PLAIN);
            put_varint(row, bytes.len() as u64);
            row.extend_from_slice(bytes);
        }
    }
}

impl Default for Packer {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Packer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Packer")
    }
}

/// The next column, of at most `limit` bytes.
pub(super) fn read_column<'a>(
    reader: &mut Reader<'a>,
    limit: usize,
) -> Result<Cow<'a, [u8]>, Malformed> {
    let codec = reader.byte()?;
    let length: usize = reader.narrow()?;
    match codec {
        PLAIN => reader.bytes(length).map(Cow::Borrowed),
        ZSTD if length <= limit.min(MAX_COLUMN_BYTES) => {
            let packed: usize = reader.narrow()?;
            unpack(reader.bytes(packed)?, length)
                .filter(|bytes| bytes.len() == length)
                .map(Cow::Owned)
                .ok_or(Malformed::Field("a column does not decompress"))
        }
        ZSTD => Err(Malformed::Field("a column is too long")),
        _ => Err(Malformed::Field("unknown compression")),
    }
}

/// Decompresses to at most `length` bytes. The tables of the decompressor (160 kB) stay with the thread: making them
/// would take as long as a small column.
fn unpack(packed: &[u8], length: usize) -> Option<Vec<u8>> {
    thread_local! {
        static ZSTD: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    ZSTD.with_borrow_mut(|zstd| {
        if zstd.is_none() {
            *zstd = Decompressor::new().ok();
        }
        zstd.as_mut()?.decompress(packed, length).ok()
    })
}

/// How many bytes the next column has.
pub(super) fn column_bytes(mut reader: Reader<'_>) -> Result<usize, Malformed> {
    reader.byte()?;
    reader.narrow()
}

/// Bits of the numbers below `end`; 0 where 0 is the only one.
pub(super) fn width(end: u64) -> u32 {
    64 - end.saturating_sub(1).leading_zeros()
}

/// Appends numbers of `width` bits, at most 56, the first in the lowest bits of the first byte.
pub(super) fn put_bits(row: &mut Vec<u8>, width: u32, numbers: impl Iterator<Item = u64>) {
    let (mut buffer, mut filled) = (0u64, 0);
    for number in numbers {
        debug_assert!(number >> width == 0);
        buffer |= number << filled;
        filled += width;
        while filled >= 8 {
            row.push(buffer as u8);
            buffer >>= 8;
            filled -= 8;
        }
    }
    if filled > 0 {
        row.push(buffer as u8);
    }
}

/// Numbers of equal width, read anywhere.
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    width: u32,
}

impl<'a> Bits<'a> {
    /// The next `count` numbers of `width` bits, at most 56.
    pub(super) fn read(
        reader: &mut Reader<'a>,
        width: u32,
        count: usize,
    ) -> Result<Self, Malformed> {
        let bytes = reader.bytes((count * width as usize).div_ceil(8))?;
        Ok(Self { bytes, width })
    }

    /// Number `at`, which must be below the count.
    #[inline]
    pub(super) fn get(&self, at: usize) -> u64 {
        let bit = at * self.width as usize;
        let tail = &self.bytes[bit / 8..];
        let word = tail.first_chunk::<8>().map_or_else(
            || {
                let mut word = [0; 8];
                word[..tail.len()].copy_from_slice(tail);
                u64::from_le_bytes(word)
            },
            |word| u64::from_le_bytes(*word),
        );
        word >> (bit % 8) & ((1 << self.width) - 1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn packed_numbers_read_back(width in 0..=56u32, numbers in proptest::collection::vec(any::<u64>(), 0..70)) {
            let numbers: Vec<u64> = numbers.iter().map(|number| number & ((1 << width) - 1)).collect();
            let mut row = Vec::new();
            put_bits(&mut row, width, numbers.iter().copied());
            let mut reader = Reader::new(&row);
            let bits = Bits::read(&mut reader, width, numbers.len()).unwrap();
            prop_assert_eq!(reader.end(), Ok(()));
            let read: Vec<u64> = (0..numbers.len()).map(|at| bits.get(at)).collect();
            prop_assert_eq!(read, numbers);
        }

        #[test]
        fn columns_read_back(byte: u8, length in 0..300usize, noise in proptest::collection::vec(any::<u8>(), 0..40)) {
            let mut bytes = vec![byte; length];
            bytes.extend(noise);
            let mut row = Vec::new();
            Packer::new().put(&mut row, &bytes);
            prop_assert!(row.len() <= bytes.len() + 3);
            let mut reader = Reader::new(&row);
            let read = read_column(&mut reader, bytes.len()).unwrap();
            prop_assert_eq!(read.as_ref(), bytes);
            prop_assert_eq!(reader.end(), Ok(()));
        }

        #[test]
        fn junk_never_panics(junk in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = read_column(&mut Reader::new(&junk), 1000);
        }
    }

    #[test]
    fn a_column_longer_than_it_may_be_is_refused() {
        let mut row = Vec::new();
        Packer::new().put(&mut row, &[7; 1000]);
        assert!(read_column(&mut Reader::new(&row), 1000).is_ok());
        assert_eq!(
            read_column(&mut Reader::new(&row), 999),
            Err(Malformed::Field("a column is too long"))
        );
    }

    #[test]
    fn the_width_is_that_of_the_largest_number() {
        let widths = [
            (0, 0),
            (1, 0),
            (2, 1),
            (3, 2),
            (4, 2),
            (5, 3),
            (1 << 40, 40),
        ];
        for (end, bits) in widths {
            assert_eq!(width(end), bits, "below {end}");
        }
    }
}
