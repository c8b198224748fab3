//! The one way to iterate: explicit bounds, and an end that is not an error in disguise.

use std::ops::ControlFlow;

use rocksdb::ReadOptions;

use super::database::Database;
use super::fault::fault;
use super::options::Column;
use crate::error::Result;

/// Half-open bounds; `None` is the end of the column family.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bounds {
    pub(crate) from: Option<Vec<u8>>,
    pub(crate) to: Option<Vec<u8>>,
}

impl Bounds {
    /// Everything.
    pub(crate) fn all() -> Self {
        Self::default()
    }

    /// `from ≤ key < to`.
    pub(crate) fn between(from: impl Into<Vec<u8>>, to: impl Into<Vec<u8>>) -> Self {
        Self {
            from: Some(from.into()),
            to: Some(to.into()),
        }
    }
}

impl Database {
    /// Visits the rows of a range in key order until told to stop. Does not fill the cache.
    pub(crate) fn scan(
        &self,
        column: Column,
        bounds: Bounds,
        mut visit: impl FnMut(&[u8], &[u8]) -> Result<ControlFlow<()>>,
    ) -> Result<()> {
        let mut options = ReadOptions::default();
        options.fill_cache(false);
        if let Some(from) = bounds.from {
            options.set_iterate_lower_bound(from);
        }
        if let Some(to) = bounds.to {
            options.set_iterate_upper_bound(to);
        }
        let Some(family) = self.present(column) else {
            return Ok(());
        };
        let mut rows = self.raw().raw_iterator_cf_opt(&family, options);
        rows.seek_to_first();
        while let Some((key, row)) = rows.item() {
            if visit(key, row)?.is_break() {
                return Ok(());
            }
            rows.next();
        }
        rows.status().map_err(|error| fault(column.name(), &error))
    }

    /// How many rows a column family has; for the short ones.
    pub(crate) fn count(&self, column: Column) -> Result<u64> {
        let mut rows = 0;
        self.scan(column, Bounds::all(), |_, _| {
            rows += 1;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(rows)
    }

    /// The first key at or after `from`, when it is below `to`.
    pub(crate) fn first_key(
        &self,
        column: Column,
        from: &[u8],
        to: Option<&[u8]>,
    ) -> Result<Option<Vec<u8>>> {
        let mut found = None;
        let bounds = Bounds {
            from: Some(from.to_vec()),
            to: to.map(<[u8]>::to_vec),
        };
        self.scan(column, bounds, |key, _| {
            found = Some(key.to_vec());
            Ok(ControlFlow::Break(()))
        })?;
        Ok(found)
    }

    /// The last row of a column family.
    pub(crate) fn last_key(&self, column: Column) -> Result<Option<Vec<u8>>> {
        let mut rows = self.raw().raw_iterator_cf(&self.column(column));
        rows.seek_to_last();
        let last = rows.key().map(<[u8]>::to_vec);
        rows.status()
            .map_err(|error| fault(column.name(), &error))?;
        Ok(last)
    }
}
