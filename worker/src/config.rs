//! What a worker can be told.

use std::time::Duration;

use toads_survey::EvaluatorSource;
use toads_wire::client::Access;
use tokio_util::sync::CancellationToken;

/// Where to work, with what, and for how long.
#[derive(Clone, Debug)]
pub struct Config {
    /// `http://HOST:PORT` or `https://HOST:PORT` of the coordinator.
    pub coordinator: String,
    /// Whom to trust, and the token (promise P18).
    pub access: Access,
    /// For people; two workers of one name are two workers (promise P17).
    pub name: String,
    /// Evaluation threads, at least 1.
    pub threads: usize,
    /// Memory for values and tables, in bytes. Half is the arena's; 0 means 1 GiB.
    pub memory_bytes: u64,
    /// End when every run and every survey is finished, instead of waiting for the next.
    pub exit_when_done: bool,
    /// End after this long, for batch systems: the drain begins `drain_grace` earlier (promise P11).
    pub lifetime: Option<Duration>,
    /// How long a drain may finish what is being computed, before it is released.
    pub drain_grace: Duration,
    /// Give up when the coordinator is out of reach for this long; `None` means never.
    pub connect_timeout: Option<Duration>,
    /// The longest time for a short call.
    pub call_timeout: Duration,
    /// The wait after a failed connection, doubled each time.
    pub backoff: Duration,
    /// The longest such wait.
    pub max_backoff: Duration,
    /// The most shards asked for at a time.
    pub max_shards: u32,
    /// Results on their way at the same time.
    pub deliveries: usize,
    /// Who evaluates the cells of surveys.
    pub evaluator: EvaluatorSource,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            coordinator: "http://127.0.0.1:7433".into(),
            access: Access::default(),
            name: "worker".into(),
            threads: 1,
            memory_bytes: 0,
            exit_when_done: false,
            lifetime: None,
            drain_grace: Duration::from_secs(30),
            connect_timeout: None,
            call_timeout: Duration::from_secs(20),
            backoff: Duration::from_millis(100),
            max_backoff: Duration::from_secs(5),
            max_shards: 64,
            deliveries: 4,
            evaluator: EvaluatorSource::default(),
        }
    }
}

/// How a worker is told to stop; clones are the same signal.
#[derive(Clone, Debug, Default)]
pub struct Shutdown {
    drain: CancellationToken,
    now: CancellationToken,
}

impl Shutdown {
    /// Not told yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The first signal: no new lease, finish or release what is held, say goodbye, end (promise P11).
    pub fn drain(&self) {
        self.drain.cancel();
    }

    /// The second signal: release at once and end.
    pub fn now(&self) {
        self.drain.cancel();
        self.now.cancel();
    }

    /// Whether [`Shutdown::drain`] or [`Shutdown::now`] was called.
    pub fn is_draining(&self) -> bool {
        self.drain.is_cancelled()
    }

    pub(crate) fn is_now(&self) -> bool {
        self.now.is_cancelled()
    }

    pub(crate) async fn draining(&self) {
        self.drain.cancelled().await;
    }

    pub(crate) async fn stopping(&self) {
        self.now.cancelled().await;
    }
}

/// Why a worker ended well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExitReason {
    /// Every run and every survey is finished.
    Done,
    /// Told to drain, by a signal or by the coordinator.
    Drained,
    /// Told to stop at once.
    Stopped,
    /// Its lifetime is over.
    Lifetime,
}

/// Why a worker ended badly. Typed by what to do about it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WorkerError {
    /// Builds that do not fit together (promise P16). *Use the same build on both sides.*
    #[error("{0}")]
    Incompatible(String),
    /// Nobody answers. *Start the coordinator, or fix the address.*
    #[error("{0}")]
    Unreachable(String),
    /// *Fix the settings.*
    #[error("{0}")]
    Config(String),
}
