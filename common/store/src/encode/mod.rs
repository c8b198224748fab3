//! Rows as bytes: a version, fields, and a CRC32 over the key and the row.
//!
//! Every row is `version: u8`, fields, `crc32: u32 LE`. The checksum covers the key too, so a row that turns up under
//! another key is damage as well. Integers are LEB128 varints, signed ones zigzag; ids and digests are raw; long rows are
//! written column by column, under zstd where it pays. RocksDB checks its own blocks; ours catches what it cannot see:
//! memory, transfers, tools that edit.
//!
//! No serde here: these bytes are a published format, and the hot ones are read by the million.

mod block;
mod bytes;
mod columns;
mod records;
mod surveys;
mod tally;
mod values;

pub use block::{block_bytes, decode_block, encode_block};
pub use bytes::{Malformed, Reader, open_row, seal_row};
pub use columns::Packer;
pub use records::{
    Marker, decode_event, decode_marker, decode_quarantine, decode_run, encode_event,
    encode_marker, encode_quarantine, encode_run,
};
pub use surveys::{decode_cell, decode_survey, encode_cell, encode_survey};
pub use tally::{PART_ENTRIES, TallyCodec};
pub use values::{
    Forms, ROW_OPTIONS, ROW_VALUES, decode_forms, decode_ids, encode_forms, encode_ids,
};
