//! The `HOLDER` file: who has the store open, and where to ask.
//!
//! A store is opened by one process. The verbs that only read look here first and put their question to the holder. The
//! file is a courtesy: whether the store is held is decided by locks, which end with their process, so a file left
//! behind by a crash is recognised because nobody holds the lock any more.

use std::fmt;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::stamp::{Existing, write_synced};

/// The file's name inside a store.
pub const HOLDER_FILE: &str = "HOLDER";

/// Who has a store open.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Holder {
    /// Process id on `host`, in the holder's own process namespace.
    pub pid: u32,
    /// The machine or container.
    pub host: String,
    /// Where it answers gRPC, such as `127.0.0.1:7433`; empty when it does not (yet).
    pub grpc: String,
    /// Where it answers HTTP; empty when it does not (yet).
    pub http: String,
    /// When it opened the store, in milliseconds since the Unix epoch.
    pub started_ms: u64,
}

impl Holder {
    /// This process, without addresses.
    pub fn this_process(started_ms: u64) -> Self {
        let host = fs::read_to_string("/proc/sys/kernel/hostname")
            .unwrap_or_default()
            .trim()
            .to_owned();
        Self {
            pid: std::process::id(),
            host,
            started_ms,
            ..Self::default()
        }
    }

    /// What the `HOLDER` file of the store at `path` says, right or stale; `None` when there is none or it makes no
    /// sense.
    pub fn read(path: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(path.join(HOLDER_FILE)).ok()?).ok()
    }

    /// Writes the file atomically. Only for whoever holds the store.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let mut json = serde_json::to_vec(self).unwrap_or_default();
        json.push(b'\n');
        write_synced(path, HOLDER_FILE, &json, Existing::Goes)
    }

    /// Removes the file, if it is there. Only for whoever holds the store.
    pub(crate) fn remove(path: &Path) {
        let _ = fs::remove_file(path.join(HOLDER_FILE));
    }

    /// The holder in words, known or not.
    pub(crate) fn describe(holder: Option<&Self>) -> String {
        holder.map_or_else(
            || "another process that did not leave its name".to_owned(),
            Self::to_string,
        )
    }
}

impl fmt::Display for Holder {
    /// `process 4711 on node7 (gRPC 127.0.0.1:7433, HTTP 127.0.0.1:7434)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {}", self.pid)?;
        if !self.host.is_empty() {
            write!(f, " on {}", self.host)?;
        }
        let named = [("gRPC", &self.grpc), ("HTTP", &self.http)];
        let addresses: Vec<_> = named
            .iter()
            .filter(|(_, at)| !at.is_empty())
            .map(|(name, at)| format!("{name} {at}"))
            .collect();
        if !addresses.is_empty() {
            write!(f, " ({})", addresses.join(", "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_reads_back_and_older_or_newer_fields_do_no_harm() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Holder::read(folder.path()), None);
        let holder = Holder {
            grpc: "127.0.0.1:7433".into(),
            ..Holder::this_process(5)
        };
        holder.write(folder.path()).unwrap();
        assert_eq!(Holder::read(folder.path()), Some(holder.clone()));
        assert!(
            holder.to_string().contains("(gRPC 127.0.0.1:7433)"),
            "{holder}"
        );
        fs::write(
            folder.path().join(HOLDER_FILE),
            r#"{"pid": 9, "colour": "green"}"#,
        )
        .unwrap();
        assert_eq!(
            Holder::read(folder.path()).unwrap().to_string(),
            "process 9"
        );
        fs::write(folder.path().join(HOLDER_FILE), "{").unwrap();
        assert_eq!(Holder::read(folder.path()), None);
        Holder::remove(folder.path());
        Holder::remove(folder.path());
        assert!(!folder.path().join(HOLDER_FILE).exists());
    }
}
