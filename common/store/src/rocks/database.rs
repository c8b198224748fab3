//! The engine, opened with all column families and its stamp compared.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rocksdb::{
    BoundColumnFamily, ColumnFamilyDescriptor, DB, DBPinnableSlice, WriteBatch, WriteOptions,
};

use super::fault::{fault, is_locked};
use super::options::{self, Column};
use crate::encode::{open_row, seal_row};
use crate::error::{Result, StoreError};
use crate::logs;
use crate::open::{OpenOptions, in_use};
use crate::stamp::Stamp;

const META: u8 = 1;
const FORMAT_KEY: &[u8] = b"format";
const FINGERPRINT_KEY: &[u8] = b"fingerprint";

/// RocksDB, with errors that say what to do.
pub(crate) struct Database {
    db: DB,
    path: PathBuf,
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl Database {
    /// Opens for writing; `create` makes the files and writes the stamp.
    pub(crate) fn open(path: &Path, options: &OpenOptions, create: bool) -> Result<Self> {
        logs::check(path)?;
        let settings = options::database(options, create);
        let db = DB::open_cf_descriptors(&settings, path, columns(options)).map_err(|error| {
            if is_locked(&error) {
                in_use(path)
            } else {
                fault(&path.display().to_string(), &error)
            }
        })?;
        let database = Self {
            db,
            path: path.to_owned(),
        };
        match database.stamp()? {
            Some(stamp) => stamp.check(path)?,
            // New, or made and never stamped because the maker was interrupted: then it is empty.
            None if database.last_key(Column::Shards)?.is_none() => database.write_stamp()?,
            None => return Err(no_stamp(path)),
        }
        Ok(database)
    }

    /// Opens without writing a byte. The caller has seen that nobody holds the store (see [`crate::open`]): this is no
    /// second handle on a live one.
    pub(crate) fn open_read_only(path: &Path, options: &OpenOptions) -> Result<Self> {
        logs::check(path)?;
        let mut settings = options::database(options, false);
        // Every file stays open: a holder that starts later may delete it, and we read on.
        settings.set_max_open_files(-1);
        let wrong = |error| fault(&path.display().to_string(), &error);
        let there = DB::list_cf(&settings, path).map_err(wrong)?;
        let is_there = |column: &Column| there.iter().any(|name| name == column.name());
        if let Some(lost) = Column::ALL
            .into_iter()
            .find(|column| !column.is_later() && !is_there(column))
        {
            return Err(StoreError::Damaged {
                place: path.display().to_string(),
                what: format!("the column family `{}` is gone", lost.name()),
            });
        }
        let wanted = columns(options)
            .into_iter()
            .zip(Column::ALL)
            .filter(|(_, column)| is_there(column))
            .map(|(descriptor, _)| descriptor);
        let db =
            DB::open_cf_descriptors_read_only(&settings, path, wanted, false).map_err(wrong)?;
        let database = Self {
            db,
            path: path.to_owned(),
        };
        database
            .stamp()?
            .ok_or_else(|| no_stamp(path))?
            .check(path)?;
        Ok(database)
    }

    /// The engine itself.
    pub(crate) fn raw(&self) -> &DB {
        &self.db
    }

    /// A column family. For writing, all of them are there.
    pub(crate) fn column(&self, column: Column) -> Arc<BoundColumnFamily<'_>> {
        self.present(column)
            .expect("a database is opened with all its column families")
    }

    /// A column family; `None` for one that an older store lacks and that reading does not add.
    pub(crate) fn present(&self, column: Column) -> Option<Arc<BoundColumnFamily<'_>>> {
        self.db.cf_handle(column.name())
    }

    /// A row, pinned where it lies.
    pub(crate) fn get(&self, column: Column, key: &[u8]) -> Result<Option<DBPinnableSlice<'_>>> {
        let Some(family) = self.present(column) else {
            return Ok(None);
        };
        self.db
            .get_pinned_cf(&family, key)
            .map_err(|error| fault(column.name(), &error))
    }

    /// Writes a batch; it is in the log, and lost only if the machine stops before the next sync.
    pub(crate) fn write(&self, batch: WriteBatch) -> Result<()> {
        self.write_with(batch, false)
    }

    /// Writes a batch and returns when it and everything before it is on disk.
    pub(crate) fn write_synced(&self, batch: WriteBatch) -> Result<()> {
        self.write_with(batch, true)
    }

    fn write_with(&self, batch: WriteBatch, sync: bool) -> Result<()> {
        if batch.is_empty() {
            return Ok(());
        }
        let mut options = WriteOptions::default();
        options.set_sync(sync);
        self.db
            .write_opt(batch, &options)
            .map_err(|error| fault(&self.path.display().to_string(), &error))
    }

    /// Writes what is in memory to files, so that opening has no log to replay.
    pub(crate) fn flush(&self) -> Result<()> {
        for column in Column::ALL {
            self.db
                .flush_cf(&self.column(column))
                .map_err(|error| fault(column.name(), &error))?;
        }
        Ok(())
    }

    /// What `meta` says; `None` when it says nothing.
    fn stamp(&self) -> Result<Option<Stamp>> {
        let (Some(format), Some(fingerprint)) = (
            self.get(Column::Meta, FORMAT_KEY)?,
            self.get(Column::Meta, FINGERPRINT_KEY)?,
        ) else {
            return Ok(None);
        };
        let damaged = |error| super::fault::damaged("meta", &error);
        let format = open_row(FORMAT_KEY, &format, META)
            .and_then(|mut row| row.array())
            .map_err(damaged)?;
        let fingerprint =
            open_row(FINGERPRINT_KEY, &fingerprint, META).and_then(|mut row| row.array());
        let fingerprint = toads_census::Digest(fingerprint.map_err(damaged)?);
        Ok(Some(Stamp {
            format: u32::from_be_bytes(format),
            fingerprint,
        }))
    }

    fn write_stamp(&self) -> Result<()> {
        let stamp = Stamp::current();
        let mut batch = WriteBatch::default();
        let fields: [(&[u8], &[u8]); 2] = [
            (FORMAT_KEY, &stamp.format.to_be_bytes()),
            (FINGERPRINT_KEY, &stamp.fingerprint.0),
        ];
        for (key, field) in fields {
            let mut row = vec![META];
            row.extend_from_slice(field);
            seal_row(key, &mut row);
            batch.put_cf(&self.column(Column::Meta), key, row);
        }
        self.write_synced(batch)
    }
}

fn columns(options: &OpenOptions) -> Vec<ColumnFamilyDescriptor> {
    let cache = options::cache(options);
    Column::ALL
        .map(|column| {
            ColumnFamilyDescriptor::new(column.name(), options::column(column, options, &cache))
        })
        .into_iter()
        .collect()
}

fn no_stamp(path: &Path) -> StoreError {
    StoreError::Damaged {
        place: format!("{}, meta", path.display()),
        what: "its format is not recorded".to_owned(),
    }
}
