//! Tallies by code: what folds over many strips read.

use toads_census::Shard;

use super::catalogue::Catalogue;
use super::parallel::in_parallel;
use super::reader::Reader;
use super::selection::Part;
use crate::error::{DatasetError, Result};

/// How many strips of a class have the value with a code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    /// The code of the value in the catalogue.
    pub(crate) code: u32,
    /// Strips of the class.
    pub(crate) strips: u64,
}

impl Reader<'_> {
    /// A catalogue to count `parts` with: of the whole store where the parts name about as many values as it holds, else
    /// to be filled as they are read.
    pub(crate) fn catalogue_for(&self, parts: &[Part]) -> Result<Catalogue> {
        let mut catalogue = Catalogue::default();
        let named: u64 = parts
            .iter()
            .filter_map(|part| self.records.get(&part.shard))
            .map(|record| record.distinct)
            .sum();
        // The store holds at least the values of its richest class.
        let held = self.records.values().map(|record| record.distinct).max();
        if named > 0 && held.is_some_and(|held| named >= held) {
            catalogue.load_all(self)?;
        }
        Ok(catalogue)
    }

    /// The tallies of `parts` by code, in no particular order; the next ones are read meanwhile.
    pub(crate) fn each_counted(
        &self,
        catalogue: &mut Catalogue,
        parts: &[Part],
        mut each: impl FnMut(&Catalogue, Part, &[Counted]),
    ) -> Result<()> {
        if !catalogue.is_whole() {
            return self.each_tally(parts, |part, result| {
                catalogue.load(self, result.tally.iter().map(|entry| entry.value))?;
                let counted = result.tally.iter().map(|entry| Counted {
                    code: catalogue.code(entry.value).expect("loaded above"),
                    strips: entry.count,
                });
                each(catalogue, part, &counted.collect::<Vec<_>>());
                Ok(())
            });
        }
        let catalogue = &*catalogue;
        in_parallel(
            self.threads,
            &largest_first(parts),
            |part| Ok((*part, self.counted(catalogue, part.shard)?)),
            |(part, counted)| {
                each(catalogue, part, &counted);
                Ok(())
            },
        )
    }

    fn counted(&self, catalogue: &Catalogue, shard: Shard) -> Result<Vec<Counted>> {
        let damaged = |what: &str| DatasetError::Damaged {
            shard,
            what: what.to_owned(),
        };
        let entries = self
            .store
            .numbered_tally(shard)?
            .ok_or_else(|| damaged("its tally is missing"))?;
        let counted = entries.into_iter().map(|entry| {
            let code = catalogue.code_of_number(entry.number);
            Ok(Counted {
                code: code.ok_or_else(|| damaged("its tally names a value that is not stored"))?,
                strips: entry.count,
            })
        });
        counted.collect()
    }
}

/// Large classes first, so that the threads end together.
pub(super) fn largest_first(parts: &[Part]) -> Vec<Part> {
    let mut parts = parts.to_vec();
    parts.sort_by_key(|part| std::cmp::Reverse(part.shard.class.size()));
    parts
}
