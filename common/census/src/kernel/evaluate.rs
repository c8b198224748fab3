//! Some runs of strips at a time.
//!
//! First come the stops of all strips of a run, word by word in an order in which every move leads to an earlier word. They tell the
//! numbers. The option sets of the others are looked up stage by stage; no strip of a stage depends on another one of it. A
//! stage is short, a handful of strips; so several runs are taken side by side, whose high halves are of one level and hence
//! independent, and the trips to memory of all of them overlap. None of these loops has a branch that is as good as random.

use std::array::from_fn;
use std::sync::atomic::AtomicU32;

use toads_game::{
    Arena, Canonicalizer, CanonicalizerScratch, CanonicalizerStats, GameError, MOST_OPTIONS,
    NarrowStops, Value,
};
use toads_strip::Variant;

use super::dead::KINDS;
use super::desk::Desk;
use super::halves::{NO_WORD, Word};
use super::layout::{Layout, Run};
use super::mirror::Mirror;
use super::scratch::{LANE, Scratch, WINDOW, pair, unpair};
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
    /// Where numbers belong that were not at hand.
    missing: Vec<u32>,
    /// Those of the runs at hand that are evaluated, each in a lane of the scratch space.
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
    missing: Vec<u32>,
    places: Vec<Place>,
    scratch: Scratch,
}

