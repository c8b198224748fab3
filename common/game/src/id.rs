//! Content ids: the same value has the same id on every machine and in every run.

use std::fmt;
use std::str::FromStr;

/// The content id of a canonical form: the first 16 bytes of BLAKE3 over `0x01`, the number of Left options (u32,
/// little endian), their ids in ascending byte order, the number of Right options, and their ids likewise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ValueId(pub [u8; 16]);

impl ValueId {
    /// The id of the form with these options; sorts both slices. One BLAKE3 block for up to three options.
    pub fn of(left: &mut [Self], right: &mut [Self]) -> Self {
        left.sort_unstable();
        right.sort_unstable();
        let mut bytes = smallvec::SmallVec::<[u8; 256]>::new();
        bytes.push(1);
        for side in [left, right] {
            bytes.extend_from_slice(&(side.len() as u32).to_le_bytes());
            for id in side {
                bytes.extend_from_slice(&id.0);
            }
        }
        let hash = blake3::hash(&bytes);
        let mut id = [0; 16];
        id.copy_from_slice(&hash.as_bytes()[..16]);
        Self(id)
    }
}

impl fmt::Display for ValueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ValueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not 32 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a value id is 32 hexadecimal digits, not `{}`", .0.escape_debug())]
pub struct ParseIdError(String);

impl FromStr for ValueId {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        let wrong = || ParseIdError(text.to_owned());
        if text.len() != 32 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        let mut id = [0; 16];
        for (byte, pair) in id.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| wrong())?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| wrong())?;
        }
        Ok(Self(id))
    }
}
