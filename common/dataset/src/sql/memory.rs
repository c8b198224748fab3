//! How much memory SQLite may take.
//!
//! SQLite knows one limit for the whole process. Each session brings its share and takes it back when it ends, so that
//! together they stay within what they were given.

use std::sync::Mutex;

/// The shares of the sessions there are, in bytes.
static SHARES: Mutex<u64> = Mutex::new(0);

/// What one session adds to the limit.
pub(super) struct Share(u64);

impl Share {
    /// Adds `bytes` to what SQLite may take.
    pub(super) fn of(bytes: u64) -> Self {
        change(|all| all.saturating_add(bytes));
        Self(bytes)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        change(|all| all.saturating_sub(self.0));
    }
}

fn change(to: impl Fn(u64) -> u64) {
    let mut all = SHARES.lock().expect("no thread panics holding this lock");
    *all = to(*all);
    let limit = i64::try_from(*all).unwrap_or(i64::MAX);
    // SAFETY: the function takes a number, may be called from any thread, and touches nothing but SQLite's own limit.
    #[allow(unsafe_code, reason = "rusqlite has no other way to this limit")]
    unsafe {
        rusqlite::ffi::sqlite3_hard_heap_limit64(limit);
    }
}
