//! What keeps a question from being answered.

use std::path::PathBuf;

use thiserror::Error;
use toads_census::{EvaluateError, Shard};
use toads_game::{GameError, ValueId};
use toads_store::StoreError;

/// Results of this crate.
pub type Result<T, E = DatasetError> = std::result::Result<T, E>;

/// Why a question has no answer, an export no files, an audit no verdict.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// Fix the question.
    #[error("{0}")]
    Question(String),
    /// The store holds no values of single strips of this class, and it is too large to evaluate in passing.
    #[error(
        "{shard} has {strips} strips and the store holds its tally only: the question needs --keep blocks \
         (classes of up to {limit} strips are evaluated again)"
    )]
    NeedsBlocks {
        /// The class.
        shard: Shard,
        /// Its strips.
        strips: u64,
        /// The largest class that is evaluated in passing.
        limit: u64,
    },
    /// What was asked for is not in the store yet.
    #[error("{what} is not in the store; run `toads census run` for it first")]
    NotCommitted {
        /// A class, or an n.
        what: String,
    },
    /// An export of a range of which classes are missing.
    #[error(
        "{done} of {total} classes are committed ({detail}); finish the run, or export what there is with --partial"
    )]
    Incomplete {
        /// Classes that are there.
        done: usize,
        /// Classes of the range.
        total: usize,
        /// Which are missing, in words.
        detail: String,
    },
    /// A block or tally of the store does not say what it must.
    #[error(
        "{shard} is damaged: {what}; `toads census verify` tells more, invalidating the shard has it computed again"
    )]
    Damaged {
        /// The class.
        shard: Shard,
        /// What was found.
        what: String,
    },
    /// A value that the store names and does not hold, or whose form is not what its id says.
    #[error("the value {id} is damaged: {what}; run `toads census verify`")]
    DamagedValue {
        /// Its id.
        id: ValueId,
        /// What was found.
        what: String,
    },
    /// The folder to export to is there and not empty.
    #[error("{} exists already and is not empty; choose another folder or remove it", path.display())]
    TargetExists {
        /// The folder.
        path: PathBuf,
    },
    /// Reading or writing a file.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Writing Parquet.
    #[error("{}: {source}", path.display())]
    Parquet {
        /// The file.
        path: PathBuf,
        /// Why.
        source: parquet::errors::ParquetError,
    },
    /// A dataset of other rules or ids.
    #[error("{} was exported with fingerprint {found}, this build has {expected}; compare it with the build that wrote it", path.display())]
    OtherFingerprint {
        /// The folder.
        path: PathBuf,
        /// The dataset's.
        found: String,
        /// Ours.
        expected: String,
    },
    /// Stopped by the caller.
    #[error("stopped")]
    Stopped,
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A form that does not fit an arena.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A class that could not be evaluated in passing.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
}

impl DatasetError {
    /// Whether other words would have helped (exit code 2) rather than another store or machine.
    pub fn is_input(&self) -> bool {
        matches!(
            self,
            Self::Question(_)
                | Self::NeedsBlocks { .. }
                | Self::NotCommitted { .. }
                | Self::Incomplete { .. }
                | Self::TargetExists { .. }
        )
    }

    /// Whether the store holds something that is wrong (exit code 1).
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged { .. } | Self::DamagedValue { .. })
    }
}
