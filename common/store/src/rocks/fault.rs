//! What RocksDB says, sorted by what the caller should do.
//!
//! Its errors are texts (`IO error: No space left on device: While appending to file: …`), whose first word is the kind;
//! the cause from the operating system stands in the text.

use rocksdb::ErrorKind;

use crate::encode::Malformed;
use crate::error::StoreError;

/// An error of the engine about `place`.
pub(crate) fn fault(place: &str, error: &rocksdb::Error) -> StoreError {
    let text: &str = error.as_ref();
    let says = |causes: &[&str]| causes.iter().any(|cause| text.contains(cause));
    if says(&[
        "No space left on device",
        "Disk quota exceeded",
        "Space limit reached",
    ]) {
        return StoreError::Full { what: tail(text) };
    }
    if says(&[
        "Read-only file system",
        "Permission denied",
        "Operation not permitted",
        "read only mode",
    ]) {
        return StoreError::ReadOnly { what: tail(text) };
    }
    match error.kind() {
        ErrorKind::Corruption => StoreError::Damaged {
            place: place.to_owned(),
            what: tail(text),
        },
        ErrorKind::Busy
        | ErrorKind::TryAgain
        | ErrorKind::TimedOut
        | ErrorKind::MergeInProgress => StoreError::Busy { what: tail(text) },
        // A file of the database that is gone.
        ErrorKind::IOError if says(&["No such file or directory"]) => StoreError::Damaged {
            place: place.to_owned(),
            what: tail(text),
        },
        _ => StoreError::Io {
            place: place.to_owned(),
            what: text.to_owned(),
        },
    }
}

/// Whether opening failed because somebody holds RocksDB's own lock: another process, or another handle of this one.
pub(crate) fn is_locked(error: &rocksdb::Error) -> bool {
    let text: &str = error.as_ref();
    text.contains("lock hold by current process")
        || text.contains("While lock file")
            && (text.contains("Resource temporarily unavailable")
                || text.contains("No locks available"))
}

/// A row that does not decode.
pub(crate) fn damaged(place: impl Into<String>, error: &Malformed) -> StoreError {
    StoreError::Damaged {
        place: place.into(),
        what: error.to_string(),
    }
}

/// The text without the name of its kind.
fn tail(text: &str) -> String {
    text.split_once(": ")
        .map_or(text, |(_, tail)| tail)
        .to_owned()
}
