//! The text of values: built in an arena from their stored forms, options first.

use rustc_hash::FxHashMap;
use toads_census::ValueForm;
use toads_game::{Arena, Value, ValueId, Writer};

use super::catalogue::Catalogue;
use super::reader::{Reader, missing};
use crate::error::{DatasetError, Result};

/// Values built before the arena is started afresh.
const ARENA_VALUES: usize = 2_000_000;

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

/// Writes values. Keeps the forms it has built, up to a limit.
pub(crate) struct Texts {
    arena: Arena,
    built: FxHashMap<ValueId, Value>,
    max_text: Option<usize>,
}

impl Texts {
    /// Writes whole texts, or their beginnings.
    pub(crate) fn new(max_text: Option<usize>) -> Self {
        Self {
            arena: Arena::new(),
            built: FxHashMap::default(),
            max_text,
        }
    }

    /// Builds `ids` and their subpositions, with as few reads of the store as they are deep.
    pub(crate) fn load(
        &mut self,
        reader: &Reader<'_>,
        ids: impl IntoIterator<Item = ValueId>,
    ) -> Result<()> {
        if self.arena.len() > ARENA_VALUES {
            *self = Self::new(self.max_text);
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
            let handles = |side: &[ValueId]| {
                side.iter()
                    .map(|option| self.built[option])
                    .collect::<Vec<_>>()
            };
            let value = self
                .arena
                .canonical(&handles(&form.left), &handles(&form.right))?;
            if self.arena.id(value) != top {
                return Err(DatasetError::DamagedValue {
                    id: top,
                    what: "its options make another value".to_owned(),
                });
            }
            self.built.insert(top, value);
        }
        Ok(())
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
