//! The `FORMAT` file: what a folder is, in three lines, readable without opening a database (promise P24).
//!
//! Opening RocksDB changes a folder (it starts a log file, rewrites its manifest), so a store that must be refused
//! *unchanged* has to be recognised before. The same facts stand in the column family `meta`, which is read first after
//! opening and must agree.
//!
//! The file is written once and never replaced; whoever holds the store keeps it locked (`flock`), which is how readers
//! learn that somebody does. RocksDB's own `LOCK` cannot be asked: closing any handle of it would drop the lock of this
//! very process.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use toads_census::Digest;

use crate::error::{Result, StoreError};

/// The file's name inside a store.
pub const STAMP_FILE: &str = "FORMAT";

/// The version of keys and rows that this build reads and writes.
pub const FORMAT_VERSION: u32 = 2;

const TITLE: &str = "toads store";

/// What a store says about itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stamp {
    /// The version of its keys and rows.
    pub format: u32,
    /// Rules, value ids, rank order and block format; see [`toads_census::fingerprint()`].
    pub fingerprint: Digest,
}

impl Stamp {
    /// What this build reads and writes.
    pub fn current() -> Self {
        Self {
            format: FORMAT_VERSION,
            fingerprint: toads_census::fingerprint(),
        }
    }

    /// Refuses what this build must not touch, with the next step.
    pub fn check(&self, path: &Path) -> Result<()> {
        let current = Self::current();
        let refuse = |found, expected, remedy: &str| {
            Err(StoreError::Incompatible {
                path: path.to_owned(),
                found,
                expected,
                remedy: remedy.to_owned(),
            })
        };
        if self.format != current.format {
            let remedy = if self.format > current.format {
                "use the newer release that wrote it, or give another --store; the store was not changed"
            } else {
                "use the older release that wrote it to export it, or give another --store; the store was not changed"
            };
            return refuse(
                format!("format {}", self.format),
                format!("format {}", current.format),
                remedy,
            );
        }
        if self.fingerprint != current.fingerprint {
            let remedy = "its rules, value ids, ranks or blocks differ, and results are never mixed: \
                          use the release that wrote it, or give another --store; the store was not changed";
            return refuse(
                format!("fingerprint {}", self.fingerprint),
                format!("fingerprint {}", current.fingerprint),
                remedy,
            );
        }
        Ok(())
    }

    /// The stamp of the store at `path`, and the open file. [`StoreError::Missing`] where there is no store yet (nothing,
    /// or an empty folder), [`StoreError::NotAStore`] where there is something else. Touches nothing.
    pub fn read(path: &Path) -> Result<(Self, File)> {
        let file_path = path.join(STAMP_FILE);
        let mut file = match File::open(&file_path) {
            Ok(file) => file,
            Err(error) => return Err(absent(path, &file_path, &error)),
        };
        let mut text = String::new();
        let unreadable =
            |error: &std::io::Error| StoreError::from_io(file_path.display().to_string(), error);
        let too_long = (&mut file).take(4096).read_to_string(&mut text);
        match too_long {
            Err(error) if error.kind() != std::io::ErrorKind::InvalidData => {
                return Err(unreadable(&error));
            }
            _ => {}
        }
        let stamp = Self::parse(&text).ok_or_else(|| StoreError::NotAStore {
            path: path.to_owned(),
            why: format!("its {STAMP_FILE} file is not one of ours"),
        })?;
        Ok((stamp, file))
    }

    /// Writes the stamp into an existing folder, atomically and synced. One that is there already stays as it is: it
    /// may be locked, and a lock is on the file, not on its name.
    pub(crate) fn write(&self, folder: &Path) -> Result<()> {
        write_synced(folder, STAMP_FILE, self.text().as_bytes(), Existing::Stays)
    }

    fn text(&self) -> String {
        format!(
            "{TITLE}\nformat {}\nfingerprint {}\n",
            self.format, self.fingerprint
        )
    }

    /// Reads the text; lines past the third are a later format's business.
    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        if lines.next()? != TITLE {
            return None;
        }
        let format = lines.next()?.strip_prefix("format ")?.parse().ok()?;
        let digits = lines
            .next()
            .and_then(|line| line.strip_prefix("fingerprint "))
            .unwrap_or_default();
        let fingerprint = parse_digest(digits);
        // A later format may say the rest in another way: its number is enough to refuse it.
        if fingerprint.is_none() && format == FORMAT_VERSION {
            return None;
        }
        Some(Self {
            format,
            fingerprint: fingerprint.unwrap_or_default(),
        })
    }
}

