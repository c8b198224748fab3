//! Records: a byte for the kind, the length and the message, and a CRC-32 of these; little endian.

use std::io::{self, Read};

use super::PartError;
use crate::MAX_MESSAGE_BYTES;

/// The first line of a part file.
pub(super) const MAGIC: &[u8] = b"toads part 1\n";

/// Of all versions.
pub(super) const ANY_MAGIC: &[u8] = b"toads part ";

/// What a record holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A `PartHeader`.
    Header = 1,
    /// A `SubmitRequest`.
    Message = 2,
    /// A `PartEnd`.
    End = 3,
}

impl Kind {
    fn from_byte(byte: u8) -> Option<Self> {
        [Self::Header, Self::Message, Self::End]
            .into_iter()
            .find(|&kind| kind as u8 == byte)
    }
}

/// A record as it stands in the file.
pub(super) fn encode(kind: Kind, message: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(message.len() + 9);
    bytes.push(kind as u8);
    bytes.extend_from_slice(&(message.len() as u32).to_le_bytes());
    bytes.extend_from_slice(message);
    let checksum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

/// A record, checked, with all its bytes.
pub(super) struct Record {
    pub(super) kind: Kind,
    pub(super) bytes: Vec<u8>,
}

impl Record {
    /// The message inside.
    pub(super) fn message(&self) -> &[u8] {
        &self.bytes[5..self.bytes.len() - 4]
    }
}

/// Reads the record that begins at byte `at`; `None` where the file ends. At most a message's memory, whatever the
/// length says.
pub(super) fn read(from: &mut impl Read, at: u64) -> Result<Option<Record>, PartError> {
    let damaged = |what: &str| PartError::Damaged {
        at,
        what: what.to_owned(),
    };
    let mut bytes = vec![0; 5];
    match fill(from, &mut bytes)? {
        0 => return Ok(None),
        5 => {}
        short => return Err(PartError::Truncated(at + short as u64)),
    }
    let kind = Kind::from_byte(bytes[0]).ok_or_else(|| damaged("its kind is unknown"))?;
    let length = u32::from_le_bytes(bytes[1..5].try_into().expect("four bytes")) as usize;
    if length > MAX_MESSAGE_BYTES {
        return Err(damaged("its length is more than that of a message"));
    }
    bytes.resize(5 + length + 4, 0);
    let read = fill(from, &mut bytes[5..])?;
    if read < length + 4 {
        return Err(PartError::Truncated(at + 5 + read as u64));
    }
    let (content, checksum) = bytes.split_last_chunk::<4>().expect("more than four bytes");
    if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
        return Err(damaged("its checksum does not fit"));
    }
    Ok(Some(Record { kind, bytes }))
}

/// Reads until `into` is full or the file ends; how many bytes came.
pub(super) fn fill(from: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < into.len() {
        match from.read(&mut into[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
