//! Bounded memos shared by all threads without locks. Losing an entry costs time, never a wrong value.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use super::set_key::SetKey;
use super::{Apart, Value};
use crate::prefetch::prefetch;
use crate::zeroed::{Zeroed, written_u64};

/// Tables of growing size, one in use at a time.
///
/// A memo that filled would have to be rehashed; it is left behind instead, and its successor is twice as large. No thread ever
/// waits for another one, and small arenas stay small.
struct Ladder {
    tables: Vec<OnceLock<Zeroed<AtomicU64>>>,
    /// log2 of the entries of the first and of the last table; each next table has one bit more.
    first_bits: u32,
    last_bits: u32,
    step: AtomicU32,
}

impl Ladder {
    fn new(last_bits: u32) -> Self {
        let first_bits = last_bits.min(17);
        let steps = last_bits - first_bits + 1;
        let tables = (0..steps).map(|_| OnceLock::new()).collect();
        Self {
            tables,
            first_bits,
            last_bits,
            step: AtomicU32::new(0),
        }
    }

    /// The table in use and log2 of its entries.
    #[inline]
    fn table(&self) -> (&[AtomicU64], u32) {
        let step = self.step.load(Ordering::Relaxed);
        let bits = self.first_bits + step;
        let table = self.tables[step as usize].get_or_init(|| written_u64(WORDS << bits));
        (table, bits)
    }

    /// The table before the one in use.
    #[inline]
    fn outgrown(&self) -> Option<(&[AtomicU64], u32)> {
        let before = self.step.load(Ordering::Relaxed).checked_sub(1)?;
        let table = self.tables[before as usize].get()?;
        Some((table, self.first_bits + before))
    }

    /// Moves on to the next table once `load` entries are more than half of what this one holds; says whether this call did it.
    #[inline]
    fn grow(&self, load: usize, bits: u32) -> bool {
        if load >> (bits - 1) == 0 || bits >= self.last_bits {
            return false;
        }
        let step = bits - self.first_bits;
        self.step
            .compare_exchange(step, step + 1, Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
    }
}

/// Results of G ≤ H, one word an entry, in buckets of two.
///
/// The pair of handles is scrambled by a bijection on 64 bits; the top bits choose the bucket and the entry keeps the
/// others, so a hit is exact. It never grows: what is asked again is asked soon, and a trip to memory costs more than most of
/// the comparisons it would save.
pub(super) struct OrderMemo {
    table: Zeroed<AtomicU64>,
    /// log2 of the buckets.
    bits: u32,
}

/// Entries of a bucket.
const PAIR: usize = 2;
/// Beside the rest of the key: whether there is an entry, and what it says.
const IS_THERE: u64 = 1;
const HOLDS: u64 = 2;

impl OrderMemo {
    /// With 2^`bits` entries.
    pub(super) fn new(bits: u32) -> Self {
        assert!(
            (3..=40).contains(&bits),
            "the order memo keeps 65 − bits of the key beside two flags"
        );
        Self {
            table: written_u64(1 << bits),
            bits: bits - 1,
        }
    }

    pub(super) fn get(&self, g: Value, h: Value) -> Option<bool> {
        let (at, word) = self.place(g, h);
        let [first, second] = self.bucket(at).each_ref().map(load);
        let found = if first & !HOLDS == word {
            first
        } else {
            second
        };
        (found & !HOLDS == word).then_some(found & HOLDS != 0)
    }

    /// In the place of the entry that was put there earlier.
    pub(super) fn put(&self, g: Value, h: Value, leq: bool) {
        let (at, word) = self.place(g, h);
        let [first, second] = self.bucket(at);
        let before = load(first);
        if before & !HOLDS != word {
            second.store(before, Ordering::Relaxed);
        }
        first.store(word | if leq { HOLDS } else { 0 }, Ordering::Relaxed);
    }

    fn bucket(&self, at: usize) -> &[AtomicU64; PAIR] {
        self.table[at..]
            .first_chunk()
            .expect("the last bucket is complete")
    }

