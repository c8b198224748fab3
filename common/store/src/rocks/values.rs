//! Reading the column families `ids` and `values`: what was put, under consecutive numbers.

use std::ops::ControlFlow;
use std::sync::{MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use toads_census::ValueForm;
use toads_game::ValueId;

use super::RocksStore;
use super::fault::damaged;
use super::numbers::{NONE, Numbers};
use super::options::Column;
use super::scan::Bounds;
use crate::encode::{Forms, Malformed, Packer, ROW_VALUES, decode_forms, decode_ids};
use crate::error::{Result, StoreError};
use crate::records::{DescribedValue, Negative};

impl RocksStore {
    /// The numbers, read from `ids` on the first call: a second or so for 20 million values.
    pub(super) fn numbers(&self) -> Result<&RwLock<Numbers>> {
        if let Some(numbers) = self.numbers.get() {
            return Ok(numbers);
        }
        let _turn = self.packing();
        if let Some(numbers) = self.numbers.get() {
            return Ok(numbers);
        }
        let numbers = self.load_numbers()?;
        Ok(self.numbers.get_or_init(|| RwLock::new(numbers)))
    }

    /// The numbers, for reading. Hold it briefly: writers publish under the other side of this lock.
    pub(super) fn read_numbers(&self) -> Result<RwLockReadGuard<'_, Numbers>> {
        // Publishing adds to lists and cannot leave them half changed.
        Ok(self
            .numbers()?
            .read()
            .unwrap_or_else(PoisonError::into_inner))
    }

    /// The turn of the one writer that gives out numbers.
    pub(super) fn packing(&self) -> MutexGuard<'_, Packer> {
        self.packing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The numbers as the rows of `ids` have them.
    pub(super) fn load_numbers(&self) -> Result<Numbers> {
        let mut numbers = Numbers::new();
        let mut row_ids = Vec::new();
        self.db.scan(Column::Ids, Bounds::all(), |key, row| {
            row_ids.clear();
            row_ids.extend(Self::ids_of_row(numbers.len(), key, row)?);
            numbers.publish(&row_ids);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(numbers)
    }

    /// The ids of a row of `ids`, which must be that of number `expected`.
    pub(super) fn ids_of_row<'r>(
        expected: u32,
        key: &[u8],
        row: &'r [u8],
    ) -> Result<impl Iterator<Item = ValueId> + use<'r>> {
        let ids = decode_ids(key, row)
            .and_then(|ids| match parse_key(key) {
                Some(first) if first == expected => Ok(ids),
                _ => Err(Malformed::Field("numbers before it are gone")),
            })
            .map_err(|error| damaged(row_place(Column::Ids, key), &error))?;
        Ok(ids.iter().copied().map(ValueId))
    }

    /// How many values are stored: from the last row.
    pub(super) fn value_count(&self) -> Result<u32> {
        let Some(key) = self.db.last_key(Column::Ids)? else {
            return Ok(0);
        };
        let row = self.db.get(Column::Ids, &key)?;
        let row = row.expect("rows of ids are never deleted");
        let ids = decode_ids(&key, &row);
        let ids = ids.map_err(|error| damaged(row_place(Column::Ids, &key), &error))?;
        Ok(parse_key(&key).unwrap_or(0) + ids.len() as u32)
    }

    pub(super) fn find_missing(&self, ids: &[ValueId]) -> Result<Vec<ValueId>> {
        let mut found = Vec::with_capacity(ids.len());
        self.read_numbers()?
            .find_all(ids.iter().copied(), &mut found);
        let missing = ids.iter().zip(found).filter(|&(_, number)| number == NONE);
        Ok(missing.map(|(&id, _)| id).collect())
    }

    pub(super) fn read_values(&self, ids: &[ValueId]) -> Result<Vec<Option<ValueForm>>> {
        let mut found = Vec::with_capacity(ids.len());
        self.read_numbers()?
            .find_all(ids.iter().copied(), &mut found);
        let mut order: Vec<(u32, u32)> = (0..)
            .zip(&found)
            .filter(|&(_, &number)| number != NONE)
            .map(|(place, &number)| (number, place))
            .collect();
        order.sort_unstable();
        let mut answers = vec![None; ids.len()];
        let mut rest = &order[..];
        while let Some(&(number, _)) = rest.first() {
            let (first, next) = {
                let numbers = self.read_numbers()?;
                let first = numbers.row_of(number);
                (first, numbers.row_after(first))
            };
            let (here, others) = rest.split_at(rest.partition_point(|&(number, _)| number < next));
            rest = others;
            let forms = self.read_row(first, next)?;
            let numbers = self.read_numbers()?;
            for &(number, place) in here {
                answers[place as usize] = Some(form(&numbers, &forms, first, number)?);
            }
        }
        Ok(answers)
    }

    /// The forms of the values from `first` to before `next`, which are a row.
    pub(super) fn read_row(&self, first: u32, next: u32) -> Result<Forms> {
        let key = first.to_be_bytes();
        let row = self.db.get(Column::Values, &key)?;
        let row = row.ok_or_else(|| StoreError::Damaged {
            place: row_place(Column::Values, &key),
            what: "the row is gone".to_owned(),
        })?;
        forms_of_row(first, next, &row)
    }

    /// Visits every value stored by now, in the order of their numbers.
    pub(super) fn each_value(
        &self,
        visit: &mut dyn FnMut(ValueForm) -> ControlFlow<()>,
    ) -> Result<()> {
        self.each_row_of_values(|first, next, forms| {
            let numbers = self.read_numbers()?;
            let values: Result<Vec<_>> = (first..next)
                .map(|number| form(&numbers, forms, first, number))
                .collect();
            drop(numbers);
            Ok(values?.into_iter().try_for_each(&mut *visit))
        })
    }

    /// The same without options.
    pub(super) fn each_described(
        &self,
        visit: &mut dyn FnMut(DescribedValue) -> ControlFlow<()>,
    ) -> Result<()> {
        let mut ids = Vec::with_capacity(ROW_VALUES);
        self.each_row_of_values(|first, next, forms| {
            ids.clear();
            let numbers = self.read_numbers()?;
            ids.extend((first..next).map(|number| numbers.id(number)));
            drop(numbers);
            let values = ids.iter().zip(&forms.negatives).zip(&forms.invariants);
            let mut values = values.map(|((&id, &negative), &invariants)| DescribedValue {
                id,
                negative,
                invariants,
            });
            Ok(values.try_for_each(&mut *visit))
        })
    }

    /// Visits the rows of `values` there are by now, until told to stop: first number, first number of the next, forms.
    fn each_row_of_values(
        &self,
        mut visit: impl FnMut(u32, u32, &Forms) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let (rows, end) = {
            let numbers = self.read_numbers()?;
            (numbers.rows().to_vec(), numbers.len())
        };
        let nexts = rows.iter().skip(1).copied().chain([end]);
        let mut rows = rows.iter().copied().zip(nexts).peekable();
        self.db.scan(Column::Values, Bounds::all(), |key, row| {
            // Rows that came meanwhile are not of interest; one that is not the next shows that the next is gone.
            match rows.next_if(|&(first, _)| parse_key(key) == Some(first)) {
                Some((first, next)) => {
                    let flow = visit(first, next, &forms_of_row(first, next, row)?)?;
                    if flow.is_break() {
                        rows.by_ref().for_each(drop);
                    }
                    Ok(flow)
                }
                None => Ok(ControlFlow::Break(())),
            }
        })?;
        match rows.next() {
            None => Ok(()),
            Some((first, _)) => Err(StoreError::Damaged {
                place: row_place(Column::Values, &first.to_be_bytes()),
                what: "the row is gone".to_owned(),
            }),
        }
    }
}

