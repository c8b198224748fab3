//! Values by code: everything a fold over tallies needs to know of a value, in 48 bytes.

use rustc_hash::FxHashMap;
use toads_census::ValueForm;
use toads_game::{Dyadic, Kind, Outcome, ValueId, ValueInvariants};

use super::reader::Reader;
use crate::error::{DatasetError, Result};

/// What is known of one value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// Its id.
    pub(crate) id: ValueId,
    /// The code of its negative.
    pub(crate) negative: u32,
    /// Whether the store holds its form; else it holds the negative's.
    pub(crate) stored: bool,
    /// What sort of value.
    pub(crate) kind: Kind,
    /// Who wins.
    pub(crate) outcome: Outcome,
    /// The temperature.
    pub(crate) temperature: Dyadic,
}

impl Facts {
    /// The denominator of a number, which its temperature tells.
    pub(crate) fn denominator(&self) -> Option<u64> {
        let is_number = matches!(self.kind, Kind::Integer | Kind::Dyadic);
        is_number.then(|| 1 << self.temperature.log2_denominator())
    }

    /// The id of the form that is stored: the value's own, else its negative's.
    pub(crate) fn stored_id(&self, all: &[Self]) -> ValueId {
        if self.stored {
            self.id
        } else {
            all[self.negative as usize].id
        }
    }
}

/// Values and their negatives, numbered as they come. A store need not hold the form of a negative; here both have one
/// number each, and what is known of one is known of the other.
#[derive(Default)]
pub(crate) struct Catalogue {
    codes: FxHashMap<ValueId, u32>,
    facts: Vec<Facts>,
}

impl Catalogue {
    /// Reads what is not known yet of `ids`.
    pub(crate) fn load(
        &mut self,
        reader: &Reader<'_>,
        ids: impl IntoIterator<Item = ValueId>,
    ) -> Result<()> {
        let mut new: Vec<ValueId> = ids
            .into_iter()
            .filter(|id| !self.codes.contains_key(id))
            .collect();
        new.sort_unstable();
        new.dedup();
        reader.each_form(&new, |form| self.add(&form))
    }

    /// The code of a value that was loaded, or whose negative was.
    pub(crate) fn code(&self, id: ValueId) -> Option<u32> {
        self.codes.get(&id).copied()
    }

    /// What is known of all codes.
    pub(crate) fn all(&self) -> &[Facts] {
        &self.facts
    }

    /// What is known of a code.
    pub(crate) fn facts(&self, code: u32) -> &Facts {
        &self.facts[code as usize]
    }

    fn add(&mut self, form: &ValueForm) -> Result<()> {
        let invariants = form.invariants;
        let known = (self.code(form.id), self.code(form.negative));
        let code = known.0.unwrap_or(self.facts.len() as u32);
        let is_own_negative = form.id == form.negative;
        let negative = if is_own_negative {
            code
        } else {
            known
                .1
                .unwrap_or(self.facts.len() as u32 + u32::from(known.0.is_none()))
        };
        let facts = Facts {
            id: form.id,
            negative,
            stored: true,
            kind: invariants.kind,
            outcome: invariants.outcome,
            temperature: invariants.temperature,
        };
        let opposite = Facts {
            id: form.negative,
            negative: code,
            stored: false,
            outcome: mirrored(facts.outcome),
            ..facts
        };
        for (known, code, facts) in [(known.0, code, facts), (known.1, negative, opposite)] {
            match known {
                Some(_) if self.facts[code as usize].negative != facts.negative => {
                    return Err(DatasetError::DamagedValue {
                        id: form.id,
                        what: "its negative has another one".to_owned(),
                    });
                }
                Some(_) => self.facts[code as usize].stored |= facts.stored,
                None if code as usize == self.facts.len() => {
                    self.codes.insert(facts.id, code);
                    self.facts.push(facts);
                }
                None => {} // Its own negative, added a moment ago.
            }
        }
        Ok(())
    }
}

/// The outcome of the negative.
pub(crate) fn mirrored(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::L => Outcome::R,
        Outcome::R => Outcome::L,
        both => both,
    }
}

/// The invariants of the negative.
pub(crate) fn negative(of: ValueInvariants) -> ValueInvariants {
    ValueInvariants {
        outcome: mirrored(of.outcome),
        left_stop: -of.right_stop,
        right_stop: -of.left_stop,
        mean: -of.mean,
        ..of
    }
}
