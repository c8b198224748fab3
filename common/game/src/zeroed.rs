//! Large arrays of atomics that cost memory only where they are touched, by large pages.
//!
//! The arena and its caches are reserved at their full capacity when they are made: the pages come zeroed from the
//! operating system the first time they are used, so nothing is ever moved, and growing never stops another thread.
//!
//! A page that is touched for the first time costs microseconds, whatever its size; and memos are read at random, so with
//! pages of 4 KiB most reads would miss the translation cache as well. So arrays from 2 MiB on begin on pages of
//! 2 MiB of their own, and smaller ones share blocks of such pages, one behind the other; a block goes back to the system with
//! its last array.

#![allow(unsafe_code)] // memory from the operating system, argued below; the rest of the crate has next to none

use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

const LARGE_PAGE: usize = 2 << 20;

/// Bytes from which on an array has pages of its own.
const WORTH_PAGES: usize = LARGE_PAGE;

/// Bytes below which an array does not use large pages at all, and comes from the allocator of the program.
const WORTH_SHARING: usize = 16 << 10;

/// Bytes of a block shared by smaller arrays.
const BLOCK: usize = 4 * LARGE_PAGE;

/// Where an array begins in a block: at a cache line.
const CACHE_LINE: usize = 64;

/// Types for which bytes of zero are a valid value, and which may be written through a shared reference.
pub trait Atom: sealed::Sealed {}

mod sealed {
    /// # Safety
    ///
    /// Zero bytes are a valid value, nothing happens when it is dropped, and it needs no more alignment than a `u64`.
    pub unsafe trait Sealed: Sync + Send {}
}

// SAFETY: an atomic integer has the bit validity of the integer.
unsafe impl sealed::Sealed for AtomicU64 {}
// SAFETY: as above.
unsafe impl sealed::Sealed for AtomicU32 {}
// SAFETY: as above.
unsafe impl sealed::Sealed for AtomicI32 {}
impl Atom for AtomicU64 {}
impl Atom for AtomicU32 {}
impl Atom for AtomicI32 {}

/// An array of atomics, zero at first, shared among threads.
pub struct Zeroed<T> {
    start: NonNull<T>,
    len: usize,
    /// Whatever the memory goes back to the system with.
    _memory: Box<dyn Send + Sync>,
}

// SAFETY: a `Zeroed` is a shared slice of atomics that keeps its own memory alive; no two overlap.
unsafe impl<T: Atom> Send for Zeroed<T> {}
// SAFETY: as above.
unsafe impl<T: Atom> Sync for Zeroed<T> {}

impl<T: Atom> Deref for Zeroed<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `start` is aligned for T and begins `len` initialised elements (zeros are valid) that live as long as `self`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T: Atom> Default for Zeroed<T> {
    fn default() -> Self {
        zeroed(0)
    }
}

impl<T: Atom> std::fmt::Debug for Zeroed<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Zeroed({} elements)", self.len)
    }
}

/// `len` zeros. Reserves address space only. Panics when there is none, as the allocator would.
pub fn zeroed<T: Atom>(len: usize) -> Zeroed<T> {
    allocate(len, Advice::LargePages)
}

