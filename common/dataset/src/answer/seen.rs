//! How often each value occurs, and where first.

use toads_strip::Strip;

use super::Asked;
use crate::error::Result;
use crate::read::{Known, Part, strip_at};

/// The smallest index at the smallest n.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct First {
    pub(super) n: u8,
    pub(super) index: u64,
}

impl First {
    /// The strip itself.
    pub(super) fn strip(self) -> Strip {
        strip_at(self.n, self.index)
    }
}

/// What the tallies say of one value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    pub(super) strips: u64,
    pub(super) first: Option<First>,
}

/// Adds up the tallies, by code.
pub(super) fn seen(asked: &Asked<'_>, known: &mut Known, parts: &[Part]) -> Result<Vec<Seen>> {
    let mut seen = Vec::<Seen>::new();
    asked
        .reader
        .each_counted(known, parts, |facts, part, counted| {
            let n = part.shard.class.n;
            seen.resize(facts.len(), Seen::default());
            let mut add = |code: u32, strips, index| {
                let seen = &mut seen[code as usize];
                let here = First { n, index };
                seen.strips += strips;
                seen.first = Some(seen.first.map_or(here, |first| first.min(here)));
            };
            for entry in counted {
                if part.direct {
                    add(entry.code, entry.strips, entry.first);
                }
                if part.mirrored {
                    let negative = facts[entry.code as usize].negative;
                    add(negative, entry.strips, entry.first_mirrored);
                }
            }
        })?;
    Ok(seen)
}
