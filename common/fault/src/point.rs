//! The points, in the order in which a result passes them.

use std::fmt;

/// Where a process can be made to fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Point {
    /// Worker: a lease has come, nothing is evaluated.
    WorkerEvaluate,
    /// Worker: a result is ready, nothing is sent.
    WorkerSubmit,
    /// Worker: after each message of a submission but the last.
    WorkerStream,
    /// Worker: the coordinator has answered, the worker has not taken note.
    WorkerAnswered,
    /// Store: the folder is claimed, the engine is not open.
    StoreOpen,
    /// Store: new values are checked and not written.
    ValuesBefore,
    /// Store: new values are written, not synced.
    ValuesAfter,
    /// Store: blocks are checked and not written.
    BlocksBefore,
    /// Store: blocks are written, not synced.
    BlocksAfter,
    /// Store: a shard is complete, its marker is not written.
    MarkerBefore,
    /// Store: the marker is synced, nobody has heard of it.
    MarkerAfter,
    /// Store: the `MARK` file counts the marker, nobody has heard of it.
    MarkAfter,
    /// Coordinator: an event is in the log, nobody has been answered.
    CoordinatorLogged,
    /// Coordinator: everything is done, the worker has not been answered.
    CoordinatorAnswer,
}

impl Point {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::WorkerEvaluate,
        Self::WorkerSubmit,
        Self::WorkerStream,
        Self::WorkerAnswered,
        Self::StoreOpen,
        Self::ValuesBefore,
        Self::ValuesAfter,
        Self::BlocksBefore,
        Self::BlocksAfter,
        Self::MarkerBefore,
        Self::MarkerAfter,
        Self::MarkAfter,
        Self::CoordinatorLogged,
        Self::CoordinatorAnswer,
    ];

    /// What `TOADS_FAULTS` calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::WorkerEvaluate => "worker.evaluate",
            Self::WorkerSubmit => "worker.submit",
            Self::WorkerStream => "worker.stream",
            Self::WorkerAnswered => "worker.answered",
            Self::StoreOpen => "store.open",
            Self::ValuesBefore => "store.values.before",
            Self::ValuesAfter => "store.values.after",
            Self::BlocksBefore => "store.blocks.before",
            Self::BlocksAfter => "store.blocks.after",
            Self::MarkerBefore => "store.marker.before",
            Self::MarkerAfter => "store.marker.after",
            Self::MarkAfter => "store.mark.after",
            Self::CoordinatorLogged => "coordinator.logged",
            Self::CoordinatorAnswer => "coordinator.answer",
        }
    }

    /// Whether the process passes it as a worker; else as whoever holds the store.
    pub const fn is_worker(self) -> bool {
        matches!(
            self,
            Self::WorkerEvaluate | Self::WorkerSubmit | Self::WorkerStream | Self::WorkerAnswered
        )
    }

    /// Whether an error of the disk makes sense there.
    pub const fn can_fail(self) -> bool {
        matches!(
            self,
            Self::StoreOpen | Self::ValuesBefore | Self::BlocksBefore | Self::MarkerBefore
        )
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
