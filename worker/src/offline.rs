//! Shards evaluated without a coordinator: the same results, handed to whoever asked.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use toads_census::Shard;
use toads_wire::v1::submit_request::Part;

use crate::arenas::Arenas;
use crate::evaluate::{Unfinished, evaluate, panic_text};
use crate::produce::{Broken, produce};
use crate::task::Task;

/// There is no coordinator that could change: what was passed on once stays known.
const INSTANCE: u64 = 0;

/// A worker by itself.
pub struct Offline {
    arenas: Arenas,
    threads: usize,
}

/// A shard that an [`Offline`] worker evaluates, for whoever watches or stops it from another thread.
pub struct Job {
    task: Task,
}

/// Why a shard was not passed on whole.
#[derive(Debug, thiserror::Error)]
pub enum OfflineError<E> {
    /// [`Job::cancel`] was called.
    #[error("stopped")]
    Cancelled,
    /// It would fail again. *Read the message: more memory may help.*
    #[error("{shard}: {message}")]
    Failed {
        /// Which.
        shard: Shard,
        /// Why, and the first strip that was not evaluated.
        message: String,
    },
    /// The receiver could not take a message.
    #[error(transparent)]
    Receiver(E),
}

impl Job {
    /// A shard, with the values of single strips or without them.
    pub fn new(shard: Shard, keep_blocks: bool) -> Self {
        Self {
            task: Task::new(shard, 0, keep_blocks),
        }
    }

    /// The same, for a shard whose table no other one of the job will need, or may need.
    #[must_use]
    pub fn last(self, is_last: bool) -> Self {
        Self {
            task: self.task.last(is_last),
        }
    }

    /// Strips evaluated so far.
    pub fn strips_done(&self) -> u64 {
        self.task.progress().strips_done
    }

    /// Stops it soon.
    pub fn cancel(&self) {
        self.task.cancel();
    }
}

impl Offline {
    /// A worker with so many threads, at least one, and so much memory in bytes; see [`crate::Config`].
    pub fn new(threads: usize, memory_bytes: u64) -> Self {
        Self {
            arenas: Arenas::new(memory_bytes),
            threads: threads.max(1),
        }
    }

    /// Evaluates a shard and passes its result to `receive`, message by message, as a worker submits it. A form that was
    /// passed on with an earlier shard is not repeated, unless the arena had to be replaced in between.
    pub fn evaluate<E>(
        &self,
        job: &Job,
        receive: &mut dyn FnMut(Part) -> Result<(), E>,
    ) -> Result<(), OfflineError<E>> {
        let task = &job.task;
        let failed = |message: String| OfflineError::Failed {
            shard: task.shard,
            message,
        };
        let evaluated = match evaluate(task, &self.arenas, self.threads) {
            Ok(evaluated) => evaluated,
            Err(Unfinished::Cancelled) => return Err(OfflineError::Cancelled),
            Err(Unfinished::Failed(failure)) if failure.strip.is_empty() => {
                return Err(failed(failure.message));
            }
            Err(Unfinished::Failed(failure)) => {
                return Err(failed(format!(
                    "{} (at {})",
                    failure.message, failure.strip
                )));
            }
        };
        let unknown = evaluated
            .shared
            .unknown(INSTANCE, &evaluated.finished.distinct);
        let receive = RefCell::new(receive);
        let refused = RefCell::new(None);
        let send = |part| {
            (receive.borrow_mut())(part).map_err(|error| {
                *refused.borrow_mut() = Some(error);
                Broken::Closed
            })
        };
        let work = AssertUnwindSafe(|| produce(task, &evaluated, None, unknown.clone(), &send));
        let produced = catch_unwind(work).unwrap_or_else(|panic| {
            let text = panic_text(panic.as_ref());
            Err(Broken::Failed(format!("panicked: {text}")))
        });
        match (produced, refused.into_inner()) {
            (_, Some(error)) => Err(OfflineError::Receiver(error)),
            (Ok(()), None) => {
                evaluated.shared.learn(INSTANCE, &unknown);
                Ok(())
            }
            (Err(Broken::Cancelled | Broken::Closed), None) => Err(OfflineError::Cancelled),
            (Err(Broken::Failed(message)), None) => Err(failed(message)),
        }
    }
}