/// Where a run is evaluated.
#[derive(Default)]
struct Place {
    run: usize,
    streams: Streams,
    /// The first `many` are the words that are no numbers, stage by stage.
    others: Vec<&'static Word>,
    many: usize,
    /// How many of them are settled, or wait to be.
    taken: usize,
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
        let mut scratch = bench.scratch;
        scratch.prepare();
        Self {
            canonicalizer: Canonicalizer::with_scratch(arena, bench.canonicalizing),
            variant,
            layout,
            desk,
            smaller,
            mirror,
            complete: i32::MIN,
            left_over: bench.left_over,
            missing: bench.missing,
            places: bench.places,
            used: 0,
            scratch,
        }
    }

    /// How the option sets were decided, and the scratch space for the next one.
    pub(super) fn finish(self) -> (CanonicalizerStats, Bench) {
        let stats = self.canonicalizer.stats();
        let bench = Bench {
            canonicalizing: self.canonicalizer.into_scratch(),
            left_over: self.left_over,
            missing: self.missing,
            places: self.places,
            scratch: self.scratch,
        };
        (stats, bench)
    }

    /// Takes up the runs of a bundle: copies those that smaller classes hold, and finds where the options of the others lie.
    pub(super) fn take(&mut self, runs: &[u32]) -> Result<(), GameError> {
        self.used = 0;
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
            self.scratch.begin(self.used, len);
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
            self.places[at].many = 0;
            self.places[at].taken = 0;
        }
        let mut at = 0;
        while at < self.used {
            let are_two = self.have_same_low_halves(at);
            // Words with a dead end on the right that no smaller class holds, then those without one.
            for kind in 0..=KINDS {
                if kind < KINDS && self.smaller.back[kind].is_some() {
                    continue;
                }
                if are_two {
                    self.decide::<2>(at, kind)?;
                } else {
                    self.decide::<1>(at, kind)?;
                }
            }
            at += 1 + usize::from(are_two);
        }
        self.settle_others()?;
        for at in 0..self.used {
            self.put(at);
        }
        Ok(())
    }

    /// Whether the runs of this place and of the next one do. Then they are decided side by side: while one waits for the stops of
    /// its options, the other one goes on.
    fn have_same_low_halves(&self, at: usize) -> bool {
        let group = |place: &Place| {
            let run = &self.layout.runs[place.run];
            (run.low_toads, run.low_frogs)
        };
        match &self.places[at..self.used] {
            [first, second, ..] => group(first) == group(second),
            _ => false,
        }
    }

    /// The best stops of the options outside the run, and the strips that smaller classes hold.
    fn prepare(&mut self, at: usize) -> Result<(), GameError> {
        let place = &self.places[at];
        let run = &self.layout.runs[place.run];
        let group = self.layout.low_group(run);
        let len = group.len as usize;
        let arena = self.canonicalizer.arena();
        let lane = self.scratch.lane(at);
        let (above, below) = (&mut lane.above[..len], &mut lane.below[..len]);
        let (to, stops) = (&mut lane.value[..len], &mut lane.stops[..len]);
        place.streams.best_stops(self.desk, group, above, below);
        for kind in 0..KINDS {
            let Some(table) = self.smaller.back[kind] else {
                continue;
            };
            let ranks = self.layout.low.with_dead_end(group, kind);
            let from = run.back[kind] as usize;
            arena.each_narrow_stops(&table[from..from + ranks.len()], |at, value, word| {
                let place = usize::from(ranks[at]);
                to[place] = value;
                stops[place] = pair(NarrowStops::from_bits(word));
            })?;
        }
        if let Some(mirror) = self.mirror {
            let desk = self.desk.reader();
            for (place, rank) in mirror.images(self.layout, run, self.complete) {
                let (image, value) = desk.read(rank);
                to[place] = arena.neg(value)?.index() as u32;
                stops[place] = pair(image.negative());
            }
        }
        Ok(())
    }

    /// For the runs of `COUNT` places with the same low halves: the stops of the words with this kind of dead end on the right, the
    /// values of those that are numbers, and which are none. Without those that are mirror images.
    fn decide<const COUNT: usize>(&mut self, at: usize, kind: usize) -> Result<(), GameError> {
        let layout = self.layout;
        let group = layout.low_group(&layout.runs[self.places[at].run]);
        let words = layout.low.staged(group, kind);
        let (Some(first), Some(mirror)) = (words.first(), self.mirror.filter(|_| kind == KINDS))
        else {
            return self.decide_words::<COUNT>(at, words.iter());
        };
        // Without a branch: which words these are is as good as random.
        let mut left_over = std::mem::take(&mut self.left_over);
        left_over.resize(words.len().max(left_over.len()), first);
        let mut count = 0;
        for word in words {
            left_over[count] = word;
            count += usize::from(mirror.is_left_over(group, word, self.complete));
        }
        self.decide_words::<COUNT>(at, left_over[..count].iter().copied())?;
        self.left_over = left_over;
        Ok(())
    }

    #[inline]
    fn decide_words<const COUNT: usize>(
        &mut self,
        at: usize,
        words: impl ExactSizeIterator<Item = &'static Word>,
    ) -> Result<(), GameError> {
        let places: &mut [Place; COUNT] = self.places[at..]
            .first_chunk_mut()
            .expect("there are so many places");
        for place in places.iter_mut() {
            let room = place.many + words.len();
            place.others.resize(room.max(place.others.len()), &NO_WORD);
        }
        let mut many = places.each_ref().map(|place| place.many);
        let others = places.each_mut().map(|place| &mut *place.others);
        let columns = self.scratch.window(at);
        let (stops, value) = (columns.stops, columns.value);
        let (missing, mut many_missing) = (&mut self.missing, 0);
        let many_words = words.len();
        if missing.len() <= many_words * COUNT {
            missing.resize(many_words * COUNT + 1, 0);
        }
        for word in words {
            let rank = usize::from(word.rank);
            let lower = |lane: usize, to: u16| stops[lane * LANE + usize::from(to)][0];
            let (&[first, second, third], more) = word.left_by();
            let mut above: [i32; COUNT] = from_fn(|lane| {
                let outside = columns.above[lane * LANE + rank];
                outside
                    .max(lower(lane, first))
                    .max(lower(lane, second))
                    .max(lower(lane, third))
            });
            for &to in more {
                above = from_fn(|lane| above[lane].max(lower(lane, to)));
            }
            let upper = |lane: usize, to: u16| stops[lane * LANE + usize::from(to)][1];
            let (&[first, second, third], more) = word.right_by();
            let mut below: [i32; COUNT] = from_fn(|lane| {
                let outside = columns.below[lane * LANE + rank];
                outside
                    .min(upper(lane, first))
                    .min(upper(lane, second))
                    .min(upper(lane, third))
            });
            for &to in more {
                below = from_fn(|lane| below[lane].min(upper(lane, to)));
            }
            for lane in 0..COUNT {
                let form = NarrowStops::of_form(above[lane], below[lane])?;
                let here = lane * LANE + rank;
                stops[here] = pair(form);
                let (number, is_at_hand) = self.canonicalizer.number_at_hand(form);
                value[here] = number.index() as u32;
                // A branch on whether it is a number would be as good as random, so this is looked at later.
                missing[many_missing] = here as u32;
                many_missing += usize::from(form.is_number() & !is_at_hand);
                others[lane][many[lane]] = word;
                many[lane] += usize::from(!form.is_number());
            }
        }
        for &here in &missing[..many_missing] {
            let number = self.canonicalizer.number(unpair(stops[here as usize]))?;
            value[here as usize] = number.index() as u32;
        }
        for (place, many) in places.iter_mut().zip(many) {
            let numbers = many_words - (many - place.many);
            place.many = many;
            self.canonicalizer.count_numbers(numbers);
        }
        Ok(())
    }

    /// The values of the strips that are no numbers: stage by stage, all runs side by side.
    fn settle_others(&mut self) -> Result<(), GameError> {
        loop {
            let mut is_done = true;
            for at in 0..self.used {
                if self.places[at].taken < self.places[at].many {
                    is_done = false;
                    self.collect_stage(at)?;
                }
            }
            if is_done {
                return Ok(());
            }
            let values = self.scratch.values();
            self.canonicalizer
                .settle(|at, value| values[at as usize] = value.index() as u32)?;
        }
    }

    /// The option sets of the next stage of a run that has strips which are no numbers.
    fn collect_stage(&mut self, at: usize) -> Result<(), GameError> {
        let place = &mut self.places[at];
        let columns = self.scratch.window(at);
        let (stops, value) = (columns.stops, columns.value);
        let read = |to: u16, value: &[u32; WINDOW]| {
            let (stops, value) = (stops[usize::from(to)], value[usize::from(to)]);
            (unpair(stops), Value::from_index(value as usize))
        };
        let others = &place.others[place.taken..place.many];
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
                let inside = |&to: &u16| read(to, value).1;
                let left = left
                    .iter()
                    .map(in_step)
                    .chain(word.left().iter().map(inside));
                let right = right
                    .iter()
                    .map(in_step)
                    .chain(word.right().iter().map(inside));
                let (left, right): (Vec<_>, Vec<_>) = (left.collect(), right.collect());
                value[rank] = self.canonicalizer.canonical(&left, &right)?.index() as u32;
                continue;
            }
            let tag = (at * LANE + rank) as u32;
            let mut form = self.canonicalizer.begin(tag, unpair(stops[rank]));
            // Those inside first: two of them even where there are fewer, which matter to no form.
            let (two, more) = word.left_by::<2>();
            for to in two {
                let (stops, value) = read(*to, value);
                form.left(stops, value);
            }
            for &to in more {
                let (stops, value) = read(to, value);
                form.left(stops, value);
            }
            for stream in left {
                let (stops, value) = outside.read(stream.wrapping_add(rank));
                form.left(stops, value);
            }
            let (two, more) = word.right_by::<2>();
            for to in two {
                let (stops, value) = read(*to, value);
                form.right(stops, value);
            }
            for &to in more {
                let (stops, value) = read(to, value);
                form.right(stops, value);
            }
            for stream in right {
                let (stops, value) = outside.read(stream.wrapping_add(rank));
                form.right(stops, value);
            }
            form.wait();
        }
        Ok(())
    }

    /// Puts a run that is evaluated into the table.
    fn put(&mut self, at: usize) {
        let place = &self.places[at];
        let run = &self.layout.runs[place.run];
        let len = self.layout.low_group(run).len as usize;
        let lane = self.scratch.lane(at);
        let (values, stops) = (&lane.value[..len], &lane.stops[..len]);
        self.desk.put(run.base as usize, values, stops);
    }
}
