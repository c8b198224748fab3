//! One run of strips with the same high half.

use std::sync::atomic::{AtomicU32, Ordering};

use toads_game::{Canonicalizer, GameError, Value};
use toads_strip::Variant;

use super::layout::{Layout, Run};

const FROG: u32 = 0;
const BLANK: u32 = 1;
const TOAD: u32 = 2;

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

/// Evaluates the strips of `run`. Every option lies in an earlier part of this run or in a run that is complete.
pub(super) fn evaluate_run(
    canonicalizer: &mut Canonicalizer<'_>,
    variant: Variant,
    layout: &Layout,
    run: &Run,
    table: &[AtomicU32],
    smaller: Smaller<'_>,
) -> Result<(), GameError> {
    if let Some(front) = smaller.front.filter(|_| run.high < layout.high.words / 3) {
        let ranks = run.base as usize..run.base as usize + layout.low_group(run).len as usize;
        for (slot, value) in table[ranks.clone()].iter().zip(&front[ranks]) {
            slot.store(value.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        return Ok(());
    }
    let mut back = smaller
        .back
        .map(|back| back[run.without_last as usize..].iter());
    let load = |at: usize| Value::from_index(table[at].load(Ordering::Relaxed) as usize);
    let base = run.base as usize;
    let group = *layout.low_group(run);
    let high_slot = layout.high.slot_of[run.high as usize];
    let stream_of =
        |&slot: &u32| layout.base_of[layout.high.index_of[slot as usize] as usize] as usize;
    let mut left_streams: Vec<Stream> = layout
        .high
        .left_moves(high_slot)
        .iter()
        .map(stream_of)
        .collect();
    let mut right_streams: Vec<Stream> = layout
        .high
        .right_moves(high_slot)
        .iter()
        .map(stream_of)
        .collect();
    let (inside_left, inside_right) = (left_streams.len(), right_streams.len());

    for prefix in 0..9 {
        let (from, to) = (group.prefix[prefix], group.prefix[prefix + 1]);
        if from == to {
            continue;
        }
        left_streams.truncate(inside_left);
        left_streams.extend(toad_across(variant, layout, run, prefix as u32));
        right_streams.truncate(inside_right);
        right_streams.extend(frog_across(variant, layout, run, prefix as u32));
        for rank in from..to {
            let slot = group.offset + rank;
            if let Some(back) = back
                .as_mut()
                .filter(|_| layout.low.index_of[slot as usize] % 3 == TOAD)
            {
                let value = back
                    .next()
                    .expect("the smaller class has a strip for each that ends with a toad");
                table[base + rank as usize].store(value.load(Ordering::Relaxed), Ordering::Relaxed);
                continue;
            }
            canonicalizer.start();
            for stream in &left_streams {
                canonicalizer.left(load(stream.wrapping_add(rank as usize)));
            }
            for &target in layout.low.left_moves(slot) {
                canonicalizer.left(load(base + (target - group.offset) as usize));
            }
            for stream in &right_streams {
                canonicalizer.right(load(stream.wrapping_add(rank as usize)));
            }
            for &target in layout.low.right_moves(slot) {
                canonicalizer.right(load(base + (target - group.offset) as usize));
            }
            let value = canonicalizer.finish()?;
            table[base + rank as usize].store(value.index() as u32, Ordering::Relaxed);
        }
    }
    Ok(())
}

/// The move of a toad across the cut, when the low half begins with `prefix` = 3a + b. With y, x the last squares of
/// the high half: a step (x to a), a jump from y over the frog on x, or a jump from x over the frog on a.
fn toad_across(variant: Variant, layout: &Layout, run: &Run, prefix: u32) -> Option<Stream> {
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
    Some(in_step(
        layout,
        run,
        high,
        (run.low_toads + 1, run.low_frogs),
        left,
        entered,
    ))
}

/// The move of a frog across the cut: a step (a to x), a jump from a over the toad on x, or one from b over a.
fn frog_across(variant: Variant, layout: &Layout, run: &Run, prefix: u32) -> Option<Stream> {
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
    Some(in_step(
        layout,
        run,
        high,
        (run.low_toads, run.low_frogs - 1),
        left,
        vacated,
    ))
}

/// The stream of strips with high half `high` whose low halves have `pieces`: words that begin with `before` (from there
/// on in the run's own group) correspond in order to those that begin with `after` in the other group.
fn in_step(
    layout: &Layout,
    run: &Run,
    high: u32,
    pieces: (u8, u8),
    before: u32,
    after: u32,
) -> Stream {
    let other = layout
        .low
        .group(usize::from(pieces.0), usize::from(pieces.1));
    let shift = other.prefix[after as usize] as usize;
    let start = layout.low_group(run).prefix[before as usize] as usize;
    (layout.base_of[high as usize] as usize)
        .wrapping_add(shift)
        .wrapping_sub(start)
}