/// The forms of a row with the numbers from `first` to before `next`.
fn forms_of_row(first: u32, next: u32, row: &[u8]) -> Result<Forms> {
    let key = first.to_be_bytes();
    decode_forms(&key, first, row)
        .and_then(|forms| {
            if forms.len() == (next - first) as usize {
                Ok(forms)
            } else {
                Err(Malformed::Field(
                    "it has not as many forms as there are ids",
                ))
            }
        })
        .map_err(|error| damaged(row_place(Column::Values, &key), &error))
}

/// The value `number` of the row that begins with `first`, with ids for numbers.
pub(super) fn form(numbers: &Numbers, forms: &Forms, first: u32, number: u32) -> Result<ValueForm> {
    let at = (number - first) as usize;
    let [left, right] = forms.sides(at).map(|side| {
        // Options have smaller numbers than their value, and so they are there.
        let mut ids: Vec<ValueId> = side.iter().map(|&option| numbers.id(option)).collect();
        ids.sort_unstable();
        ids
    });
    let id = numbers.id(number);
    let negative = match forms.negatives[at] {
        Negative::Itself => Some(id),
        Negative::Number(number) => numbers.get(number),
        Negative::Id(id) => Some(id),
    };
    let negative = negative.ok_or_else(|| StoreError::Damaged {
        place: row_place(Column::Values, &first.to_be_bytes()),
        what: format!("value {number} has a negative that is not stored"),
    })?;
    Ok(ValueForm {
        id,
        negative,
        left,
        right,
        invariants: forms.invariants[at],
    })
}

/// The first number of a row of `ids` or `values`.
pub(super) fn parse_key(key: &[u8]) -> Option<u32> {
    key.try_into().ok().map(u32::from_be_bytes)
}

/// Where a row of `ids` or `values` is, in words.
pub(super) fn row_place(column: Column, key: &[u8]) -> String {
    match parse_key(key) {
        Some(first) => format!("{}, from number {first}", column.name()),
        None => super::shards::key_place(column, key),
    }
}
