//! Counting strips by value.

use super::Asked;
use crate::error::Result;
use crate::read::{Known, Part};

/// Strips by the code of their value.
#[derive(Default)]
pub(super) struct Counts {
    strips: Vec<u64>,
}

impl Counts {
    /// The strips of `parts`, mirrors included where they are asked about.
    pub(super) fn of(asked: &Asked<'_>, known: &mut Known, parts: &[Part]) -> Result<Self> {
        let mut strips = Vec::new();
        asked
            .reader
            .each_counted(known, parts, |facts, part, counted| {
                strips.resize(facts.len(), 0);
                for entry in counted {
                    if part.direct {
                        strips[entry.code as usize] += entry.strips;
                    }
                    if part.mirrored {
                        strips[facts[entry.code as usize].negative as usize] += entry.strips;
                    }
                }
            })?;
        Ok(Self { strips })
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
