//! The store on disk: RocksDB, embedded.
//!
//! Eleven column families, keyed as [`crate::keys`] says. The write-ahead log is always on and shared by all of them: it
//! is one sequence, so syncing the commit of a shard makes everything written before it durable as well, values and
//! blocks that streamed in without a sync among them, and recovery after a crash keeps a prefix of that sequence. A
//! marker that survives implies all it refers to.
//!
//! Rules of this folder: iterators are read through `scan` only (explicit bounds, status checked at the end); no merge
//! operators; no prefix iterators; every row is decoded through [`crate::encode`], and what does not decode is
//! [`StoreError::Damaged`] with the place; a second handle on a live store is never opened.

mod commit;
mod database;
mod events;
mod fault;
mod info;
mod numbers;
mod options;
mod put;
mod scan;
mod shards;
mod surveys;
mod sweep;
mod tallies;
#[cfg(test)]
mod tests;
mod values;
mod verify;

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use toads_census::{Shard, ShardResult, ValueForm};
use toads_fault::Point;
use toads_game::ValueId;
use toads_strip::Variant;
use toads_survey::{CellKey, CellRecord, Merge, SurveyId};

use crate::encode::Packer;
use crate::error::{Result, StoreError};
use crate::holder::Holder;
use crate::mark::{Mark, MarkFile};
use crate::open::{self, Claim, OpenOptions};
use crate::records::{
    DescribedValue, EventRecord, NumberedEntry, Pressure, QuarantineRecord, RunRecord, ShardRecord,
    SurveyRecord, Swept,
};
use crate::store::Store;
use database::Database;
use numbers::Numbers;
use options::Column;

pub use verify::Verified;

/// What whoever writes has: the lock and the mark.
struct Held {
    _claim: Claim,
    mark: MarkFile,
}

/// A store in a folder.
///
/// Dropping it closes it: what is in memory is written to files (a second or two at most), background work stops, the
/// `HOLDER` file goes, the locks are released. Nothing is lost when the process dies instead.
pub struct RocksStore {
    // Fields are dropped in this order: the engine closes before the lock goes.
    db: Database,
    held: Option<Held>,
    path: PathBuf,
    /// Writers of the same shard take turns, so that a check still holds when its write is made.
    turns: [Mutex<()>; 64],
    /// The numbers of the values, once somebody asked for one.
    numbers: OnceLock<RwLock<Numbers>>,
    /// Whoever reads them in or gives out new ones takes turns.
    packing: Mutex<Packer>,
    /// How many cells a survey has, once somebody asked.
    lengths: Mutex<BTreeMap<SurveyId, usize>>,
}

impl RocksStore {
    /// Opens a store for writing, or makes one with `options.create`. See [`crate::open`] for what is refused; a refused
    /// folder is not changed. Replaying the log takes up to a few seconds after a crash.
    pub fn open(path: &Path, options: &OpenOptions) -> Result<Self> {
        let claim = open::claim(path, options.create)?;
        toads_fault::pass_or_fail(Point::StoreOpen)
            .map_err(|error| StoreError::from_io(path.display().to_string(), &error))?;
        let mark = Mark::read(path)?;
        if let Some(mark) = mark {
            let db = Database::open_read_only(path, options)?;
            check_mark(mark, path, &db)?;
        }
        let db = Database::open(path, options, claim.create)?;
        let found = extent(&db).or_else(|error| mark.ok_or(error))?;
        let held = Held {
            mark: MarkFile::open(path, found)?,
            _claim: claim,
        };
        Holder::this_process(options.now_ms).write(path)?;
        Ok(Self::with(db, path, Some(held)))
    }

    /// Opens a store that nobody holds, or a checkpoint, without writing to it. Writes are refused with
    /// [`StoreError::ReadOnly`]. Keeps every file open (see [`crate::open`]).
    pub fn open_read_only(path: &Path, options: &OpenOptions) -> Result<Self> {
        open::claim_read_only(path)?;
        let db = Database::open_read_only(path, options)?;
        if let Some(mark) = Mark::read(path)? {
            check_mark(mark, path, &db)?;
        }
        Ok(Self::with(db, path, None))
    }

    fn with(db: Database, path: &Path, held: Option<Held>) -> Self {
        Self {
            db,
            held,
            path: path.to_owned(),
            turns: std::array::from_fn(|_| Mutex::new(())),
            numbers: OnceLock::new(),
            packing: Mutex::default(),
            lengths: Mutex::default(),
        }
    }

    /// Its folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the addresses under which the holder of this store answers into the `HOLDER` file.
    pub fn announce(&self, holder: &Holder) -> Result<()> {
        self.writable()?;
        holder.write(&self.path)
    }

    fn writable(&self) -> Result<()> {
        self.mark().map(drop)
    }

    /// The mark of a store that is open for writing.
    fn mark(&self) -> Result<&MarkFile> {
        let held = self.held.as_ref().ok_or_else(|| StoreError::ReadOnly {
            what: format!("{} was opened read-only", self.path.display()),
        })?;
        Ok(&held.mark)
    }

