//! What the tables of one session share.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rustc_hash::FxHashMap;
use toads_census::Shard;
use toads_game::{Arena, ValueId, ValueInvariants, notation};
use toads_store::{ShardRecord, Store};
use toads_strip::Variant;

use super::shelf::Shelf;
use crate::error::{DatasetError, Result};
use crate::read::{Catalogue, Counted, Facts, Known, Named, Reader, negative};

/// Bytes for a value, its negative included, when all are known: facts, invariants, and a place in a hash table.
const BYTES_A_VALUE: u64 = 2 * (48 + 40 + 24);

/// How many values could be read in a row in the time that one look-up takes.
const LOOK_UP: u64 = 256;

/// A store as it is asked about in one session.
///
/// The lifetimes here are not what they seem: see [`super::session::Session`], which sees to it that nothing in here
/// is used longer than the store is borrowed.
pub(super) struct World {
    pub(super) store: &'static dyn Store,
    /// One for each variant.
    readers: Vec<Reader<'static>>,
    /// Bytes for what is kept here.
    pub(super) memory: u64,
    all: OnceLock<Arc<Codes>>,
    /// Values that were read for themselves alone.
    few: AtomicU64,
    tallies: Mutex<Tallies>,
    shelf: Mutex<Shelf>,
    failure: Mutex<Option<DatasetError>>,
}

/// Tallies that were read.
#[derive(Default)]
struct Tallies {
    by_shard: FxHashMap<Shard, Arc<Vec<Counted>>>,
    entries: usize,
}

/// Values by code, with what can be read off them.
pub(super) struct Codes {
    pub(super) known: Known,
    pub(super) invariants: Vec<ValueInvariants>,
    by_id: OnceLock<FxHashMap<ValueId, u32>>,
}

impl Codes {
    pub(super) fn facts(&self) -> &[Facts] {
        self.known.facts()
    }

    /// A value and the stored form behind it.
    pub(super) fn named(&self, code: u32) -> (ValueId, Named) {
        let facts = self.facts();
        let of = &facts[code as usize];
        let named = Named {
            stored: of.stored_id(facts),
            negated: !of.stored,
        };
        (of.id, named)
    }

    /// The code of a value that is among them.
    pub(super) fn code(&self, id: ValueId) -> Option<u32> {
        match &self.known {
            Known::Some(catalogue) => catalogue.code(id),
            Known::All(facts) => {
                let index = || {
                    (0..)
                        .zip(facts)
                        .map(|(code, facts)| (facts.id, code))
                        .collect()
                };
                self.by_id.get_or_init(index).get(&id).copied()
            }
        }
    }
}

impl World {
    /// Nothing read yet but the markers that the readers have. Values, tallies and texts take about `memory` bytes.
    pub(super) fn new(readers: Vec<Reader<'static>>, memory: u64) -> Self {
        Self {
            store: readers[0].store,
            readers,
            memory,
            all: OnceLock::new(),
            few: AtomicU64::new(0),
            tallies: Mutex::default(),
            shelf: Mutex::new(Shelf::new(memory)),
            failure: Mutex::new(None),
        }
    }

