//! End-to-end tests of toads: the real binary, real processes, real sockets, real stores.
//!
//! [`Scene`] gives a test its own folder and runs `toads` there, printing each command and its output when the test fails.
//! [`referee`] evaluates strips a second way: recursion, naive canonical forms, no shared code but the hash of a value
//! id. [`Chance`] makes random choices that can be had again.

mod chance;
pub mod referee;
mod scene;

pub use chance::Chance;
pub use scene::{Background, Outcome, Scene, golden};
