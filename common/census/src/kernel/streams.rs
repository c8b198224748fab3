//! Where the options of a run's strips lie that are read in step with it.

use std::sync::atomic::{AtomicU64, Ordering};

use toads_game::{NO_LEFT, NO_RIGHT, NarrowStops};
use toads_strip::Variant;

use super::desk::Desk;
use super::halves::Group;
use super::layout::{Layout, Run};
use super::word::{BLANK, FROG, TOAD};

/// A run read in step with the one being evaluated: the option of the strip at `rank` of its run is at
/// `rank + offset` of the table (wrapping).
pub(super) type Stream = usize;

/// The runs that hold the options of a run's strips, without those inside the low half. Reused from run to run.
#[derive(Default)]
pub(super) struct Streams {
    left: Side,
    right: Side,
    sources: Vec<u32>,
}

/// The streams of one player.
#[derive(Default)]
struct Side {
    /// His moves inside the high half; behind them room for the move across the cut.
    inside: Vec<Stream>,
    /// By the first two squares of the low half: the move across the cut, when there is one.
    across: [Option<Stream>; 9],
}

impl Side {
    fn set(&mut self, streams: impl Iterator<Item = Stream>) {
        self.inside.clear();
        self.inside.extend(streams);
        self.inside.push(0);
    }

    /// His moves inside the high half.
    fn inside(&self) -> &[Stream] {
        &self.inside[..self.inside.len() - 1]
    }

    /// All of them, for low halves with this prefix.
    #[inline]
    fn with(&mut self, prefix: u8) -> &[Stream] {
        let across = self.across[usize::from(prefix)];
        let last = self.inside.len() - 1;
        self.inside[last] = across.unwrap_or(0);
        &self.inside[..last + usize::from(across.is_some())]
    }
}

impl Streams {
    /// Left's and Right's, for low halves that begin with this prefix.
    #[inline]
    pub(super) fn with(&mut self, prefix: u8) -> (&[Stream], &[Stream]) {
        (self.left.with(prefix), self.right.with(prefix))
    }

    /// Finds them for a run.
    pub(super) fn set(&mut self, variant: Variant, layout: &Layout, run: &Run) {
        let high = layout.high;
        self.sources.clear();
        self.sources.extend_from_slice(&high.left_moves(run.high));
        let left = self.sources.len();
        self.sources.extend_from_slice(&high.right_moves(run.high));
        let stream_of = |&high: &u32| layout.base_of[high as usize] as usize;
        self.left.set(self.sources[..left].iter().map(stream_of));
        self.right.set(self.sources[left..].iter().map(stream_of));
        let group = layout.low_group(run);
        for prefix in 0..9 {
            let is_empty = group.prefix[prefix] == group.prefix[prefix + 1];
            let found = |across: Option<(u32, Stream)>, sources: &mut Vec<u32>| {
                let (high, stream) = across.filter(|_| !is_empty)?;
                sources.push(high);
                Some(stream)
            };
            let toad = toad_across(variant, layout, run, prefix as u32);
            self.left.across[prefix] = found(toad, &mut self.sources);
            let frog = frog_across(variant, layout, run, prefix as u32);
            self.right.across[prefix] = found(frog, &mut self.sources);
        }
    }

    /// The high halves of these runs; some may occur repeatedly.
    pub(super) fn sources(&self) -> &[u32] {
        &self.sources
    }

    /// The best stops of the options that are read in step, for the strips of a run: the largest `lower` of Left's into
    /// `above`, the smallest `upper` of Right's into `below`.
    pub(super) fn best_stops(
        &self,
        desk: &Desk<'_>,
        group: &Group,
        above: &mut [i32],
        below: &mut [i32],
    ) {
        above.fill(NO_LEFT);
        below.fill(NO_RIGHT);
        for &stream in self.left.inside() {
            add(above, &desk.stops()[stream..], best_left);
        }
        for &stream in self.right.inside() {
            add(below, &desk.stops()[stream..], best_right);
        }
        for prefix in 0..9 {
            let ranks = group.prefix[prefix] as usize..group.prefix[prefix + 1] as usize;
            if let Some(stream) = self.left.across[prefix] {
                let from = stream.wrapping_add(ranks.start);
                add(&mut above[ranks.clone()], &desk.stops()[from..], best_left);
            }
            if let Some(stream) = self.right.across[prefix] {
                let from = stream.wrapping_add(ranks.start);
                add(&mut below[ranks], &desk.stops()[from..], best_right);
            }
        }
    }
}

/// Adds options that are read in step.
#[inline]
fn add(best: &mut [i32], stops: &[AtomicU64], better: impl Fn(i32, NarrowStops) -> i32) {
    for (best, stops) in best.iter_mut().zip(stops) {
        let stops = NarrowStops::from_bits(stops.load(Ordering::Relaxed));
        *best = better(*best, stops);
    }
}

fn best_left(best: i32, stops: NarrowStops) -> i32 {
    best.max(stops.lower)
}

fn best_right(best: i32, stops: NarrowStops) -> i32 {
    best.min(stops.upper)
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
