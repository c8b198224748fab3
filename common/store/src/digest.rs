//! The identity of what is committed: independent of order, interruptions, threads, workers and what was kept (promise P20).

use toads_census::Digest;

use crate::keys;
use crate::records::{RunRecord, ShardRecord};

/// BLAKE3 over the key and class digest of every record in (variant, n, toads, frogs, block) order, whatever order they
/// are given in.
pub fn store_digest(records: &[ShardRecord]) -> Digest {
    of(records.iter().collect())
}

/// The digest of the records that belong to a run: its variant and its range of n. Equal runs in different stores have
/// equal digests once they are complete.
pub fn run_digest(run: &RunRecord, records: &[ShardRecord]) -> Digest {
    of(records
        .iter()
        .filter(|record| run.covers(record.shard))
        .collect())
}

fn of(mut records: Vec<&ShardRecord>) -> Digest {
    records.sort_unstable_by_key(|record| record.shard);
    let mut hasher = blake3::Hasher::new();
    for record in records {
        hasher.update(&keys::shard(record.shard));
        hasher.update(&record.digest.0);
    }
    Digest(*hasher.finalize().as_bytes())
}