    /// Writers of the same survey take turns, for the same reason.
    fn survey_turn(&self, survey: SurveyId) -> MutexGuard<'_, ()> {
        let turn = &self.turns[usize::from(survey.0[0]) % self.turns.len()];
        turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn turn(&self, shard: Shard) -> MutexGuard<'_, ()> {
        let mut hasher = DefaultHasher::new();
        shard.hash(&mut hasher);
        let turn = &self.turns[hasher.finish() as usize % self.turns.len()];
        turn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Refuses a database that holds less than the mark. Where the rows cannot be counted, whoever reads them will say so.
fn check_mark(mark: Mark, path: &Path, db: &Database) -> Result<()> {
    extent(db).map_or(Ok(()), |found| mark.check(path, found))
}

/// How far a database has come.
fn extent(db: &Database) -> Result<Mark> {
    Ok(Mark {
        shards: db.count(Column::Shards)?,
        events: events::last_sequence(db)?,
    })
}

impl fmt::Debug for RocksStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RocksStore")
            .field("path", &self.path)
            .field("read_only", &self.held.is_none())
            .finish_non_exhaustive()
    }
}

impl Drop for RocksStore {
    fn drop(&mut self) {
        if self.held.is_some() {
            // The next one to open finds no log to replay. Where it fails, the log has it all.
            let _ = self.db.flush();
            Holder::remove(&self.path);
        }
    }
}

impl Store for RocksStore {
    fn runs(&self) -> Result<Vec<RunRecord>> {
        self.read_runs()
    }

    fn put_run(&self, run: &RunRecord) -> Result<()> {
        self.writable()?;
        self.write_run(run)
    }

    fn shard(&self, shard: Shard) -> Result<Option<ShardRecord>> {
        Ok(self.marker(shard)?.map(|marker| marker.record))
    }

    fn shards(&self, variant: Option<Variant>) -> Result<Vec<ShardRecord>> {
        self.markers(variant)
    }

    fn missing_values(&self, ids: &[ValueId]) -> Result<Vec<ValueId>> {
        self.find_missing(ids)
    }

    fn put_values(&self, values: &[ValueForm]) -> Result<()> {
        self.writable()?;
        self.write_values(values)
    }

    fn value(&self, id: ValueId) -> Result<Option<ValueForm>> {
        Ok(self.read_values(&[id])?.pop().flatten())
    }

    fn values(&self, ids: &[ValueId]) -> Result<Vec<Option<ValueForm>>> {
        self.read_values(ids)
    }

    fn scan_values(&self, visit: &mut dyn FnMut(ValueForm) -> ControlFlow<()>) -> Result<()> {
        self.each_value(visit)
    }

    fn describe_values(
        &self,
        visit: &mut dyn FnMut(DescribedValue) -> ControlFlow<()>,
    ) -> Result<()> {
        self.each_described(visit)
    }

    fn put_blocks(&self, shard: Shard, blocks: &[(u32, Vec<u8>)]) -> Result<()> {
        self.writable()?;
        self.write_blocks(shard, blocks)
    }

    fn block(&self, shard: Shard, block: u32) -> Result<Option<Vec<u8>>> {
        self.read_block(shard, block)
    }

    fn commit(
        &self,
        record: &ShardRecord,
        result: &ShardResult,
        events: &[EventRecord],
    ) -> Result<()> {
        self.writable()?;
        self.commit_shard(record, result, events)
    }

    fn tally(&self, shard: Shard) -> Result<Option<ShardResult>> {
        self.read_tally(shard)
    }

    fn numbered_tally(&self, shard: Shard) -> Result<Option<Vec<NumberedEntry>>> {
        Ok(self.read_numbered(shard)?.map(|(_, entries)| entries))
    }

    fn invalidate(&self, shard: Shard, events: &[EventRecord]) -> Result<()> {
        self.writable()?;
        self.remove_shard(shard, events)
    }

    fn quarantine(&self) -> Result<Vec<QuarantineRecord>> {
        self.read_quarantine()
    }

    fn set_quarantine(&self, shard: Shard, record: Option<&QuarantineRecord>) -> Result<()> {
        self.writable()?;
        self.write_quarantine(shard, record)
    }

    fn surveys(&self) -> Result<Vec<SurveyRecord>> {
        self.read_surveys()
    }

    fn put_survey(&self, record: &SurveyRecord) -> Result<()> {
        self.writable()?;
        self.write_survey(record)
    }

    fn cells(&self, survey: SurveyId) -> Result<Vec<(u32, CellRecord)>> {
        self.read_cells(survey)
    }

    fn cell(&self, survey: SurveyId, index: u32) -> Result<Option<CellRecord>> {
        self.read_cell(CellKey { survey, index })
    }

    fn put_cell(
        &self,
        survey: SurveyId,
        index: u32,
        record: &CellRecord,
        events: &[EventRecord],
    ) -> Result<Merge> {
        self.writable()?;
        self.write_cell(survey, index, record, events)
    }

    fn append_events(&self, events: &[EventRecord]) -> Result<()> {
        self.writable()?;
        self.write_events(events)
    }

    fn events(&self, from: u64, limit: usize) -> Result<Vec<EventRecord>> {
        self.read_events(from, limit)
    }

    fn next_event(&self) -> Result<u64> {
        self.next_sequence()
    }

    fn checkpoint(&self, to: &Path) -> Result<()> {
        self.writable()?;
        self.copy_to(to)
    }

    fn sweep(&self) -> Result<Swept> {
        self.writable()?;
        self.remove_leftovers()
    }

    fn pressure(&self) -> Result<Pressure> {
        self.engine_pressure()
    }

    fn info(&self) -> Result<Vec<(String, String)>> {
        self.facts()
    }
}
