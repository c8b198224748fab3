//! What one class needs while it is evaluated: the stops of its strips.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use toads_game::zeroed::{Zeroed, zeroed};
use toads_game::{Arena, GameError, NarrowStops, Value};

use super::evaluate::Bench;
use super::scratch::{Pair, unpair};

/// A class while it is evaluated: its table, and the stops of every strip beside it. 12 bytes a strip.
///
/// What the stops decide is decided without a look into the arena; and they are read, like the table, in step.
pub(super) struct Desk<'a> {
    table: &'a [AtomicU32],
    stops: SpareStops,
}

/// The stops of every strip ([`NarrowStops::to_bits`]); may be longer than the class.
type StopsTable = Zeroed<AtomicU64>;

/// Strips of a class below which its table of stops is made no longer than it is.
const WORTH_MORE: usize = 1 << 14;

/// Strips for which a longer table has room at least. Room that is not used costs no memory; a table that grows with the classes does.
const ROOM: usize = 1 << 20;

/// The most tables that are spare, for classes that are evaluated side by side or handed in meanwhile.
const MOST_TABLES: usize = 8;

/// What a class leaves for the next one: fresh memory costs more than writing to it twice.
#[derive(Default)]
pub(super) struct Spare {
    /// One longer than [`ROOM`] at most.
    stops: Mutex<Vec<SpareStops>>,
    benches: Mutex<Vec<Bench>>,
    /// Tables of [`ROOM`] strips that nobody reads any more.
    tables: Mutex<Vec<Zeroed<AtomicU32>>>,
}

/// A table of stops.
struct SpareStops {
    table: StopsTable,
    /// Strips of the largest class that used it.
    used: usize,
}

impl Spare {
    fn take(&self, len: usize) -> SpareStops {
        let mut spare = lock(&self.stops);
        if let Some(at) = spare.iter().position(|stops| stops.table.len() >= len) {
            return spare.swap_remove(at);
        }
        if len > ROOM {
            spare.retain(|stops| stops.table.len() <= ROOM);
        }
        drop(spare);
        let room = if len < WORTH_MORE { len } else { len.max(ROOM) };
        SpareStops {
            table: zeroed(room),
            used: 0,
        }
    }

    fn give(&self, stops: SpareStops) {
        let mut spare = lock(&self.stops);
        if stops.table.len() > ROOM {
            spare.retain(|other| other.table.len() <= ROOM);
        }
        if stops.table.len() >= ROOM && spare.len() < MOST_TABLES {
            spare.push(stops);
        }
    }

    /// A table for a class of so many strips that is not kept; may be longer than the class, and hold anything.
    pub(super) fn take_table(&self, len: usize) -> Zeroed<AtomicU32> {
        if !(WORTH_MORE..=ROOM).contains(&len) {
            return zeroed(len);
        }
        let spare = lock(&self.tables).pop();
        spare.unwrap_or_else(|| zeroed(ROOM))
    }

    /// Leaves a table for the next class, if it is one for many.
    pub(super) fn give_table(&self, table: Zeroed<AtomicU32>) {
        let mut tables = lock(&self.tables);
        if table.len() == ROOM && tables.len() < MOST_TABLES {
            tables.push(table);
        }
    }

    /// Scratch space for one thread.
    pub(super) fn take_bench(&self) -> Bench {
        lock(&self.benches).pop().unwrap_or_default()
    }

    /// Leaves it for the next class.
    pub(super) fn give_bench(&self, bench: Bench) {
        lock(&self.benches).push(bench);
    }

    /// Gives the memory back.
    pub(super) fn clear(&self) {
        lock(&self.stops).clear();
        lock(&self.benches).clear();
        lock(&self.tables).clear();
    }

    /// Bytes of the tables of stops that are spare; what is spare beside them is small.
    pub(super) fn memory_bytes(&self) -> u64 {
        lock(&self.stops)
            .iter()
            .map(|stops| stops.used as u64 * 8)
            .sum()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
        let mut stops = spare.take(table.len());
        stops.used = stops.used.max(table.len());
        Self { table, stops }
    }

    /// Leaves the stops for the next class.
    pub(super) fn clear(self, spare: &Spare) {
        spare.give(self.stops);
    }

    /// The stops of every strip, as [`NarrowStops::to_bits`] packs them.
    #[inline]
    pub(super) fn stops(&self) -> &[AtomicU64] {
        &self.stops.table[..self.table.len()]
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
        (&self.table[here.clone()], &self.stops.table[here])
    }

    /// Puts strips from `rank` on in their places: handles, and stops.
    pub(super) fn put(&self, rank: usize, values: &[u32], stops: &[Pair]) {
        let (table, words) = self.places(rank, values.len());
        // By index: four iterators side by side are not merged into one counter.
        for at in 0..values.len() {
            table[at].store(values[at], Ordering::Relaxed);
            words[at].store(unpair(stops[at]).to_bits(), Ordering::Relaxed);
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
