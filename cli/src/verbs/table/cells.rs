//! All cells of a table, on several threads, handed on in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use toads_strip::Strip;
use toads_strip::family::Cell;
use toads_surveyor::{Budget, Surveyor};

use super::answer::Answer;
use crate::args::Context;
use crate::failure::{Failure, Result};
use crate::progress::Progress;
use crate::signals::Stop;

/// How often the main thread looks for signals.
const TICK: Duration = Duration::from_millis(100);

/// What is found of every cell; `each` hears of them one by one, in order. After a signal `stopped` gets all cells, those that were
/// not reached as unknown, before anybody waits for what is still being evaluated.
pub(super) fn all(
    strips: &[(Strip, Cell)],
    budget: Budget,
    context: &Context,
    mut each: impl FnMut(usize, &Answer) -> Result<()>,
    stopped: impl FnOnce(&[Answer]) -> Result<()>,
) -> Result<Vec<Answer>> {
    let crew = budget.threads.clamp(1, strips.len().max(1));
    let share = Budget {
        memory: budget.memory / crew as u64,
        threads: (budget.threads / crew).max(1),
        ..budget
    };
    let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let variant = context.globals.variant;
    let stop = Stop::listen(None)?;
    let mut progress = Progress::new(&context.globals, "table");
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..crew {
            let (sender, next, over) = (sender.clone(), &next, &over);
            scope.spawn(move || {
                let arena = share.arena();
                let mut surveyor = Surveyor::new(&arena, variant, share);
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some((strip, _)) = strips.get(at) else {
                        return;
                    };
                    if over.load(Ordering::Relaxed) {
                        return;
                    }
                    let found = match surveyor.survey(strip) {
                        Ok(finding) => Answer::found(&finding),
                        Err(error) => Answer::failed(&error),
                    };
                    if sender.send((at, found)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut found = Vec::with_capacity(strips.len());
        let mut early = BTreeMap::new();
        let outcome = loop {
            match receiver.recv_timeout(TICK) {
                Ok((at, cell)) => {
                    early.insert(at, cell);
                    while let Some(cell) = early.remove(&found.len()) {
                        if let Err(error) = each(found.len(), &cell) {
                            over.store(true, Ordering::Relaxed);
                            return Err(error);
                        }
                        found.push(cell);
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break Ok(()),
            }
            if stop.flow().is_break() {
                over.store(true, Ordering::Relaxed);
                found.extend((found.len()..strips.len()).map(|at| {
                    early
                        .remove(&at)
                        .unwrap_or_else(|| Answer::failed(&"not reached"))
                }));
                break stopped(&found);
            }
            let text = format!("{} of {} cells", found.len(), strips.len());
            progress.show(found.len() as u64, strips.len() as u64, &text);
        };
        outcome?;
        if let Some(stopped) = stop.failure("a ? was not reached") {
            crate::console::line(&stopped.to_string());
            return Err(stopped);
        }
        if found.len() < strips.len() {
            return Err(Failure::failed("a thread ended before its cells were done"));
        }
        Ok(found)
    })
}
