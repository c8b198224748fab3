//! The arena: every canonical form once, so that equal values are equal handles.
//!
//! A value costs 8 bytes of node, 4 bytes for each option, 10–20 bytes of intern table, and 4 bytes for its negative and 32 bytes of
//! content ids where they were asked for. Nodes are only ever added, and their arrays are reserved at full capacity (see
//! [`crate::zeroed`]), so readers take no lock and nothing moves. Options always have smaller handles than the
//! form they belong to: increasing handle order is a topological order.

mod bounds;
mod canonical;
mod ids;
mod intern;
mod memo;
mod narrow;
mod negative;
mod number;
mod order;
mod set_key;
mod sum;

use std::fmt;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

pub use canonical::{
    Canonicalizer, CanonicalizerScratch, CanonicalizerStats, Deferred, MOST_OPTIONS,
};
pub use narrow::{NO_LEFT, NO_RIGHT, NarrowStops};
pub use sum::Steps;

use crate::dyadic::Dyadic;
use crate::error::{GameError, Result};
use crate::zeroed::{Atom, Zeroed, sparse, zeroed};
use bounds::{Bounds, BoundsTable, Stops};
use memo::SetMemo;
use order::OrderMemos;

/// A handle to a canonical form in one [`Arena`]. Equal handles are equal values; the order of handles means nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Value(u32);

impl Value {
    /// The value 0 in every arena.
    pub const ZERO: Self = Self(0);

    /// The handle as an array index, below [`Arena::len`].
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The handle with this index; meaningful only for indices below [`Arena::len`].
    pub fn from_index(index: usize) -> Self {
        Self(index as u32)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Value({})", self.0)
    }
}

/// How two values compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Relation {
    /// G = H.
    Equal,
    /// G < H.
    Less,
    /// G > H.
    Greater,
    /// G ‖ H: neither G ≤ H nor G ≥ H.
    Confused,
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Equal => "=",
            Self::Less => "<",
            Self::Greater => ">",
            Self::Confused => "||",
        })
    }
}

/// Who wins under normal play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Outcome {
    /// The previous player: G = 0.
    P,
    /// Left, whoever starts: G > 0.
    L,
    /// Right, whoever starts: G < 0.
    R,
    /// The next player: G ‖ 0.
    N,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::P => "P",
            Self::L => "L",
            Self::R => "R",
            Self::N => "N",
        })
    }
}

/// Sizes of an arena's tables. Each is reserved, and paid for only when touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Canonical forms, at most 2^32 − 1.
    pub values: usize,
    /// Options over all forms, at most 2^32 − 1.
    pub options: usize,
    /// log2 of the entries of the option-set memo (16 bytes each).
    pub set_memo_bits: u32,
    /// log2 of the entries of the order memo (8 bytes each), of which each thread of the kernel has another one.
    pub order_memo_bits: u32,
}

impl Capacity {
    /// For single positions: about 4 million values, caches of a few MiB.
    pub const SMALL: Self = Self {
        values: 1 << 22,
        options: 1 << 24,
        set_memo_bits: 14,
        order_memo_bits: 14,
    };

    /// As much as fits in `bytes` when every table is full: three quarters for values (68 bytes each, ids and negatives included),
    /// a fifth for the option-set memo, the rest for the order memo.
    pub fn from_bytes(bytes: u64) -> Self {
        let values = (bytes / 4 * 3 / 68).clamp(1 << 16, (1 << 32) - 1) as usize;
        let bits = |share: u64, entry: u64| (share / entry).max(1 << 12).ilog2();
        Self {
            values,
            options: (values * 4).min((1 << 32) - 1),
            set_memo_bits: bits(bytes / 5, 16).min(30),
            order_memo_bits: bits(bytes / 20, 8).min(14),
        }
    }
}