fn parse_digest(digits: &str) -> Option<Digest> {
    let bytes = digits.as_bytes();
    if bytes.len() != 64 || !bytes.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let mut digest = [0; 32];
    for (byte, pair) in digest.iter_mut().zip(bytes.chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(Digest(digest))
}

/// Why there is no `FORMAT` file at `path`.
fn absent(path: &Path, file_path: &Path, error: &std::io::Error) -> StoreError {
    let not_a_store = |why: &str| StoreError::NotAStore {
        path: path.to_owned(),
        why: why.to_owned(),
    };
    match fs::metadata(path) {
        Ok(meta) if !meta.is_dir() => not_a_store("it is a file, and a store is a folder"),
        Ok(_) if error.kind() == std::io::ErrorKind::NotFound => match is_empty(path) {
            Ok(true) => StoreError::Missing {
                path: path.to_owned(),
            },
            Ok(false) => not_a_store("it holds files, but no FORMAT file"),
            Err(error) => StoreError::from_io(path.display().to_string(), &error),
        },
        Ok(_) => StoreError::from_io(file_path.display().to_string(), error),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => StoreError::Missing {
            path: path.to_owned(),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
            not_a_store("a part of the path is a file, not a folder")
        }
        Err(error) => StoreError::from_io(path.display().to_string(), &error),
    }
}

/// Whether a folder is free for a store. The `lost+found` of a fresh volume does not count, nor does our own temporary
/// file from a creation that was interrupted.
fn is_empty(path: &Path) -> std::io::Result<bool> {
    for entry in fs::read_dir(path)? {
        let name = entry?.file_name();
        let name = name.to_string_lossy();
        if name != "lost+found" && !(name.starts_with(STAMP_FILE) && name.ends_with(".tmp")) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What becomes of a file that has the name already.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Existing {
    /// It stays, and nothing is written.
    Stays,
    /// It is replaced.
    Goes,
}

/// Writes a file so that it is there whole or not at all: a temporary file, synced, given its name, folder synced.
pub(crate) fn write_synced(
    folder: &Path,
    name: &str,
    bytes: &[u8],
    existing: Existing,
) -> Result<()> {
    let temporary: PathBuf = folder.join(format!("{name}.{}.tmp", std::process::id()));
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        let target = folder.join(name);
        let is_linked = existing == Existing::Stays
            && match fs::hard_link(&temporary, &target) {
                Ok(()) => true,
                Err(error) => error.kind() == std::io::ErrorKind::AlreadyExists,
            };
        if is_linked {
            fs::remove_file(&temporary)?;
        } else {
            // To be replaced, or a file system without hard links.
            fs::rename(&temporary, &target)?;
        }
        File::open(folder)?.sync_all()
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&temporary);
        StoreError::from_io(folder.join(name).display().to_string(), &error)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_reads_back() {
        let stamp = Stamp::current();
        assert_eq!(Stamp::parse(&stamp.text()), Some(stamp));
        assert_eq!(Stamp::parse(""), None);
        assert_eq!(Stamp::parse("another store\nformat 1\n"), None);
        assert_eq!(
            Stamp::parse("toads store\nformat 2\nfingerprint zz\n"),
            None
        );
        assert_eq!(
            Stamp::parse("toads store\nformat 3\nsomething new\n")
                .unwrap()
                .format,
            3
        );
    }

    #[test]
    fn another_format_or_fingerprint_is_refused_with_both_and_the_remedy() {
        let current = Stamp::current();
        current.check(Path::new("x")).unwrap();
        let newer = Stamp {
            format: 3,
            ..current
        }
        .check(Path::new("x"))
        .unwrap_err()
        .to_string();
        assert!(
            newer.contains("format 3")
                && newer.contains("format 2")
                && newer.contains("newer release"),
            "{newer}"
        );
        let other = Stamp {
            fingerprint: Digest([0xab; 32]),
            ..current
        }
        .check(Path::new("x"))
        .unwrap_err()
        .to_string();
        assert!(
            other.contains("abab") && other.contains(&current.fingerprint.to_string()),
            "{other}"
        );
    }
}