    pub(super) fn reader(&self, variant: Variant) -> &Reader<'static> {
        let mut readers = self.readers.iter();
        let reader = readers.find(|reader| reader.variant == variant);
        reader.expect("there is one for each variant")
    }

    /// A reader for what does not depend on the variant: values.
    pub(super) fn any_reader(&self) -> &Reader<'static> {
        &self.readers[0]
    }

    /// The variants that a text names: one, none, or all where there is no text.
    pub(super) fn variants(&self, name: Option<&str>) -> impl Iterator<Item = &Reader<'static>> {
        let name = name.map(str::to_owned);
        let named = move |reader: &&Reader<'static>| {
            name.as_deref()
                .is_none_or(|name| reader.variant.name() == name)
        };
        self.readers.iter().filter(named)
    }

    /// Keeps what went wrong first.
    pub(super) fn fail(&self, error: DatasetError) {
        lock(&self.failure).get_or_insert(error);
    }

    /// What went wrong, if anything.
    pub(super) fn failure(&self) -> Option<DatasetError> {
        lock(&self.failure).take()
    }

    /// Forms and texts.
    pub(super) fn shelf(&self) -> MutexGuard<'_, Shelf> {
        lock(&self.shelf)
    }

    /// Whether all values of the store may be held.
    pub(super) fn holds_all(&self) -> Result<bool> {
        if self.all.get().is_some() {
            return Ok(true);
        }
        Ok(self.any_reader().value_count()? * BYTES_A_VALUE <= self.memory)
    }

    /// All values of the store and their negatives.
    pub(super) fn all(&self) -> Result<Arc<Codes>> {
        if let Some(all) = self.all.get() {
            return Ok(Arc::clone(all));
        }
        if !self.holds_all()? {
            let needed = (self.any_reader().value_count()? * BYTES_A_VALUE) >> 20;
            return Err(DatasetError::Question(format!(
                "the values of this store take {needed} MiB; give --memory {needed}MiB or more, or ask about one value_id or one class"
            )));
        }
        let facts = self.any_reader().all_facts()?;
        let invariants = self.any_reader().all_invariants(&facts)?;
        let codes = Codes {
            known: Known::All(facts),
            invariants,
            by_id: OnceLock::new(),
        };
        Ok(Arc::clone(self.all.get_or_init(|| Arc::new(codes))))
    }

    /// All values, when they were read already, or when so many are asked for one by one that all are read sooner.
    fn all_if_worth(&self, more: u64) -> Result<Option<Arc<Codes>>> {
        if let Some(all) = self.all.get() {
            return Ok(Some(Arc::clone(all)));
        }
        let few = self.few.fetch_add(more, Ordering::Relaxed) + more;
        let is_worth = few * 8 > self.any_reader().value_count()? && self.holds_all()?;
        is_worth.then(|| self.all()).transpose()
    }

    /// These values, which are stored, and their negatives; or all.
    pub(super) fn codes_for(&self, ids: &[ValueId]) -> Result<Arc<Codes>> {
        match self.all_if_worth(ids.len() as u64)? {
            Some(all) => Ok(all),
            None => self.codes_of_stored(ids),
        }
    }

    /// A value with this id and negative, if the store has it.
    pub(super) fn codes_of(
        &self,
        (id, negative): (ValueId, ValueId),
    ) -> Result<Option<Arc<Codes>>> {
        if let Some(all) = self.all.get() {
            return Ok(all.code(id).map(|_| Arc::clone(all)));
        }
        let missing = self.store.missing_values(&[id, negative])?;
        let stored = [id, negative].into_iter().find(|id| !missing.contains(id));
        let Some(stored) = stored else {
            return Ok(None);
        };
        match self.all_if_worth(LOOK_UP)? {
            Some(all) => Ok(Some(all)),
            None => self.codes_of_stored(&[stored]).map(Some),
        }
    }

    /// The tally of a shard by code.
    pub(super) fn tally(
        &self,
        reader: &Reader<'_>,
        shard: Shard,
    ) -> Result<(Arc<Codes>, Arc<Vec<Counted>>)> {
        let distinct = reader
            .records
            .get(&shard)
            .map_or(0, |record| record.distinct);
        if let Some(all) = self.all_if_worth(distinct)? {
            let counted = self.counted(reader, shard, &all)?;
            return Ok((all, counted));
        }
        let tally = reader.tally(shard)?.tally;
        let ids: Vec<_> = tally.iter().map(|entry| entry.value).collect();
        let codes = self.codes_of_stored(&ids)?;
        let counted = tally.iter().map(|entry| Counted {
            code: codes.code(entry.value).expect("codes were made for it"),
            strips: entry.count,
            first: entry.first,
            first_mirrored: entry.first_mirrored,
        });
        let counted = counted.collect();
        Ok((codes, Arc::new(counted)))
    }

    /// The tally of a shard where all values are known; kept, because a join asks again and again.
    fn counted(&self, reader: &Reader<'_>, shard: Shard, all: &Codes) -> Result<Arc<Vec<Counted>>> {
        let mut kept = lock(&self.tallies);
        if let Some(counted) = kept.by_shard.get(&shard) {
            return Ok(Arc::clone(counted));
        }
        let counted = Arc::new(reader.counted(all.facts().len(), shard)?);
        if (kept.entries + counted.len()) * size_of::<Counted>() < self.memory as usize / 4 {
            kept.entries += counted.len();
            kept.by_shard.insert(shard, Arc::clone(&counted));
        }
        Ok(counted)
    }

    /// The entries of all tallies, mirror classes included: about how many rows `tallies` has.
    pub(super) fn tally_entries(&self) -> f64 {
        self.records()
            .map(|record| record.distinct as f64 * 2.0)
            .sum()
    }

    /// The strips of all committed classes: about how many rows `strips` has.
    pub(super) fn strip_count(&self) -> f64 {
        self.records()
            .map(|record| record.strips as f64 * 2.0)
            .sum()
    }

    fn records(&self) -> impl Iterator<Item = &ShardRecord> {
        self.readers
            .iter()
            .flat_map(|reader| reader.records.values())
    }

    fn codes_of_stored(&self, ids: &[ValueId]) -> Result<Arc<Codes>> {
        let mut catalogue = Catalogue::default();
        catalogue.load(self.any_reader(), ids.iter().copied())?;
        let facts = catalogue.all();
        let stored: Vec<_> = facts
            .iter()
            .filter(|of| of.stored)
            .map(|of| of.id)
            .collect();
        let mut of_form = FxHashMap::default();
        self.any_reader().each_form(&stored, |form| {
            of_form.insert(form.id, form.invariants);
            Ok(())
        })?;
        let invariants = facts.iter().map(|of| {
            let known = of_form[&of.stored_id(facts)];
            if of.stored { known } else { negative(known) }
        });
        let invariants = invariants.collect();
        Ok(Arc::new(Codes {
            known: Known::Some(catalogue),
            invariants,
            by_id: OnceLock::new(),
        }))
    }

    /// The ids of the value with this text and of its negative; `None` where the text is none of a value.
    pub(super) fn ids_of_text(text: &str) -> Option<(ValueId, ValueId)> {
        let arena = Arena::new();
        let value = notation::parse(&arena, text).ok()?;
        Some((arena.id(value), arena.negative_id(value)))
    }

    /// The value with this id and its negative, where one of them is stored.
    pub(super) fn ids_of_id(&self, text: &str) -> Result<Option<(ValueId, ValueId)>> {
        let Ok(id) = text.parse::<ValueId>() else {
            return Ok(None);
        };
        let all = match self.all_if_worth(LOOK_UP)? {
            Some(all) => all,
            None => match self.store.value(id)? {
                Some(form) => return Ok(Some((id, form.negative))),
                None => self.all()?,
            },
        };
        let facts = all.facts();
        Ok(all
            .code(id)
            .map(|code| (id, facts[facts[code as usize].negative as usize].id)))
    }
}

/// What these locks guard is as good after a panic as before it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
