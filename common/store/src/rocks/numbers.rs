//! The numbers of the values of a store, in memory: id to number and back.
//!
//! The k-th value ever stored has number k. An id takes 16 bytes in a list by number, and 5 to 11 in a table of numbers
//! by id: about 24 bytes a value, 9 MB for a run of 1..16 squares and half a gigabyte for 1..20. Ids are hashes, so
//! their own bytes say where to look.

use toads_game::ValueId;

/// Ids of a chunk of the list: lists grow by a megabyte at a time and nothing moves.
const CHUNK: usize = 1 << 16;

/// Tables by first byte of the id, so that each grows alone and soon.
const TABLES: usize = 256;

/// No number: a free slot, an id that is not stored.
pub(super) const NONE: u32 = u32::MAX;

/// Ids looked up together: their slots are read before the first is compared, so the memory works on all of them at
/// once.
const TOGETHER: usize = 32;

/// Ids by number, numbers by id.
#[derive(Debug)]
pub(super) struct Numbers {
    ids: Vec<Vec<ValueId>>,
    len: u32,
    /// The first numbers of the rows they are stored in.
    rows: Vec<u32>,
    tables: Vec<Table>,
}

/// Open addressing with linear probing; between 3/8 and 3/4 full once it has grown.
#[derive(Debug)]
struct Table {
    slots: Vec<u32>,
    used: usize,
}

impl Numbers {
    pub(super) fn new() -> Self {
        let table = || Table {
            slots: vec![NONE; 16],
            used: 0,
        };
        Self {
            ids: Vec::new(),
            len: 0,
            rows: Vec::new(),
            tables: std::iter::repeat_with(table).take(TABLES).collect(),
        }
    }

    /// How many values there are, and so the next number.
    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// The first numbers of the rows, in ascending order.
    pub(super) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The first number of the row that holds `number`.
    pub(super) fn row_of(&self, number: u32) -> u32 {
        self.rows[self.rows.partition_point(|&first| first <= number) - 1]
    }

    /// The first number of the row after the one that begins with `first`.
    pub(super) fn row_after(&self, first: u32) -> u32 {
        let next = self.rows.partition_point(|&other| other <= first);
        self.rows.get(next).copied().unwrap_or(self.len)
    }

    /// The id of a number below [`Self::len`].
    #[inline]
    pub(super) fn id(&self, number: u32) -> ValueId {
        self.ids[number as usize / CHUNK][number as usize % CHUNK]
    }

    /// The same for one that may be beyond.
    pub(super) fn get(&self, number: u32) -> Option<ValueId> {
        (number < self.len).then(|| self.id(number))
    }

    /// The numbers of many ids, in their order: [`NONE`] for those that are not
    /// stored. Some 50 ns each when nothing is in the cache.
    pub(super) fn find_all(&self, ids: impl Iterator<Item = ValueId>, numbers: &mut Vec<u32>) {
        let mut ids = ids.peekable();
        let mut group = [(ValueId::default(), 0, NONE); TOGETHER];
        while ids.peek().is_some() {
            let mut count = 0;
            for (place, id) in group.iter_mut().zip(ids.by_ref()) {
                let table = &self.tables[usize::from(id.0[0])];
                let home = table.home(id);
                *place = (id, home, table.slots[home]);
                count += 1;
            }
            for &(id, home, number) in &group[..count] {
                // The first slot is the right one more often than not.
                numbers.push(if number == NONE || self.id(number) == id {
                    number
                } else {
                    self.probe(&self.tables[usize::from(id.0[0])], home, id)
                });
            }
        }
    }

    /// Adds the values of a row, whose ids are not here yet. 2^32 − 1 values at most, which the caller has checked.
    pub(super) fn publish(&mut self, ids: &[ValueId]) {
        self.rows.push(self.len);
        for &id in ids {
            if (self.len as usize).is_multiple_of(CHUNK) {
                self.ids.push(Vec::with_capacity(CHUNK));
            }
            let chunk = self.ids.last_mut().expect("pushed above");
            chunk.push(id);
            let number = self.len;
            self.len += 1;
            let place = usize::from(id.0[0]);
            if (self.tables[place].used + 1) * 4 > self.tables[place].slots.len() * 3 {
                self.grow(place);
            }
            self.tables[place].insert(id, number);
        }
    }

    #[inline]
    fn probe(&self, table: &Table, home: usize, id: ValueId) -> u32 {
        let mut slot = home;
        loop {
            let number = table.slots[slot];
            if number == NONE || self.id(number) == id {
                return number;
            }
            slot = (slot + 1) & (table.slots.len() - 1);
        }
    }

    fn grow(&mut self, place: usize) {
        let old = &self.tables[place];
        let mut new = Table {
            slots: vec![NONE; old.slots.len() * 2],
            used: 0,
        };
        for &number in old.slots.iter().filter(|&&number| number != NONE) {
            new.insert(self.id(number), number);
        }
        self.tables[place] = new;
    }
}

impl Table {
    fn home(&self, id: ValueId) -> usize {
        let bytes = id.0[1..9].try_into().expect("eight bytes");
        u64::from_le_bytes(bytes) as usize & (self.slots.len() - 1)
    }

    fn insert(&mut self, id: ValueId, number: u32) {
        let mut slot = self.home(id);
        while self.slots[slot] != NONE {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = number;
        self.used += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ids of which many share their table and their place in it.
    fn ids(count: u32) -> Vec<ValueId> {
        (0..count)
            .map(|i| {
                let mut id = [0; 16];
                id[0] = (i % 3) as u8;
                id[1] = (i % 7) as u8;
                id[12..].copy_from_slice(&i.to_be_bytes());
                ValueId(id)
            })
            .collect()
    }

    #[test]
    fn every_id_finds_its_number_and_every_number_its_id() {
        let ids = ids(3000);
        let mut numbers = Numbers::new();
        for row in ids[..2500].chunks(300) {
            numbers.publish(row);
        }
        assert_eq!(numbers.len(), 2500);
        let mut found = Vec::new();
        numbers.find_all(ids.iter().copied(), &mut found);
        for (number, &id) in (0..).zip(&ids) {
            let expected = if number < 2500 { number } else { NONE };
            assert_eq!(found[number as usize], expected);
            assert_eq!(numbers.get(number), (number < 2500).then_some(id));
        }
        assert_eq!(numbers.rows().len(), 9);
        assert_eq!(
            [0, 299, 300, 2499].map(|number| numbers.row_of(number)),
            [0, 0, 300, 2400]
        );
    }

    #[test]
    fn the_list_goes_on_in_the_next_chunk() {
        let mut numbers = Numbers::new();
        let id = |i: u64| {
            let mut id = [0; 16];
            id[..8].copy_from_slice(&i.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes());
            ValueId(id)
        };
        let all: Vec<ValueId> = (0..2 * CHUNK as u64 + 9).map(id).collect();
        for row in all.chunks(512) {
            numbers.publish(row);
        }
        let mut found = Vec::new();
        numbers.find_all(all.iter().copied(), &mut found);
        assert!(found.iter().copied().eq(0..all.len() as u32));
        numbers.find_all([id(u64::MAX)].into_iter(), &mut found);
        assert_eq!(found.last(), Some(&NONE));
        for number in [CHUNK - 1, CHUNK, 2 * CHUNK] {
            assert_eq!(numbers.id(number as u32), all[number]);
        }
    }
}
