//! Large arrays of atomics that cost memory only where they are touched.
//!
//! The arena and its caches are reserved at their full capacity when they are made: the pages come zeroed from the
//! operating system the first time they are used, so nothing is ever moved, and growing never stops another thread.

#![allow(unsafe_code)] // three conversions of a zeroed allocation and a hint, argued below; the rest of the crate has none

use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};

/// `len` zeros, shared among threads.
pub fn zeroed_u64(len: usize) -> Box<[AtomicU64]> {
    let zeros = vec![0u64; len].into_boxed_slice(); // alloc_zeroed: lazily mapped
    prefer_huge_pages(&zeros);
    // SAFETY: AtomicU64 has the size, alignment (on every 64-bit target) and bit validity of u64; the box is unique.
    unsafe { Box::from_raw(Box::into_raw(zeros) as *mut [AtomicU64]) }
}

/// [`zeroed_u64`] for an array that is read at random before it is written: each large page is written once, or reading
/// would map it as many small ones.
pub fn written_u64(len: usize) -> Box<[AtomicU64]> {
    const LARGE_PAGE: usize = 2 << 20;
    let zeros = zeroed_u64(len);
    for word in zeros.iter().step_by(LARGE_PAGE / size_of::<u64>()) {
        word.store(0, Ordering::Relaxed);
    }
    zeros
}

/// `len` zeros, shared among threads.
pub fn zeroed_u32(len: usize) -> Box<[AtomicU32]> {
    let zeros = vec![0u32; len].into_boxed_slice();
    prefer_huge_pages(&zeros);
    // SAFETY: AtomicU32 has the size, alignment and bit validity of u32; the box is unique.
    unsafe { Box::from_raw(Box::into_raw(zeros) as *mut [AtomicU32]) }
}

/// `len` zeros, shared among threads.
pub fn zeroed_i32(len: usize) -> Box<[AtomicI32]> {
    let zeros = vec![0i32; len].into_boxed_slice();
    prefer_huge_pages(&zeros);
    // SAFETY: AtomicI32 has the size, alignment and bit validity of i32; the box is unique.
    unsafe { Box::from_raw(Box::into_raw(zeros) as *mut [AtomicI32]) }
}

/// Asks for pages of 2 MiB. The memos are read at random: with pages of 4 KiB most reads would miss the TLB as well.
#[cfg(target_os = "linux")]
fn prefer_huge_pages<T>(array: &[T]) {
    const WORTH_IT: usize = 4 << 20;
    const PAGE: usize = 4096;
    let bytes = size_of_val(array);
    if bytes >= WORTH_IT {
        let start = array.as_ptr().addr().next_multiple_of(PAGE);
        let end = (array.as_ptr().addr() + bytes) / PAGE * PAGE;
        let pages = array.as_ptr().with_addr(start).cast_mut().cast();
        // SAFETY: the pages lie inside the array, and the advice changes nothing that a program can observe. It may fail.
        let _ = unsafe { libc::madvise(pages, end - start, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn prefer_huge_pages<T>(_: &[T]) {}

const _: () = assert!(
    align_of::<AtomicU64>() == align_of::<u64>(),
    "toads needs a 64-bit target"
);
