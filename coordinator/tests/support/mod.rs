//! A store that is slow, busy or full on demand, over the in-memory one.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use toads_census::{Shard, ShardResult, ValueForm};
use toads_game::ValueId;
use toads_store::{
    DescribedValue, EventRecord, MemoryStore, NumberedEntry, Pressure, QuarantineRecord, Result,
    RunRecord, ShardRecord, Store, StoreError, SurveyRecord, Swept,
};
use toads_strip::Variant;
use toads_survey::{CellRecord, Merge, SurveyId};

/// Wraps a store.
pub(crate) struct Faulty {
    pub(crate) inner: Arc<MemoryStore>,
    /// Every write of values, blocks and markers takes this long.
    pub(crate) delay: Duration,
    /// Every so-manieth of these writes is answered "busy"; 0 for none.
    pub(crate) busy_every: usize,
    /// Commits that still fit; then the disk is full.
    pub(crate) room: AtomicU32,
    /// Such writes so far.
    pub(crate) writes: AtomicUsize,
    /// How far behind it says it is.
    pub(crate) pressure: Mutex<Pressure>,
    /// How often it said "busy".
    pub(crate) refused: AtomicUsize,
}

impl Faulty {
    pub(crate) fn new(inner: Arc<MemoryStore>) -> Self {
        Self {
            inner,
            delay: Duration::ZERO,
            busy_every: 0,
            room: AtomicU32::new(u32::MAX),
            pressure: Mutex::default(),
            writes: AtomicUsize::new(0),
            refused: AtomicUsize::new(0),
        }
    }

    fn write(&self) -> Result<()> {
        std::thread::sleep(self.delay);
        let count = self.writes.fetch_add(1, Ordering::Relaxed) + 1;
        if self.busy_every > 0 && count.is_multiple_of(self.busy_every) {
            self.refused.fetch_add(1, Ordering::Relaxed);
            return Err(StoreError::Busy {
                what: "a test".into(),
            });
        }
        Ok(())
    }
}

impl Store for Faulty {
    fn runs(&self) -> Result<Vec<RunRecord>> {
        self.inner.runs()
    }

    fn put_run(&self, run: &RunRecord) -> Result<()> {
        self.inner.put_run(run)
    }

    fn shard(&self, shard: Shard) -> Result<Option<ShardRecord>> {
        self.inner.shard(shard)
    }

    fn shards(&self, variant: Option<Variant>) -> Result<Vec<ShardRecord>> {
        self.inner.shards(variant)
    }

    fn missing_values(&self, ids: &[ValueId]) -> Result<Vec<ValueId>> {
        self.inner.missing_values(ids)
    }

    fn put_values(&self, values: &[ValueForm]) -> Result<()> {
        self.write()?;
        self.inner.put_values(values)
    }

    fn value(&self, id: ValueId) -> Result<Option<ValueForm>> {
        self.inner.value(id)
    }

    fn values(&self, ids: &[ValueId]) -> Result<Vec<Option<ValueForm>>> {
        self.inner.values(ids)
    }

    fn scan_values(&self, visit: &mut dyn FnMut(ValueForm) -> ControlFlow<()>) -> Result<()> {
        self.inner.scan_values(visit)
    }

    fn describe_values(
        &self,
        visit: &mut dyn FnMut(DescribedValue) -> ControlFlow<()>,
    ) -> Result<()> {
        self.inner.describe_values(visit)
    }

    fn put_blocks(&self, shard: Shard, blocks: &[(u32, Vec<u8>)]) -> Result<()> {
        self.write()?;
        self.inner.put_blocks(shard, blocks)
    }

    fn block(&self, shard: Shard, block: u32) -> Result<Option<Vec<u8>>> {
        self.inner.block(shard, block)
    }

    fn commit(
        &self,
        record: &ShardRecord,
        result: &ShardResult,
        events: &[EventRecord],
    ) -> Result<()> {
        self.write()?;
        let room = self
            .room
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |room| {
                room.checked_sub(1)
            });
        if room.is_err() {
            return Err(StoreError::Full {
                what: "a test".into(),
            });
        }
        self.inner.commit(record, result, events)
    }

    fn tally(&self, shard: Shard) -> Result<Option<ShardResult>> {
        self.inner.tally(shard)
    }

    fn numbered_tally(&self, shard: Shard) -> Result<Option<Vec<NumberedEntry>>> {
        self.inner.numbered_tally(shard)
    }

    fn invalidate(&self, shard: Shard, events: &[EventRecord]) -> Result<()> {
        self.inner.invalidate(shard, events)
    }

    fn quarantine(&self) -> Result<Vec<QuarantineRecord>> {
        self.inner.quarantine()
    }

    fn set_quarantine(&self, shard: Shard, record: Option<&QuarantineRecord>) -> Result<()> {
        self.inner.set_quarantine(shard, record)
    }

    fn surveys(&self) -> Result<Vec<SurveyRecord>> {
        self.inner.surveys()
    }

    fn put_survey(&self, record: &SurveyRecord) -> Result<()> {
        self.inner.put_survey(record)
    }

    fn cells(&self, survey: SurveyId) -> Result<Vec<(u32, CellRecord)>> {
        self.inner.cells(survey)
    }

    fn cell(&self, survey: SurveyId, index: u32) -> Result<Option<CellRecord>> {
        self.inner.cell(survey, index)
    }

    fn put_cell(
        &self,
        survey: SurveyId,
        index: u32,
        record: &CellRecord,
        events: &[EventRecord],
    ) -> Result<Merge> {
        self.write()?;
        self.inner.put_cell(survey, index, record, events)
    }

    fn append_events(&self, events: &[EventRecord]) -> Result<()> {
        self.inner.append_events(events)
    }

    fn events(&self, from: u64, limit: usize) -> Result<Vec<EventRecord>> {
        self.inner.events(from, limit)
    }

    fn next_event(&self) -> Result<u64> {
        self.inner.next_event()
    }

    fn checkpoint(&self, to: &Path) -> Result<()> {
        self.inner.checkpoint(to)
    }

    fn sweep(&self) -> Result<Swept> {
        self.inner.sweep()
    }

    fn pressure(&self) -> Result<Pressure> {
        Ok(*self.pressure.lock().unwrap())
    }

    fn info(&self) -> Result<Vec<(String, String)>> {
        self.inner.info()
    }
}
