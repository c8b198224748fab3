//! All of a store, for verbs that read it from end to end: the store itself, or a checkpoint of a live one.

use std::path::{Path, PathBuf};

use toads_store::RocksStore;

use super::{Source, options};
use crate::args::{Context, Target};
use crate::console;
use crate::failure::{Failure, Result, plain};
use crate::signals::Stop;

/// A store opened for reading; a checkpoint made for that goes away with it.
pub(crate) struct Whole {
    store: RocksStore,
    _checkpoint: Option<Checkpoint>,
    stop: Stop,
}

/// A folder that is removed when it is not needed any more.
struct Checkpoint(PathBuf);

impl Drop for Checkpoint {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Whole {
    /// The store of the context. The holder of a live store is asked for a checkpoint beside it: hard links, mostly.
    pub(crate) fn open(context: &Context) -> Result<Self> {
        let remote = match Source::reading(context)? {
            Source::Store(store) => {
                let stop = Stop::listen(None)?;
                return Ok(Self {
                    store: *store,
                    _checkpoint: None,
                    stop,
                });
            }
            Source::Remote(remote) => remote,
        };
        if !remote.is_local() {
            let text = "this verb reads the files of the store; run it on the coordinator's machine, with --store or --coordinator";
            return Err(Failure::input(text));
        }
        let path = match context.target()? {
            Target::Store(path) => path,
            Target::Coordinator(_) => PathBuf::from(remote.info("path")?),
        };
        let beside = beside(&path)?;
        console::line(&format!(
            "the store is in use by {}: reading a checkpoint of it",
            remote.url()
        ));
        // From here on the folder is ours to remove, even when only half of it was made.
        let checkpoint = Checkpoint(beside);
        let stop = Stop::listen(Some(checkpoint.0.clone()))?;
        remote.checkpoint(&checkpoint.0)?;
        let store = RocksStore::open_read_only(&checkpoint.0, &options())?;
        Ok(Self {
            store,
            _checkpoint: Some(checkpoint),
            stop,
        })
    }

    /// Whether somebody wants it to end.
    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }

    /// The store.
    pub(crate) fn store(&self) -> &RocksStore {
        &self.store
    }
}

/// A new path next to the store, absolute.
fn beside(store: &Path) -> Result<PathBuf> {
    let wrong =
        |error: std::io::Error| Failure::Input(format!("{}: {}", store.display(), plain(&error)));
    let full = store.canonicalize().map_err(wrong)?;
    let name = full
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    Ok(full.with_file_name(format!(".{name}.checkpoint-{}", std::process::id())))
}
