//! A class on several threads.
//!
//! The bundles of runs are taken one by one in order of their levels, so that what a run depends on was taken before; a thread
//! that comes too early waits until it is complete. Nobody waits for a whole level.

use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use toads_game::{Arena, CanonicalizerStats};

use super::desk::{Desk, Spare};
use super::evaluate::{Evaluator, Smaller};
use super::layout::Bundles;
use super::mirror::Mirror;
use super::{Control, EvaluateError, EvaluatedClass};

/// Looks before a waiting thread lets another one have the processor: about a microsecond.
const LOOKS: u32 = 64;

/// The work of several threads on one class.
pub(super) struct Turns<'a> {
    class: &'a EvaluatedClass,
    desk: Desk<'a>,
    smaller: Smaller<'a>,
    control: &'a Control,
    bundles: Bundles,
    /// The next bundle.
    next: AtomicUsize,
    /// Whether all strips with a high half are evaluated, by its index.
    done: Box<[AtomicBool]>,
    /// Whether a bundle is complete.
    bundles_done: Box<[AtomicBool]>,
    /// How many bundles are complete, from the first one on.
    complete: AtomicUsize,
    mirror: Option<Mirror>,
    stop: AtomicBool,
    failure: Mutex<Option<EvaluateError>>,
}

/// Stops the other threads when its own one panics: they might wait for it.
struct StopOnPanic<'a>(&'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

impl<'a> Turns<'a> {
    pub(super) fn new(
        class: &'a EvaluatedClass,
        smaller: Smaller<'a>,
        spare: &Spare,
        control: &'a Control,
        mirror: Option<Mirror>,
    ) -> Self {
        let bundles = class.layout.bundles();
        let high_words = class.layout.high.words;
        Self {
            class,
            desk: Desk::new(class.table(), spare),
            smaller,
            control,
            bundles_done: (0..bundles.len()).map(|_| AtomicBool::new(false)).collect(),
            complete: AtomicUsize::new(0),
            mirror,
            bundles,
            next: AtomicUsize::new(0),
            done: (0..high_words).map(|_| AtomicBool::new(false)).collect(),
            stop: AtomicBool::new(false),
            failure: Mutex::new(None),
        }
    }

    pub(super) fn run(
        self,
        arena: &Arena,
        threads: usize,
        spare: &Spare,
    ) -> Result<CanonicalizerStats, EvaluateError> {
        let stats = std::thread::scope(|scope| {
            let handles: Vec<_> = (1..threads)
                .map(|_| scope.spawn(|| self.thread(arena, spare)))
                .collect();
            let own = self.thread(arena, spare);
            handles
                .into_iter()
                .map(|handle| handle.join().unwrap_or_else(|panic| resume_unwind(panic)))
                .fold(own, CanonicalizerStats::plus)
        });
        self.desk.clear(spare);
        match self.failure.into_inner() {
            Ok(None) => Ok(stats),
            Ok(Some(error)) => Err(error),
            Err(_) => unreachable!("no thread panics holding this lock"),
        }
    }

    fn thread(&self, arena: &Arena, spare: &Spare) -> CanonicalizerStats {
        let _guard = StopOnPanic(&self.stop);
        let layout = &self.class.layout;
        let mut evaluator = Evaluator::new(
            arena,
            spare.take_bench(),
            self.class.shard.variant,
            layout,
            &self.desk,
            self.smaller,
            self.mirror.as_ref(),
        );
        loop {
            let bundle = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(runs) = self.bundles.get(bundle) else {
                break;
            };
            let outcome = self.control.check().and_then(|()| {
                evaluator.take(runs)?;
                if self.wait_for(evaluator.sources()) {
                    evaluator.evaluate(self.complete_below())?;
                }
                Ok(())
            });
            if let Err(error) = outcome {
                self.stop.store(true, Ordering::Relaxed);
                if let Ok(mut failure) = self.failure.lock() {
                    failure.get_or_insert(error);
                }
            }
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            for &run in runs {
                let high = layout.runs[run as usize].high;
                self.done[high as usize].store(true, Ordering::Release);
            }
            self.bundles_done[bundle].store(true, Ordering::Release);
            let done = layout.strips_of(runs);
            self.control.strips_done.fetch_add(done, Ordering::Relaxed);
        }
        let (stats, bench) = evaluator.finish();
        spare.give_bench(bench);
        stats
    }

    /// All runs of lower levels than this are complete: those of the bundles before the first one that is not.
    fn complete_below(&self) -> i32 {
        let mut complete = self.complete.load(Ordering::Acquire);
        while self
            .bundles_done
            .get(complete)
            .is_some_and(|done| done.load(Ordering::Acquire))
        {
            complete += 1;
        }
        self.complete.fetch_max(complete, Ordering::Release);
        let runs = self.bundles.get(complete);
        runs.map_or(i32::MAX, |runs| {
            self.class.layout.runs[runs[0] as usize].level
        })
    }

    /// Waits until the runs with these high halves are complete; false when the work has stopped.
    fn wait_for(&self, highs: impl Iterator<Item = u32>) -> bool {
        for high in highs {
            let mut looks = 0;
            while !self.done[high as usize].load(Ordering::Acquire) {
                if self.stop.load(Ordering::Relaxed) {
                    return false;
                }
                looks += 1;
                if looks % LOOKS == 0 {
                    std::thread::yield_now();
                } else {
                    std::hint::spin_loop();
                }
            }
        }
        !self.stop.load(Ordering::Relaxed)
    }
}
