//! Large arrays of atomics that cost memory only where they are touched.
//!
//! The arena and its caches are reserved at their full capacity when they are made: the pages come zeroed from the
//! operating system the first time they are used, so nothing is ever moved, and growing never stops another thread.

#![allow(unsafe_code)] // two conversions of a zeroed allocation, argued below; the rest of the crate has none

use std::sync::atomic::{AtomicU32, AtomicU64};

/// `len` zeros, shared among threads.
pub fn zeroed_u64(len: usize) -> Box<[AtomicU64]> {
    let zeros = vec![0u64; len].into_boxed_slice(); // alloc_zeroed: lazily mapped
    // SAFETY: AtomicU64 has the size, alignment (on every 64-bit target) and bit validity of u64; the box is unique.
    unsafe { Box::from_raw(Box::into_raw(zeros) as *mut [AtomicU64]) }
}

/// `len` zeros, shared among threads.
pub fn zeroed_u32(len: usize) -> Box<[AtomicU32]> {
    let zeros = vec![0u32; len].into_boxed_slice();
    // SAFETY: AtomicU32 has the size, alignment and bit validity of u32; the box is unique.
    unsafe { Box::from_raw(Box::into_raw(zeros) as *mut [AtomicU32]) }
}

const _: () = assert!(align_of::<AtomicU64>() == align_of::<u64>(), "toads needs a 64-bit target");
