//! The kernel behind a panic guard: a panic kills a shard, never a worker (promise P9).

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use toads_census::{EvaluateError, EvaluatedClass, Finished, Tables};
use toads_fault::Point;
use toads_game::GameError;
use toads_strip::Class;
use toads_wire::v1;

use crate::arenas::{Arenas, Shared};
use crate::task::Task;

/// A shard, evaluated and counted, ready to be handed in.
pub(crate) struct Evaluated {
    pub(crate) shared: Arc<Shared>,
    pub(crate) class: Arc<EvaluatedClass>,
    pub(crate) finished: Finished,
    pub(crate) evaluate_ms: u64,
}

/// Why there is no result.
pub(crate) enum Unfinished {
    /// Revoked or told to stop.
    Cancelled,
    /// For the coordinator (promise P7).
    Failed(v1::Failure),
}

/// Evaluates a shard. Blocks for as long as that takes.
pub(crate) fn evaluate(
    task: &Task,
    arenas: &Arenas,
    threads: usize,
) -> Result<Evaluated, Unfinished> {
    arenas
        .check_table(task)
        .map_err(|message| Unfinished::Failed(failure(task, message)))?;
    task.start();
    let start = Instant::now();
    let mut refilled = false;
    loop {
        let shared = arenas.current();
        match catch_unwind(AssertUnwindSafe(|| attempt(task, &shared, threads))) {
            Ok(Ok((class, finished))) => {
                let evaluate_ms = start.elapsed().as_millis() as u64;
                return Ok(Evaluated {
                    shared,
                    class,
                    finished,
                    evaluate_ms,
                });
            }
            Ok(Err(EvaluateError::Cancelled)) => return Err(Unfinished::Cancelled),
            Ok(Err(EvaluateError::Game(GameError::ArenaFull { .. }))) if !refilled => {
                refilled = true;
                arenas.replace(&shared);
                task.control.strips_done.store(0, Ordering::Relaxed);
                task.step();
            }
            Ok(Err(error)) => return Err(Unfinished::Failed(failure(task, error.to_string()))),
            Err(panic) => {
                // Its locks may be poisoned, its last entry half written.
                arenas.replace(&shared);
                return Err(Unfinished::Failed(failure(
                    task,
                    format!("panicked: {}", panic_text(panic.as_ref())),
                )));
            }
        }
    }
}

fn attempt(
    task: &Task,
    shared: &Shared,
    threads: usize,
) -> Result<(Arc<EvaluatedClass>, Finished), EvaluateError> {
    toads_fault::pass_with(Point::WorkerEvaluate, || {
        let Class { n, toads, frogs } = task.shard.class;
        format!("{}/{n}/{toads}/{frogs}", task.shard.variant)
    });
    let evaluate = if task.is_last {
        Tables::evaluate_last
    } else {
        Tables::evaluate
    };
    let (arena, control) = (&shared.arena, &task.control);
    let class = evaluate(&shared.tables, arena, task.shard, threads, control)?;
    task.step();
    let finished = class.tally(&shared.arena, threads, &task.control)?;
    task.step();
    Ok((class, finished))
}

/// Deterministic: the same shard would fail again. Names the first strip that was not evaluated (promise P8).
fn failure(task: &Task, message: String) -> v1::Failure {
    let done = task.control.strips_done.load(Ordering::Relaxed);
    let strip = if done < task.shard.strips() {
        task.shard.class.unrank(done).to_string()
    } else {
        String::new()
    };
    v1::Failure {
        failure_class: v1::FailureClass::Deterministic.into(),
        message,
        strip,
    }
}

pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use toads_census::Shard;
    use toads_strip::Variant;

    use super::*;

    fn task(n: usize, toads: usize, frogs: usize) -> Task {
        Task::new(
            Shard::whole(Variant::Hop, Class::new(n, toads, frogs).unwrap()),
            1,
            true,
        )
    }

    #[test]
    fn a_full_arena_is_replaced_and_the_shard_tried_again() {
        let arenas = Arenas::new(1 << 20);
        let full = arenas.current();
        let fill = full.arena.integer((1 << 20) - 1);
        assert!(matches!(fill, Err(GameError::ArenaFull { .. })), "{fill:?}");
        let task = task(7, 3, 2);
        let evaluated = evaluate(&task, &arenas, 1)
            .ok()
            .expect("the second attempt succeeds");
        assert!(!Arc::ptr_eq(&evaluated.shared, &full));
        assert_eq!(evaluated.class.len(), task.shard.strips());
        let counted: u64 = evaluated
            .finished
            .result
            .tally
            .iter()
            .map(|entry| entry.count)
            .sum();
        assert_eq!(counted, task.shard.strips());
    }

    #[test]
    fn a_table_that_does_not_fit_is_refused_and_names_the_setting() {
        let Err(Unfinished::Failed(failure)) = evaluate(&task(14, 5, 5), &Arenas::new(1 << 20), 1)
        else {
            panic!("it fits");
        };
        assert!(failure.message.contains("--memory"), "{}", failure.message);
        assert_eq!(failure.failure_class(), v1::FailureClass::Deterministic);
    }

    #[test]
    fn classes_are_evaluated_side_by_side_where_all_of_them_fit() {
        // A strip takes 12 bytes beside the arena, which has half of the memory.
        let shard = task(14, 5, 4).shard;
        assert_eq!(shard.strips(), 252_252);
        let arenas = Arenas::new(2 * 12 * 252_252 * 3);
        assert!(arenas.have_room_for(shard, 3));
        assert!(!arenas.have_room_for(shard, 4));
    }

    #[test]
    fn a_revoked_lease_is_not_evaluated() {
        let task = task(14, 5, 5);
        task.revoke();
        assert!(matches!(
            evaluate(&task, &Arenas::new(1 << 28), 2),
            Err(Unfinished::Cancelled)
        ));
    }
}
