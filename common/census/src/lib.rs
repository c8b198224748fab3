//! The census of one class at a time: shard plan, evaluation kernel, tallies, block codec, digests.
//!
//! Pure: no input or output, no clock, no logging. A [`Shard`] names a closed class; [`kernel::evaluate`] fills a
//! dense table in index order; [`kernel::EvaluatedClass`] yields its digest and tally, and its blocks ([`codec`]);
//! [`forms`] writes the values themselves. [`Reach`] evaluates single strips instead of classes, [`NarrowClass`] classes of long strips with few pieces. The [`digest`] is the identity of the result, whatever the threads, memory
//! limits or order of work.

pub mod codec;
pub mod digest;
pub mod fingerprint;
pub mod forms;
mod index;
pub mod kernel;
mod narrow;
pub mod plan;
mod reach;
mod result;
mod shard;
mod split;

pub use fingerprint::fingerprint;
pub use forms::{Forms, KnownValues};
pub use index::{CHUNK_RANKS, ClassIndex, Indexed, chunk_ranks, chunks, position};
pub use kernel::{Control, EvaluateError, EvaluatedClass, Finished, Tables, evaluate};
pub use narrow::{MAX_NARROW_SQUARES, NarrowClass, narrow_bytes};
pub use plan::{MAX_CENSUS_SQUARES, PLAN_VERSION};
pub use reach::{Reach, ReachError};
pub use result::{Digest, ShardResult, TallyEntry, ValueForm};
pub use shard::{Shard, ShardNameError};
pub use split::{MAX_PARTS, part_of};