    /// Where the bucket of a pair begins, and its entry when G ≤ H does not hold.
    fn place(&self, g: Value, h: Value) -> (usize, u64) {
        // Odd multiplications and xor-shifts are bijections.
        let key = u64::from(g.0) << 32 | u64::from(h.0);
        let key = (key ^ key >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let key = (key ^ key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let rest = key << self.bits >> self.bits;
        let bucket = (key >> (64 - self.bits)) as usize;
        (bucket * PAIR, rest << 2 | IS_THERE)
    }
}

fn load(word: &AtomicU64) -> u64 {
    word.load(Ordering::Relaxed)
}

/// Option sets already canonicalised, in buckets of four entries, two words an entry: a bucket is a cache line.
///
/// An entry keeps the 64 bits of `a` (xored with the other word, so that a torn read fails the comparison) and 31
/// bits of `b` beside the handle, so a hit has matched 95 bits. A false hit
/// over 10^11 look-ups has a probability below 10^−16; the audit (`toads census verify`) does not use this memo.
///
/// What an outgrown table knew is moved on in order, a bucket for each entry that is put, some at once: so what is read of it is
/// read in step, and what is not moved yet can still be looked up.
pub(super) struct SetMemo {
    ladder: Ladder,
    /// Buckets of the outgrown table that were moved; [`ALL`] when none are left.
    moved: Apart<AtomicUsize>,
}

/// Buckets that are moved at once.
const AT_ONCE: usize = 8;

/// More buckets than there are.
const ALL: usize = usize::MAX >> 1;

/// Entries of a bucket, and their words.
const WAYS: usize = 4;
const BUCKET: usize = WORDS * WAYS;
const WORDS: usize = 2;

impl SetMemo {
    pub(super) fn new(bits: u32) -> Self {
        Self {
            ladder: Ladder::new(bits),
            moved: Apart(AtomicUsize::new(ALL)),
        }
    }

    /// The table in use.
    #[inline]
    pub(super) fn view(&self) -> SetView<'_> {
        let (table, bits) = self.ladder.table();
        SetView { table, bits }
    }

    #[inline]
    pub(super) fn get(&self, key: SetKey) -> Option<Value> {
        self.view().get(key)
    }

    /// What the outgrown table knows and is not moved yet.
    pub(super) fn get_outgrown(&self, key: SetKey) -> Option<Value> {
        let moved = self.moved.0.load(Ordering::Relaxed);
        if moved >= ALL {
            return None;
        }
        let (table, bits) = self.ladder.outgrown()?;
        if bucket(key.a, bits) < moved * BUCKET {
            return None;
        }
        SetView { table, bits }.get(key)
    }

    /// In a free entry of the bucket, or in the place of any. The memo grows with the largest handle it meets: the arena holds about so
    /// many values.
    #[inline]
    pub(super) fn put(&self, key: SetKey, value: Value) {
        let view = self.view();
        view.put(key.a, u64::from(value.0) << 32 | u64::from(low(key)));
        // Several option sets lead to each value.
        if self.ladder.grow(value.index(), view.bits) {
            self.moved.0.store(0, Ordering::Relaxed);
        } else if key.b.is_multiple_of(AT_ONCE as u64) && self.moved.0.load(Ordering::Relaxed) < ALL
        {
            self.move_on(view);
        }
    }

    /// Moves the next buckets of the outgrown table, if there are some left.
    #[inline(never)]
    fn move_on(&self, to: SetView<'_>) {
        let Some((table, _)) = self.ladder.outgrown() else {
            return;
        };
        // Two threads may end it at once; or it is begun anew, and some buckets are moved twice.
        let at = self.moved.0.fetch_add(AT_ONCE, Ordering::Relaxed);
        let buckets = at.checked_mul(BUCKET).and_then(|at| table.get(at..));
        let Some(buckets) = buckets.filter(|buckets| !buckets.is_empty()) else {
            self.moved.0.store(ALL, Ordering::Relaxed);
            return;
        };
        for entry in buckets.chunks_exact(WORDS).take(AT_ONCE * WAYS) {
            let data = entry[1].load(Ordering::Acquire);
            if data != 0 {
                to.put(entry[0].load(Ordering::Relaxed) ^ data, data);
            }
        }
    }
}

/// A table of a [`SetMemo`], to be asked many times.
#[derive(Clone, Copy)]
pub(super) struct SetView<'a> {
    table: &'a [AtomicU64],
    bits: u32,
}

impl SetView<'_> {
    #[inline]
    pub(super) fn get(self, key: SetKey) -> Option<Value> {
        let at = bucket(key.a, self.bits);
        let bucket = &self.table[at..at + BUCKET];
        // Without a branch: which of the four it is is as good as random. Should two match by half, none is found.
        let mut way = 0;
        for at in 1..WAYS {
            let data = bucket[2 * at + 1].load(Ordering::Acquire);
            way |= if data as u32 == low(key) { at } else { 0 };
        }
        let data = bucket[2 * way + 1].load(Ordering::Acquire);
        let check = bucket[2 * way].load(Ordering::Relaxed);
        (check ^ data == key.a && data as u32 == low(key)).then_some(Value((data >> 32) as u32))
    }

