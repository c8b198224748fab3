//! What two builds must agree on to share a store or a run. The code is not part of it: a faster kernel reads and
//! extends an older store.

use crate::plan::PLAN_VERSION;
use crate::result::Digest;

/// Everything that decides the bytes of a result.
const SCHEME: &str = "toads 1\n\
    rules: hop = step or jump over one opposing piece into the square behind it; hopless = step only\n\
    value id: blake3-128 of 01, left count u32le, left ids ascending, right count u32le, right ids ascending\n\
    rank: index order within (n, toads, frogs), F < . < T, leftmost square most significant\n\
    digest: blake3 of chunk digests, 65536 ranks each, ids in order of first appearance, codes u16le\n\
    block: format 1, core strips of a chunk\n\
    tally: value, count, first index, first mirrored index\n";

/// BLAKE3 of the scheme and the plan version.
pub fn fingerprint() -> Digest {
    let mut hasher = blake3::Hasher::new();
    hasher.update(SCHEME.as_bytes());
    hasher.update(&PLAN_VERSION.to_le_bytes());
    Digest(*hasher.finalize().as_bytes())
}
