//! What one class needs while it is evaluated: the stops of its strips.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use toads_game::zeroed::{Zeroed, zeroed};
use toads_game::{Arena, GameError, NarrowStops, Value};

/// A class while it is evaluated: its table, and the stops of every strip beside it. 12 bytes a strip.
///
/// What the stops decide is decided without a look into the arena; and they are read, like the table, in step.
pub(super) struct Desk<'a> {
    table: &'a [AtomicU32],
    stops: StopsTable,
}

/// The stops of every strip ([`NarrowStops::to_bits`]); may be longer than the class.
type StopsTable = Zeroed<AtomicU64>;

/// Strips of a class below which its tables of stops are made longer than it is.
const WORTH_MORE: usize = 1 << 20;

/// The longest table of stops of late: fresh memory costs more than writing to it twice.
#[derive(Default)]
pub(super) struct Spare(Mutex<StopsTable>);

impl Spare {
    fn take(&self, len: usize) -> StopsTable {
        let spare = std::mem::take(&mut *self.lock());
        if spare.len() >= len {
            return spare;
        }
        drop(spare);
        // Classes grow from one to the next: half as much again saves the next ones from fresh memory, where that is cheap.
        let len = if len < WORTH_MORE { len + len / 2 } else { len };
        zeroed(len)
    }

    fn give(&self, stops: StopsTable) {
        let mut spare = self.lock();
        if spare.len() < stops.len() {
            *spare = stops;
        }
    }

    /// Gives the memory back.
    pub(super) fn clear(&self) {
        *self.lock() = StopsTable::default();
    }

    /// Bytes of what is spare.
    pub(super) fn memory_bytes(&self) -> u64 {
        self.lock().len() as u64 * 8
    }

    fn lock(&self) -> MutexGuard<'_, StopsTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a desk holds, as slices of one length.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    values: &'a [AtomicU32],
    stops: &'a [AtomicU64],
}

impl Reader<'_> {
    /// The stops and the value of a strip that is complete.
    #[inline]
    pub(super) fn read(&self, rank: usize) -> (NarrowStops, Value) {
        let value = self.values[rank].load(Ordering::Relaxed);
        let stops = NarrowStops::from_bits(self.stops[rank].load(Ordering::Relaxed));
        (stops, Value::from_index(value as usize))
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

    /// The stops of every strip, as [`NarrowStops::to_bits`] packs them.
    #[inline]
    pub(super) fn stops(&self) -> &[AtomicU64] {
        &self.stops[..self.table.len()]
    }

    /// Values and stops, for one reader.
    #[inline]
    pub(super) fn reader(&self) -> Reader<'_> {
        Reader {
            values: self.table,
            stops: self.stops(),
        }
    }

    /// The table and the stops of strips from `rank` on.
    fn places(&self, rank: usize, len: usize) -> (&[AtomicU32], &[AtomicU64]) {
        let here = rank..rank + len;
        (&self.table[here.clone()], &self.stops[here])
    }

    /// Puts strips from `rank` on in their places.
    pub(super) fn put(&self, rank: usize, values: &[Value], stops: &[NarrowStops]) {
        let (table, words) = self.places(rank, values.len());
        // By index: four iterators side by side are not merged into one counter.
        for at in 0..values.len() {
            table[at].store(values[at].index() as u32, Ordering::Relaxed);
            words[at].store(stops[at].to_bits(), Ordering::Relaxed);
        }
    }

    /// The values of strips from `rank` on, from the table of a smaller class.
    pub(super) fn copy(
        &self,
        arena: &Arena,
        rank: usize,
        values: &[AtomicU32],
    ) -> Result<(), GameError> {
        let (table, words) = self.places(rank, values.len());
        arena.each_narrow_stops(values, |at, value, word| {
            table[at].store(value, Ordering::Relaxed);
            words[at].store(word, Ordering::Relaxed);
        })
    }
}
