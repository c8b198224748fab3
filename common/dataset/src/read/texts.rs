//! The text of values, and what else needs a form: built in an arena from what is stored, options first.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;
use toads_census::ValueForm;
use toads_game::{Arena, DeepInvariants, Value, ValueId, Writer, notation};

use super::catalogue::Catalogue;
use super::reader::{Reader, missing};
use crate::error::{DatasetError, Result};
use crate::rows::Cell;

/// A value to name: the id of a stored form, and whether its negative is meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Named {
    /// The id of a stored form.
    pub(crate) stored: ValueId,
    /// Whether the negative of that form is meant.
    pub(crate) negated: bool,
}

impl Named {
    /// The value with this id: stored itself, unless the catalogue knows better.
    pub(crate) fn of(catalogue: &Catalogue, id: ValueId) -> Self {
        match catalogue.code(id).map(|code| catalogue.facts(code)) {
            Some(facts) if !facts.stored => Self {
                stored: catalogue.facts(facts.negative).id,
                negated: true,
            },
            _ => Self {
                stored: id,
                negated: false,
            },
        }
    }
}

/// What is read off a form, beside what is stored with it; see [`DeepInvariants`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Deep {
    LeftOptions,
    RightOptions,
    Depth,
    Subpositions,
    AtomicWeight,
    Reduced,
}

/// Writes values. Keeps the forms it has built, until its arena is half full.
pub(crate) struct Texts {
    arena: Arena,
    built: FxHashMap<ValueId, Value>,
    deep: DeepInvariants,
    /// Texts of values found as invariants.
    found: FxHashMap<Value, String>,
    max_text: Option<usize>,
}

impl Texts {
    /// Writes whole texts, or their beginnings.
    pub(crate) fn new(max_text: Option<usize>) -> Self {
        Self {
            arena: Arena::new(),
            built: FxHashMap::default(),
            deep: DeepInvariants::default(),
            found: FxHashMap::default(),
            max_text,
        }
    }

    /// The same, with an arena of about `bytes` when it is full.
    pub(crate) fn within(max_text: Option<usize>, bytes: u64) -> Self {
        Self {
            arena: Arena::with_capacity_bytes(bytes),
            ..Self::new(max_text)
        }
    }

    /// Forgets everything.
    fn start_afresh(&mut self) {
        *self = Self {
            arena: Arena::with_capacity(self.arena.capacity()),
            ..Self::new(self.max_text)
        };
    }

