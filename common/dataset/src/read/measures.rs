//! What extremes are taken of, beside the facts.

use std::ops::ControlFlow;

use toads_census::ValueForm;
use toads_game::Dyadic;

use super::counted::Known;
use super::reader::Reader;
use crate::error::Result;

/// Sizes of one value.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measures {
    /// The left stop.
    pub(crate) left_stop: Dyadic,
    /// The right stop.
    pub(crate) right_stop: Dyadic,
    /// The mean.
    pub(crate) mean: Dyadic,
    /// The birthday.
    pub(crate) birthday: u32,
    /// Canonical options of both players.
    pub(crate) options: u32,
}

impl Measures {
    fn of(form: &ValueForm) -> Self {
        Self {
            left_stop: form.invariants.left_stop,
            right_stop: form.invariants.right_stop,
            mean: form.invariants.mean,
            birthday: form.invariants.birthday,
            options: (form.left.len() + form.right.len()) as u32,
        }
    }

    /// Those of the negative.
    fn negative(self) -> Self {
        Self {
            left_stop: -self.right_stop,
            right_stop: -self.left_stop,
            mean: -self.mean,
            ..self
        }
    }
}

impl Reader<'_> {
    /// The measures of all known values, by code: 0.4 µs a value where the whole store is known.
    pub(crate) fn measures(&self, known: &Known) -> Result<Vec<Measures>> {
        let facts = known.facts();
        let mut measures = vec![Measures::default(); facts.len()];
        match known {
            Known::All(_) => {
                // Numbers are codes; what was put since has none.
                let mut code = 0;
                self.store.scan_values(&mut |form| {
                    if facts.get(code).is_none_or(|facts| facts.id != form.id) {
                        return ControlFlow::Break(());
                    }
                    measures[code] = Measures::of(&form);
                    code += 1;
                    ControlFlow::Continue(())
                })?;
            }
            Known::Some(catalogue) => {
                let stored = facts.iter().filter(|facts| facts.stored);
                let stored: Vec<_> = stored.map(|facts| facts.id).collect();
                self.each_form(&stored, |form| {
                    let code = catalogue.code(form.id).expect("it is in the catalogue");
                    measures[code as usize] = Measures::of(&form);
                    Ok(())
                })?;
            }
        }
        for (code, facts) in facts.iter().enumerate() {
            if !facts.stored {
                measures[code] = measures[facts.negative as usize].negative();
            }
        }
        Ok(measures)
    }
}
