//! Counting strips by value.

use toads_census::ShardResult;

use super::Asked;
use crate::error::Result;
use crate::read::{Catalogue, Part};

/// Strips by the code of their value.
#[derive(Default)]
pub(super) struct Counts {
    strips: Vec<u64>,
}

impl Counts {
    /// The strips of `parts`, mirrors included where they are asked about.
    pub(super) fn of(asked: &Asked<'_>, catalogue: &mut Catalogue, parts: &[Part]) -> Result<Self> {
        let mut counts = Self::default();
        asked.reader.each_tally(parts, |part, result| {
            catalogue.load(&asked.reader, result.tally.iter().map(|entry| entry.value))?;
            counts.add(catalogue, part, &result);
            Ok(())
        })?;
        Ok(counts)
    }

    /// Adds a tally whose values the catalogue knows.
    pub(super) fn add(&mut self, catalogue: &Catalogue, part: Part, result: &ShardResult) {
        self.strips.resize(catalogue.len(), 0);
        for entry in &result.tally {
            let code = catalogue
                .code(entry.value)
                .expect("the catalogue knows the values of the tally");
            if part.direct {
                self.strips[code as usize] += entry.count;
            }
            if part.mirrored {
                self.strips[catalogue.facts(code).negative as usize] += entry.count;
            }
        }
    }

    /// Every value that occurs, by code, with its strips.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.strips
            .iter()
            .enumerate()
            .filter(|&(_, &strips)| strips > 0)
            .map(|(code, &strips)| (code as u32, strips))
    }
}
