//! Value ids and digests as bytes.

use toads_census::Digest;
use toads_game::ValueId;

use super::{Result, WireError};

/// An id as 16 bytes.
pub fn to_id(id: ValueId) -> Vec<u8> {
    id.0.to_vec()
}

/// An id from exactly 16 bytes.
pub fn id(field: &'static str, bytes: &[u8]) -> Result<ValueId> {
    let exact = bytes.try_into().map_err(|_| WireError::Length {
        field,
        bytes: bytes.len(),
        expected: "16",
    })?;
    Ok(ValueId(exact))
}

/// Ids, concatenated.
pub fn to_ids(ids: &[ValueId]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ids.len() * 16);
    for id in ids {
        bytes.extend_from_slice(&id.0);
    }
    bytes
}

/// Ids from their concatenation, in any order.
pub fn ids(field: &'static str, bytes: &[u8]) -> Result<Vec<ValueId>> {
    let (chunks, rest) = bytes.as_chunks::<16>();
    if !rest.is_empty() {
        return Err(WireError::Length {
            field,
            bytes: bytes.len(),
            expected: "a multiple of 16",
        });
    }
    Ok(chunks.iter().map(|&chunk| ValueId(chunk)).collect())
}

/// Ids that must ascend strictly.
pub(super) fn ascending(field: &'static str, bytes: &[u8]) -> Result<Vec<ValueId>> {
    let ids = ids(field, bytes)?;
    if ids.is_sorted_by(|a, b| a < b) {
        Ok(ids)
    } else {
        Err(WireError::Unsorted(field))
    }
}

/// A digest as 32 bytes.
pub fn to_digest(digest: Digest) -> Vec<u8> {
    digest.0.to_vec()
}

/// A digest from exactly 32 bytes.
pub fn digest(field: &'static str, bytes: &[u8]) -> Result<Digest> {
    let exact = bytes.try_into().map_err(|_| WireError::Length {
        field,
        bytes: bytes.len(),
        expected: "32",
    })?;
    Ok(Digest(exact))
}
