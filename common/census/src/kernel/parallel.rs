//! A class on one thread or on many.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex};

use toads_game::{Arena, Canonicalizer, CanonicalizerStats};
use toads_strip::Variant;

use super::components::{Components, Reader};
use super::evaluate::{Smaller, evaluate_run};
use super::layout::Layout;
use super::{Control, EvaluateError, EvaluatedClass, plain};
use crate::shard::Shard;

/// Below this size one thread is faster than starting several.
const WORTH_SPLITTING: u64 = 50_000;

/// The shortest strip with two squares on either side of the cut.
const SHORTEST_CUT: u8 = 4;

/// Evaluates the shard's class on `threads` threads, which share `arena`.
///
/// Takes [`super::table_bytes`] beside the arena. With several threads the runs of one level are handed out one by
/// one and a barrier separates the levels; the values do not depend on it. A panic in any thread is passed on.
/// [`super::Tables`] does the same for many classes with less work.
pub fn evaluate(
    arena: &Arena,
    shard: Shard,
    threads: usize,
    control: &Control,
) -> Result<EvaluatedClass, EvaluateError> {
    evaluate_with(
        arena,
        shard,
        threads,
        control,
        Smaller::default(),
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
        shard,
        threads,
        control,
        Smaller::default(),
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
    shard: Shard,
    threads: usize,
    control: &Control,
    smaller: Smaller<'_>,
    method: Method,
) -> Result<(EvaluatedClass, CanonicalizerStats), EvaluateError> {
    let layout = Layout::new(shard.variant, shard.class);
    let table = toads_game::zeroed::zeroed_u32(shard.class.size() as usize);
    let class = EvaluatedClass {
        shard,
        layout,
        table,
    };
    let stats = if shard.class.n < SHORTEST_CUT {
        let mut canonicalizer = Canonicalizer::new(arena);
        for (slot, value) in class
            .table
            .iter()
            .zip(plain::evaluate(&mut canonicalizer, shard)?)
        {
            slot.store(value.index() as u32, Ordering::Relaxed);
        }
        canonicalizer.stats()
    } else if shard.variant == Variant::Hopless && method == Method::Fastest {
        by_components(arena, &class, threads, control)?
    } else if threads <= 1 || class.len() < WORTH_SPLITTING {
        one_thread(arena, &class, smaller, control)?
    } else {
        Levels::new(&class, smaller, control).run(arena, threads)?
    };
    control.strips_done.store(class.len(), Ordering::Relaxed);
    Ok((class, stats))
}

fn one_thread(
    arena: &Arena,
    class: &EvaluatedClass,
    smaller: Smaller<'_>,
    control: &Control,
) -> Result<CanonicalizerStats, EvaluateError> {
    let mut canonicalizer = Canonicalizer::new(arena);
    for run in &class.layout.runs {
        control.check()?;
        evaluate_run(
            &mut canonicalizer,
            class.shard.variant,
            &class.layout,
            run,
            &class.table,
            smaller,
        )?;
        let done = u64::from(class.layout.low_group(run).len);
        control.strips_done.fetch_add(done, Ordering::Relaxed);
    }
    Ok(canonicalizer.stats())
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
            let mut slots = class.table[run.base as usize..].iter();
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

/// The work of several threads on one class, level by level.
struct Levels<'a> {
    class: &'a EvaluatedClass,
    smaller: Smaller<'a>,
    control: &'a Control,
    /// Runs by level.
    runs: Vec<Vec<u32>>,
    /// The place of the next run of each level.
    next: Vec<AtomicUsize>,
    stop: AtomicBool,
    failure: Mutex<Option<EvaluateError>>,
}

impl<'a> Levels<'a> {
    fn new(class: &'a EvaluatedClass, smaller: Smaller<'a>, control: &'a Control) -> Self {
        let runs = class.layout.levels();
        let next = runs.iter().map(|_| AtomicUsize::new(0)).collect();
        Self {
            class,
            smaller,
            control,
            runs,
            next,
            stop: AtomicBool::new(false),
            failure: Mutex::new(None),
        }
    }

    fn run(&self, arena: &Arena, threads: usize) -> Result<CanonicalizerStats, EvaluateError> {
        let barrier = Barrier::new(threads);
        let outcomes: Vec<_> = std::thread::scope(|scope| {
            let handles: Vec<_> = (0..threads)
                .map(|_| scope.spawn(|| self.thread(arena, &barrier)))
                .collect();
            handles
                .into_iter()
                .map(|handle| handle.join().expect("the thread catches its panics"))
                .collect()
        });
        let mut stats = CanonicalizerStats::default();
        for outcome in outcomes {
            match outcome {
                Ok(more) => stats = stats.plus(more),
                Err(panic) => resume_unwind(panic),
            }
        }
        match self
            .failure
            .lock()
            .expect("no thread panics holding this lock")
            .take()
        {
            Some(error) => Err(error),
            None => Ok(stats),
        }
    }

    /// Takes part in every level, whatever happens: a thread that stayed away would leave the others at the barrier.
    fn thread(&self, arena: &Arena, barrier: &Barrier) -> std::thread::Result<CanonicalizerStats> {
        let mut canonicalizer = Canonicalizer::new(arena);
        let mut panic = None;
        for level in 0..self.runs.len() {
            if !self.stop.load(Ordering::Relaxed) {
                let work = catch_unwind(AssertUnwindSafe(|| self.level(&mut canonicalizer, level)));
                if let Err(payload) = work {
                    self.stop.store(true, Ordering::Relaxed);
                    panic = Some(payload);
                }
            }
            barrier.wait();
        }
        panic.map_or_else(|| Ok(canonicalizer.stats()), Err)
    }

    fn level(&self, canonicalizer: &mut Canonicalizer<'_>, level: usize) {
        let layout: &Layout = &self.class.layout;
        let table: &[AtomicU32] = &self.class.table;
        loop {
            let Some(&at) = self.runs[level].get(self.next[level].fetch_add(1, Ordering::Relaxed))
            else {
                return;
            };
            let run = &layout.runs[at as usize];
            let outcome = self.control.check().and_then(|()| {
                Ok(evaluate_run(
                    canonicalizer,
                    self.class.shard.variant,
                    layout,
                    run,
                    table,
                    self.smaller,
                )?)
            });
            if let Err(error) = outcome {
                self.stop.store(true, Ordering::Relaxed);
                self.failure
                    .lock()
                    .expect("no thread panics holding this lock")
                    .get_or_insert(error);
                return;
            }
            let done = u64::from(layout.low_group(run).len);
            self.control.strips_done.fetch_add(done, Ordering::Relaxed);
        }
    }
}
