//! The column family `values`: content id to options and invariants.

use rocksdb::{ReadOptions, WriteBatch};
use toads_census::ValueForm;
use toads_game::ValueId;

use super::RocksStore;
use super::fault::{damaged, fault};
use super::options::Column;
use crate::check;
use crate::encode::{decode_value, encode_value};
use crate::error::Result;

/// Keys looked up at once: enough to share the reading of blocks, small enough to stay in the processor's cache.
const LOOKUP: usize = 2048;

/// Bytes of rows written at once.
const BATCH_BYTES: usize = 4 << 20;

impl RocksStore {
    /// Looks up many ids in key order and reports each as `(index in ids, row)`.
    pub(super) fn look_up(
        &self,
        ids: &[ValueId],
        mut found: impl FnMut(usize, Option<&[u8]>) -> Result<()>,
    ) -> Result<()> {
        let mut order: Vec<u32> = (0..ids.len() as u32).collect();
        if !ids.is_sorted() {
            order.sort_unstable_by_key(|&i| ids[i as usize]);
        }
        let values = self.db.column(Column::Values);
        let options = ReadOptions::default();
        for chunk in order.chunks(LOOKUP) {
            let keys = chunk.iter().map(|&i| &ids[i as usize].0);
            let rows = self
                .db
                .raw()
                .batched_multi_get_cf_opt(&values, keys, true, &options);
            for (&i, row) in chunk.iter().zip(rows) {
                let row = row.map_err(|error| fault(&place(ids[i as usize]), &error))?;
                found(i as usize, row.as_deref())?;
            }
        }
        Ok(())
    }

    pub(super) fn find_missing(&self, ids: &[ValueId]) -> Result<Vec<ValueId>> {
        let mut is_missing = vec![false; ids.len()];
        self.look_up(ids, |i, row| {
            is_missing[i] = row.is_none();
            Ok(())
        })?;
        Ok(ids
            .iter()
            .zip(is_missing)
            .filter(|(_, missing)| *missing)
            .map(|(&id, _)| id)
            .collect())
    }

    pub(super) fn read_values(&self, ids: &[ValueId]) -> Result<Vec<Option<ValueForm>>> {
        let mut forms = vec![None; ids.len()];
        self.look_up(ids, |i, row| {
            if let Some(row) = row {
                let form =
                    decode_value(ids[i], row).map_err(|error| damaged(place(ids[i]), &error))?;
                forms[i] = Some(form);
            }
            Ok(())
        })?;
        Ok(forms)
    }

    pub(super) fn write_values(&self, forms: &[ValueForm]) -> Result<()> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        forms
            .iter()
            .try_for_each(|form| check::value(form, &mut left, &mut right))?;
        let values = self.db.column(Column::Values);
        let mut batch = WriteBatch::default();
        let mut row = Vec::with_capacity(256);
        for form in forms {
            row.clear();
            encode_value(form, &mut row);
            batch.put_cf(&values, form.id.0, &row);
            if batch.size_in_bytes() >= BATCH_BYTES {
                self.db.write(std::mem::take(&mut batch))?;
            }
        }
        self.db.write(batch)
    }
}

pub(super) fn place(id: ValueId) -> String {
    format!("values, {id}")
}