    /// Builds every value of the store, when there are at most `most` of them: 1.5 µs and 100 bytes each. Whether it did.
    pub(crate) fn load_all(&mut self, reader: &Reader<'_>, most: u64) -> Result<bool> {
        let room = self.arena.capacity().values as u64 / 2;
        if reader.value_count()? > most.min(room) {
            return Ok(false);
        }
        let mut done = Ok(());
        reader.store.scan_values(&mut |form| {
            done = if self.built.contains_key(&form.id) {
                Ok(())
            } else {
                self.build_form(&form)
            };
            match done {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        })?;
        done.map(|()| true)
    }

    /// Builds `ids` and their subpositions, with as few reads of the store as they are deep.
    pub(crate) fn load(
        &mut self,
        reader: &Reader<'_>,
        ids: impl IntoIterator<Item = ValueId>,
    ) -> Result<()> {
        if self.arena.len() > self.arena.capacity().values / 2 {
            self.start_afresh();
        }
        let wanted: Vec<ValueId> = ids
            .into_iter()
            .filter(|id| !self.built.contains_key(id))
            .collect();
        let mut forms: FxHashMap<ValueId, ValueForm> = FxHashMap::default();
        let mut level = wanted.clone();
        while !level.is_empty() {
            level.sort_unstable();
            level.dedup();
            let mut next = Vec::new();
            reader.each_form(&level, |form| {
                next.extend(form.left.iter().chain(&form.right).copied());
                forms.insert(form.id, form);
                Ok(())
            })?;
            next.retain(|id| !self.built.contains_key(id) && !forms.contains_key(id));
            level = next;
        }
        let edges = forms
            .values()
            .map(|form| form.left.len() + form.right.len())
            .sum();
        wanted
            .into_iter()
            .try_for_each(|id| self.build(&forms, edges, id))
    }

    /// Builds one value whose forms are at hand. With a stack of its own: an integer is a chain as long as itself.
    fn build(
        &mut self,
        forms: &FxHashMap<ValueId, ValueForm>,
        edges: usize,
        id: ValueId,
    ) -> Result<()> {
        let mut stack = vec![id];
        while let Some(&top) = stack.last() {
            if self.built.contains_key(&top) {
                stack.pop();
                continue;
            }
            let form = forms.get(&top).ok_or_else(|| missing(top))?;
            let before = stack.len();
            stack.extend(
                form.left
                    .iter()
                    .chain(&form.right)
                    .filter(|option| !self.built.contains_key(option)),
            );
            if stack.len() > before {
                if stack.len() > edges + 1 {
                    return Err(DatasetError::DamagedValue {
                        id,
                        what: "it is an option of itself".to_owned(),
                    });
                }
                continue;
            }
            stack.pop();
            self.build_form(form)?;
        }
        Ok(())
    }

    /// Builds a value whose options are built.
    fn build_form(&mut self, form: &ValueForm) -> Result<()> {
        let handles = |side: &[ValueId]| -> Result<Vec<Value>> {
            let handle = |option| {
                self.built
                    .get(option)
                    .copied()
                    .ok_or_else(|| missing(*option))
            };
            side.iter().map(handle).collect()
        };
        let value = self
            .arena
            .canonical(&handles(&form.left)?, &handles(&form.right)?)?;
        if self.arena.id(value) != form.id {
            return Err(DatasetError::DamagedValue {
                id: form.id,
                what: "its options make another value".to_owned(),
            });
        }
        self.built.insert(form.id, value);
        Ok(())
    }

    /// One of the invariants of a value that need its form. Empty where the value has none, or is past the budget.
    pub(crate) fn deep(&mut self, reader: &Reader<'_>, named: Named, what: Deep) -> Result<Cell> {
        self.load(reader, [named.stored])?;
        let value = self.value(named)?;
        let (arena, deep, max_text) = (&self.arena, &mut self.deep, self.max_text);
        let found = match what {
            Deep::LeftOptions => return Ok(arena.left_options(value).len().into()),
            Deep::RightOptions => return Ok(arena.right_options(value).len().into()),
            Deep::Depth => return Ok(deep.depth(arena, value).into()),
            Deep::Subpositions => return Ok(deep.subpositions(arena, value).into()),
            Deep::AtomicWeight => deep.atomic_weight(arena, value)?,
            Deep::Reduced => deep.reduced(arena, value)?,
        };
        // The same few values come again and again.
        let text = |value| {
            let text = self.found.entry(value);
            text.or_insert_with(|| match max_text {
                Some(max) => notation::display_limited(arena, value, max),
                None => notation::display(arena, value),
            })
            .clone()
        };
        Ok(found.map(text).into())
    }

    /// The handle of a value that was loaded.
    fn value(&self, named: Named) -> Result<Value> {
        let value = *self
            .built
            .get(&named.stored)
            .ok_or_else(|| missing(named.stored))?;
        Ok(if named.negated {
            self.arena.neg(value)?
        } else {
            value
        })
    }

    /// The texts of values that were loaded.
    pub(crate) fn texts(&self, values: &[Named]) -> Result<Vec<String>> {
        let mut writer = Writer::new(&self.arena);
        let display = |value| match self.max_text {
            Some(max) => writer.display_limited(value, max),
            None => writer.display(value),
        };
        values
            .iter()
            .map(|&named| self.value(named))
            .collect::<Result<Vec<_>>>()
            .map(|all| all.into_iter().map(display).collect())
    }
}