/// Canonical forms of short games, hash-consed; see `arena/mod.rs` for its cost.
pub struct Arena {
    capacity: Capacity,
    /// Node: offset into `options` (32 bits), index of the bounds (22), numbers of Left and of Right options (5 + 5).
    nodes: Zeroed<AtomicU64>,
    options: Zeroed<AtomicU32>,
    used: Apart<Used>,
    bounds: BoundsTable,
    interned: intern::InternTable,
    numbers: number::NumberTable,
    order_memos: OrderMemos,
    set_memo: SetMemo,
    sums: sum::SumMemo,
    negatives: Zeroed<AtomicU32>,
    ids: ids::IdTable,
}

/// Cache lines of its own for what threads write: the fields around it are read all the time.
#[derive(Default)]
#[repr(align(128))]
struct Apart<T>(T);

/// What is in use.
#[derive(Default)]
struct Used {
    nodes: AtomicU32,
    options: AtomicU64,
}

/// The stops in a node.
#[inline]
fn stops_in(node: u64) -> Stops {
    Stops::from_index((node >> 32) as u32 & ((1 << BOUNDS_BITS) - 1))
}

/// An array of which only the beginning is used at first; all of it, unless the arena is a small one.
fn reserved<T: Atom>(len: usize, is_small: bool) -> Zeroed<T> {
    if is_small { sparse(len) } else { zeroed(len) }
}

/// Option counts from this on are stored in front of the options instead of in the node.
const LONG: u64 = 31;
const BOUNDS_BITS: u32 = 22;

impl Default for Arena {
    fn default() -> Self {
        Self::new()
    }
}

impl Arena {
    /// An arena for single positions ([`Capacity::SMALL`]).
    pub fn new() -> Self {
        Self::with_capacity(Capacity::SMALL)
    }

    /// An arena that stays within about `bytes` when full ([`Capacity::from_bytes`]).
    pub fn with_capacity_bytes(bytes: u64) -> Self {
        Self::with_capacity(Capacity::from_bytes(bytes))
    }

    /// An arena with these tables. Holds zero from the start.
    pub fn with_capacity(capacity: Capacity) -> Self {
        let is_small = capacity.values <= Capacity::SMALL.values;
        let arena = Self {
            capacity,
            nodes: reserved(capacity.values, is_small),
            options: reserved(capacity.options, is_small),
            used: Apart::default(),
            bounds: BoundsTable::new(BOUNDS_BITS),
            interned: intern::InternTable::default(),
            numbers: number::NumberTable::default(),
            order_memos: OrderMemos::new(capacity.order_memo_bits),
            set_memo: SetMemo::new(capacity.set_memo_bits),
            sums: sum::SumMemo::default(),
            negatives: reserved(capacity.values, is_small),
            ids: ids::IdTable::new(capacity.values, is_small),
        };
        let zero = arena
            .intern(&mut [], &mut [], Bounds::of_number(Dyadic::ZERO))
            .expect("an empty arena has room for zero");
        assert_eq!(zero, Value::ZERO);
        arena.numbers.insert(Dyadic::ZERO, zero);
        arena
    }

    /// The number of values held. Every handle below it is valid.
    pub fn len(&self) -> usize {
        self.used.0.nodes.load(Ordering::Acquire) as usize
    }

    /// Never: an arena holds zero from the start.
    #[allow(clippy::unused_self)] // the companion of `len` that everybody expects
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The sizes it was made with.
    pub fn capacity(&self) -> Capacity {
        self.capacity
    }

    /// Bytes in use by nodes, options, negatives, ids and intern table; the memos come on top (see [`Self::memo_bytes`]).
    pub fn memory_bytes(&self) -> u64 {
        self.len() as u64 * (8 + 4)
            + self.used.0.options.load(Ordering::Relaxed) * 4
            + self.interned.memory_bytes()
            + self.ids.memory_bytes()
            + self.bounds.memory_bytes()
    }

