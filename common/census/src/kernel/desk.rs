//! What one class needs while it is evaluated: the stops of its strips.

use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use toads_game::zeroed::zeroed_i32;
use toads_game::{Arena, GameError, NO_LEFT, NO_RIGHT, NarrowStops, Value};

/// A class while it is evaluated: its table, and the stops of every strip beside it. 12 bytes a strip.
///
/// What the stops decide is decided without a look into the arena; and they are read, like the table, in step.
pub(super) struct Desk<'a> {
    table: &'a [AtomicU32],
    stops: StopsTable,
}

/// The stops of every strip; may be longer than the class.
#[derive(Default)]
struct StopsTable {
    upper: Box<[AtomicI32]>,
    lower: Box<[AtomicI32]>,
}

/// The longest table of stops of late: fresh memory costs more than writing to it twice.
#[derive(Default)]
pub(super) struct Spare(Mutex<StopsTable>);

impl Spare {
    fn take(&self, len: usize) -> StopsTable {
        let spare = std::mem::take(&mut *self.lock());
        if spare.upper.len() >= len {
            return spare;
        }
        drop(spare);
        StopsTable {
            upper: zeroed_i32(len),
            lower: zeroed_i32(len),
        }
    }

    fn give(&self, stops: StopsTable) {
        let mut spare = self.lock();
        if spare.upper.len() < stops.upper.len() {
            *spare = stops;
        }
    }

    /// Gives the memory back.
    pub(super) fn clear(&self) {
        *self.lock() = StopsTable::default();
    }

    /// Bytes of what is spare.
    pub(super) fn memory_bytes(&self) -> u64 {
        self.lock().upper.len() as u64 * 8
    }

    fn lock(&self) -> MutexGuard<'_, StopsTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a> Desk<'a> {
    pub(super) fn new(table: &'a [AtomicU32], spare: &Spare) -> Self {
        let stops = spare.take(table.len());
        Self { table, stops }
    }

    /// Leaves the stops for the next class.
    pub(super) fn clear(self, spare: &Spare) {
        spare.give(self.stops);
    }

    /// The `upper` of every strip.
    #[inline]
    pub(super) fn uppers(&self) -> &[AtomicI32] {
        &self.stops.upper[..self.table.len()]
    }

    /// The `lower` of every strip.
    #[inline]
    pub(super) fn lowers(&self) -> &[AtomicI32] {
        &self.stops.lower[..self.table.len()]
    }

    #[inline]
    pub(super) fn value(&self, rank: usize) -> Value {
        Value::from_index(self.table[rank].load(Ordering::Relaxed) as usize)
    }

    #[inline]
    pub(super) fn stops(&self, rank: usize) -> NarrowStops {
        NarrowStops {
            upper: self.stops.upper[rank].load(Ordering::Relaxed),
            lower: self.stops.lower[rank].load(Ordering::Relaxed),
        }
    }

    #[inline]
    pub(super) fn put(&self, rank: usize, value: Value, stops: NarrowStops) {
        self.table[rank].store(value.index() as u32, Ordering::Relaxed);
        self.stops.upper[rank].store(stops.upper, Ordering::Relaxed);
        self.stops.lower[rank].store(stops.lower, Ordering::Relaxed);
    }

    /// The value of a strip from the table of a smaller class.
    #[inline]
    pub(super) fn copy(
        &self,
        arena: &Arena,
        rank: usize,
        value: &AtomicU32,
    ) -> Result<(), GameError> {
        let value = Value::from_index(value.load(Ordering::Relaxed) as usize);
        self.put(rank, value, arena.narrow_stops(value)?);
        Ok(())
    }
}

/// One thread's scratch space: the best stops of the options of each strip of a run.
#[derive(Default)]
pub(super) struct Best {
    /// The largest `lower` of Left's.
    pub(super) above: Vec<i32>,
    /// The smallest `upper` of Right's.
    pub(super) below: Vec<i32>,
}

impl Best {
    /// For `len` strips without options.
    pub(super) fn start(&mut self, len: usize) {
        self.above.clear();
        self.above.resize(len, NO_LEFT);
        self.below.clear();
        self.below.resize(len, NO_RIGHT);
    }

    /// Adds the options in step from `from` on, for the strips of `ranks` (within the run).
    #[inline]
    pub(super) fn add(best: &mut [i32], stops: &[AtomicI32], better: impl Fn(i32, i32) -> i32) {
        for (best, stop) in best.iter_mut().zip(stops) {
            *best = better(*best, stop.load(Ordering::Relaxed));
        }
    }
}
