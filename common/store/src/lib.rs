//! The durable store of a census: a trait, its RocksDB schema and an in-memory twin.
//!
//! A store is a folder. It holds both variants and any number of runs: what was asked for ([`RunRecord`]), which shards
//! are done ([`ShardRecord`]), how often each value occurs in each class (tallies), the value of every core strip
//! (blocks, when they are kept), every value with its options and invariants, surveys with what is known of their cells,
//! and a log of what happened.
//!
//! # The promise
//!
//! Values and blocks stream in while a shard is computed; nobody can see them. [`Store::commit`] checks that the shard is
//! complete and then writes its marker in **one synced batch**. A shard is there whole or not at all, whenever the
//! power goes. Totals are folds over markers; nothing in here is a counter that could drift.
//!
//! # The tour
//!
//! | module | what lives there |
//! |---|---|
//! | [`store`] | [`Store`]: the trait the census, the coordinator and the queries know |
//! | [`records`] | what a store holds, as plain data |
//! | [`rocks`] | [`RocksStore`]: column families, settings and their reasons |
//! | [`memory`] | [`MemoryStore`]: the same answers from memory, for tests |
//! | [`open`] | opening a folder: what is refused, in which order, and why nothing was touched |
//! | [`stamp`] | the `FORMAT` file: what a folder is, readable without opening a database |
//! | [`holder`] | the `HOLDER` file: who has the store open and where to ask |
//! | `logs` | records that would hang the engine, looked for before it opens a store |
//! | [`mark`] | the `MARK` file: how far the store had come, so that a loss is seen |
//! | [`merge()`] | one store into another |
//! | [`digest`] | the identity of a run or of everything committed |
//! | [`ranks`] | strips of a class as ranks: how a tally names its first strips |
//! | [`keys`], [`encode`] | the bytes: big-endian keys, versioned rows with a CRC32 |
//! | [`error`] | [`StoreError`], sorted by what the caller should do |
//!
//! # Example
//!
//! ```
//! use toads_store::{MemoryStore, Store};
//!
//! let store = MemoryStore::new();
//! assert_eq!(store.shards(None)?, []);
//! assert_eq!(store.next_event()?, 1);
//! # Ok::<(), toads_store::StoreError>(())
//! ```
//!
//! # What this is not
//!
//! - Not a server: one process holds a store. Others ask that process, read a checkpoint, or wait.
//! - Not asynchronous: every call blocks, some for seconds. Keep them off async threads.
//! - Not a mathematician: a marker says that the result is complete and consistent, not that the values are right.
//!   Verification recomputes.
//! - Not a scheduler: leases, epochs and retries are the coordinator's; a store only refuses to contradict itself.
//! - Not a place for code: an older store is read by a newer kernel as long as the fingerprint is the same.

pub mod digest;
pub mod encode;
pub mod error;
pub mod holder;
pub mod keys;
mod logs;
pub mod mark;
pub mod memory;
mod merge;
pub mod open;
pub mod ranks;
pub mod records;
pub mod rocks;
pub mod selection;
pub mod stamp;
pub mod store;

mod check;

pub use digest::{run_digest, store_digest};
pub use error::{Result, StoreError, damage_remedy};
pub use holder::Holder;
pub use memory::MemoryStore;
pub use merge::{Merged, merge};
pub use open::{OpenOptions, probe};
pub use records::{
    DescribedValue, EventRecord, FailureClass, FailureRecord, Keep, Negative, NumberedEntry,
    Pressure, QuarantineRecord, RunRecord, RunState, ShardRecord, SurveyRecord, SurveyState, Swept,
};
pub use rocks::RocksStore;
pub use selection::Selection;
pub use stamp::{FORMAT_VERSION, Stamp};
pub use store::Store;