/// [`zeroed`] for an array of which little is going to be used: its pages are small.
pub fn sparse<T: Atom>(len: usize) -> Zeroed<T> {
    allocate(len, Advice::None)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Advice {
    LargePages,
    None,
}

fn allocate<T: Atom>(len: usize, advice: Advice) -> Zeroed<T> {
    let bytes = len
        .checked_mul(size_of::<T>())
        .expect("an array that fits in memory");
    if bytes < WORTH_SHARING {
        let memory: Arc<[AtomicU64]> = (0..bytes.div_ceil(8)).map(|_| AtomicU64::new(0)).collect();
        return Zeroed {
            start: NonNull::from(&memory[..]).cast(),
            len,
            _memory: Box::new(memory),
        };
    }
    let (start, pages) = if bytes < WORTH_PAGES {
        share(bytes)
    } else {
        let pages = Arc::new(pages::Pages::new(bytes, advice));
        (pages.start(), pages)
    };
    Zeroed {
        start: start.cast(),
        len,
        _memory: Box::new(pages),
    }
}

/// [`zeroed`] for an array that is read at random before it is written: each large page is written once, or reading
/// would map it as many small ones.
pub fn written_u64(len: usize) -> Zeroed<AtomicU64> {
    let zeros = zeroed::<AtomicU64>(len);
    for word in zeros.iter().step_by(LARGE_PAGE / size_of::<u64>()) {
        word.store(0, Ordering::Relaxed);
    }
    zeros
}

/// A block and the bytes of it that are given out.
static BLOCK_IN_USE: Mutex<Option<(Arc<pages::Pages>, usize)>> = Mutex::new(None);

/// So many bytes of a shared block that nobody had before.
fn share(bytes: usize) -> (NonNull<u8>, Arc<pages::Pages>) {
    let bytes = bytes.next_multiple_of(CACHE_LINE);
    let mut in_use = BLOCK_IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
    let (pages, used) = match in_use.take() {
        Some((pages, used)) if used + bytes <= BLOCK => (pages, used),
        _ => (Arc::new(pages::Pages::new(BLOCK, Advice::LargePages)), 0),
    };
    // SAFETY: `used` + `bytes` is at most the size of the block.
    let start = unsafe { pages.start().add(used) };
    *in_use = Some((Arc::clone(&pages), used + bytes));
    (start, pages)
}

#[cfg(unix)]
mod pages {
    use std::ptr::NonNull;

    use super::{Advice, LARGE_PAGE};

    /// Zeroed memory that begins and ends at a large page.
    pub(super) struct Pages {
        start: NonNull<u8>,
        bytes: usize,
    }

    // SAFETY: this is an address and a length; what stands there is shared by the rules of `Zeroed`.
    unsafe impl Send for Pages {}
    // SAFETY: as above.
    unsafe impl Sync for Pages {}

    impl Pages {
        pub(super) fn new(bytes: usize, advice: Advice) -> Self {
            let bytes = bytes.next_multiple_of(LARGE_PAGE);
            let reserved = bytes + LARGE_PAGE;
            // SAFETY: a new private mapping, which touches no memory of ours.
            let base = unsafe {
                libc::mmap(
                    std::ptr::null_mut(),
                    reserved,
                    libc::PROT_READ | libc::PROT_WRITE,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | NO_RESERVE,
                    -1,
                    0,
                )
            };
            assert!(
                base != libc::MAP_FAILED,
                "no memory for a table of {bytes} bytes"
            );
            let base = base.cast::<u8>();
            let before = base.addr().next_multiple_of(LARGE_PAGE) - base.addr();
            // SAFETY: the parts before and behind the aligned range belong to the mapping just made and are not used.
            unsafe {
                let start = base.add(before);
                if before > 0 {
                    libc::munmap(base.cast(), before);
                }
                libc::munmap(start.add(bytes).cast(), reserved - bytes - before);
                if advice == Advice::LargePages {
                    prefer_large_pages(start, bytes);
                }
                Self {
                    start: NonNull::new_unchecked(start),
                    bytes,
                }
            }
        }

        pub(super) fn start(&self) -> NonNull<u8> {
            self.start
        }
    }

    impl Drop for Pages {
        fn drop(&mut self) {
            // SAFETY: the range was mapped by `new`, and the last array in it is gone.
            unsafe { libc::munmap(self.start.as_ptr().cast(), self.bytes) };
        }
    }

    #[cfg(target_os = "linux")]
    const NO_RESERVE: libc::c_int = libc::MAP_NORESERVE;
    #[cfg(not(target_os = "linux"))]
    const NO_RESERVE: libc::c_int = 0;

    /// Asks for pages of 2 MiB; it may not be granted.
    #[cfg(target_os = "linux")]
    unsafe fn prefer_large_pages(start: *mut u8, bytes: usize) {
        // SAFETY: the range is mapped, and the advice changes nothing that a program can observe.
        unsafe { libc::madvise(start.cast(), bytes, libc::MADV_HUGEPAGE) };
    }

    #[cfg(not(target_os = "linux"))]
    unsafe fn prefer_large_pages(_: *mut u8, _: usize) {}
}

#[cfg(not(unix))]
mod pages {
    use std::ptr::NonNull;

    /// Zeroed memory from the allocator.
    pub(super) struct Pages(Box<[[u64; 8]]>);

    impl Pages {
        pub(super) fn new(bytes: usize, _: super::Advice) -> Self {
            Self(vec![[0; 8]; bytes.div_ceil(64)].into_boxed_slice())
        }

        pub(super) fn start(&self) -> NonNull<u8> {
            NonNull::from(&self.0[..]).cast()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_every_size_are_zero_and_apart() {
        let sizes = [0, 1, 7, 5_000, 70_000, 300_000, 300_000, 700_000, 3 << 20];
        let arrays: Vec<Zeroed<AtomicU32>> = sizes.iter().map(|&len| zeroed(len)).collect();
        for (mark, array) in (1..).zip(&arrays) {
            assert!(array.iter().all(|word| word.load(Ordering::Relaxed) == 0));
            assert_eq!(sparse::<AtomicU32>(array.len()).len(), array.len());
            for word in array.iter() {
                word.store(mark, Ordering::Relaxed);
            }
        }
        for (mark, (array, len)) in (1..).zip(arrays.iter().zip(sizes)) {
            assert_eq!(array.len(), len);
            assert!(
                array
                    .iter()
                    .all(|word| word.load(Ordering::Relaxed) == mark)
            );
        }
    }

    #[test]
    fn an_array_outlives_its_neighbours() {
        let kept = zeroed::<AtomicU64>(50_000);
        for _ in 0..100 {
            let other = zeroed::<AtomicU64>(100_000);
            assert!(other.iter().all(|word| word.load(Ordering::Relaxed) == 0));
            other[99_999].store(1, Ordering::Relaxed);
        }
        assert!(kept.iter().all(|word| word.load(Ordering::Relaxed) == 0));
    }
}
