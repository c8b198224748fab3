//! Why a file is no part, or could not be written.

use std::io;

use crate::WireError;

/// What is wrong with a part file. The path is the caller's to name.
#[derive(Debug, thiserror::Error)]
pub enum PartError {
    /// Another sort of file. *Name another one.*
    #[error("it is no part file; `toads census shard` writes them")]
    NotAPart,
    /// A version of the format that this build does not know. *Use a build of the release that wrote it.*
    #[error(
        "it is a part file of format {0}, this build reads format 1; import it with the build that wrote it"
    )]
    Version(String),
    /// It ends before its end record. *Copy it again, or compute it again.*
    #[error("it is cut short at byte {0}; copy it again, or run `toads census shard` again")]
    Truncated(u64),
    /// Bits have changed. *Copy it again, or compute it again.*
    #[error(
        "it is damaged in the record at byte {at}: {what}; copy it again, or run `toads census shard` again"
    )]
    Damaged {
        /// Where the record begins.
        at: u64,
        /// What is wrong with it.
        what: String,
    },
    /// Its checksums hold but a message is not what the contract says. *A defect, or a forgery.*
    #[error("the record at byte {at} does not follow the contract: {what}")]
    Malformed {
        /// Where the record begins.
        at: u64,
        /// What is wrong with it.
        what: WireError,
    },
    /// Another process writes it. *Wait for it, or name another file.*
    #[error("another process is writing it; wait for that to end, or name another file")]
    InUse,
    /// What is there is another part. *Remove it, or name another file.*
    #[error("it holds {0}; remove it, or name another file")]
    Other(String),
    /// The system could not read or write it.
    #[error(transparent)]
    Io(#[from] io::Error),
}
