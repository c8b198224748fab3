//! A class on one thread or on many.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

use toads_game::{Arena, Canonicalizer, CanonicalizerStats};
use toads_strip::Variant;

use super::components::{Components, Reader};
use super::desk::{Desk, Spare};
use super::evaluate::{Evaluator, Smaller};
use super::mirror::Mirror;
use super::turns::Turns;
use super::{Control, EvaluateError, EvaluatedClass, plain};
use crate::shard::Shard;

/// From this size on a class is worth all threads of a machine; smaller ones are better evaluated side by side, a thread each:
/// then nobody waits for anybody, and one takes a tenth of a second or two.
pub const WORTH_ALL_THREADS: u64 = 3_000_000;

/// Below this size one thread is faster than starting several.
const WORTH_SPLITTING: u64 = 16_000;

/// The shortest strip with two squares on either side of the cut.
const SHORTEST_CUT: u8 = 4;

/// Evaluates the shard's class on `threads` threads, which share `arena`.
///
/// Takes three times [`super::table_bytes`] beside the arena. With several threads the runs are handed out one by one
/// (`turns.rs`); the values do not depend on it. A panic in any thread is passed on.
/// [`super::Tables`] does the same for many classes with less work.
pub fn evaluate(
    arena: &Arena,
    shard: Shard,
    threads: usize,
    control: &Control,
) -> Result<EvaluatedClass, EvaluateError> {
    evaluate_with(
        arena,
        EvaluatedClass::new(shard),
        threads,
        control,
        Smaller::default(),
        &Spare::default(),
        Method::Fastest,
    )
    .map(|(class, _)| class)
}

/// [`evaluate`] by the moves of every strip in either variant: how a hopless class is checked.
pub fn evaluate_by_moves(
    arena: &Arena,
    shard: Shard,
    threads: usize,
    control: &Control,
) -> Result<EvaluatedClass, EvaluateError> {
    evaluate_with(
        arena,
        EvaluatedClass::new(shard),
        threads,
        control,
        Smaller::default(),
        &Spare::default(),
        Method::Moves,
    )
    .map(|(class, _)| class)
}

/// How the values are found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// By components where that is enough (hopless), else by moves.
    Fastest,
    /// From the values of each strip's options.
    Moves,
}

/// [`evaluate`] with the help of smaller classes, and how the option sets were decided.
pub(super) fn evaluate_with(
    arena: &Arena,
    class: EvaluatedClass,
    threads: usize,
    control: &Control,
    smaller: Smaller<'_>,
    spare: &Spare,
    method: Method,
) -> Result<(EvaluatedClass, CanonicalizerStats), EvaluateError> {
    let shard = class.shard;
    let stats = if shard.class.n < SHORTEST_CUT {
        let mut canonicalizer = Canonicalizer::new(arena);
        for (slot, value) in class
            .table()
            .iter()
            .zip(plain::evaluate(&mut canonicalizer, shard)?)
        {
            slot.store(value.index() as u32, Ordering::Relaxed);
        }
        canonicalizer.stats()
    } else if shard.variant == Variant::Hopless && method == Method::Fastest {
        by_components(arena, &class, threads, control)?
    } else {
        let mirror = match method {
            Method::Fastest => Mirror::of(&class.layout),
            Method::Moves => None,
        };
        if threads <= 1 || class.len() < WORTH_SPLITTING {
            one_thread(arena, &class, smaller, spare, control, mirror.as_ref())?
        } else {
            Turns::new(&class, smaller, spare, control, mirror).run(arena, threads, spare)?
        }
    };
    control.strips_done.store(class.len(), Ordering::Relaxed);
    Ok((class, stats))
}

fn one_thread(
    arena: &Arena,
    class: &EvaluatedClass,
    smaller: Smaller<'_>,
    spare: &Spare,
    control: &Control,
    mirror: Option<&Mirror>,
) -> Result<CanonicalizerStats, EvaluateError> {
    let (layout, desk) = (&class.layout, Desk::new(class.table(), spare));
    let (bench, variant) = (spare.take_bench(), class.shard.variant);
    let mut evaluator = Evaluator::new(arena, bench, variant, layout, &desk, smaller, mirror);
    let bundles = layout.bundles();
    for runs in (0..).map_while(|bundle| bundles.get(bundle)) {
        control.check()?;
        evaluator.take(runs)?;
        // The bundles of lower levels came before this one.
        evaluator.evaluate(layout.runs[runs[0] as usize].level)?;
        let done = layout.strips_of(runs);
        control.strips_done.fetch_add(done, Ordering::Relaxed);
    }
    let (stats, bench) = evaluator.finish();
    spare.give_bench(bench);
    desk.clear(spare);
    Ok(stats)
}

/// Runs do not depend on each other here, so the threads take them as they come.
fn by_components(
    arena: &Arena,
    class: &EvaluatedClass,
    threads: usize,
    control: &Control,
) -> Result<CanonicalizerStats, EvaluateError> {
    let layout = &class.layout;
    let components = Components::new(layout.high, layout.low);
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut canonicalizer, mut reader) = (Canonicalizer::new(arena), Reader::new(&components));
        while let Some(run) = layout.runs.get(next.fetch_add(1, Ordering::Relaxed)) {
            control.check()?;
            let (group, high_slot) = (
                layout.low_group(run),
                layout.high.slot_of[run.high as usize],
            );
            let mut slots = class.table()[run.base as usize..].iter();
            reader.run(
                &mut canonicalizer,
                high_slot,
                group.offset..group.offset + group.len,
                |value| {
                    let slot = slots.next().expect("the run lies in the table");
                    slot.store(value.index() as u32, Ordering::Relaxed);
                },
            )?;
            control
                .strips_done
                .fetch_add(u64::from(group.len), Ordering::Relaxed);
        }
        Ok(canonicalizer.stats())
    };
    let threads = if class.len() < WORTH_SPLITTING {
        1
    } else {
        threads
    };
    Ok(on_threads(threads, &work)?
        .into_iter()
        .fold(CanonicalizerStats::default(), CanonicalizerStats::plus))
}

/// The outcomes of `work` on so many threads. A panic is passed on.
pub(super) fn on_threads<T: Send>(
    threads: usize,
    work: &(dyn Fn() -> Result<T, EvaluateError> + Sync),
) -> Result<Vec<T>, EvaluateError> {
    if threads <= 1 {
        return Ok(vec![work()?]);
    }
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        handles
            .into_iter()
            .map(|handle| handle.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    })
}
