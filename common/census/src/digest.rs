//! The content digest of a class: the same for any plan, codec, number of threads or order of work.
//!
//! The strips of the class are taken in rank order, 65,536 at a time. The digest of such a chunk is BLAKE3 over the number
//! of distinct values in it (u32, little endian), their ids in order of first appearance, and for each strip the
//! position of its value in that list (u16, little endian). The digest of the class is BLAKE3 over one byte each of
//! variant, n, toads and frogs, and the digests of its chunks in order. (Hashing chunks apart lets many threads share
//! the work.)

use toads_game::ValueId;

use crate::result::Digest;
use crate::shard::Shard;

/// The digest of a chunk from the ids in order of first appearance and the codes.
pub fn of_chunk(ids: impl ExactSizeIterator<Item = ValueId>, codes: &[u16]) -> Digest {
    let mut bytes = Vec::with_capacity(4 + ids.len() * 16 + codes.len() * 2);
    bytes.extend_from_slice(&(ids.len() as u32).to_le_bytes());
    for id in ids {
        bytes.extend_from_slice(&id.0);
    }
    for code in codes {
        bytes.extend_from_slice(&code.to_le_bytes());
    }
    Digest(*blake3::hash(&bytes).as_bytes())
}

/// The digest of a class from those of its chunks, in order.
pub fn of_class(shard: Shard, chunks: impl IntoIterator<Item = Digest>) -> Digest {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[
        shard.variant.code(),
        shard.class.n,
        shard.class.toads,
        shard.class.frogs,
    ]);
    for chunk in chunks {
        hasher.update(&chunk.0);
    }
    Digest(*hasher.finalize().as_bytes())
}
