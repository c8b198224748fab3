//! Are the stored forms what they say?

use rustc_hash::FxHashMap;
use toads_census::{Shard, ValueForm};
use toads_game::{Arena, Canonicalizer, GameError, Invariants, Value, ValueId};

use super::report::{Damage, Found};
use crate::error::Result;
use crate::read::Reader;

/// What is built; `None` where the form is missing or wrong.
pub(super) type Built = FxHashMap<ValueId, Option<Value>>;

/// Builds values from their stored forms and checks each once.
pub(super) struct ValueAudit<'a> {
    arena: &'a Arena,
    canonicalizer: Canonicalizer<'a>,
    invariants: Invariants<'a>,
    /// What others have built.
    before: Option<&'a Built>,
    built: Built,
}

impl<'a> ValueAudit<'a> {
    pub(super) fn new(arena: &'a Arena) -> Self {
        let (canonicalizer, invariants) = (Canonicalizer::new(arena), Invariants::new(arena));
        Self {
            arena,
            canonicalizer,
            invariants,
            before: None,
            built: FxHashMap::default(),
        }
    }

    /// Goes on from what others have built in the same arena.
    pub(super) fn after(arena: &'a Arena, before: &'a Built) -> Self {
        Self {
            before: Some(before),
            ..Self::new(arena)
        }
    }

    /// What this one has built.
    pub(super) fn into_built(self) -> Built {
        self.built
    }

    /// Values checked so far, those of others left out.
    pub(super) fn checked(&self) -> u64 {
        self.built.len() as u64
    }

    fn is_built(&self, id: &ValueId) -> bool {
        self.built.contains_key(id) || self.before.is_some_and(|before| before.contains_key(id))
    }

    /// The handle of a value whose form is sound.
    pub(super) fn value(&self, id: ValueId) -> Option<Value> {
        let built = self.built.get(&id);
        built.or_else(|| self.before?.get(&id)).copied().flatten()
    }

    /// The id of the negative.
    pub(super) fn negative(&self, value: Value) -> ValueId {
        self.arena.negative_id(value)
    }

    /// The id of a handle.
    pub(super) fn id(&self, value: Value) -> ValueId {
        self.arena.id(value)
    }

    /// The canonical form of {left | right}.
    pub(super) fn canonical(
        &mut self,
        left: &[Value],
        right: &[Value],
    ) -> Result<Value, GameError> {
        self.canonicalizer.canonical(left, right)
    }

    /// Checks `ids` and all their subpositions that were not checked before.
    pub(super) fn check(
        &mut self,
        reader: &Reader<'_>,
        shard: Shard,
        ids: &[ValueId],
        found: &mut Found,
    ) -> Result<()> {
        let mut forms: FxHashMap<ValueId, Option<ValueForm>> = FxHashMap::default();
        let mut level: Vec<ValueId> = ids.to_vec();
        loop {
            level.retain(|id| !self.is_built(id) && !forms.contains_key(id));
            level.sort_unstable();
            level.dedup();
            if level.is_empty() {
                break;
            }
            let mut next = Vec::new();
            for batch in level.chunks(4096) {
                for (&id, form) in batch.iter().zip(reader.store.values(batch)?) {
                    // The options of a form under a wrong id are not those of the value; they are of no interest.
                    let named_right = form
                        .as_ref()
                        .is_some_and(|form| hash(form) == id && form.id == id);
                    next.extend(
                        form.iter()
                            .filter(|_| named_right)
                            .flat_map(|form| form.left.iter().chain(&form.right)),
                    );
                    forms.insert(id, form);
                }
            }
            level = next;
        }
        // The options of what is named right are hashes of their options in turn, so this ends.
        for &id in ids {
            self.build(shard, &forms, id, found)?;
        }
        Ok(())
    }

    fn build(
        &mut self,
        shard: Shard,
        forms: &FxHashMap<ValueId, Option<ValueForm>>,
        id: ValueId,
        found: &mut Found,
    ) -> Result<()> {
        let mut stack = vec![id];
        while let Some(&top) = stack.last() {
            if self.is_built(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if let Some(Some(form)) = forms.get(&top)
                && hash(form) == top
            {
                stack.extend(
                    form.left
                        .iter()
                        .chain(&form.right)
                        .filter(|option| !self.is_built(option)),
                );
            }
            if stack.len() == before {
                stack.pop();
                let value = match self.examine(forms.get(&top).and_then(Option::as_ref), top)? {
                    Ok(value) => Some(value),
                    Err(detail) => {
                        found.find(shard, Damage::Value, format!("the value {top} {detail}"));
                        None
                    }
                };
                self.built.insert(top, value);
            }
        }
        Ok(())
    }

    /// Checks a form whose options are built; what is wrong with it, in words.
    fn examine(&mut self, form: Option<&ValueForm>, id: ValueId) -> Result<Result<Value, String>> {
        let Some(form) = form else {
            return Ok(Err("is not stored".to_owned()));
        };
        if form.id != id || hash(form) != id {
            return Ok(Err(format!("is stored with the options of {}", hash(form))));
        }
        if !form.left.is_sorted_by(|a, b| a < b) || !form.right.is_sorted_by(|a, b| a < b) {
            return Ok(Err("has its options out of order".to_owned()));
        }
        let handles = |side: &[ValueId]| {
            side.iter()
                .map(|&option| self.value(option))
                .collect::<Option<Vec<_>>>()
        };
        let (Some(left), Some(right)) = (handles(&form.left), handles(&form.right)) else {
            return Ok(Err("has a damaged option".to_owned()));
        };
        let value = self.canonical(&left, &right)?;
        let found = self.arena.id(value);
        if found != id {
            return Ok(Err(format!("is not in canonical form: it equals {found}")));
        }
        if form.negative != self.arena.negative_id(value) {
            return Ok(Err(format!(
                "has the negative {}, not {}",
                self.arena.negative_id(value),
                form.negative
            )));
        }
        let invariants = self.invariants.record(value)?;
        if form.invariants != invariants {
            return Ok(Err(format!(
                "is recorded with {:?}, not {invariants:?}",
                form.invariants
            )));
        }
        Ok(Ok(value))
    }
}

fn hash(form: &ValueForm) -> ValueId {
    ValueId::of(&mut form.left.clone(), &mut form.right.clone())
}
