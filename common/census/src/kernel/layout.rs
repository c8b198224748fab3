//! Where the strips of a class lie in its table: ranks by high half and low half.

use std::ops::Range;

use toads_strip::{Class, Variant};

use super::halves::{Group, Halves};
use crate::index::Indexed;

/// Squares of the low half, where half of the strip is not longer.
const LOW: usize = 9;

/// A high half of the class that has at least one low half.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// Index of the high half.
    pub(super) high: u32,
    /// Toads in the low half.
    pub(super) low_toads: u8,
    /// Frogs in the low half.
    pub(super) low_frogs: u8,
    /// Rank of the first strip of the run.
    pub(super) base: u64,
    /// Rank, in the class with one square and one toad less, of the first strip with this high half: where the strips of
    /// the run that end with a dead toad find their values, in order.
    pub(super) without_last: u64,
    /// See [`Layout::by_level`].
    level: i32,
}

/// The ranks of a class, cut into runs of strips with the same high half.
pub(crate) struct Layout {
    pub(super) high: &'static Halves,
    pub(super) low: &'static Halves,
    /// In index order.
    pub(super) runs: Vec<Run>,
    /// Rank of the first strip of a high half, by its index; `u64::MAX` for those that are not in the class.
    pub(super) base_of: Vec<u64>,
}

impl Layout {
    /// The low half has nine squares, or half of them, whichever is more: long runs, and tables that stay in the
    /// processor's cache. About 10 bytes a high half.
    pub(crate) fn new(variant: Variant, class: Class) -> Self {
        let (n, toads, frogs) = (
            usize::from(class.n),
            usize::from(class.toads),
            usize::from(class.frogs),
        );
        let low = (n - n / 2).max(LOW.min(n.saturating_sub(2)));
        let (high, low) = (Halves::get(variant, n - low), Halves::get(variant, low));
        let mut runs = Vec::new();
        let mut base_of = vec![u64::MAX; high.words as usize];
        let (mut base, mut without_last) = (0, 0);
        for index in 0..high.words {
            let (high_toads, high_frogs) = high.pieces_of[index as usize];
            let (high_toads, high_frogs) = (usize::from(high_toads), usize::from(high_frogs));
            if high_toads > toads
                || high_frogs > frogs
                || toads - high_toads + frogs - high_frogs > low.squares
            {
                continue;
            }
            let (low_toads, low_frogs) = (toads - high_toads, frogs - high_frogs);
            base_of[index as usize] = base;
            runs.push(Run {
                high: index,
                low_toads: low_toads as u8,
                low_frogs: low_frogs as u8,
                base,
                without_last,
                level: level(index, high.squares),
            });
            let group = low.group(low_toads, low_frogs);
            base += u64::from(group.len);
            without_last += u64::from(group.toad_last);
        }
        assert_eq!(base, class.size(), "the runs cover the class");
        Self {
            high,
            low,
            runs,
            base_of,
        }
    }

    /// The low halves of a run.
    pub(super) fn low_group(&self, run: &Run) -> &Group {
        self.low
            .group(usize::from(run.low_toads), usize::from(run.low_frogs))
    }

    /// Indices into `runs`, lowest level first; within a level the longest runs first.
    ///
    /// With p squares between a piece of the high half and the cut, the piece's own square included, a toad counts p
    /// and a frog −p. A step or jump of either player inside the high half lowers the sum; a toad that leaves it took
    /// its positive p along; a frog that enters brings a negative one. So a strip's options lie in its own run or in
    /// runs of lower levels.
    pub(super) fn by_level(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.runs.len() as u32).collect();
        order.sort_by_key(|&at| {
            let run = &self.runs[at as usize];
            (run.level, std::cmp::Reverse(self.low_group(run).len))
        });
        order
    }

    /// The strips with these ranks, in order.
    pub(crate) fn strips(&self, ranks: Range<u64>) -> impl Iterator<Item = Indexed> + '_ {
        let first_run = if ranks.is_empty() {
            self.runs.len()
        } else {
            self.run_at(ranks.start)
        };
        let (low_words, high_words) = (u64::from(self.low.words), u64::from(self.high.words));
        let high_unit = if self.high.squares == 0 {
            0
        } else {
            self.high.words / 3
        };
        self.runs[first_run..]
            .iter()
            .take_while(move |run| run.base < ranks.end)
            .flat_map(move |run| {
                let group = self.low_group(run);
                let from = ranks.start.saturating_sub(run.base) as u32;
                let to = u64::from(group.len).min(ranks.end - run.base) as u32;
                let high_slot = self.high.slot_of[run.high as usize] as usize;
                let high_mirror = u64::from(self.high.mirror_of[high_slot]);
                // With an empty high half (one square) the low half decides both ends.
                let starts_with_frog = high_unit != 0 && run.high < high_unit;
                (group.offset + from..group.offset + to).map(move |slot| {
                    let low = self.low.index_of[slot as usize];
                    let frog_first = if high_unit == 0 {
                        low < self.low.words / 3
                    } else {
                        starts_with_frog
                    };
                    Indexed {
                        index: u64::from(run.high) * low_words + u64::from(low),
                        mirrored: u64::from(self.low.mirror_of[slot as usize]) * high_words
                            + high_mirror,
                        is_core: !frog_first && low % 3 != 2,
                    }
                })
            })
    }

    /// The run that holds `rank`, as an index into `runs`.
    pub(super) fn run_at(&self, rank: u64) -> usize {
        self.runs.partition_point(|run| run.base <= rank) - 1
    }
}

fn level(mut index: u32, squares: usize) -> i32 {
    let mut level = 0;
    for distance in 1..=squares as i32 {
        level += match index % 3 {
            2 => distance,
            0 => -distance,
            _ => 0,
        };
        index /= 3;
    }
    level
}
