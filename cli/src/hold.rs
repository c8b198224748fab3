//! A store that can be told to stop the process at a chosen event of the log, for tests that kill it there.
//!
//! `TOADS_HOLD_AT_EVENT=K:FILE` holds a coordinator when the K-th event since its start has been written: the event's
//! sequence number goes into FILE, and the call returns once `FILE.go` exists. A worker whose result has just been
//! committed has not heard of it yet, so this is where a kill hurts most. Without the variable nothing is wrapped.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use toads_census::{Shard, ShardResult, ValueForm};
use toads_game::ValueId;
use toads_store::{
    DescribedValue, EventRecord, NumberedEntry, QuarantineRecord, RocksStore, RunRecord,
    ShardRecord, Store, StoreError, SurveyRecord, Swept,
};
use toads_strip::Variant;
use toads_survey::{CellRecord, Merge, SurveyId};

use crate::failure::{Failure, Result};

const VARIABLE: &str = "TOADS_HOLD_AT_EVENT";
const LOOK_AGAIN: Duration = Duration::from_millis(2);

/// The store itself, or one that holds where the environment says.
pub(crate) fn as_told(store: &Arc<RocksStore>) -> Result<Arc<dyn Store>> {
    let Ok(text) = std::env::var(VARIABLE) else {
        return Ok(store.clone());
    };
    let parsed = text.split_once(':').and_then(|(event, file)| {
        let event = event.parse().ok().filter(|&event: &u64| event > 0)?;
        Some((event, PathBuf::from(file)))
    });
    let (at, file) = parsed.ok_or_else(|| {
        Failure::input(format_args!(
            "{VARIABLE}={text} is not EVENT:FILE, such as 17:/tmp/held"
        ))
    })?;
    Ok(Arc::new(Holding {
        inner: store.clone(),
        at,
        file,
        seen: AtomicU64::new(0),
    }))
}

struct Holding {
    inner: Arc<RocksStore>,
    at: u64,
    file: PathBuf,
    seen: AtomicU64,
}

impl Holding {
    fn passed(&self, events: &[EventRecord]) {
        for event in events {
            if self.seen.fetch_add(1, Ordering::SeqCst) + 1 == self.at {
                self.hold(event.sequence);
            }
        }
    }

    fn hold(&self, sequence: u64) {
        let mut part = self.file.clone().into_os_string();
        let mut go = part.clone();
        part.push(".part");
        go.push(".go");
        let written = std::fs::write(&part, sequence.to_string())
            .and_then(|()| std::fs::rename(&part, &self.file));
        if written.is_ok() {
            while !Path::new(&go).exists() {
                std::thread::sleep(LOOK_AGAIN);
            }
        }
    }
}

type Outcome<T> = std::result::Result<T, StoreError>;

impl Store for Holding {
    fn runs(&self) -> Outcome<Vec<RunRecord>> {
        self.inner.runs()
    }

    fn put_run(&self, run: &RunRecord) -> Outcome<()> {
        self.inner.put_run(run)
    }

    fn shard(&self, shard: Shard) -> Outcome<Option<ShardRecord>> {
        self.inner.shard(shard)
    }

    fn shards(&self, variant: Option<Variant>) -> Outcome<Vec<ShardRecord>> {
        self.inner.shards(variant)
    }

    fn missing_values(&self, ids: &[ValueId]) -> Outcome<Vec<ValueId>> {
        self.inner.missing_values(ids)
    }

    fn put_values(&self, values: &[ValueForm]) -> Outcome<()> {
        self.inner.put_values(values)
    }

    fn value(&self, id: ValueId) -> Outcome<Option<ValueForm>> {
        self.inner.value(id)
    }

    fn values(&self, ids: &[ValueId]) -> Outcome<Vec<Option<ValueForm>>> {
        self.inner.values(ids)
    }

    fn scan_values(&self, visit: &mut dyn FnMut(ValueForm) -> ControlFlow<()>) -> Outcome<()> {
        self.inner.scan_values(visit)
    }

    fn describe_values(
        &self,
        visit: &mut dyn FnMut(DescribedValue) -> ControlFlow<()>,
    ) -> Outcome<()> {
        self.inner.describe_values(visit)
    }

    fn put_blocks(&self, shard: Shard, blocks: &[(u32, Vec<u8>)]) -> Outcome<()> {
        self.inner.put_blocks(shard, blocks)
    }

    fn block(&self, shard: Shard, block: u32) -> Outcome<Option<Vec<u8>>> {
        self.inner.block(shard, block)
    }

    fn commit(
        &self,
        record: &ShardRecord,
        result: &ShardResult,
        events: &[EventRecord],
    ) -> Outcome<()> {
        self.inner.commit(record, result, events)?;
        self.passed(events);
        Ok(())
    }

    fn tally(&self, shard: Shard) -> Outcome<Option<ShardResult>> {
        self.inner.tally(shard)
    }

    fn numbered_tally(&self, shard: Shard) -> Outcome<Option<Vec<NumberedEntry>>> {
        self.inner.numbered_tally(shard)
    }

    fn invalidate(&self, shard: Shard, events: &[EventRecord]) -> Outcome<()> {
        self.inner.invalidate(shard, events)
    }

    fn quarantine(&self) -> Outcome<Vec<QuarantineRecord>> {
        self.inner.quarantine()
    }

    fn set_quarantine(&self, shard: Shard, record: Option<&QuarantineRecord>) -> Outcome<()> {
        self.inner.set_quarantine(shard, record)
    }

    fn surveys(&self) -> Outcome<Vec<SurveyRecord>> {
        self.inner.surveys()
    }

    fn put_survey(&self, record: &SurveyRecord) -> Outcome<()> {
        self.inner.put_survey(record)
    }

    fn cells(&self, survey: SurveyId) -> Outcome<Vec<(u32, CellRecord)>> {
        self.inner.cells(survey)
    }

    fn cell(&self, survey: SurveyId, index: u32) -> Outcome<Option<CellRecord>> {
        self.inner.cell(survey, index)
    }

    fn put_cell(
        &self,
        survey: SurveyId,
        index: u32,
        record: &CellRecord,
        events: &[EventRecord],
    ) -> Outcome<Merge> {
        let merge = self.inner.put_cell(survey, index, record, events)?;
        self.passed(events);
        Ok(merge)
    }

    fn append_events(&self, events: &[EventRecord]) -> Outcome<()> {
        self.inner.append_events(events)?;
        self.passed(events);
        Ok(())
    }

    fn events(&self, from: u64, limit: usize) -> Outcome<Vec<EventRecord>> {
        self.inner.events(from, limit)
    }

    fn next_event(&self) -> Outcome<u64> {
        self.inner.next_event()
    }

    fn sweep(&self) -> Outcome<Swept> {
        self.inner.sweep()
    }

    fn checkpoint(&self, to: &Path) -> Outcome<()> {
        self.inner.checkpoint(to)
    }

    fn info(&self) -> Outcome<Vec<(String, String)>> {
        self.inner.info()
    }
}
