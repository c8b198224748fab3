//! Some runs of strips at a time.
//!
//! First come the stops of all strips of a run, word by word in an order in which every move leads to an earlier word. They tell the
//! numbers. The option sets of the others are looked up stage by stage; no strip of a stage depends on another one of it. A
//! stage is short, a handful of strips; so several runs are taken side by side, whose high halves are of one level and hence
//! independent, and the trips to memory of all of them overlap. None of these loops has a branch that is as good as random.

use std::sync::atomic::AtomicU32;

use toads_game::{
    Arena, Canonicalizer, CanonicalizerScratch, CanonicalizerStats, GameError, MOST_OPTIONS,
    NO_LEFT, NO_RIGHT, NarrowStops, Value,
};
use toads_strip::Variant;

use super::dead::KINDS;
use super::desk::Desk;
use super::halves::{NO_WORD, Word};
use super::layout::{Layout, Run};
use super::mirror::Mirror;
use super::streams::Streams;

/// Tables of smaller classes, which hold the values of strips with dead ends, by the kind of the end: on the left or the right.
#[derive(Clone, Copy, Default)]
pub(super) struct Smaller<'a> {
    pub(super) front: [Option<&'a [AtomicU32]>; KINDS],
    pub(super) back: [Option<&'a [AtomicU32]>; KINDS],
}

/// One thread's way to evaluate runs, with its scratch space.
pub(super) struct Evaluator<'a, 'c> {
    canonicalizer: Canonicalizer<'a>,
    variant: Variant,
    layout: &'c Layout,
    desk: &'c Desk<'c>,
    smaller: Smaller<'c>,
    mirror: Option<&'c Mirror>,
    /// Runs of lower levels than this are complete, and hold mirror images.
    complete: i32,
    /// Words that have to be decided one by one.
    left_over: Vec<&'static Word>,
    /// Those of the runs at hand that are evaluated.
    places: Vec<Place>,
    /// How many of `places` are in use.
    used: usize,
    scratch: Scratch,
}

/// The scratch space of an [`Evaluator`], for the next one: growing it anew for every class would touch fresh memory.
#[derive(Default)]
pub(super) struct Bench {
    canonicalizing: CanonicalizerScratch,
    left_over: Vec<&'static Word>,
    places: Vec<Place>,
    scratch: Scratch,
}

/// Where a run is evaluated.
#[derive(Default)]
struct Place {
    run: usize,
    streams: Streams,
    /// Of its first strip, in the scratch space.
    offset: usize,
    /// The words that are no numbers, stage by stage.
    others: Vec<&'static Word>,
    /// How many of them are settled, or wait to be.
    taken: usize,
}

/// The strips at hand, one run after the other, each run followed by a place that no option has.
#[derive(Default)]
struct Scratch {
    /// The largest `lower` of Left's options outside the run.
    above: Vec<i32>,
    /// The smallest `upper` of Right's.
    below: Vec<i32>,
    stops: Vec<NarrowStops>,
    value: Vec<Value>,
}

/// The stops of the option that is not there: they change no maximum and no minimum.
const NOWHERE: NarrowStops = NarrowStops {
    upper: NO_RIGHT,
    lower: NO_LEFT,
};

impl Scratch {
    /// Room for one more run of so many strips; says where.
    fn extend(&mut self, len: usize) -> usize {
        let offset = self.value.len();
        self.above.resize(offset + len + 1, NO_LEFT);
        self.below.resize(offset + len + 1, NO_RIGHT);
        self.stops.resize(offset + len + 1, NOWHERE);
        self.value.resize(offset + len + 1, Value::ZERO);
        offset
    }

    fn clear(&mut self) {
        self.above.clear();
        self.below.clear();
        self.stops.clear();
        self.value.clear();
    }
}

impl<'a, 'c> Evaluator<'a, 'c> {
    pub(super) fn new(
        arena: &'a Arena,
        bench: Bench,
        variant: Variant,
        layout: &'c Layout,
        desk: &'c Desk<'c>,
        smaller: Smaller<'c>,
        mirror: Option<&'c Mirror>,
    ) -> Self {
        Self {
            canonicalizer: Canonicalizer::with_scratch(arena, bench.canonicalizing),
            variant,
            layout,
            desk,
            smaller,
            mirror,
            complete: i32::MIN,
            left_over: bench.left_over,
            places: bench.places,
            used: 0,
            scratch: bench.scratch,
        }
    }

    /// How the option sets were decided, and the scratch space for the next one.
    pub(super) fn finish(self) -> (CanonicalizerStats, Bench) {
        let stats = self.canonicalizer.stats();
        let bench = Bench {
            canonicalizing: self.canonicalizer.into_scratch(),
            left_over: self.left_over,
            places: self.places,
            scratch: self.scratch,
        };
        (stats, bench)
    }

    /// Takes up the runs of a bundle: copies those that smaller classes hold, and finds where the options of the others lie.
    pub(super) fn take(&mut self, runs: &[u32]) -> Result<(), GameError> {
        self.used = 0;
        self.scratch.clear();
        for &at in runs {
            let run = &self.layout.runs[at as usize];
            let len = self.layout.low_group(run).len as usize;
            if let Some((table, from)) = self.held_by_smaller(run) {
                let base = run.base as usize;
                let values = &table[from..from + len];
                self.desk.copy(self.canonicalizer.arena(), base, values)?;
                continue;
            }
            if self.used == self.places.len() {
                self.places.push(Place::default());
            }
            let place = &mut self.places[self.used];
            place.run = at as usize;
            place.streams.set(self.variant, self.layout, run);
            place.offset = self.scratch.extend(len);
            self.used += 1;
        }
        Ok(())
    }

    /// The high halves of the runs that hold options of what was taken; some may occur repeatedly.
    pub(super) fn sources(&self) -> impl Iterator<Item = u32> + '_ {
        self.places[..self.used]
            .iter()
            .flat_map(|place| place.streams.sources().iter().copied())
    }

    /// The table that holds the strips of a run with a dead end on the left, and where.
    fn held_by_smaller(&self, run: &Run) -> Option<(&'c [AtomicU32], usize)> {
        let (kind, from) = run.front?;
        Some((self.smaller.front[kind]?, from as usize))
    }

    /// Evaluates what was taken. The runs of [`Self::sources`] must be complete, and so must be all runs of levels lower than
    /// `complete`.
    pub(super) fn evaluate(&mut self, complete: i32) -> Result<(), GameError> {
        self.complete = complete;
        for at in 0..self.used {
            self.prepare(at)?;
            self.places[at].others.clear();
            self.places[at].taken = 0;
            // Words with a dead end on the right that no smaller class holds, then those without one.
            for kind in 0..=KINDS {
                if kind == KINDS || self.smaller.back[kind].is_none() {
                    self.decide(at, kind)?;
                }
            }
        }
        self.settle_others()?;
        for at in 0..self.used {
            self.put(at);
        }
        Ok(())
    }

    /// The best stops of the options outside the run, and the strips that smaller classes hold.
    fn prepare(&mut self, at: usize) -> Result<(), GameError> {
        let place = &self.places[at];
        let run = &self.layout.runs[place.run];
        let group = self.layout.low_group(run);
        let here = place.offset..place.offset + group.len as usize;
        let arena = self.canonicalizer.arena();
        let scratch = &mut self.scratch;
        let (above, below) = (
            &mut scratch.above[here.clone()],
            &mut scratch.below[here.clone()],
        );
        let (to, stops) = (&mut scratch.value[here.clone()], &mut scratch.stops[here]);
        place.streams.best_stops(self.desk, group, above, below);
        for kind in 0..KINDS {
            let Some(table) = self.smaller.back[kind] else {
                continue;
            };
            let ranks = self.layout.low.with_dead_end(group, kind);
            let from = run.back[kind] as usize;
            arena.each_narrow_stops(&table[from..from + ranks.len()], |at, value, word| {
                let place = usize::from(ranks[at]);
                to[place] = Value::from_index(value as usize);
                stops[place] = NarrowStops::from_bits(word);
            })?;
        }
        if let Some(mirror) = self.mirror {
            let desk = self.desk.reader();
            for (place, rank) in mirror.images(self.layout, run, self.complete) {
                let (image, value) = desk.read(rank);
                to[place] = arena.neg(value)?;
                stops[place] = image.negative();
            }
        }
        Ok(())
    }

    /// The stops of the words with this kind of dead end on the right, the values of those that are numbers, and which are none.
    /// Without those that are mirror images.
    fn decide(&mut self, at: usize, kind: usize) -> Result<(), GameError> {
        let layout = self.layout;
        let group = layout.low_group(&layout.runs[self.places[at].run]);
        let words = layout.low.staged(group, kind);
        let (Some(first), Some(mirror)) = (words.first(), self.mirror.filter(|_| kind == KINDS))
        else {
            return self.decide_words(at, words.iter());
        };
        // Without a branch: which words these are is as good as random.
        let mut left_over = std::mem::take(&mut self.left_over);
        left_over.resize(words.len().max(left_over.len()), first);
        let mut count = 0;
        for word in words {
            left_over[count] = word;
            count += usize::from(mirror.is_left_over(group, word, self.complete));
        }
        self.decide_words(at, left_over[..count].iter().copied())?;
        self.left_over = left_over;
        Ok(())
    }

    #[inline]
    fn decide_words(
        &mut self,
        at: usize,
        words: impl ExactSizeIterator<Item = &'static Word>,
    ) -> Result<(), GameError> {
        let place = &mut self.places[at];
        let group = self.layout.low_group(&self.layout.runs[place.run]);
        let here = place.offset..=place.offset + group.len as usize;
        let (above, below) = (
            &self.scratch.above[here.clone()],
            &self.scratch.below[here.clone()],
        );
        let stops = &mut self.scratch.stops[here.clone()];
        let value = &mut self.scratch.value[here];
        let mut others = place.others.len();
        place.others.resize(others + words.len(), &NO_WORD);
        for word in words {
            let rank = usize::from(word.rank);
            let lower = |&to: &u16| stops[usize::from(to)].lower;
            let ([first, second], more) = word.left_by_two();
            let best = above[rank].max(lower(&first)).max(lower(&second));
            let above = more.iter().map(lower).fold(best, i32::max);
            let upper = |&to: &u16| stops[usize::from(to)].upper;
            let ([first, second], more) = word.right_by_two();
            let best = below[rank].min(upper(&first)).min(upper(&second));
            let below = more.iter().map(upper).fold(best, i32::min);
            let form = NarrowStops::of_form(above, below)?;
            stops[rank] = form;
            let (number, is_at_hand) = self.canonicalizer.number_at_hand(form);
            value[rank] = number;
            let is_number = form.is_number();
            if is_number & !is_at_hand {
                value[rank] = self.canonicalizer.number(form)?;
            }
            place.others[others] = word;
            others += usize::from(!is_number);
        }
        let numbers = place.others.len() - others;
        self.canonicalizer.count_numbers(numbers);
        place.others.truncate(others);
        Ok(())
    }

    /// The values of the strips that are no numbers: stage by stage, all runs side by side.
    fn settle_others(&mut self) -> Result<(), GameError> {
        loop {
            let mut is_done = true;
            for at in 0..self.used {
                if self.places[at].taken < self.places[at].others.len() {
                    is_done = false;
                    self.collect_stage(at)?;
                }
            }
            if is_done {
                return Ok(());
            }
            let values = &mut self.scratch.value;
            self.canonicalizer
                .settle(|at, value| values[at as usize] = value)?;
        }
    }

    /// The option sets of the next stage of a run that has strips which are no numbers.
    fn collect_stage(&mut self, at: usize) -> Result<(), GameError> {
        let place = &mut self.places[at];
        let len = self.layout.low_group(&self.layout.runs[place.run]).len as usize;
        let here = place.offset..=place.offset + len;
        let stops = &self.scratch.stops[here.clone()];
        let value = &mut self.scratch.value[here];
        let others = &place.others[place.taken..];
        let stage = others[0].stage;
        let others = others.iter().take_while(|word| word.stage == stage);
        let outside = self.desk.reader();
        for word in others {
            place.taken += 1;
            let rank = usize::from(word.rank);
            let (left, right) = place.streams.with(word.prefix);
            let most = (left.len() + word.left().len()).max(right.len() + word.right().len());
            if most > MOST_OPTIONS {
                let in_step = |stream: &usize| outside.read(stream.wrapping_add(rank)).1;
                let inside = |&to: &u16| value[usize::from(to)];
                let left = left
                    .iter()
                    .map(in_step)
                    .chain(word.left().iter().map(inside));
                let right = right
                    .iter()
                    .map(in_step)
                    .chain(word.right().iter().map(inside));
                let (left, right): (Vec<_>, Vec<_>) = (left.collect(), right.collect());
                value[rank] = self.canonicalizer.canonical(&left, &right)?;
                continue;
            }
            let tag = (place.offset + rank) as u32;
            let mut form = self.canonicalizer.begin(tag, stops[rank]);
            for stream in left {
                let (stops, value) = outside.read(stream.wrapping_add(rank));
                form.left(stops, value);
            }
            for &to in word.left() {
                form.left(stops[usize::from(to)], value[usize::from(to)]);
            }
            for stream in right {
                let (stops, value) = outside.read(stream.wrapping_add(rank));
                form.right(stops, value);
            }
            for &to in word.right() {
                form.right(stops[usize::from(to)], value[usize::from(to)]);
            }
            form.wait();
        }
        Ok(())
    }

    /// Puts a run that is evaluated into the table.
    fn put(&self, at: usize) {
        let place = &self.places[at];
        let run = &self.layout.runs[place.run];
        let len = self.layout.low_group(run).len as usize;
        let here = place.offset..place.offset + len;
        let scratch = &self.scratch;
        let (values, stops) = (&scratch.value[here.clone()], &scratch.stops[here]);
        self.desk.put(run.base as usize, values, stops);
    }
}
