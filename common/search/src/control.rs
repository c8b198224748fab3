//! What can be seen and done from outside while a search runs.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Counters of a search, and its off switch. All figures are cumulative over the searches of one
/// [`Searcher`](crate::Searcher) and may lag a thousand nodes behind.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    nodes: AtomicU64,
    filled: AtomicU64,
    entries: AtomicU64,
}

impl Control {
    /// Asks running and later searches to end without an answer; they do within milliseconds.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Takes [`Self::stop`] back.
    pub fn resume(&self) {
        self.stop.store(false, Ordering::Relaxed);
    }

    /// Whether [`Self::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Positions expanded so far, by all threads.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Entries of the transposition table in use.
    pub fn filled(&self) -> u64 {
        self.filled.load(Ordering::Relaxed)
    }

    /// Entries the transposition table has at present.
    pub fn entries(&self) -> u64 {
        self.entries.load(Ordering::Relaxed)
    }

    pub(crate) fn has_table(&self, entries: u64) {
        self.entries.store(entries, Ordering::Relaxed);
    }

    pub(crate) fn count(&self, nodes: u64, filled: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
        self.filled.fetch_add(filled, Ordering::Relaxed);
    }
}