    /// Bytes the memos take at most, without the order memos of threads; they fill as they are used.
    pub fn memo_bytes(&self) -> u64 {
        (16 << self.capacity.set_memo_bits) + (8 << self.capacity.order_memo_bits)
    }

    /// The canonical Left options of `value`.
    pub fn left_options(&self, value: Value) -> impl ExactSizeIterator<Item = Value> + Clone + '_ {
        let (start, left, _) = self.option_range(value);
        self.options[start..start + left]
            .iter()
            .map(|option| Value(option.load(Ordering::Relaxed)))
    }

    /// The canonical Right options of `value`.
    pub fn right_options(&self, value: Value) -> impl ExactSizeIterator<Item = Value> + Clone + '_ {
        let (start, left, right) = self.option_range(value);
        self.options[start + left..start + left + right]
            .iter()
            .map(|option| Value(option.load(Ordering::Relaxed)))
    }

    /// The left stop: the number reached under best play when Left starts and play ends at a number.
    pub fn left_stop(&self, value: Value) -> Dyadic {
        self.bounds_of(value).left_stop()
    }

    /// The right stop.
    pub fn right_stop(&self, value: Value) -> Dyadic {
        self.bounds_of(value).right_stop()
    }

    /// The number this value is, if it is one.
    pub fn as_number(&self, value: Value) -> Option<Dyadic> {
        self.bounds_of(value).as_number()
    }

    #[inline]
    fn stops_of(&self, value: Value) -> Stops {
        stops_in(self.nodes[value.index()].load(Ordering::Relaxed))
    }

    #[inline]
    fn bounds_of(&self, value: Value) -> Bounds {
        self.bounds.get(self.stops_of(value))
    }

    #[inline]
    /// Offset of the options, number of Left options, number of Right options.
    fn option_range(&self, value: Value) -> (usize, usize, usize) {
        let node = self.nodes[value.index()].load(Ordering::Relaxed);
        let (start, left, right) = (node as u32 as usize, node >> 54 & LONG, node >> 59);
        if left == LONG {
            let count = |at: usize| self.options[at].load(Ordering::Relaxed) as usize;
            return (start + 2, count(start), count(start + 1));
        }
        (start, left as usize, right as usize)
    }

    /// Appends a node. The caller holds the lock of the intern shard, so no other thread adds the same form.
    fn push(&self, left: &[Value], right: &[Value], bounds: Bounds) -> Result<Value> {
        let stops = u64::from(self.bounds.index_of(bounds)?.index());
        let long = left.len() as u64 >= LONG || right.len() as u64 >= LONG;
        let needed = left.len() + right.len() + if long { 2 } else { 0 };
        let start = self
            .used
            .0
            .options
            .fetch_add(needed as u64, Ordering::Relaxed);
        if start + needed as u64 > self.options.len() as u64 {
            self.used
                .0
                .options
                .fetch_sub(needed as u64, Ordering::Relaxed);
            return Err(GameError::ArenaFull {
                what: "options",
                limit: self.options.len() as u64,
            });
        }
        let index = self
            .used
            .0
            .nodes
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| {
                ((count as usize) < self.nodes.len()).then_some(count + 1)
            })
            .map_err(|_| GameError::ArenaFull {
                what: "values",
                limit: self.nodes.len() as u64,
            })?;
        let mut at = start as usize;
        if long {
            self.options[at].store(left.len() as u32, Ordering::Relaxed);
            self.options[at + 1].store(right.len() as u32, Ordering::Relaxed);
            at += 2;
        }
        for option in left.iter().chain(right) {
            self.options[at].store(option.0, Ordering::Relaxed);
            at += 1;
        }
        let (left, right) = if long {
            (LONG, LONG)
        } else {
            (left.len() as u64, right.len() as u64)
        };
        self.nodes[index as usize].store(
            start | stops << 32 | left << 54 | right << 59,
            Ordering::Release,
        );
        Ok(Value(index))
    }
}

#[cfg(test)]
mod tests;
