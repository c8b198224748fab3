//! Counting strips by value.

use super::Asked;
use crate::error::Result;
use crate::read::{Catalogue, Counted, Part};

/// Strips by the code of their value.
#[derive(Default)]
pub(super) struct Counts {
    strips: Vec<u64>,
}

impl Counts {
    /// The strips of `parts`, mirrors included where they are asked about.
    pub(super) fn of(asked: &Asked<'_>, catalogue: &mut Catalogue, parts: &[Part]) -> Result<Self> {
        let mut counts = Self::default();
        asked
            .reader
            .each_counted(catalogue, parts, |catalogue, part, counted| {
                counts.strips.resize(catalogue.len(), 0);
                for_each(catalogue, part, counted, |code, strips| {
                    counts.strips[code as usize] += strips;
                });
            })?;
        Ok(counts)
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

/// The codes of a class and their strips, and those of its mirror class, as far as they are asked about.
pub(super) fn for_each(
    catalogue: &Catalogue,
    part: Part,
    counted: &[Counted],
    mut add: impl FnMut(u32, u64),
) {
    for &Counted { code, strips } in counted {
        if part.direct {
            add(code, strips);
        }
        if part.mirrored {
            add(catalogue.facts(code).negative, strips);
        }
    }
}