    /// An entry for the key whose first word is `a`; `data` is the handle and the rest of the key.
    #[inline]
    fn put(self, a: u64, data: u64) {
        let at = bucket(a, self.bits);
        let bucket = &self.table[at..at + BUCKET];
        let is_free = |way: &usize| bucket[2 * way + 1].load(Ordering::Relaxed) == 0;
        let way = (0..WAYS).find(is_free).unwrap_or(a as usize % WAYS);
        bucket[2 * way].store(a ^ data, Ordering::Relaxed);
        bucket[2 * way + 1].store(data, Ordering::Release);
    }

    /// Asks for the bucket of `key`, to be read soon.
    #[inline]
    pub(super) fn prefetch(self, key: SetKey) {
        prefetch(&self.table[bucket(key.a, self.bits)]);
    }
}

/// Where the bucket of a key begins in a table of 2^`bits` entries, by the key's first word.
#[inline]
fn bucket(a: u64, bits: u32) -> usize {
    (a >> (64 - bits)) as usize / WAYS * BUCKET
}

/// The part of `b` in an entry; never 0, which is that of a free one.
#[inline]
fn low(key: SetKey) -> u32 {
    key.b as u32 | 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::set_key::SideKey;

    fn key(number: u32) -> SetKey {
        let side = |second| SideKey::of_two(Value(number), Value(second));
        SetKey::of(side(number / 3), side(7))
    }

    #[test]
    fn what_a_table_knew_is_found_in_the_next_one() {
        let memo = SetMemo::new(18);
        let known = 0..1_000;
        for number in known.clone() {
            memo.put(key(number), Value(number));
        }
        assert_eq!(memo.view().bits, 17);
        memo.put(key(1_000), Value(1 << 16));
        assert_eq!(memo.view().bits, 18);
        let right = |number: &u32| {
            let found = memo
                .get(key(*number))
                .or_else(|| memo.get_outgrown(key(*number)));
            assert!(found.is_none_or(|value| value == Value(*number)));
            found.is_some()
        };
        assert_eq!(
            known.clone().filter(right).count(),
            1_000,
            "nothing is moved yet"
        );
        // As many as there are buckets; a few of them push others out.
        for number in 1_001..40_000 {
            memo.put(key(number), Value(number));
        }
        assert_eq!(memo.moved.0.load(Ordering::Relaxed), ALL);
        assert_eq!(memo.get_outgrown(key(5)), None);
        assert!(known.filter(right).count() > 950);
    }

    #[test]
    fn an_order_memo_forgets_and_never_lies() {
        let memo = OrderMemo::new(6);
        let holds = |g: u32, h: u32| g * h % 3 == 1;
        let pairs = || (0..40).flat_map(|g| (0..40).map(move |h| (g, h)));
        for (g, h) in pairs() {
            memo.put(Value(g), Value(h), holds(g, h));
            assert_eq!(memo.get(Value(g), Value(h)), Some(holds(g, h)));
        }
        let mut kept = 0;
        for (g, h) in pairs() {
            if let Some(known) = memo.get(Value(g), Value(h)) {
                assert_eq!(known, holds(g, h));
                kept += 1;
            }
        }
        assert!((48..=64).contains(&kept), "{kept} of 64 entries");
    }
}
