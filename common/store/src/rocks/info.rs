//! Facts, checkpoints, compaction.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use rocksdb::checkpoint::Checkpoint;
use rocksdb::properties;

use super::fault::fault;
use super::options::Column;
use super::{RocksStore, extent};
use crate::digest::store_digest;
use crate::error::{Result, StoreError};
use crate::records::Pressure;
use crate::stamp::Stamp;

impl RocksStore {
    pub(super) fn facts(&self) -> Result<Vec<(String, String)>> {
        let records = self.markers(None)?;
        let stamp = Stamp::current();
        let sum = |field: fn(&crate::ShardRecord) -> u64| {
            records.iter().map(field).sum::<u64>().to_string()
        };
        let on_disk = folder_bytes(&self.path);
        let mut rows = vec![
            ("path", self.path.display().to_string()),
            ("format", stamp.format.to_string()),
            ("fingerprint", stamp.fingerprint.to_string()),
            ("digest", store_digest(&records).to_string()),
            ("runs", self.read_runs()?.len().to_string()),
            ("shards", records.len().to_string()),
            ("strips", sum(|record| record.shard.strips_answered())),
            ("blocks", sum(|record| record.blocks.into())),
            ("block_bytes", sum(|record| record.block_bytes)),
            ("quarantined", self.read_quarantine()?.len().to_string()),
            ("events", (self.next_sequence()? - 1).to_string()),
            ("values", self.value_count()?.to_string()),
            ("surveys", self.db.count(Column::Surveys)?.to_string()),
            ("cells", self.db.count(Column::Cells)?.to_string()),
        ];
        for (name, column) in [
            ("ids_bytes", Column::Ids),
            ("values_bytes", Column::Values),
            ("tallies_bytes", Column::Tallies),
        ] {
            // Files alone: what is still in the log is not counted.
            let bytes = self.property(column, properties::LIVE_SST_FILES_SIZE)?;
            rows.push((name, bytes.to_string()));
        }
        if let Ok(bytes) = on_disk {
            rows.push(("bytes_on_disk", bytes.to_string()));
        }
        rows.push((
            "access",
            if self.held.is_some() {
                "read-write"
            } else {
                "read-only"
            }
            .to_owned(),
        ));
        Ok(rows
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect())
    }

    /// The engine's own figures; those of stalls are of the whole database.
    pub(super) fn engine_pressure(&self) -> Result<Pressure> {
        let column = Column::Blocks;
        let mut pending = 0;
        for column in Column::ALL {
            pending += self.property(column, properties::ESTIMATE_PENDING_COMPACTION_BYTES)?;
        }
        Ok(Pressure {
            is_stopped: self.property(column, properties::IS_WRITE_STOPPED)? > 0,
            delayed_bytes_per_s: self.property(column, properties::ACTUAL_DELAYED_WRITE_RATE)?,
            pending_compaction_bytes: pending,
        })
    }

    fn property(&self, column: Column, name: &properties::PropName) -> Result<u64> {
        let found = self
            .db
            .raw()
            .property_int_value_cf(&self.db.column(column), name);
        Ok(found
            .map_err(|error| fault(column.name(), &error))?
            .unwrap_or(0))
    }

    /// Merges the files of every column family; deleted rows give their space back. Minutes for a large store.
    pub fn compact(&self) -> Result<()> {
        self.writable()?;
        self.db.flush()?;
        for column in Column::ALL {
            let handle = self.db.column(column);
            self.db
                .raw()
                .compact_range_cf(&handle, None::<&[u8]>, None::<&[u8]>);
        }
        Ok(())
    }

    /// The copy is made beside its place and renamed when it is whole, stamp included.
    pub(super) fn copy_to(&self, to: &Path) -> Result<()> {
        if to.symlink_metadata().is_ok() {
            return Err(StoreError::Rejected {
                what: format!("{} exists; a checkpoint needs a new path", to.display()),
            });
        }
        let mut name = to.file_name().map_or_else(OsString::new, OsString::from);
        name.push(format!(".partial-{}", std::process::id()));
        let partial: PathBuf = to.with_file_name(name);
        let io = |place: &Path, error: &std::io::Error| {
            StoreError::from_io(place.display().to_string(), error)
        };
        if let Some(parent) = to.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            fs::create_dir_all(parent).map_err(|error| io(parent, &error))?;
        }
        let place = partial.display().to_string();
        // What is committed meanwhile is in the copy, too, and makes it hold more than its mark.
        let mark = extent(&self.db)?;
        let copy = || -> Result<()> {
            Checkpoint::new(self.db.raw())
                .and_then(|checkpoint| checkpoint.create_checkpoint(&partial))
                .map_err(|error| fault(&place, &error))?;
            mark.create(&partial)?;
            Stamp::current().write(&partial)?;
            fs::rename(&partial, to).map_err(|error| io(to, &error))
        };
        copy().inspect_err(|_| {
            let _ = fs::remove_dir_all(&partial);
        })
    }
}

/// Bytes of the files in a folder, not counting folders in it.
fn folder_bytes(path: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(path)? {
        // A file may go while we look.
        if let Ok(meta) = entry?.metadata() {
            bytes += meta.len();
        }
    }
    Ok(bytes)
}
