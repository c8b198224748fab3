//! The twin: the same answers from memory. For tests of everything above the store, and the referee of [`RocksStore`]
//! (no keys, no encodings, one lock).
//!
//! [`RocksStore`]: crate::RocksStore

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use toads_census::{Shard, ShardResult, TallyEntry, ValueForm};
use toads_game::ValueId;
use toads_strip::Variant;
use toads_survey::{CellKey, CellRecord, Merge, SurveyId};

use crate::check::{self, Again};
use crate::digest::store_digest;
use crate::error::{Result, StoreError};
use crate::records::{
    DescribedValue, EventRecord, Negative, NumberedEntry, Pressure, QuarantineRecord, RunRecord,
    ShardRecord, SurveyRecord, Swept,
};
use crate::stamp::Stamp;
use crate::store::Store;

/// A store that forgets everything when it is dropped.
#[derive(Debug, Default)]
pub struct MemoryStore {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    runs: BTreeMap<u32, RunRecord>,
    shards: BTreeMap<Shard, (ShardRecord, ShardResult)>,
    blocks: BTreeMap<(Shard, u32), Vec<u8>>,
    /// By number.
    values: Vec<ValueForm>,
    numbers: BTreeMap<ValueId, u32>,
    events: BTreeMap<u64, EventRecord>,
    quarantine: BTreeMap<Shard, QuarantineRecord>,
    surveys: BTreeMap<SurveyId, SurveyRecord>,
    cells: BTreeMap<CellKey, CellRecord>,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Every change is made after all checks, so a panic elsewhere leaves nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn value(&self, id: ValueId) -> Option<ValueForm> {
        let number = *self.numbers.get(&id)?;
        Some(self.values[number as usize].clone())
    }

    fn check_events(&self, events: &[EventRecord]) -> Result<()> {
        check::events(events)?;
        let stored = |event: &EventRecord| {
            self.events
                .get(&event.sequence)
                .map(|old| check::same_event(old, event))
        };
        events.iter().filter_map(stored).collect()
    }

    fn write_events(&mut self, events: &[EventRecord]) {
        self.events
            .extend(events.iter().map(|event| (event.sequence, event.clone())));
    }

    fn remove_blocks(&mut self, shard: Shard) {
        self.blocks.retain(|&(of, _), _| of != shard);
    }
}

impl Store for MemoryStore {
    fn runs(&self) -> Result<Vec<RunRecord>> {
        Ok(self.state().runs.values().cloned().collect())
    }

    fn put_run(&self, run: &RunRecord) -> Result<()> {
        check::run(run)?;
        self.state().runs.insert(run.id, run.clone());
        Ok(())
    }

    fn shard(&self, shard: Shard) -> Result<Option<ShardRecord>> {
        Ok(self
            .state()
            .shards
            .get(&shard)
            .map(|(record, _)| record.clone()))
    }

    fn shards(&self, variant: Option<Variant>) -> Result<Vec<ShardRecord>> {
        let wanted =
            |record: &ShardRecord| variant.is_none_or(|variant| record.shard.variant == variant);
        Ok(self
            .state()
            .shards
            .values()
            .map(|(record, _)| record)
            .filter(|r| wanted(r))
            .cloned()
            .collect())
    }

    fn missing_values(&self, ids: &[ValueId]) -> Result<Vec<ValueId>> {
        let state = self.state();
        Ok(ids
            .iter()
            .filter(|id| !state.numbers.contains_key(id))
            .copied()
            .collect())
    }

