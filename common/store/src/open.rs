//! Opening a folder: what is refused, in which order, and why nothing was touched.
//!
//! 1. The `FORMAT` file is read ([`Stamp`]). No folder: [`StoreError::Missing`], or a new store when asked for. A folder
//!    with other things in it: [`StoreError::NotAStore`]. Another format or fingerprint: [`StoreError::Incompatible`].
//!    Up to here nothing was written.
//! 2. The `FORMAT` file is locked. If somebody else has it, the `HOLDER` file names them: [`StoreError::InUse`].
//! 3. Where there is a `MARK`, the engine is opened read-only first, and a store that holds less than it had come to is
//!    [`StoreError::Damaged`]: opened for writing, RocksDB would delete what it takes for leftovers. Rows without a
//!    `CURRENT` file, which says where the engine begins, are damage too; a new engine is never made over them.
//!    Logs and manifests are looked through for records that would hang it.
//! 4. RocksDB is opened, which takes its own lock, and `meta` must repeat the stamp before anything else is read.
//! 5. The `HOLDER` file is written.
//!
//! **Read only.** A store that nobody holds, and any checkpoint, can be opened without writing a byte to it, on a
//! read-only file system too: the locks are tried and let go again, so that a reader never keeps a coordinator from
//! starting. If one starts meanwhile, the reader goes on with what it saw: it has replayed the log into its own memory
//! and keeps every file open, so deleted files stay readable until it ends.

use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::error::{Result, StoreError};
use crate::holder::Holder;
use crate::mark::MARK_FILE;
use crate::stamp::Stamp;

/// How to open a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenOptions {
    /// Make a store where there is none: at a path that does not exist, or in an empty folder.
    pub create: bool,
    /// Memory for rows not yet in files, all column families together, in bytes. At least 16 MiB.
    pub write_buffer_bytes: u64,
    /// Memory for blocks, indices and filters of files, in bytes. At least 8 MiB.
    pub cache_bytes: u64,
    /// Files kept open, when the store is open for writing.
    pub max_open_files: u32,
    /// Threads for flushes and compactions.
    pub background_threads: u32,
    /// Milliseconds since the Unix epoch, for the `HOLDER` file.
    pub now_ms: u64,
}

impl Default for OpenOptions {
    /// An existing store, 256 MiB for writing, 256 MiB for reading, 512 files, two threads.
    fn default() -> Self {
        Self {
            create: false,
            write_buffer_bytes: 256 << 20,
            cache_bytes: 256 << 20,
            max_open_files: 512,
            background_threads: 2,
            now_ms: 0,
        }
    }
}

impl OpenOptions {
    /// The defaults, making a store where there is none.
    pub fn creating() -> Self {
        Self {
            create: true,
            ..Self::default()
        }
    }

    /// About `bytes` of memory in all, half for writing and half for reading.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.write_buffer_bytes = bytes / 2;
        self.cache_bytes = bytes / 2;
        self
    }
}

/// Who holds the store at `path` now; `None` when nobody does. A `HOLDER` file that a crash left behind is not believed.
/// Touches nothing; the errors are those of opening.
pub fn probe(path: &Path) -> Result<Option<Holder>> {
    let (stamp, file) = Stamp::read(path)?;
    stamp.check(path)?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Ok(Some(Holder::read(path).unwrap_or_default())),
        _ => Ok(None),
    }
}

/// The stamp checked and the store locked, before the engine is opened.
#[derive(Debug)]
pub(crate) struct Claim {
    /// Keeps the lock; the system lets go when it is closed, however the process ends.
    pub(crate) _lock: File,
    /// Whether the engine has to make its files.
    pub(crate) create: bool,
}

/// Steps 1 and 2 for writing.
pub(crate) fn claim(path: &Path, create: bool) -> Result<Claim> {
    let file = match Stamp::read(path) {
        Ok((stamp, file)) => {
            stamp.check(path)?;
            file
        }
        Err(StoreError::Missing { .. }) if create => {
            make_folder(path)?;
            Stamp::current().write(path)?;
            Stamp::read(path)?.1
        }
        Err(error) => return Err(error),
    };
    // A reader that probes holds its lock for microseconds.
    let deadline = Instant::now() + Duration::from_millis(300);
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => return Err(in_use(path)),
            // A file system without this kind of lock: RocksDB's own has to do.
            Ok(()) | Err(TryLockError::Error(_)) => break,
        }
    }
    // A stamp without a database is a creation that was interrupted; only `create` may finish it.
    let is_made = is_made(path)?;
    if !is_made && !create {
        return Err(StoreError::Missing {
            path: path.to_owned(),
        });
    }
    Ok(Claim {
        _lock: file,
        create: !is_made,
    })
}

/// Steps 1 and 2 for reading: nothing is kept locked.
pub(crate) fn claim_read_only(path: &Path) -> Result<()> {
    if let Some(holder) = probe(path)? {
        return Err(StoreError::InUse {
            path: path.to_owned(),
            holder: Some(Box::new(holder)),
        });
    }
    if is_made(path)? {
        Ok(())
    } else {
        Err(StoreError::Missing {
            path: path.to_owned(),
        })
    }
}

/// Whether the engine has made its files. It names the beginning of them in `CURRENT`; rows without it are damage.
fn is_made(path: &Path) -> Result<bool> {
    let current = path.join("CURRENT");
    if current.exists() {
        return Ok(true);
    }
    let wrong = |error: &std::io::Error| StoreError::from_io(path.display().to_string(), error);
    for entry in fs::read_dir(path).map_err(|error| wrong(&error))? {
        let entry = entry.map_err(|error| wrong(&error))?;
        let name = entry.path();
        let extension = name.extension().unwrap_or_default();
        let is_log = || entry.metadata().is_ok_and(|file| file.len() > 0) && extension == "log";
        if entry.file_name() == MARK_FILE || extension == "sst" || is_log() {
            return Err(StoreError::Damaged {
                place: current.display().to_string(),
                what: "the file is gone, and the store holds rows".to_owned(),
            });
        }
    }
    Ok(false)
}

/// The store is held: by whom.
pub(crate) fn in_use(path: &Path) -> StoreError {
    StoreError::InUse {
        path: path.to_owned(),
        holder: Holder::read(path).map(Box::new),
    }
}

fn make_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path)
        .map_err(|error| StoreError::from_io(path.display().to_string(), &error))
}
