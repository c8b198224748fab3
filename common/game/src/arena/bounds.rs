//! The stops of a value, each with the side on which it is approached: enough to decide most comparisons.
//!
//! For a game G and numbers x let `upper` be 2·LS(G) when G ≤ LS(G) and 2·LS(G) + 1 (in units of the last place)
//! when not, and `lower` be 2·RS(G) when G ≥ RS(G) and 2·RS(G) − 1 when not. Then, exactly,
//!
//! * G ≤ x iff upper ≤ 2x, and G ≥ x iff lower ≥ 2x;
//! * G is a number iff upper = lower;
//! * G ≤ H implies upper(G) ≤ upper(H) and lower(G) ≤ lower(H);
//! * upper(G) ≤ lower(H) implies G ≤ H (a number lies between), and is equivalent to it when G or H is a number.
//!
//! For G = {L | R} let A be the largest lower(Gᴸ) and B the smallest upper(Gᴿ). By the simplicity theorem G is a
//! number iff some x has A < 2x < B; if not, number avoidance gives upper(G) = A + 1 and lower(G) = B − 1.
//! (Siegel, *Combinatorial Game Theory*, II.3; these are the adorned stops of *Winning Ways*, chapter 6.)

use std::sync::RwLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::Apart;
use super::narrow::{self, NarrowStops};
use crate::dyadic::{Dyadic, simplest_between};
use crate::error::{GameError, Result};
use crate::zeroed::{Zeroed, sparse};

/// No option on that side: below (or above) every number.
pub(super) const UNBOUNDED: i64 = 1 << 62;

/// The stops of a value with their sides, in doubled units; see the [module](self).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Bounds {
    pub(super) upper: i64,
    pub(super) lower: i64,
}

/// What the bounds of the options say about {L | R}.
pub(super) enum Decided {
    /// It is this number.
    Number(Dyadic),
    /// It is no number, and has these bounds.
    Other(Bounds),
}

impl Bounds {
    pub(super) fn of_number(number: Dyadic) -> Self {
        Self {
            upper: number.raw() * 2,
            lower: number.raw() * 2,
        }
    }

    pub(super) fn left_stop(self) -> Dyadic {
        Dyadic::from_raw(self.upper >> 1)
    }

    pub(super) fn right_stop(self) -> Dyadic {
        Dyadic::from_raw((self.lower + 1) >> 1)
    }

    pub(super) fn as_number(self) -> Option<Dyadic> {
        self.is_number().then(|| Dyadic::from_raw(self.upper / 2))
    }

    pub(super) fn is_number(self) -> bool {
        self.upper == self.lower
    }

    /// G ≤ H, where the bounds decide it.
    pub(super) fn leq(self, other: Self) -> Option<bool> {
        if self.upper <= other.lower {
            Some(true)
        } else if self.upper > other.upper
            || self.lower > other.lower
            || self.is_number()
            || other.is_number()
        {
            Some(false)
        } else {
            None
        }
    }

    /// Decides {L | R} from the largest `lower` of L (−[`UNBOUNDED`] without options) and the smallest `upper` of R.
    #[inline]
    pub(super) fn decide(above: i64, below: i64) -> Result<Decided> {
        Ok(match simplest_between(above, below)? {
            Some(number) => Decided::Number(number),
            None => Decided::Other(Self {
                upper: above + 1,
                lower: below - 1,
            }),
        })
    }
}

/// Where an arena keeps a pair of bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stops(u32);

impl Stops {
    /// As a number below 2^22.
    pub(super) fn index(self) -> u32 {
        self.0
    }

    /// What [`Self::index`] gave.
    pub(super) fn from_index(index: u32) -> Self {
        Self(index)
    }
}

/// Each pair of bounds once. There are few (thousands among millions of values), so they stay in cache.
pub(super) struct BoundsTable {
    /// `upper` at 2i, `lower` at 2i + 1.
    pairs: Zeroed<AtomicU64>,
    /// The same in short, packed by [`NarrowStops`]; [`narrow::UNFIT`] where that is not possible.
    narrow: Zeroed<AtomicU64>,
    count: AtomicU32,
    index: Apart<RwLock<HashMap<Bounds, u32, FxBuildHasher>>>,
}

impl BoundsTable {
    pub(super) fn new(bits: u32) -> Self {
        Self {
            pairs: sparse(2 << bits),
            narrow: sparse(1 << bits),
            count: AtomicU32::new(0),
            index: Apart::default(),
        }
    }

    #[inline]
    pub(super) fn get(&self, stops: Stops) -> Bounds {
        let at = stops.0 as usize * 2;
        let pair = &self.pairs[at..at + 2];
        Bounds {
            upper: pair[0].load(Ordering::Relaxed) as i64,
            lower: pair[1].load(Ordering::Relaxed) as i64,
        }
    }

    /// The pair in short, when it fits.
    #[inline]
    pub(super) fn narrow(&self, stops: Stops) -> Option<NarrowStops> {
        narrow::unpack(self.narrow_word(stops))
    }

    /// The pair in a word, or [`narrow::UNFIT`].
    #[inline]
    pub(super) fn narrow_word(&self, stops: Stops) -> u64 {
        self.narrow[stops.0 as usize].load(Ordering::Relaxed)
    }

    /// The pairs in short, by [`Stops::index`].
    #[inline]
    pub(super) fn narrow_words(&self) -> &[AtomicU64] {
        &self.narrow
    }

    pub(super) fn index_of(&self, bounds: Bounds) -> Result<Stops> {
        if let Some(&index) = self
            .index
            .0
            .read()
            .expect("no thread panics holding this lock")
            .get(&bounds)
        {
            return Ok(Stops(index));
        }
        let mut index = self
            .index
            .0
            .write()
            .expect("no thread panics holding this lock");
        if let Some(&found) = index.get(&bounds) {
            return Ok(Stops(found));
        }
        let next = self.count.load(Ordering::Relaxed);
        let at = next as usize * 2;
        let limit = self.pairs.len() / 2;
        if next as usize >= limit {
            return Err(GameError::ArenaFull {
                what: "pairs of stops",
                limit: limit as u64,
            });
        }
        self.pairs[at].store(bounds.upper as u64, Ordering::Relaxed);
        self.pairs[at + 1].store(bounds.lower as u64, Ordering::Relaxed);
        self.narrow[next as usize].store(narrow::pack(bounds), Ordering::Relaxed);
        self.count.store(next + 1, Ordering::Release);
        index.insert(bounds, next);
        Ok(Stops(next))
    }

    pub(super) fn memory_bytes(&self) -> u64 {
        u64::from(self.count.load(Ordering::Relaxed)) * 56
    }
}
