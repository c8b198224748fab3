//! Where the strips of a class lie in its table: ranks by high half and low half.

use std::ops::Range;

use toads_strip::{Class, Variant};

use super::dead::{DEAD_ENDS, KINDS};
use super::halves::{Group, Halves};
use super::word::{Facts, POWERS};
use crate::index::Indexed;

/// Squares of the low half, where half of the strip is not longer.
const LOW: usize = 9;

/// The most runs of a bundle: enough to keep a processor core's trips to memory in flight, few enough to stay in its cache.
pub(super) const MOST_RUNS: usize = 2;

/// The most strips of a bundle of more than one run.
const MOST_STRIPS: u32 = 4096;

/// The runs of a class in the order of their evaluation; see [`Layout::bundles`].
pub(super) struct Bundles {
    order: Vec<u32>,
    starts: Vec<usize>,
}

impl Bundles {
    /// How many.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The runs of a bundle, as indices into [`Layout::runs`]; none behind the last one.
    pub(super) fn get(&self, bundle: usize) -> Option<&[u32]> {
        let ends = self.starts.get(bundle..bundle + 2)?;
        Some(&self.order[ends[0]..ends[1]])
    }
}

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
    /// The kind of the dead end on the left that its high half has, and the rank, in the class without it, of the first
    /// strip: where the strips of the run find their values, in order.
    pub(super) front: Option<(usize, u64)>,
    /// For each kind of dead end on the right the rank, in the class without it, of the first strip with this high half: where
    /// the strips of the run with such an end find their values, in order.
    pub(super) back: [u64; KINDS],
    /// See [`Layout::bundles`].
    pub(super) level: i32,
}

/// The ranks of a class, cut into runs of strips with the same high half.
pub(crate) struct Layout {
    pub(super) class: Class,
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
        // The pieces of the low half behind this high half, if they have room there.
        let low_pieces = |word: &Facts| {
            let low_toads = toads.checked_sub(usize::from(word.toads()))?;
            let low_frogs = frogs.checked_sub(usize::from(word.frogs()))?;
            (low_toads + low_frogs <= low.squares).then_some((low_toads, low_frogs))
        };
        let count = high.facts.iter().filter_map(low_pieces).count();
        let mut runs = Vec::with_capacity(count);
        let mut base_of = vec![u64::MAX; high.words as usize];
        let (mut base, mut back) = (0, [0; KINDS]);
        let mut front = Front::default();
        for (index, word) in (0..).zip(&high.facts) {
            let Some((low_toads, low_frogs)) = low_pieces(word) else {
                continue;
            };
            base_of[index as usize] = base;
            runs.push(Run {
                high: index,
                low_toads: low_toads as u8,
                low_frogs: low_frogs as u8,
                base,
                front: front.of(high, index, base),
                back,
                level: i32::from(word.level),
            });
            let group = low.group(low_toads, low_frogs);
            base += u64::from(group.len);
            for (kind, back) in back.iter_mut().enumerate() {
                *back += u64::from(group.ends[kind + 1] - group.ends[kind]);
            }
        }
        assert_eq!(base, class.size(), "the runs cover the class");
        Self {
            class,
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

    /// How many strips these runs have.
    pub(super) fn strips_of(&self, runs: &[u32]) -> u64 {
        let len = |&at: &u32| u64::from(self.low_group(&self.runs[at as usize]).len);
        runs.iter().map(len).sum()
    }

    /// Indices into `runs`, in bundles: lowest level first, within a level those with a dead end on the left, then the longest
    /// runs first, those with the same low halves together. The runs of a bundle are of one level.
    ///
    /// With p squares between a piece of the high half and the cut, the piece's own square included, a toad counts p
    /// and a frog −p. A step or jump of either player inside the high half lowers the sum; a toad that leaves it took
    /// its positive p along; a frog that enters brings a negative one. So a strip's options lie in its own run or in
    /// runs of lower levels.
    pub(super) fn bundles(&self) -> Bundles {
        let len = |at: u32| self.low_group(&self.runs[at as usize]).len;
        let level = |at: u32| self.runs[at as usize].level;
        let mut order: Vec<u32> = (0..self.runs.len() as u32).collect();
        order.sort_by_key(|&at| {
            let run = &self.runs[at as usize];
            let is_core = run.front.is_none();
            (
                run.level,
                is_core,
                std::cmp::Reverse(len(at)),
                run.low_toads,
            )
        });
        let (mut starts, mut strips) = (vec![], 0);
        for (at, &run) in order.iter().enumerate() {
            let follows = at > 0 && level(order[at - 1]) == level(run);
            let room = at - starts.last().copied().unwrap_or(0) < MOST_RUNS
                && strips + len(run) <= MOST_STRIPS;
            if !(follows && room) {
                starts.push(at);
                strips = 0;
            }
            strips += len(run);
        }
        starts.push(order.len());
        Bundles { order, starts }
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

/// The dead ends on the left of the high halves, in index order.
#[derive(Default)]
struct Front {
    /// The dead end met last: its kind and squares, and the rank of the first strip that has it.
    last: Option<(usize, u32, u64)>,
}

impl Front {
    /// Of the high half with this index, whose first strip has rank `base`: the kind of its dead end, and the rank of that
    /// strip in the class without it. All strips with one dead end are consecutive, and are all strips of that class.
    fn of(&mut self, high: &Halves, index: u32, base: u64) -> Option<(usize, u64)> {
        let kind = usize::from(high.facts[index as usize].front);
        let behind = high.squares - usize::from(DEAD_ENDS.get(kind)?.squares);
        let squares = index / POWERS[behind];
        let first = match self.last {
            Some((last, same, first)) if (last, same) == (kind, squares) => first,
            _ => base,
        };
        self.last = Some((kind, squares, first));
        Some((kind, base - first))
    }
}