    fn put_values(&self, values: &[ValueForm]) -> Result<()> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        values
            .iter()
            .try_for_each(|form| check::value(form, &mut left, &mut right))?;
        let mut state = self.state();
        let mut new = BTreeMap::new();
        let mut forms = Vec::new();
        for form in values {
            if state.numbers.contains_key(&form.id) || new.contains_key(&form.id) {
                continue;
            }
            let number = (state.values.len() + forms.len()) as u32;
            check::number(number)?;
            for &option in form.left.iter().chain(&form.right) {
                if !state.numbers.contains_key(&option) && !new.contains_key(&option) {
                    return Err(check::no_option(form, option));
                }
            }
            new.insert(form.id, number);
            forms.push(form.clone());
        }
        state.numbers.extend(new);
        state.values.extend(forms);
        Ok(())
    }

    fn value(&self, id: ValueId) -> Result<Option<ValueForm>> {
        Ok(self.state().value(id))
    }

    fn values(&self, ids: &[ValueId]) -> Result<Vec<Option<ValueForm>>> {
        let state = self.state();
        Ok(ids.iter().map(|&id| state.value(id)).collect())
    }

    fn scan_values(&self, visit: &mut dyn FnMut(ValueForm) -> ControlFlow<()>) -> Result<()> {
        let forms = self.state().values.clone();
        let _ = forms.into_iter().try_for_each(visit);
        Ok(())
    }

    fn describe_values(
        &self,
        visit: &mut dyn FnMut(DescribedValue) -> ControlFlow<()>,
    ) -> Result<()> {
        let described: Vec<DescribedValue> = {
            let state = self.state();
            let negative = |form: &ValueForm| match state.numbers.get(&form.negative) {
                _ if form.negative == form.id => Negative::Itself,
                Some(&number) => Negative::Number(number),
                None => Negative::Id(form.negative),
            };
            let describe = |form: &ValueForm| DescribedValue {
                id: form.id,
                negative: negative(form),
                invariants: form.invariants,
            };
            state.values.iter().map(describe).collect()
        };
        let _ = described.into_iter().try_for_each(visit);
        Ok(())
    }

    fn put_blocks(&self, shard: Shard, blocks: &[(u32, Vec<u8>)]) -> Result<()> {
        check::shard(shard)?;
        let mut state = self.state();
        let committed = state
            .shards
            .get(&shard)
            .map_or(0, |(record, _)| record.blocks);
        if committed > 0 {
            let is_stored = |(number, bytes): &(u32, Vec<u8>)| {
                *number < committed && state.blocks.get(&(shard, *number)) == Some(bytes)
            };
            let other = blocks.iter().find(|block| !is_stored(block));
            return other.map_or(Ok(()), |&(number, _)| {
                Err(check::other_block(shard, number))
            });
        }
        state.blocks.extend(
            blocks
                .iter()
                .map(|(number, bytes)| ((shard, *number), bytes.clone())),
        );
        Ok(())
    }

    fn block(&self, shard: Shard, block: u32) -> Result<Option<Vec<u8>>> {
        let state = self.state();
        let is_visible = state
            .shards
            .get(&shard)
            .is_some_and(|(record, _)| block < record.blocks);
        Ok(if is_visible {
            state.blocks.get(&(shard, block)).cloned()
        } else {
            None
        })
    }

    fn commit(
        &self,
        record: &ShardRecord,
        result: &ShardResult,
        events: &[EventRecord],
    ) -> Result<()> {
        check::commit(record, result)?;
        let mut state = self.state();
        state.check_events(events)?;
        let shard = record.shard;
        let again = state
            .shards
            .get(&shard)
            .map(|(stored, _)| check::again(stored, record))
            .transpose()?;
        if again != Some(Again::Nothing) {
            let range = (shard, 0)..(shard, record.blocks);
            let sizes: Vec<u64> = state
                .blocks
                .range(range)
                .map(|(_, bytes)| bytes.len() as u64)
                .collect();
            check::blocks(record, sizes.len() as u64, sizes.iter().sum())?;
            let missing: Vec<_> = result
                .tally
                .iter()
                .map(|entry| entry.value)
                .filter(|id| !state.numbers.contains_key(id))
                .collect();
            check::values(shard, &missing)?;
            state.shards.insert(shard, (record.clone(), result.clone()));
        }
        state.write_events(events);
        Ok(())
    }

    fn tally(&self, shard: Shard) -> Result<Option<ShardResult>> {
        Ok(self
            .state()
            .shards
            .get(&shard)
            .map(|(_, result)| result.clone()))
    }

    fn numbered_tally(&self, shard: Shard) -> Result<Option<Vec<NumberedEntry>>> {
        let state = self.state();
        let Some((_, result)) = state.shards.get(&shard) else {
            return Ok(None);
        };
        let numbered = |entry: &TallyEntry| NumberedEntry {
            number: state.numbers[&entry.value],
            count: entry.count,
            first: entry.first,
            first_mirrored: entry.first_mirrored,
        };
        let mut entries: Vec<_> = result.tally.iter().map(numbered).collect();
        entries.sort_unstable_by_key(|entry| entry.number);
        Ok(Some(entries))
    }

    fn invalidate(&self, shard: Shard, events: &[EventRecord]) -> Result<()> {
        let mut state = self.state();
        state.check_events(events)?;
        state.shards.remove(&shard);
        state.remove_blocks(shard);
        state.write_events(events);
        Ok(())
    }

    fn quarantine(&self) -> Result<Vec<QuarantineRecord>> {
        Ok(self.state().quarantine.values().cloned().collect())
    }

    fn set_quarantine(&self, shard: Shard, record: Option<&QuarantineRecord>) -> Result<()> {
        check::quarantine(shard, record)?;
        let mut state = self.state();
        match record {
            Some(record) => state.quarantine.insert(shard, record.clone()),
            None => state.quarantine.remove(&shard),
        };
        Ok(())
    }

    fn surveys(&self) -> Result<Vec<SurveyRecord>> {
        let mut records: Vec<_> = self.state().surveys.values().cloned().collect();
        records.sort_by_key(|record| record.created_ms);
        Ok(records)
    }

    fn put_survey(&self, record: &SurveyRecord) -> Result<()> {
        let mut state = self.state();
        let entry = state.surveys.entry(record.id());
        entry.or_insert_with(|| record.clone()).state = record.state;
        Ok(())
    }

    fn cells(&self, survey: SurveyId) -> Result<Vec<(u32, CellRecord)>> {
        let key = |index| CellKey { survey, index };
        let state = self.state();
        let cells = state.cells.range(key(0)..=key(u32::MAX));
        Ok(cells
            .map(|(key, record)| (key.index, record.clone()))
            .collect())
    }

    fn cell(&self, survey: SurveyId, index: u32) -> Result<Option<CellRecord>> {
        Ok(self.state().cells.get(&CellKey { survey, index }).cloned())
    }

    fn put_cell(
        &self,
        survey: SurveyId,
        index: u32,
        record: &CellRecord,
        events: &[EventRecord],
    ) -> Result<Merge> {
        let key = CellKey { survey, index };
        let mut state = self.state();
        let definition = state.surveys.get(&survey);
        let cells = definition.map(|record| record.survey.cells().len());
        check::cell(cells, key, record)?;
        state.check_events(events)?;
        let merge = check::merge(key, record, state.cells.get(&key))?;
        if merge == Merge::Take {
            state.cells.insert(key, record.clone());
        }
        state.write_events(events);
        Ok(merge)
    }

    fn append_events(&self, events: &[EventRecord]) -> Result<()> {
        let mut state = self.state();
        state.check_events(events)?;
        state.write_events(events);
        Ok(())
    }

    fn events(&self, from: u64, limit: usize) -> Result<Vec<EventRecord>> {
        Ok(self
            .state()
            .events
            .range(from..)
            .take(limit)
            .map(|(_, event)| event.clone())
            .collect())
    }

    fn next_event(&self) -> Result<u64> {
        Ok(self
            .state()
            .events
            .last_key_value()
            .map_or(1, |(last, _)| last + 1))
    }

    /// Refused: there are no files to copy.
    fn checkpoint(&self, _: &Path) -> Result<()> {
        Err(StoreError::Rejected {
            what: "a store in memory has no files to copy".to_owned(),
        })
    }

    fn sweep(&self) -> Result<Swept> {
        let mut state = self.state();
        let visible: BTreeMap<Shard, u32> = state
            .shards
            .iter()
            .map(|(&shard, (record, _))| (shard, record.blocks))
            .collect();
        let is_leftover =
            |shard: Shard, number: u32| visible.get(&shard).is_none_or(|&blocks| number >= blocks);
        let mut leftovers: Vec<Shard> = state
            .blocks
            .keys()
            .filter(|&&(shard, number)| is_leftover(shard, number))
            .map(|key| key.0)
            .collect();
        leftovers.dedup();
        state
            .blocks
            .retain(|&(shard, number), _| !is_leftover(shard, number));
        let surplus = leftovers
            .iter()
            .filter(|shard| visible.contains_key(shard))
            .count() as u64;
        Ok(Swept {
            uncommitted: leftovers.len() as u64 - surplus,
            surplus,
        })
    }

    fn pressure(&self) -> Result<Pressure> {
        Ok(Pressure::default())
    }

    fn info(&self) -> Result<Vec<(String, String)>> {
        let records = self.shards(None)?;
        let state = self.state();
        let stamp = Stamp::current();
        let rows = [
            ("format", stamp.format.to_string()),
            ("fingerprint", stamp.fingerprint.to_string()),
            ("digest", store_digest(&records).to_string()),
            ("runs", state.runs.len().to_string()),
            ("shards", records.len().to_string()),
            ("values", state.values.len().to_string()),
            ("surveys", state.surveys.len().to_string()),
            ("cells", state.cells.len().to_string()),
        ];
        Ok(rows.map(|(key, value)| (key.to_owned(), value)).to_vec())
    }
}
