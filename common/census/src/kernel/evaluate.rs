//! One run of strips with the same high half.

use std::sync::atomic::{AtomicU32, Ordering};

use toads_game::{Canonicalizer, Decision, GameError};
use toads_strip::Variant;

use super::desk::{Best, Desk};
use super::halves::Group;
use super::layout::{Layout, Run};

const FROG: u32 = 0;
const BLANK: u32 = 1;
const TOAD: u32 = 2;

/// Forms settled together: as many trips to memory as a processor core keeps in flight, and some.
const AT_ONCE: usize = 32;

/// A run read in step with the one being evaluated: the option of the strip at `rank` of its run is at
/// `rank + offset` of the table (wrapping).
type Stream = usize;

/// Tables of smaller classes, which hold the values of strips with dead ends.
#[derive(Clone, Copy, Default)]
pub(super) struct Smaller<'a> {
    /// (n − 1; t, f − 1): the strips that start with a frog are its strips, in order.
    pub(super) front: Option<&'a [AtomicU32]>,
    /// (n − 1; t − 1, f): the strips that end with a toad are its strips, in order.
    pub(super) back: Option<&'a [AtomicU32]>,
}

/// Evaluates the strips of `run`. Every option lies in an earlier stage of this run or in a run that is complete.
pub(super) fn evaluate_run(
    canonicalizer: &mut Canonicalizer<'_>,
    layout: &Layout,
    run: &Run,
    streams: &Streams,
    desk: &Desk<'_>,
    best: &mut Best,
    smaller: Smaller<'_>,
) -> Result<(), GameError> {
    let (arena, base) = (canonicalizer.arena(), run.base as usize);
    let group = *layout.low_group(run);
    if let Some(front) = smaller.front.filter(|_| run.high < layout.high.words / 3) {
        for (rank, value) in (base..).zip(&front[base..base + group.len as usize]) {
            desk.copy(arena, rank, value)?;
        }
        return Ok(());
    }
    if let Some(back) = smaller.back {
        let values = &back[run.without_last as usize..];
        for (slot, value) in layout.low.toad_last(&group).zip(values) {
            desk.copy(arena, base + (slot - group.offset) as usize, value)?;
        }
    }
    streams.best_stops(desk, &group, best);
    let (uppers, lowers) = (&desk.uppers()[base..], &desk.lowers()[base..]);
    for stage in layout.low.stages(&group, smaller.back.is_some()) {
        for &slot in stage {
            let rank = (slot - group.offset) as usize;
            let (left, right) = (layout.low.left_moves(slot), layout.low.right_moves(slot));
            let inside = |&target: &u32| (target - group.offset) as usize;
            let above = left.iter().fold(best.above[rank], |above, target| {
                above.max(lowers[inside(target)].load(Ordering::Relaxed))
            });
            let below = right.iter().fold(best.below[rank], |below, target| {
                below.min(uppers[inside(target)].load(Ordering::Relaxed))
            });
            match canonicalizer.decide(above, below)? {
                Decision::Number(value, stops) => desk.put(base + rank, value, stops),
                Decision::Other(stops) => {
                    let prefix = usize::from(layout.low.prefix_of[slot as usize]);
                    let mut form = canonicalizer.begin(rank as u32, stops);
                    for stream in streams.left.iter().chain(&streams.left_across[prefix]) {
                        let at = stream.wrapping_add(rank);
                        canonicalizer.left(&mut form, desk.stops(at), || desk.value(at));
                    }
                    for target in left {
                        let at = base + inside(target);
                        canonicalizer.left(&mut form, desk.stops(at), || desk.value(at));
                    }
                    for stream in streams.right.iter().chain(&streams.right_across[prefix]) {
                        let at = stream.wrapping_add(rank);
                        canonicalizer.right(&mut form, desk.stops(at), || desk.value(at));
                    }
                    for target in right {
                        let at = base + inside(target);
                        canonicalizer.right(&mut form, desk.stops(at), || desk.value(at));
                    }
                    canonicalizer.end(form);
                    if canonicalizer.waiting() == AT_ONCE {
                        canonicalizer.settle(|rank, value, stops| {
                            desk.put(base + rank as usize, value, stops);
                        })?;
                    }
                }
            }
        }
        canonicalizer.settle(|rank, value, stops| desk.put(base + rank as usize, value, stops))?;
    }
    Ok(())
}

/// The runs that hold the options of a run's strips, without those inside the low half. Reused from run to run.
#[derive(Default)]
pub(super) struct Streams {
    left: Vec<Stream>,
    right: Vec<Stream>,
    /// By the first two squares of the low half: the move across the cut, when there is one.
    left_across: [Option<Stream>; 9],
    right_across: [Option<Stream>; 9],
    sources: Vec<u32>,
}

