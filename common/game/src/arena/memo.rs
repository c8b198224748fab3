//! Bounded memos shared by all threads without locks. Losing an entry costs time, never a wrong value.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Value;
use crate::zeroed::zeroed_u64;

/// Results of G ≤ H, direct mapped, one word an entry.
///
/// The pair of handles is scrambled by a bijection on 64 bits; the top bits choose the slot and the slot keeps the
/// others, so a hit is exact.
pub(super) struct OrderMemo {
    slots: Box<[AtomicU64]>,
    bits: u32,
}

impl OrderMemo {
    pub(super) fn new(bits: u32) -> Self {
        assert!((2..=40).contains(&bits), "the order memo keeps 64 − bits of the key beside two flags");
        Self { slots: zeroed_u64(1 << bits), bits }
    }

    pub(super) fn get(&self, g: Value, h: Value) -> Option<bool> {
        let (slot, rest) = self.place(g, h);
        let word = self.slots[slot].load(Ordering::Relaxed);
        (word >> 2 == rest && word & 1 == 1).then_some(word & 2 != 0)
    }

    pub(super) fn put(&self, g: Value, h: Value, leq: bool) {
        let (slot, rest) = self.place(g, h);
        self.slots[slot].store(rest << 2 | u64::from(leq) << 1 | 1, Ordering::Relaxed);
    }

    fn place(&self, g: Value, h: Value) -> (usize, u64) {
        // Odd multiplications and xor-shifts are bijections.
        let key = u64::from(g.0) << 32 | u64::from(h.0);
        let key = (key ^ key >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let key = (key ^ key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((key >> (64 - self.bits)) as usize, key << self.bits >> self.bits)
    }
}

/// A 128-bit fingerprint of an option set, independent of the order of the options.
#[derive(Clone, Copy, Default)]
pub(super) struct SetKey {
    a: u64,
    b: u64,
}

impl SetKey {
    /// The key with one more option. Each option must be added once.
    #[inline]
    pub(super) fn with(self, value: Value, is_left: bool) -> Self {
        // Two independent finalisers of a 33-bit word; sums of them do not depend on order.
        let word = u64::from(value.0) << 1 | u64::from(is_left);
        let x = (word ^ 0x243f_6a88_85a3_08d3).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 31).wrapping_mul(0x94d0_49bb_1331_11eb);
        let y = (word ^ 0x1319_8a2e_0370_7344).wrapping_mul(0xff51_afd7_ed55_8ccd);
        let y = (y ^ y >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        Self { a: self.a.wrapping_add(x ^ x >> 30), b: self.b.wrapping_add(y ^ y >> 33) }
    }
}

/// Option sets already canonicalised, direct mapped, two words an entry.
///
/// An entry keeps the 64 bits of `a` (xored with the other word, so that a torn read fails the comparison) and 31
/// bits of `b` beside the handle: with the slot index a hit has matched at least 95 + 12 of 128 bits. A false hit over 10^11
/// look-ups has a probability below 10^−17; the audit (`toads census verify`) does not use this memo.
pub(super) struct SetMemo {
    slots: Box<[AtomicU64]>,
    bits: u32,
}

impl SetMemo {
    pub(super) fn new(bits: u32) -> Self {
        Self { slots: zeroed_u64(2 << bits), bits }
    }

    #[inline]
    fn slot(&self, key: SetKey) -> &[AtomicU64] {
        let at = (key.b >> (64 - self.bits)) as usize * 2;
        &self.slots[at..at + 2]
    }

    #[inline]
    pub(super) fn get(&self, key: SetKey) -> Option<Value> {
        let slot = self.slot(key);
        let data = slot[1].load(Ordering::Acquire);
        let check = slot[0].load(Ordering::Relaxed);
        (check ^ data == key.a && data as u32 == key.b as u32 | 1).then_some(Value((data >> 32) as u32))
    }

    #[inline]
    pub(super) fn put(&self, key: SetKey, value: Value) {
        let slot = self.slot(key);
        let data = u64::from(value.0) << 32 | u64::from(key.b as u32 | 1);
        slot[0].store(key.a ^ data, Ordering::Relaxed);
        slot[1].store(data, Ordering::Release);
    }
}
