//! The allocator of every test that links this crate: the system's, which counts while an input is read.
//!
//! What asks for more than there is ends the process, so there is no panic to catch: who goes beyond [`MOST_BYTES`] is
//! told here, with the input, before that. Counted is what the reading thread asks for; what is mapped without the
//! allocator (arenas, SQLite) has limits of its own.

#![allow(unsafe_code)] // the trait of allocators is unsafe; every call goes on to the system's

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// More memory than this for one input is a finding.
pub const MOST_BYTES: i64 = 256 << 20;

thread_local! {
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
    static BYTES: Cell<i64> = const { Cell::new(0) };
    static BEYOND: Cell<fn(i64)> = const { Cell::new(|_| ()) };
}

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every block is the system's, from the same layout.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as i64 - layout.size() as i64);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(block, layout, size) }
    }
}

fn count(bytes: i64) {
    if !IS_WATCHED.get() {
        return;
    }
    let sum = BYTES.get().saturating_add(bytes);
    BYTES.set(sum);
    if bytes > 0 && sum > MOST_BYTES {
        // So that whoever hears of it may use memory.
        IS_WATCHED.set(false);
        BEYOND.get()(sum);
    }
}

/// Counts what `read` asks for on this thread; `beyond` is called, once, with the sum when it becomes too large. It must
/// not come back if memory of that size would end the process, and must not panic.
pub fn watched<T>(beyond: fn(i64), read: impl FnOnce() -> T) -> T {
    struct Off;
    impl Drop for Off {
        fn drop(&mut self) {
            IS_WATCHED.set(false);
        }
    }
    let _off = Off;
    BEYOND.set(beyond);
    BYTES.set(0);
    IS_WATCHED.set(true);
    read()
}

#[cfg(test)]
mod tests {
    use super::*;

    thread_local! {
        static SAID: Cell<i64> = const { Cell::new(0) };
    }

    #[test]
    fn what_is_too_much_is_told_once_and_what_is_given_back_does_not_count() {
        let read = |bytes: usize, times: usize| {
            SAID.set(0);
            watched(
                |sum| SAID.set(SAID.get() + sum),
                || {
                    for _ in 0..times {
                        drop(std::hint::black_box(Vec::<u8>::with_capacity(bytes)));
                    }
                },
            );
            SAID.get()
        };
        assert_eq!(read(100 << 20, 5), 0);
        assert_eq!(read(257 << 20, 5), 257 << 20);
    }
}
