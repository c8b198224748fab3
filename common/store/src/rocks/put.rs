//! Putting values: consecutive numbers for those that are new.
//!
//! A row of `ids` and a row of `values` with the same key are written in one batch, so neither is there without the
//! other. Numbers are given out by one writer at a time and published in memory when the batch is in the log: a write
//! that fails has given out none. After a crash the log ends somewhere, the numbers end with it, and the next value goes
//! on there; a tally that refers to a number was written after it, so it is gone whenever the number is.

use std::ops::Range;
use std::sync::PoisonError;

use rocksdb::WriteBatch;
use rustc_hash::FxHashMap;
use toads_census::ValueForm;
use toads_fault::Point;
use toads_game::ValueId;

use super::RocksStore;
use super::numbers::NONE;
use super::options::Column;
use crate::check;
use crate::encode::{Forms, ROW_OPTIONS, ROW_VALUES, encode_forms, encode_ids};
use crate::error::{Result, StoreError};
use crate::records::Negative;

/// Bytes of rows written at once.
const BATCH_BYTES: usize = 4 << 20;

/// Values that are not stored yet, with the numbers of all they refer to.
#[derive(Default)]
struct Plan<'a> {
    /// The number of the first.
    first: u32,
    new: Vec<&'a ValueForm>,
    /// Left and Right options, form after form.
    options: Vec<u32>,
    /// Where the options of each form end.
    ends: Vec<usize>,
    /// [`NONE`] where the negative is neither stored nor among the new ones.
    negatives: Vec<u32>,
}

impl RocksStore {
    /// Checks everything, then writes. About a microsecond a value, half of it the hash that checks its id.
    pub(super) fn write_values(&self, forms: &[ValueForm]) -> Result<()> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        forms
            .iter()
            .try_for_each(|form| check::value(form, &mut left, &mut right))?;
        let numbers = self.numbers()?;
        let mut packer = self.packing();
        let plan = self.plan(forms)?;
        toads_fault::pass_or_fail(Point::ValuesBefore)
            .map_err(|error| StoreError::from_io("values", &error))?;
        let (mut batch, mut waiting) = (WriteBatch::default(), Vec::new());
        let rows = plan.rows();
        for (number, range) in rows.iter().enumerate() {
            let first = plan.first + range.start as u32;
            let key = first.to_be_bytes();
            let ids: Vec<ValueId> = plan.new[range.clone()].iter().map(|form| form.id).collect();
            let forms = encode_forms(&mut packer, &key, first, &plan.forms(range.clone()));
            batch.put_cf(&self.db.column(Column::Ids), key, encode_ids(&key, &ids));
            batch.put_cf(&self.db.column(Column::Values), key, forms);
            waiting.push(ids);
            if number + 1 == rows.len() || batch.size_in_bytes() >= BATCH_BYTES {
                self.db.write(std::mem::take(&mut batch))?;
                let mut numbers = numbers.write().unwrap_or_else(PoisonError::into_inner);
                waiting.drain(..).for_each(|ids| numbers.publish(&ids));
            }
        }
        toads_fault::pass(Point::ValuesAfter);
        Ok(())
    }

    /// What of `forms` is new, in its order, once each; every option must be stored or come before.
    fn plan<'a>(&self, forms: &'a [ValueForm]) -> Result<Plan<'a>> {
        let numbers = self.read_numbers()?;
        let mut plan = Plan {
            first: numbers.len(),
            ..Plan::default()
        };
        let mut found = Vec::with_capacity(forms.len());
        numbers.find_all(forms.iter().map(|form| form.id), &mut found);
        let mut places = FxHashMap::<ValueId, u32>::default();
        for (form, _) in forms.iter().zip(found).filter(|&(_, found)| found == NONE) {
            let number = plan.first + plan.new.len() as u32;
            check::number(number)?;
            if let std::collections::hash_map::Entry::Vacant(place) = places.entry(form.id) {
                place.insert(number);
                plan.new.push(form);
            }
        }
        let sides = |form: &'a ValueForm| form.left.iter().chain(&form.right).copied();
        let options = plan.new.iter().copied().flat_map(sides);
        numbers.find_all(options, &mut plan.options);
        let mut option = 0;
        for (own, form) in (plan.first..).zip(&plan.new) {
            for id in sides(form) {
                let number = &mut plan.options[option];
                if *number == NONE {
                    let earlier = places.get(&id).filter(|&&number| number < own);
                    *number = *earlier.ok_or_else(|| check::no_option(form, id))?;
                }
                option += 1;
            }
            plan.ends.push(option);
        }
        let negatives = plan.new.iter().map(|form| form.negative);
        numbers.find_all(negatives, &mut plan.negatives);
        for (number, form) in plan.negatives.iter_mut().zip(&plan.new) {
            if *number == NONE {
                *number = places.get(&form.negative).copied().unwrap_or(NONE);
            }
        }
        Ok(plan)
    }
}

impl Plan<'_> {
    fn options_of(&self, at: usize) -> &[u32] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.options[start..self.ends[at]]
    }

    /// The values of each row.
    fn rows(&self) -> Vec<Range<usize>> {
        let mut rows: Vec<Range<usize>> = Vec::new();
        let mut options = 0;
        for at in 0..self.new.len() {
            options += self.options_of(at).len();
            match rows.last_mut() {
                Some(row) if row.len() < ROW_VALUES && options <= ROW_OPTIONS => row.end = at + 1,
                _ => {
                    rows.push(at..at + 1);
                    options = self.options_of(at).len();
                }
            }
        }
        rows
    }

    fn forms(&self, row: Range<usize>) -> Forms {
        let mut forms = Forms::default();
        for at in row {
            let (form, own) = (self.new[at], self.first + at as u32);
            let negative = match self.negatives[at] {
                number if number == own => Negative::Itself,
                NONE => Negative::Id(form.negative),
                number => Negative::Number(number),
            };
            let (left, right) = self.options_of(at).split_at(form.left.len());
            forms.push(form.invariants, negative, [left, right]);
        }
        forms
    }
}
