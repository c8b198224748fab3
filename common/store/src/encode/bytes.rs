//! The envelope of a row, and the integers inside it.

/// Why bytes are not a row: for [`crate::StoreError::Damaged`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// The checksum says that a bit changed.
    #[error("checksum mismatch")]
    Checksum,
    /// The row is of a version this build does not know.
    #[error("row version {0} is unknown; a newer release wrote it")]
    Version(u8),
    /// The row ends early, goes on too long or holds what cannot be.
    #[error("{0}")]
    Field(&'static str),
}

/// Finishes a row that starts with its version: appends the checksum over `key` and `row`.
pub fn seal_row(key: &[u8], row: &mut Vec<u8>) {
    let crc = checksum(key, row);
    row.extend_from_slice(&crc.to_le_bytes());
}

/// Checks a row's checksum and version and returns a reader of its fields.
pub fn open_row<'a>(key: &[u8], row: &'a [u8], version: u8) -> Result<Reader<'a>, Malformed> {
    let (content, crc) = row
        .split_last_chunk::<4>()
        .ok_or(Malformed::Field("the row is too short"))?;
    if checksum(key, content) != u32::from_le_bytes(*crc) {
        return Err(Malformed::Checksum);
    }
    match content.split_first() {
        Some((&found, fields)) if found == version => Ok(Reader { rest: fields }),
        Some((&found, _)) => Err(Malformed::Version(found)),
        None => Err(Malformed::Field("the row is empty")),
    }
}

fn checksum(key: &[u8], row: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(key);
    hasher.update(row);
    hasher.finalize()
}

/// Appends an unsigned LEB128 integer: 7 bits a byte, least significant first; 1 to 10 bytes.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a signed integer: zigzag, then LEB128.
pub(crate) fn put_signed(out: &mut Vec<u8>, value: i64) {
    put_varint(out, ((value << 1) ^ (value >> 63)) as u64);
}

/// Appends a length and the bytes of a text.
pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_varint(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Reads fields off the front of a row.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// A reader of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The next byte.
    pub fn byte(&mut self) -> Result<u8, Malformed> {
        let (&first, rest) = self
            .rest
            .split_first()
            .ok_or(Malformed::Field("the row ends early"))?;
        self.rest = rest;
        Ok(first)
    }

    /// The next `count` bytes.
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (head, rest) = self
            .rest
            .split_at_checked(count)
            .ok_or(Malformed::Field("the row ends early"))?;
        self.rest = rest;
        Ok(head)
    }

    /// The next `N` bytes.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (head, rest) = self
            .rest
            .split_first_chunk::<N>()
            .ok_or(Malformed::Field("the row ends early"))?;
        self.rest = rest;
        Ok(*head)
    }

    /// An unsigned LEB128 integer.
    #[inline]
    pub fn varint(&mut self) -> Result<u64, Malformed> {
        let mut value = 0u64;
        for shift in (0..70).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Malformed::Field("an integer is too long"))
    }

    /// A zigzag integer.
    pub fn signed(&mut self) -> Result<i64, Malformed> {
        let raw = self.varint()?;
        Ok((raw >> 1) as i64 ^ -((raw & 1) as i64))
    }

    /// An integer of a narrower type.
    pub fn narrow<T: TryFrom<u64>>(&mut self) -> Result<T, Malformed> {
        T::try_from(self.varint()?).map_err(|_| Malformed::Field("an integer is too large"))
    }

    /// A text.
    pub fn text(&mut self) -> Result<String, Malformed> {
        let length = self.narrow::<usize>()?;
        let bytes = self.bytes(length)?;
        std::str::from_utf8(bytes)
            .map(str::to_owned)
            .map_err(|_| Malformed::Field("a text is not UTF-8"))
    }

    /// Bytes not read yet.
    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Says that everything was read.
    pub fn end(self) -> Result<(), Malformed> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(Malformed::Field("the row goes on after its last field"))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn integers_read_back(unsigned: u64, signed: i64) {
            let mut out = Vec::new();
            put_varint(&mut out, unsigned);
            put_signed(&mut out, signed);
            let mut reader = Reader::new(&out);
            prop_assert_eq!(reader.varint(), Ok(unsigned));
            prop_assert_eq!(reader.signed(), Ok(signed));
            prop_assert_eq!(reader.end(), Ok(()));
        }

        #[test]
        fn any_flipped_bit_and_any_other_key_are_noticed(
            fields in proptest::collection::vec(any::<u8>(), 0..40),
            at in any::<proptest::sample::Index>(),
            bit in 0..8u32,
        ) {
            let mut row = vec![1];
            row.extend(&fields);
            seal_row(b"key", &mut row);
            prop_assert!(open_row(b"key", &row, 1).is_ok());
            prop_assert_eq!(open_row(b"kex", &row, 1).unwrap_err(), Malformed::Checksum);
            let at = at.index(row.len());
            row[at] ^= 1 << bit;
            prop_assert_eq!(open_row(b"key", &row, 1).unwrap_err(), Malformed::Checksum);
        }

        #[test]
        fn junk_never_panics(junk in proptest::collection::vec(any::<u8>(), 0..40)) {
            let mut reader = Reader::new(&junk);
            while reader.varint().is_ok() {}
            let _ = Reader::new(&junk).text();
            let _ = open_row(b"", &junk, 1);
        }
    }

    #[test]
    fn the_extremes_fit_and_what_is_beyond_does_not() {
        let mut out = Vec::new();
        put_varint(&mut out, u64::MAX);
        assert_eq!(out.len(), 10);
        assert_eq!(Reader::new(&out).varint(), Ok(u64::MAX));
        out[9] = 2;
        assert!(Reader::new(&out).varint().is_err());
        assert!(Reader::new(&[0xff; 11]).varint().is_err());
        let mut row = vec![7];
        seal_row(b"", &mut row);
        assert_eq!(open_row(b"", &row, 1).unwrap_err(), Malformed::Version(7));
    }
}
