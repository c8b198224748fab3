//! Conditions on values.

use rustc_hash::FxHashSet;
use toads_game::{Arena, Kind, Outcome, ValueId, notation};

use crate::error::{DatasetError, Result};
use crate::question::Filters;
use crate::read::{Catalogue, Facts, Reader};

/// The values a question is about; by default all.
#[derive(Default)]
pub(crate) struct Wanted {
    kind: Option<Kind>,
    outcome: Option<Outcome>,
    /// The only value, and its negative.
    pub(super) value: Option<(ValueId, ValueId)>,
    /// The values that satisfy a condition in SQL.
    satisfying: Option<FxHashSet<ValueId>>,
}

impl Wanted {
    /// Reads the conditions; the text of a value is read as people write it. `satisfying` are the values that satisfy the
    /// one in SQL.
    pub(super) fn new(
        reader: &Reader<'_>,
        filters: &Filters,
        satisfying: Option<FxHashSet<ValueId>>,
    ) -> Result<Self> {
        let value = filters
            .value
            .as_deref()
            .map(|text| resolve(reader, text))
            .transpose()?;
        Ok(Self {
            kind: filters.kind,
            outcome: filters.outcome,
            value,
            satisfying,
        })
    }

    /// Whether a value satisfies them.
    pub(super) fn admits(&self, facts: &Facts) -> bool {
        self.kind.is_none_or(|kind| kind == facts.kind)
            && self.outcome.is_none_or(|outcome| outcome == facts.outcome)
            && self.value.is_none_or(|(id, _)| id == facts.id)
            && self
                .satisfying
                .as_ref()
                .is_none_or(|satisfying| satisfying.contains(&facts.id))
    }

    /// Whether anything but the value itself matters.
    pub(super) fn asks_for_facts(&self) -> bool {
        self.kind.is_some() || self.outcome.is_some() || self.satisfying.is_some()
    }
}

/// The ids of the value with this text or id, and of its negative.
fn resolve(reader: &Reader<'_>, text: &str) -> Result<(ValueId, ValueId)> {
    if let Ok(id) = text.parse::<ValueId>() {
        return of_id(reader, id);
    }
    let arena = Arena::new();
    let wrong = |error| {
        DatasetError::Question(format!("`{}` is not a value: {error}", text.escape_debug()))
    };
    let value = notation::parse(&arena, text).map_err(wrong)?;
    Ok((arena.id(value), arena.negative_id(value)))
}

/// The negative of an id: of the stored form, else of the stored value whose negative it is.
fn of_id(reader: &Reader<'_>, id: ValueId) -> Result<(ValueId, ValueId)> {
    if let Some(form) = reader.store.value(id)? {
        return Ok((id, form.negative));
    }
    let mut catalogue = Catalogue::default();
    for &shard in reader.records.keys() {
        let tally = reader.tally(shard)?.tally;
        catalogue.load(reader, tally.iter().map(|entry| entry.value))?;
        if let Some(code) = catalogue.code(id) {
            return Ok((id, catalogue.facts(catalogue.facts(code).negative).id));
        }
    }
    Err(DatasetError::Question(format!(
        "no strip of this store has the value with id {id}; give its text instead"
    )))
}
