//! A store, with the markers of one variant as they stood when the question began.

use std::collections::BTreeMap;
use std::thread;

use toads_census::{Shard, ShardResult, TallyEntry, ValueForm};
use toads_game::ValueId;
use toads_store::{ShardRecord, Store};
use toads_strip::{Class, Variant};

use super::catalogue::Catalogue;
use super::parallel::in_parallel;
use crate::error::{DatasetError, Result};

/// Classes of up to this many strips are evaluated again where a question needs the values of single strips and the
/// store holds none: about ten seconds and 40 MB.
pub const EVALUATE_LIMIT: u64 = 10_000_000;

/// Values read from the store at once.
const BATCH: usize = 4096;

/// A store and the markers of one variant. What is committed later is not seen, so one answer is about one state.
pub struct Reader<'s> {
    /// The store.
    pub(crate) store: &'s dyn Store,
    /// The ruleset.
    pub(crate) variant: Variant,
    /// Committed shards.
    pub(crate) records: BTreeMap<Shard, ShardRecord>,
    /// The largest class evaluated in passing.
    pub(crate) evaluate_limit: u64,
    /// Threads for decoding and evaluating.
    pub(crate) threads: usize,
}

impl<'s> Reader<'s> {
    /// Reads the markers of `variant`.
    pub fn new(store: &'s dyn Store, variant: Variant) -> Result<Self> {
        let records = store
            .shards(Some(variant))?
            .into_iter()
            .map(|record| (record.shard, record))
            .collect();
        let threads = thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            store,
            variant,
            records,
            evaluate_limit: EVALUATE_LIMIT,
            threads,
        })
    }

    /// The same, evaluating classes of up to `strips` strips in passing; 0 for none.
    #[must_use]
    pub fn evaluating_up_to(self, strips: u64) -> Self {
        Self {
            evaluate_limit: strips,
            ..self
        }
    }

    /// How many values the store holds.
    pub(crate) fn value_count(&self) -> Result<u64> {
        let facts = self.store.info()?;
        let count = facts.into_iter().find(|(key, _)| key == "values");
        Ok(count.and_then(|(_, count)| count.parse().ok()).unwrap_or(0))
    }

    /// The shard that answers for `class`.
    pub(crate) fn shard_of(&self, class: Class) -> Shard {
        Shard::whole(
            self.variant,
            if class.is_computed() {
                class
            } else {
                class.mirror()
            },
        )
    }

    /// The marker of the shard that answers for `class`.
    pub(crate) fn record_of(&self, class: Class) -> Option<&ShardRecord> {
        self.records.get(&self.shard_of(class))
    }

    /// The tally of a committed shard.
    pub(crate) fn tally(&self, shard: Shard) -> Result<ShardResult> {
        let damaged = || DatasetError::Damaged {
            shard,
            what: "its tally is missing".to_owned(),
        };
        self.store.tally(shard)?.ok_or_else(damaged)
    }

    /// The tally of a committed class, which may have more frogs than toads, in ascending order of value id.
    pub(crate) fn tally_of(
        &self,
        catalogue: &mut Catalogue,
        class: Class,
    ) -> Result<Vec<TallyEntry>> {
        let mut tally = self.tally(self.shard_of(class))?.tally;
        if !class.is_computed() {
            catalogue.load(self, tally.iter().map(|entry| entry.value))?;
            for entry in &mut tally {
                let code = catalogue.code(entry.value).expect("loaded above");
                entry.value = catalogue.facts(catalogue.facts(code).negative).id;
                std::mem::swap(&mut entry.first, &mut entry.first_mirrored);
            }
            tally.sort_unstable_by_key(|entry| entry.value);
        }
        Ok(tally)
    }

    /// The stored forms of `ids`, batch after batch, in no particular order. Every one of them must be stored.
    pub(crate) fn each_form(
        &self,
        ids: &[ValueId],
        mut each: impl FnMut(ValueForm) -> Result<()>,
    ) -> Result<()> {
        let batches: Vec<&[ValueId]> = ids.chunks(BATCH).collect();
        let read = |batch: &[ValueId]| -> Result<Vec<ValueForm>> {
            let forms = self.store.values(batch)?;
            batch
                .iter()
                .zip(forms)
                .map(|(&id, form)| form.ok_or_else(|| missing(id)))
                .collect()
        };
        in_parallel(
            self.threads,
            &batches,
            |batch| read(batch),
            |forms| forms.into_iter().try_for_each(&mut each),
        )
    }
}

pub(crate) fn missing(id: ValueId) -> DatasetError {
    DatasetError::DamagedValue {
        id,
        what: "its form is not stored".to_owned(),
    }
}
