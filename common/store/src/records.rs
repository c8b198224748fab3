//! What a store holds, as plain data.

use std::fmt;
use std::str::FromStr;

use toads_census::{Digest, Shard};
use toads_game::{ValueId, ValueInvariants};
use toads_strip::Variant;
use toads_survey::{Survey, SurveyId};

/// What a run keeps of each shard.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Keep {
    /// Tallies and the value of every core strip.
    Blocks,
    /// Tallies only.
    Tallies,
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blocks => "blocks",
            Self::Tallies => "tallies",
        })
    }
}

impl FromStr for Keep {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "blocks" => Ok(Self::Blocks),
            "tallies" => Ok(Self::Tallies),
            _ => Err(format!(
                "`{}` is not one of blocks, tallies",
                text.escape_debug()
            )),
        }
    }
}

/// Whether a run takes work. Progress is never stored: it is a fold over shard markers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum RunState {
    /// Shards are leased.
    Active,
    /// No new leases until resumed.
    Paused,
    /// Given up; committed shards stay.
    Cancelled,
}

/// A census of one variant over an inclusive range of n.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunRecord {
    /// Counts from 1 in each store.
    pub id: u32,
    /// The ruleset.
    pub variant: Variant,
    /// The smallest n.
    pub first_n: u8,
    /// The largest n.
    pub last_n: u8,
    /// What is kept.
    pub keep: Keep,
    /// Whether it takes work.
    pub state: RunState,
    /// Milliseconds since the Unix epoch, as told by the caller.
    pub created_ms: u64,
}

impl RunRecord {
    /// Whether a shard is part of the run.
    pub fn covers(&self, shard: Shard) -> bool {
        shard.variant == self.variant && (self.first_n..=self.last_n).contains(&shard.class.n)
    }
}

/// The completion marker of a shard: written last, in the synced batch that makes the shard visible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShardRecord {
    /// Which.
    pub shard: Shard,
    /// The content digest.
    pub digest: Digest,
    /// Strips of the class.
    pub strips: u64,
    /// Distinct values of the class.
    pub distinct: u64,
    /// Blocks stored; 0 where only the tally was kept.
    pub blocks: u32,
    /// Bytes of these blocks.
    pub block_bytes: u64,
    /// The lease epoch under which it was committed.
    pub epoch: u64,
    /// The worker that computed it.
    pub worker: String,
    /// When, in milliseconds since the Unix epoch.
    pub committed_ms: u64,
    /// How long the evaluation took, in milliseconds.
    pub evaluate_ms: u64,
}

/// An entry of a tally that names its value by its number in this store: the k-th value ever stored has number k.
///
/// Numbers are dense, so what a fold over many tallies knows of a value fits in a list. They mean nothing outside the
/// store that gave them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NumberedEntry {
    /// The value.
    pub number: u32,
    /// See [`toads_census::TallyEntry::count`].
    pub count: u64,
    /// See [`toads_census::TallyEntry::first`].
    pub first: u64,
    /// See [`toads_census::TallyEntry::first_mirrored`].
    pub first_mirrored: u64,
}

/// Where the negative of a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Negative {
    /// It is its own negative.
    Itself,
    /// The value with this number.
    Number(u32),
    /// Not stored, at least not when the value was written: a value that came later says the number of this one.
    Id(ValueId),
}

/// What a fold over tallies asks of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DescribedValue {
    /// The content id.
    pub id: ValueId,
    /// The negative.
    pub negative: Negative,
    /// What can be read off the form.
    pub invariants: ValueInvariants,
}

/// Why a shard was not finished. The class survives the wire and the store (promise P7).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum FailureClass {
    /// Trying again may help.
    Transient,
    /// The worker is gone or gave no sign of progress.
    Lost,
    /// The worker was told to stop.
    Drained,
    /// The same input will fail again.
    Deterministic,
    /// The builds do not fit together.
    Incompatible,
}

impl FailureClass {
    /// All of them, in the order of their codes in a row.
    pub const ALL: [Self; 5] = [
        Self::Transient,
        Self::Lost,
        Self::Drained,
        Self::Deterministic,
        Self::Incompatible,
    ];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Transient => "transient",
            Self::Lost => "lost",
            Self::Drained => "drained",
            Self::Deterministic => "deterministic",
            Self::Incompatible => "incompatible",
        }
    }
}

impl fmt::Display for FailureClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A failure that counts against a shard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FailureRecord {
    /// The worker, as `name#id`.
    pub worker: String,
    /// What kind of failure.
    pub class: FailureClass,
    /// The strip that was being evaluated; empty where it is not known.
    pub strip: String,
    /// What the worker said.
    pub message: String,
}

/// A shard that is out of the run until someone looks at it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QuarantineRecord {
    /// Which.
    pub shard: Shard,
    /// Failures so far.
    pub failures: Vec<FailureRecord>,
    /// When, in milliseconds since the Unix epoch.
    pub since_ms: u64,
}

/// A line of the append-only log of leases and commits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventRecord {
    /// Counts from 1, without gaps.
    pub sequence: u64,
    /// Milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// `leased`, `committed`, `expired`, `released`, `refused`, `failed`, `quarantined`, `requeued`, `registered`,
    /// `gone`, `opened`, `paused`, … – one word.
    pub kind: String,
    /// The shard it is about.
    pub shard: Option<Shard>,
    /// The worker it is about; empty when none.
    pub worker: String,
    /// The lease epoch; 0 when none.
    pub epoch: u64,
    /// More, in words.
    pub detail: String,
}

/// Whether a survey takes work. Progress is never stored: it is a fold over its cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum SurveyState {
    /// Its cells are leased.
    Active,
    /// Given up; what is done stays.
    Cancelled,
}

/// A survey somebody asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SurveyRecord {
    /// What is asked; its id is the key.
    pub survey: Survey,
    /// Whether it takes work.
    pub state: SurveyState,
    /// When it was first asked for, in milliseconds since the Unix epoch, as told by the caller.
    pub created_ms: u64,
}

impl SurveyRecord {
    /// The key.
    pub fn id(&self) -> SurveyId {
        self.survey.id()
    }
}

/// What [`crate::Store::sweep`] removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Swept {
    /// Shards without a marker that had left blocks or parts of a tally.
    pub uncommitted: u64,
    /// Committed shards that had blocks or parts beyond those their marker counts.
    pub surplus: u64,
}

/// How far the engine is behind with its own work. It slows writers down before it stops them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pressure {
    /// Writes wait until the engine has caught up.
    pub is_stopped: bool,
    /// Writes are slowed down to so many bytes a second; 0 when they are not.
    pub delayed_bytes_per_s: u64,
    /// What it has yet to rewrite, in bytes.
    pub pending_compaction_bytes: u64,
}

impl Pressure {
    /// Writes are slowed down.
    pub fn is_delayed(self) -> bool {
        self.delayed_bytes_per_s > 0
    }
}
