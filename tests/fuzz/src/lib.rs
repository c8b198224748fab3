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

/// A folder for inputs that are read from files: in memory where there is such a place, which is a thousand times as quick.
///
/// # Panics
/// If none can be made.
pub fn folder() -> tempfile::TempDir {
    let made = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
    made.expect("a temporary folder can be made")
}

/// Asserts that an error is one line that a terminal shows as it stands.
///
/// # Panics
/// If it is not.
pub fn assert_clear(error: &impl std::fmt::Display) {
    let text = error.to_string();
    assert!(!text.is_empty(), "an error without a word");
    assert!(
        !text.contains(char::is_control),
        "control characters in {text:?}"
    );
}
