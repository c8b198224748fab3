//! The trait between the census and whatever keeps it.

use std::ops::ControlFlow;
use std::path::Path;

use toads_census::{Shard, ShardResult, ValueForm};
use toads_game::ValueId;
use toads_strip::Variant;
use toads_survey::{CellRecord, Merge, SurveyId};

use crate::error::Result;
use crate::records::{
    DescribedValue, EventRecord, NumberedEntry, Pressure, QuarantineRecord, RunRecord, ShardRecord,
    SurveyRecord, Swept,
};

/// A durable census. Every method blocks; call them off async threads. All methods may be called from many threads.
///
/// Values and blocks may be written at any time and any number of times; they are invisible until [`Store::commit`]
/// writes the shard's tally and marker in one synced batch. Nothing here counts: totals are folds over markers.
pub trait Store: Send + Sync {
    /// All runs, by id.
    fn runs(&self) -> Result<Vec<RunRecord>>;

    /// Writes a run, new or changed; synced.
    fn put_run(&self, run: &RunRecord) -> Result<()>;

    /// The marker of a shard, when it is committed.
    fn shard(&self, shard: Shard) -> Result<Option<ShardRecord>>;

    /// All markers, in (variant, n, toads, frogs, block) order; of one variant when given.
    fn shards(&self, variant: Option<Variant>) -> Result<Vec<ShardRecord>>;

    /// Which of `ids` are not stored, in the order given.
    fn missing_values(&self, ids: &[ValueId]) -> Result<Vec<ValueId>>;

    /// Writes values; repeated writes of the same value change nothing. Every option must be stored, or come before the
    /// value that has it; otherwise the whole is refused with [`crate::StoreError::Rejected`]. A value gets the next
    /// number when it is first written.
    fn put_values(&self, values: &[ValueForm]) -> Result<()>;

    /// The stored form of a value.
    fn value(&self, id: ValueId) -> Result<Option<ValueForm>>;

    /// The stored forms of many values, in the order given.
    fn values(&self, ids: &[ValueId]) -> Result<Vec<Option<ValueForm>>>;

    /// Visits every value stored by now, in the order of their numbers, from 0 without gaps, until told to stop; options
    /// come before the values that have them. Some 0.4 µs a value.
    fn scan_values(&self, visit: &mut dyn FnMut(ValueForm) -> ControlFlow<()>) -> Result<()>;

    /// The same without the options, in a quarter of the time.
    fn describe_values(
        &self,
        visit: &mut dyn FnMut(DescribedValue) -> ControlFlow<()>,
    ) -> Result<()>;

    /// Writes blocks of a shard that is not committed yet (or again, when equal).
    fn put_blocks(&self, shard: Shard, blocks: &[(u32, Vec<u8>)]) -> Result<()>;

    /// A block of a committed shard.
    fn block(&self, shard: Shard, block: u32) -> Result<Option<Vec<u8>>>;

    /// Makes the shard visible: tally, marker and `events` in one batch, synced to disk before it returns, together
    /// with everything written before (promise P13). Checks that the values named in the tally are stored.
    fn commit(
        &self,
        record: &ShardRecord,
        result: &ShardResult,
        events: &[EventRecord],
    ) -> Result<()>;

    /// The tally of a committed shard, in ascending order of value id.
    fn tally(&self, shard: Shard) -> Result<Option<ShardResult>>;

    /// The tally of a committed shard, by number, in ascending order: quicker to read than by id, and quicker to add up.
    fn numbered_tally(&self, shard: Shard) -> Result<Option<Vec<NumberedEntry>>>;

    /// Removes the marker, tally and blocks of a shard, so that it will be computed again; synced.
    fn invalidate(&self, shard: Shard, events: &[EventRecord]) -> Result<()>;

    /// Shards in quarantine.
    fn quarantine(&self) -> Result<Vec<QuarantineRecord>>;

    /// Puts a shard into quarantine, or takes it out with `None`; synced.
    fn set_quarantine(&self, shard: Shard, record: Option<&QuarantineRecord>) -> Result<()>;

    /// All surveys, by the time they were first asked for, then by id.
    fn surveys(&self) -> Result<Vec<SurveyRecord>>;

    /// Writes a survey, new or with another state; synced. When it was first asked for stays as it is.
    fn put_survey(&self, record: &SurveyRecord) -> Result<()>;

    /// What is known of the cells of a survey, by index; empty when there is no such survey.
    fn cells(&self, survey: SurveyId) -> Result<Vec<(u32, CellRecord)>>;

    /// What is known of a cell.
    fn cell(&self, survey: SurveyId, index: u32) -> Result<Option<CellRecord>>;

    /// Writes what was found out about a cell, and `events` with it, in one batch; synced. What says less than what is
    /// there changes nothing, so doing it again is harmless ([`CellRecord::over`]); the answer says which of the two
    /// stays. Another value than the one that is there is [`crate::StoreError::CellConflict`], and nothing is written.
    fn put_cell(
        &self,
        survey: SurveyId,
        index: u32,
        record: &CellRecord,
        events: &[EventRecord],
    ) -> Result<Merge>;

    /// Appends to the log. Not synced: the log tells a story, the markers are the truth.
    fn append_events(&self, events: &[EventRecord]) -> Result<()>;

    /// Events with a sequence number from `from`, at most `limit`.
    fn events(&self, from: u64, limit: usize) -> Result<Vec<EventRecord>>;

    /// The next unused sequence number.
    fn next_event(&self) -> Result<u64>;

    /// A consistent copy at a path that does not exist yet; hard links where the engine can.
    fn checkpoint(&self, to: &Path) -> Result<()>;

    /// Removes what interrupted work left behind: blocks and tallies of shards without a marker. Cheap (one look per
    /// shard, one range delete per finding); call it when no shard is being written, such as after opening.
    fn sweep(&self) -> Result<Swept>;

    /// How far the engine is behind (promise P14). Quick, also while writers wait.
    fn pressure(&self) -> Result<Pressure>;

    /// Facts about the store, as rows of key and value, in a stable order (`format`, `fingerprint`, `values`, bytes on disk, …).
    fn info(&self) -> Result<Vec<(String, String)>>;
}