impl Streams {
    /// Finds them for a run.
    pub(super) fn set(&mut self, variant: Variant, layout: &Layout, run: &Run) {
        let high = layout.high;
        let slot = high.slot_of[run.high as usize];
        let high_of = |&slot: &u32| high.index_of[slot as usize];
        self.sources.clear();
        self.sources
            .extend(high.left_moves(slot).iter().map(high_of));
        let left = self.sources.len();
        self.sources
            .extend(high.right_moves(slot).iter().map(high_of));
        let stream_of = |&high: &u32| layout.base_of[high as usize] as usize;
        self.left.clear();
        self.left.extend(self.sources[..left].iter().map(stream_of));
        self.right.clear();
        self.right
            .extend(self.sources[left..].iter().map(stream_of));
        let group = layout.low_group(run);
        for prefix in 0..9 {
            let is_empty = group.prefix[prefix] == group.prefix[prefix + 1];
            let found = |across: Option<(u32, Stream)>, sources: &mut Vec<u32>| {
                let (high, stream) = across.filter(|_| !is_empty)?;
                sources.push(high);
                Some(stream)
            };
            let toad = toad_across(variant, layout, run, prefix as u32);
            self.left_across[prefix] = found(toad, &mut self.sources);
            let frog = frog_across(variant, layout, run, prefix as u32);
            self.right_across[prefix] = found(frog, &mut self.sources);
        }
    }

    /// The high halves of these runs; some may occur repeatedly.
    pub(super) fn sources(&self) -> &[u32] {
        &self.sources
    }

    /// The best stops of the options that are read in step.
    fn best_stops(&self, desk: &Desk<'_>, group: &Group, best: &mut Best) {
        let len = group.len as usize;
        best.start(len);
        for &stream in &self.left {
            Best::add(
                &mut best.above,
                &desk.lowers()[stream..stream + len],
                i32::max,
            );
        }
        for &stream in &self.right {
            Best::add(
                &mut best.below,
                &desk.uppers()[stream..stream + len],
                i32::min,
            );
        }
        for prefix in 0..9 {
            let ranks = group.prefix[prefix] as usize..group.prefix[prefix + 1] as usize;
            let in_step =
                |stream: Stream| stream.wrapping_add(ranks.start)..stream.wrapping_add(ranks.end);
            if let Some(stream) = self.left_across[prefix] {
                let lower = &desk.lowers()[in_step(stream)];
                Best::add(&mut best.above[ranks.clone()], lower, i32::max);
            }
            if let Some(stream) = self.right_across[prefix] {
                let upper = &desk.uppers()[in_step(stream)];
                Best::add(&mut best.below[ranks], upper, i32::min);
            }
        }
    }
}

/// The move of a toad across the cut, when the low half begins with `prefix` = 3a + b. With y, x the last squares of
/// the high half: a step (x to a), a jump from y over the frog on x, or a jump from x over the frog on a.
fn toad_across(variant: Variant, layout: &Layout, run: &Run, prefix: u32) -> Option<(u32, Stream)> {
    let (y, x) = (run.high / 3 % 3, run.high % 3);
    let (a, b) = (prefix / 3, prefix % 3);
    let hop = variant == Variant::Hop;
    let (high, entered) = match () {
        () if x == TOAD && a == BLANK => (run.high - 1, 3 * TOAD),
        () if hop && y == TOAD && x == FROG && a == BLANK => (run.high - 3, 3 * TOAD),
        () if hop && x == TOAD && a == FROG && b == BLANK => (run.high - 1, 3 * FROG + TOAD),
        () => return None,
    };
    let left = if entered == 3 * TOAD { 3 * a } else { prefix };
    let pieces = (run.low_toads + 1, run.low_frogs);
    let stream = in_step(layout, run, high, pieces, left, entered)?;
    Some((high, stream))
}

/// The move of a frog across the cut: a step (a to x), a jump from a over the toad on x, or one from b over a.
fn frog_across(variant: Variant, layout: &Layout, run: &Run, prefix: u32) -> Option<(u32, Stream)> {
    let (y, x) = (run.high / 3 % 3, run.high % 3);
    let (a, b) = (prefix / 3, prefix % 3);
    let hop = variant == Variant::Hop;
    let (high, vacated) = match () {
        () if a == FROG && x == BLANK => (run.high - 1, 3 * BLANK),
        () if hop && a == FROG && x == TOAD && y == BLANK => (run.high - 3, 3 * BLANK),
        () if hop && b == FROG && a == TOAD && x == BLANK => (run.high - 1, 3 * TOAD + BLANK),
        () => return None,
    };
    let left = if vacated == 3 * BLANK { 3 * a } else { prefix };
    let pieces = (run.low_toads, run.low_frogs.checked_sub(1)?);
    let stream = in_step(layout, run, high, pieces, left, vacated)?;
    Some((high, stream))
}

/// The stream of strips with high half `high` whose low halves have `pieces`: words that begin with `before` (from there
/// on in the run's own group) correspond in order to those that begin with `after` in the other group. None when the low
/// half has no room for so many pieces.
fn in_step(
    layout: &Layout,
    run: &Run,
    high: u32,
    pieces: (u8, u8),
    before: u32,
    after: u32,
) -> Option<Stream> {
    let (toads, frogs) = (usize::from(pieces.0), usize::from(pieces.1));
    if toads + frogs > layout.low.squares {
        return None;
    }
    let other = layout.low.group(toads, frogs);
    let shift = other.prefix[after as usize] as usize;
    let start = layout.low_group(run).prefix[before as usize] as usize;
    Some(
        (layout.base_of[high as usize] as usize)
            .wrapping_add(shift)
            .wrapping_sub(start),
    )
}
