//! The worker: lease, evaluate, submit.
//!
//! A worker belongs to nobody: it connects to a coordinator, asks for shards, evaluates them on its threads in one
//! shared arena, and hands the results in. It keeps no state worth saving; whatever it held when it dies is leased to
//! another. `toads worker` runs it as a process, `toads census run` may run it inside the command.
//!
//! # The tour
//!
//! | module | what lives there |
//! |---|---|
//! | [`run`] | the loop: lease, start, drain |
//! | [`Config`], [`Shutdown`] | what it can be told, before and meanwhile |
//! | `link` | the connection: register, retry, register again |
//! | `task`, `board` | a leased shard on its way, and all of them |
//! | `arenas` | the shared arena, its scribe, and what the coordinator is known to have |
//! | `evaluate` | the kernel behind a panic guard (promise P9) |
//! | `process` | one lease from evaluation to verdict |
//! | `deliver`, `produce` | offer, submit, retry |
//! | [`Offline`] | evaluation without a coordinator, for the parts of a split census |
//! | `cells` | cells of surveys, when there is no shard |
//! | `beat` | the beat (promises P4 and P5) |

mod arenas;
mod beat;
mod board;
mod cells;
mod config;
mod deliver;
mod evaluate;
mod link;
mod offline;
mod process;
mod produce;
mod run;
mod task;

pub use arenas::least_memory;
pub use config::{Config, ExitReason, Shutdown, WorkerError};
pub use offline::{Job, Offline, OfflineError};
pub use run::run;
