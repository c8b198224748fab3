//! What a coordinator can be told.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use crate::auth::{Identity, Protection, Tokens};
use crate::scheduler::SchedulerConfig;

/// What is leased: a command that does one thing leaves what else is unfinished in its store to others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Leases {
    /// Shards of runs, then cells of surveys.
    #[default]
    Everything,
    /// Shards only: `census run`.
    Shards,
    /// Cells only: `survey run`.
    Cells,
}

/// Addresses, times and limits.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where gRPC listens; port 0 picks one.
    pub listen: SocketAddr,
    /// Where HTTP listens: health, readiness, metrics. Port 0 picks one; `None` for nowhere.
    pub http: Option<SocketAddr>,
    /// The certificate and its key; `None` for no TLS.
    pub identity: Option<Identity>,
    /// Who may come in; `None` for everybody.
    pub tokens: Option<Tokens>,
    /// Allows addresses that are not loopback although TLS or tokens are missing (promise P18).
    pub insecure: bool,
    /// The times and limits of the lease table.
    pub scheduler: SchedulerConfig,
    /// What is leased.
    pub leases: Leases,
    /// How often deadlines are looked at.
    pub tick: Duration,
    /// How long a submission waits for a free place before its worker hears "busy" (promise P14).
    pub busy_wait: Duration,
    /// After "busy", when to try again.
    pub retry_after: Duration,
    /// The same while the store has stopped writes.
    pub stalled_retry_after: Duration,
    /// The longest silence within a submission; a half-open connection is given up then (promise P25).
    pub receive_timeout: Duration,
    /// Submissions read at the same time; each holds a tally and one message (promise P14).
    pub max_submissions: usize,
    /// Jobs that may wait for the writer thread (promise P14).
    pub write_queue: usize,
    /// Events that may wait for the writer thread; above, no leases are given (promise P14).
    pub max_pending_events: usize,
    /// Questions answered at the same time.
    pub max_queries: usize,
    /// How long the end waits for idle workers to say goodbye.
    pub goodbye_timeout: Duration,
    /// How long open connections may take to close at the end (promise P25).
    pub close_timeout: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 7433)),
            http: None,
            identity: None,
            tokens: None,
            insecure: false,
            scheduler: SchedulerConfig::default(),
            leases: Leases::Everything,
            tick: Duration::from_millis(500),
            busy_wait: Duration::from_secs(2),
            retry_after: Duration::from_millis(500),
            stalled_retry_after: Duration::from_secs(5),
            receive_timeout: Duration::from_secs(30),
            max_submissions: 8,
            write_queue: 64,
            max_pending_events: 10_000,
            max_queries: 4,
            goodbye_timeout: Duration::from_secs(3),
            close_timeout: Duration::from_secs(2),
        }
    }
}

impl Config {
    /// What protects an address of this coordinator.
    pub(crate) fn protection(&self, addr: SocketAddr) -> Protection {
        Protection::of(addr, self.identity.is_some(), self.tokens.is_some())
    }

    /// For `census run`: any free loopback port, short waits, and no speculation, because the workers share one machine.
    pub fn local() -> Self {
        let scheduler = SchedulerConfig {
            beat_ms: 500,
            liveness_ms: 10_000,
            idle_ms: 20,
            speculate_after_ms: None,
            ..SchedulerConfig::default()
        };
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            scheduler,
            tick: Duration::from_millis(100),
            retry_after: Duration::from_millis(50),
            stalled_retry_after: Duration::from_millis(500),
            ..Self::default()
        }
    }
}
