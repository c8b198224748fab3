//! Blocks of a shard: what the codec of the census packed, under zstd. Its codes are packed bit by bit, and still neighbours
//! resemble each other: a quarter goes.

use super::bytes::{Malformed, open_row, seal_row};
use super::columns::{MAX_COLUMN_BYTES, Packer, column_bytes, read_column};

const BLOCK: u8 = 2;

/// A block under `key`: some 5 ms a megabyte.
pub fn encode_block(packer: &mut Packer, key: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut row = Vec::with_capacity(bytes.len() + 16);
    row.push(BLOCK);
    packer.put(&mut row, bytes);
    seal_row(key, &mut row);
    row
}

/// The block of a row.
pub fn decode_block(key: &[u8], row: &[u8]) -> Result<Vec<u8>, Malformed> {
    let mut reader = open_row(key, row, BLOCK)?;
    let bytes = read_column(&mut reader, MAX_COLUMN_BYTES)?.into_owned();
    reader.end()?;
    Ok(bytes)
}

/// How many bytes the block of a row has. Checks the row, but does not unpack it.
pub fn block_bytes(key: &[u8], row: &[u8]) -> Result<usize, Malformed> {
    column_bytes(open_row(key, row, BLOCK)?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn blocks_read_back(byte: u8, length in 0..500usize, noise in proptest::collection::vec(any::<u8>(), 0..60)) {
            let mut bytes = vec![byte; length];
            bytes.extend(noise);
            let row = encode_block(&mut Packer::fast(), b"k", &bytes);
            prop_assert_eq!(block_bytes(b"k", &row), Ok(bytes.len()));
            prop_assert_eq!(decode_block(b"k", &row), Ok(bytes));
        }

        #[test]
        fn junk_behind_a_good_checksum_never_panics(junk in proptest::collection::vec(any::<u8>(), 0..60)) {
            let mut row = vec![BLOCK];
            row.extend(junk);
            seal_row(b"k", &mut row);
            let _ = (decode_block(b"k", &row), block_bytes(b"k", &row));
        }
    }
}
