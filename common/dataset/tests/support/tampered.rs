//! A store that answers wrongly.

use std::ops::ControlFlow;
use std::path::Path;

use toads_census::{Shard, ShardResult, ValueForm};
use toads_game::ValueId;
use toads_store::{
    DescribedValue, EventRecord, MemoryStore, NumberedEntry, Pressure, QuarantineRecord, Result,
    RunRecord, ShardRecord, Store, SurveyRecord, Swept,
};
use toads_strip::Variant;
use toads_survey::{CellRecord, Merge, SurveyId};

type Change<T> = Box<dyn Fn(T) -> T + Send + Sync>;

/// Passes what it reads through changes.
pub(crate) struct Tampered {
    pub(crate) inner: MemoryStore,
    pub(crate) record: Change<ShardRecord>,
    pub(crate) tally: Change<(Shard, ShardResult)>,
    pub(crate) block: Change<(Shard, u32, Option<Vec<u8>>)>,
    pub(crate) value: Change<(ValueId, Option<ValueForm>)>,
    /// Hears of tallies that are read by number.
    pub(crate) numbered: Change<Shard>,
}

impl Tampered {
    /// Changes nothing yet.
    pub(crate) fn new(inner: MemoryStore) -> Self {
        Self {
            inner,
            record: Box::new(|record| record),
            tally: Box::new(|tally| tally),
            block: Box::new(|block| block),
            value: Box::new(|value| value),
            numbered: Box::new(|shard| shard),
        }
    }
}

impl Store for Tampered {
    fn shard(&self, shard: Shard) -> Result<Option<ShardRecord>> {
        Ok(self.inner.shard(shard)?.map(&self.record))
    }
    fn shards(&self, variant: Option<Variant>) -> Result<Vec<ShardRecord>> {
        Ok(self
            .inner
            .shards(variant)?
            .into_iter()
            .map(&self.record)
            .collect())
    }
    fn value(&self, id: ValueId) -> Result<Option<ValueForm>> {
        Ok((self.value)((id, self.inner.value(id)?)).1)
    }
    fn values(&self, ids: &[ValueId]) -> Result<Vec<Option<ValueForm>>> {
        let found = self.inner.values(ids)?;
        Ok(ids
            .iter()
            .zip(found)
            .map(|(&id, form)| (self.value)((id, form)).1)
            .collect())
    }
    fn block(&self, shard: Shard, block: u32) -> Result<Option<Vec<u8>>> {
        Ok((self.block)((shard, block, self.inner.block(shard, block)?)).2)
    }
    fn tally(&self, shard: Shard) -> Result<Option<ShardResult>> {
        Ok(self
            .inner
            .tally(shard)?
            .map(|result| (self.tally)((shard, result)).1))
    }

    fn numbered_tally(&self, shard: Shard) -> Result<Option<Vec<NumberedEntry>>> {
        self.inner.numbered_tally((self.numbered)(shard))
    }

    // Audits do not read values by number; these pass unchanged.
    fn scan_values(&self, visit: &mut dyn FnMut(ValueForm) -> ControlFlow<()>) -> Result<()> {
        self.inner.scan_values(visit)
    }
    fn describe_values(
        &self,
        visit: &mut dyn FnMut(DescribedValue) -> ControlFlow<()>,
    ) -> Result<()> {
        self.inner.describe_values(visit)
    }

    fn runs(&self) -> Result<Vec<RunRecord>> {
        self.inner.runs()
    }
    fn put_run(&self, run: &RunRecord) -> Result<()> {
        self.inner.put_run(run)
    }
    fn missing_values(&self, ids: &[ValueId]) -> Result<Vec<ValueId>> {
        self.inner.missing_values(ids)
    }
    fn put_values(&self, values: &[ValueForm]) -> Result<()> {
        self.inner.put_values(values)
    }
    fn put_blocks(&self, shard: Shard, blocks: &[(u32, Vec<u8>)]) -> Result<()> {
        self.inner.put_blocks(shard, blocks)
    }
    fn commit(
        &self,
        record: &ShardRecord,
        result: &ShardResult,
        events: &[EventRecord],
    ) -> Result<()> {
        self.inner.commit(record, result, events)
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
        self.inner.pressure()
    }

    fn info(&self) -> Result<Vec<(String, String)>> {
        self.inner.info()
    }
}
