//! The fuzzer: changes valid inputs at random, hands them to a reader, and says how to have a finding again.
//!
//! A [`Fuzz`] has a name, seeds (valid inputs, made by the real writers) and a repair (which makes a checksum fit again).
//! [`Fuzz::run`] gives each changed input to a closure that reads it, asserts what must hold, and says whether it was accepted.
//! A finding is a panic, more than [`memory::MOST_BYTES`] of memory, or more than [`watch::MOST_TIME`] of processor time. The
//! same seed makes the same inputs, on every machine.
//!
//! | module | what lives there |
//! |---|---|
//! | `fuzz` | [`Fuzz`]: a target and its loop |
//! | `mutate` | changes of bytes |
//! | [`memory`] | the allocator of the tests, which counts |
//! | [`watch`] | one input: panics, time |
//! | [`settings`] | what the environment asks for |
//! | [`cases`] | inputs in hexadecimal digits; those that once were findings |
//!
//! `README.md` has the targets, the laws, and what was found.

pub mod cases;
mod fuzz;
pub mod memory;
mod mutate;
pub mod settings;
pub mod watch;

pub use fuzz::Fuzz;
