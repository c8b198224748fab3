//! What can go wrong with a store, sorted by what the caller should do about it.

use std::path::PathBuf;

use toads_census::Shard;
use toads_survey::CellKey;

use crate::holder::Holder;
use crate::mark::MARK_FILE;

/// Results of store operations.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// Why a store did not do what it was asked. Nothing was half done: what is not committed is invisible.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Nothing is there. *Create it, or fix the path.*
    #[error("there is no store at {}; check the path, or start one with `toads census run --store {}`", path.display(), path.display())]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },

    /// Something else is there; it was not touched. *Fix the path.*
    #[error("{} is not a toads store ({why}) and was left alone; give another path", path.display())]
    NotAStore {
        /// The path.
        path: PathBuf,
        /// What gives it away.
        why: String,
    },

    /// A store this build does not understand; it was not touched. *Use another build, or another store.*
    #[error("{} holds {found}, this build reads {expected}; {remedy}", path.display())]
    Incompatible {
        /// The store.
        path: PathBuf,
        /// What it says about itself.
        found: String,
        /// What this build reads and writes.
        expected: String,
        /// The next step.
        remedy: String,
    },

    /// Another process (or another handle of this one) holds the store. *Ask the holder, or wait until it is gone.*
    #[error("{} is in use by {}; ask it, wait for it to end, or read a checkpoint", path.display(), Holder::describe(holder.as_deref()))]
    InUse {
        /// The store.
        path: PathBuf,
        /// Who holds it, when it left its name.
        holder: Option<Box<Holder>>,
    },

    /// The engine cannot take it now. *Try the same call again in a moment.*
    #[error("the store is busy ({what}); try again")]
    Busy {
        /// What it said.
        what: String,
    },

    /// The disk or the quota is full. *Free space and run again:* committed shards are safe. The store must be opened
    /// again, because the engine takes no writes after a failed one.
    #[error(
        "no space left for the store ({what}); free space and run again, nothing committed is lost"
    )]
    Full {
        /// What could not be written.
        what: String,
    },

    /// The folder, the file system or this handle does not allow writes. *Change permissions, or use another path.*
    #[error("the store cannot be written ({what}); change its permissions, or use another path")]
    ReadOnly {
        /// What was refused.
        what: String,
    },

    /// Bytes that were written once do not read back. *Stop; restore a checkpoint, or invalidate what is damaged and
    /// compute it again.*
    #[error("the store is damaged at {place}: {what}; {}", damage_remedy(place))]
    Damaged {
        /// Which row or file.
        place: String,
        /// What is wrong with it.
        what: String,
    },

    /// A shard cannot be committed yet; nothing was written. *Send what is missing, then commit again.*
    #[error("{shard} is not complete: {what}; send it, then commit again")]
    Incomplete {
        /// The shard.
        shard: Shard,
        /// What is missing, with a first example.
        what: String,
    },

    /// It contradicts what is committed; nothing was written. *Raise an alarm:* two computations of the same shard
    /// differ.
    #[error(
        "{shard} is committed with another result: {what}; verify both workers before you invalidate either"
    )]
    Conflict {
        /// The shard.
        shard: Shard,
        /// What differs.
        what: String,
    },

    /// Another value than the one that is stored for the cell; nothing was written. *Raise an alarm:* one of two
    /// evaluations is wrong.
    #[error("{cell}: {what}; evaluate its strip once more before you trust either")]
    CellConflict {
        /// The cell.
        cell: CellKey,
        /// What differs.
        what: String,
    },

    /// The caller's data contradicts itself; nothing was written. *A bug or a faulty worker: do not retry.*
    #[error("refused: {what}")]
    Rejected {
        /// What is wrong with it.
        what: String,
    },

    /// The operating system or the engine failed otherwise. *Read the message; the disk may be failing.*
    #[error("the store failed at {place}: {what}")]
    Io {
        /// The file or the operation.
        place: String,
        /// What the system or the engine said.
        what: String,
    },
}

/// What to do about damage at `place`, as [`StoreError::Damaged`] names it. Values are named by all tallies, so they
/// cannot be computed again where they stand.
pub fn damage_remedy(place: &str) -> &'static str {
    let is_in = |columns: &[&str]| columns.iter().any(|column| place.starts_with(column));
    if place.ends_with(MARK_FILE) {
        "restore a checkpoint, or remove that file to go on with what is left"
    } else if is_in(&["surveys", "cells"]) {
        "restore a checkpoint, or evaluate the survey in a new store"
    } else if is_in(&["shards", "tallies", "blocks", "quarantine"]) {
        "restore a checkpoint, or invalidate the shard and compute it again"
    } else {
        "restore a checkpoint, or compute into a new store"
    }
}

impl StoreError {
    /// Whether the same call may succeed later without anybody doing anything: only [`StoreError::Busy`].
    ///
    /// [`StoreError::InUse`] and [`StoreError::Full`] need somebody to act first, then the whole open may be repeated.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Busy { .. })
    }

    /// Whether this handle is of no further use: the engine takes no writes after one that failed on disk.
    pub fn is_fatal(&self) -> bool {
        matches!(
            self,
            Self::Full { .. } | Self::ReadOnly { .. } | Self::Damaged { .. } | Self::Io { .. }
        )
    }

    /// The place of damage and what is wrong there; for another error no place, and its text.
    pub fn place_and_what(&self) -> (String, String) {
        match self {
            Self::Damaged { place, what } => (place.clone(), what.clone()),
            other => (String::new(), other.to_string()),
        }
    }

    /// An error of the operating system about `place`, sorted by its cause.
    pub(crate) fn from_io(place: impl Into<String>, error: &std::io::Error) -> Self {
        use std::io::ErrorKind;
        let place = place.into();
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::Full { what: place },
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Self::ReadOnly {
                what: format!("{place}: {error}"),
            },
            _ => Self::Io {
                place,
                what: error.to_string(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_lower_case_and_say_what_to_do_next() {
        let path = PathBuf::from("x.db");
        let all = [
            StoreError::Missing { path: path.clone() },
            StoreError::NotAStore {
                path: path.clone(),
                why: "it is a file".into(),
            },
            StoreError::InUse { path, holder: None },
            StoreError::Full {
                what: "x.db/000012.log".into(),
            },
            StoreError::ReadOnly {
                what: "x.db".into(),
            },
            StoreError::Damaged {
                place: "values".into(),
                what: "checksum".into(),
            },
        ];
        for error in all {
            let text = error.to_string();
            assert!(text.contains("; ") || text.contains(" and "), "{text}");
            assert!(
                !text.ends_with('.') && text.starts_with(|c: char| c.is_lowercase()),
                "{text}"
            );
            assert!(!error.is_retryable());
        }
        assert!(
            StoreError::Busy {
                what: "stalled".into()
            }
            .is_retryable()
        );
    }

    #[test]
    fn a_full_disk_and_a_read_only_one_are_told_apart() {
        let sort =
            |code| StoreError::from_io("x.db/LOCK", &std::io::Error::from_raw_os_error(code));
        assert!(matches!(sort(28), StoreError::Full { .. }));
        assert!(matches!(sort(30), StoreError::ReadOnly { .. }));
        assert!(matches!(sort(13), StoreError::ReadOnly { .. }));
        assert!(matches!(sort(5), StoreError::Io { .. }));
    }
}
