//! The folder of an export: all there or not there.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::manifest::{Manifest, ManifestFile};
use super::{card, croissant};
use crate::error::{DatasetError, Result};

pub(super) fn io_error(path: &Path) -> impl FnOnce(io::Error) -> DatasetError + '_ {
    move |source| DatasetError::Io {
        path: path.to_owned(),
        source,
    }
}

/// A folder under another name until [`Folder::finish`]; removed when dropped before.
pub(super) struct Folder {
    target: PathBuf,
    temporary: PathBuf,
}

/// Removes what exports to the same folder left behind whose processes did not end well.
fn remove_leftovers(parent: &Path, prefix: &OsStr) -> Result<()> {
    let prefix = prefix.to_string_lossy();
    let is_alive = |id: &str| {
        let is_another = id != std::process::id().to_string();
        is_another && (Path::new("/proc").join(id).exists() || !Path::new("/proc/self").exists())
    };
    for entry in fs::read_dir(parent).map_err(io_error(parent))? {
        let entry = entry.map_err(io_error(parent))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let id = name.strip_prefix(&*prefix);
        if id.is_some_and(|id| id.parse::<u32>().is_ok() && !is_alive(id)) {
            let path = entry.path();
            fs::remove_dir_all(&path).map_err(io_error(&path))?;
        }
    }
    Ok(())
}

impl Folder {
    /// A folder beside `target`, which must not exist or be empty; its parent is made if need be.
    pub(super) fn create(target: &Path) -> Result<Self> {
        refuse_full(target)?;
        let Some(name) = target.file_name() else {
            return Err(DatasetError::Question(format!(
                "{} does not name a folder",
                target.display()
            )));
        };
        let parent = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        fs::create_dir_all(parent).map_err(io_error(parent))?;
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(".partial-");
        remove_leftovers(parent, &hidden)?;
        hidden.push(std::process::id().to_string());
        let temporary = parent.join(hidden);
        fs::create_dir(&temporary).map_err(io_error(&temporary))?;
        Ok(Self {
            target: target.to_owned(),
            temporary,
        })
    }

    /// A new file in it.
    pub(super) fn file(&self, path: &str) -> Result<HashedFile> {
        let full = self.temporary.join(path);
        let parent = full.parent().expect("a file in a folder");
        fs::create_dir_all(parent).map_err(io_error(parent))?;
        let file = File::create_new(&full).map_err(io_error(&full))?;
        Ok(HashedFile {
            path: full,
            writer: BufWriter::with_capacity(
                1 << 20,
                Hashing {
                    file,
                    sha256: Sha256::new(),
                    bytes: 0,
                },
            ),
        })
    }

    /// Writes the descriptions, `MANIFEST.json` and `SHA256SUMS`, syncs, and gives the folder its name.
    pub(super) fn finish(self, mut manifest: Manifest) -> Result<Manifest> {
        manifest.files.sort_by(|a, b| a.path.cmp(&b.path));
        let mut sums: Vec<(String, String)> = manifest
            .files
            .iter()
            .map(|file| (file.path.clone(), file.sha256.clone()))
            .collect();
        let mut json = serde_json::to_string_pretty(&manifest).expect("a manifest is plain data");
        json.push('\n');
        let mut texts = vec![("MANIFEST.json", json), ("README.md", card::of(&manifest))];
        if !manifest.tables.is_empty() {
            texts.push(("croissant.json", croissant::of(&manifest)));
        }
        for (name, text) in texts {
            sums.push((name.to_owned(), self.text(name, &text)?));
        }
        sums.sort();
        let lines: Vec<String> = sums
            .iter()
            .map(|(path, sha256)| format!("{sha256}  {path}\n"))
            .collect();
        let lines = lines.concat();
        self.text("SHA256SUMS", &lines)?;
        refuse_full(&self.target)?;
        fs::rename(&self.temporary, &self.target).map_err(io_error(&self.target))?;
        if let Some(parent) = self.temporary.parent() {
            File::open(parent)
                .and_then(|parent| parent.sync_all())
                .map_err(io_error(parent))?;
        }
        Ok(manifest)
    }

    /// A file with this text; its SHA-256.
    fn text(&self, name: &str, text: &str) -> Result<String> {
        let mut file = self.file(name)?;
        file.write_all(text.as_bytes())
            .map_err(io_error(file.path()))?;
        Ok(file.close()?.1)
    }
}

/// Only what is not there, or an empty folder, is replaced by an export.
fn refuse_full(target: &Path) -> Result<()> {
    let is_free = target.symlink_metadata().is_err()
        || fs::read_dir(target).is_ok_and(|mut entries| entries.next().is_none());
    if is_free {
        Ok(())
    } else {
        Err(DatasetError::TargetExists {
            path: target.to_owned(),
        })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.temporary.exists() {
            let _ = fs::remove_dir_all(&self.temporary);
        }
    }
}

/// A file that hashes what goes through it.
pub(super) struct HashedFile {
    path: PathBuf,
    writer: BufWriter<Hashing>,
}

struct Hashing {
    file: File,
    sha256: Sha256,
    bytes: u64,
}

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.sha256.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl HashedFile {
    /// Where it lies for now.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Flushes and syncs; its length and its SHA-256.
    pub(super) fn close(self) -> Result<(u64, String)> {
        let Self { path, writer } = self;
        let Hashing {
            file,
            sha256,
            bytes,
        } = writer
            .into_inner()
            .map_err(io::IntoInnerError::into_error)
            .map_err(io_error(&path))?;
        file.sync_all().map_err(io_error(&path))?;
        Ok((bytes, hexadecimal(&sha256.finalize())))
    }

    /// The same, as an entry of the manifest.
    pub(super) fn finish(self, path: String, table: String, rows: u64) -> Result<ManifestFile> {
        let (bytes, sha256) = self.close()?;
        Ok(ManifestFile {
            path,
            table,
            rows,
            bytes,
            sha256,
        })
    }
}

impl Write for HashedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(nibble.into(), 16).expect("a nibble is a digit");
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}

/// The SHA-256 of a file, in hexadecimal digits.
pub fn sha256_of(path: &Path) -> Result<String> {
    let mut file = File::open(path).map_err(io_error(path))?;
    let (mut sha256, mut buffer) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        let read = file.read(&mut buffer).map_err(io_error(path))?;
        if read == 0 {
            return Ok(hexadecimal(&sha256.finalize()));
        }
        sha256.update(&buffer[..read]);
    }
}
