//! What happened, for the log of the store and for the operator.

use std::fmt;

use toads_census::Shard;

/// The kinds of event; each is one word of the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum EventKind {
    /// A coordinator opened the store.
    Opened,
    /// A coordinator closed it after a clean stop.
    Closed,
    /// A run or a survey was submitted.
    Submitted,
    /// A run was paused.
    Paused,
    /// A run was resumed.
    Resumed,
    /// A run or a survey was cancelled.
    Cancelled,
    /// Every shard of a run is committed or in quarantine.
    Finished,
    /// A worker shook hands.
    Registered,
    /// A worker said goodbye, or was given up.
    Gone,
    /// A handshake was refused (promise P16).
    Rejected,
    /// A shard was leased, or a cell; cells stand in the detail.
    Leased,
    /// A lease ran out.
    Expired,
    /// A lease was given back, or taken back with its run.
    Released,
    /// A shard or a cell was committed.
    Committed,
    /// Another process found the same once more (promise P19).
    Audited,
    /// A committed result is not believed any more.
    Invalidated,
    /// A result came again, equal (promise P2).
    Duplicate,
    /// A result was refused (promises P3 and P19).
    Refused,
    /// A worker said that it failed (promise P7).
    Failed,
    /// A shard went to quarantine (promise P8).
    Quarantined,
    /// A shard came out of quarantine.
    Requeued,
    /// There is work, but no worker (promise P6).
    Stalled,
    /// No new leases (promise P11).
    Draining,
}

impl EventKind {
    /// All of them.
    pub const ALL: [Self; 23] = [
        Self::Opened,
        Self::Closed,
        Self::Submitted,
        Self::Paused,
        Self::Resumed,
        Self::Cancelled,
        Self::Finished,
        Self::Registered,
        Self::Gone,
        Self::Rejected,
        Self::Leased,
        Self::Expired,
        Self::Released,
        Self::Committed,
        Self::Audited,
        Self::Invalidated,
        Self::Duplicate,
        Self::Refused,
        Self::Failed,
        Self::Quarantined,
        Self::Requeued,
        Self::Stalled,
        Self::Draining,
    ];

    /// The word of the log.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Opened => "opened",
            Self::Closed => "closed",
            Self::Submitted => "submitted",
            Self::Paused => "paused",
            Self::Resumed => "resumed",
            Self::Cancelled => "cancelled",
            Self::Finished => "finished",
            Self::Registered => "registered",
            Self::Gone => "gone",
            Self::Rejected => "rejected",
            Self::Leased => "leased",
            Self::Expired => "expired",
            Self::Released => "released",
            Self::Committed => "committed",
            Self::Audited => "audited",
            Self::Invalidated => "invalidated",
            Self::Duplicate => "duplicate",
            Self::Refused => "refused",
            Self::Failed => "failed",
            Self::Quarantined => "quarantined",
            Self::Requeued => "requeued",
            Self::Stalled => "stalled",
            Self::Draining => "draining",
        }
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// One event; the log adds a number and the time of day.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// The shard it is about.
    pub shard: Option<Shard>,
    /// The worker it is about, as `name#id`; empty when none.
    pub worker: String,
    /// The lease epoch; 0 when none.
    pub epoch: u64,
    /// More, in words.
    pub detail: String,
}
