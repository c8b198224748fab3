//! Which classes a question is about, and which of them are committed.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use toads_census::{MAX_CENSUS_SQUARES, Shard, ShardResult};
use toads_strip::Class;

use super::counted::largest_first;
use super::parallel::in_parallel;
use super::reader::Reader;
use crate::error::{DatasetError, Result};
use crate::question::Filters;

/// A shard and which of the classes it answers for are asked about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// The shard.
    pub(crate) shard: Shard,
    /// Its own class.
    pub(crate) direct: bool,
    /// The mirror class; never for a class that is its own mirror.
    pub(crate) mirrored: bool,
}

impl Part {
    /// The strips that are asked about.
    pub(crate) fn strips(self) -> u64 {
        self.shard.class.size() * (u64::from(self.direct) + u64::from(self.mirrored))
    }
}

/// The shards of one n.
#[derive(Clone, Debug)]
pub(crate) struct Stratum {
    /// The number of squares.
    pub(crate) n: u8,
    /// Committed.
    pub(crate) parts: Vec<Part>,
    /// Not committed.
    pub(crate) missing: Vec<Part>,
}

impl Stratum {
    /// All shards asked about.
    pub(crate) fn total(&self) -> usize {
        self.parts.len() + self.missing.len()
    }

    /// The committed classes asked about, in (toads, frogs) order.
    pub(crate) fn classes(&self) -> Vec<Class> {
        let own = self
            .parts
            .iter()
            .filter(|part| part.direct)
            .map(|part| part.shard.class);
        let mirrors = self
            .parts
            .iter()
            .filter(|part| part.mirrored)
            .map(|part| part.shard.class.mirror());
        let mut classes: Vec<Class> = own.chain(mirrors).collect();
        classes.sort_unstable();
        classes
    }
}

/// The shards a question is about, by n.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    /// Smallest n first; none is empty.
    pub(crate) strata: Vec<Stratum>,
}

impl Selection {
    /// What `filters` ask about: the n they name, else every n of which something is committed.
    pub(crate) fn new(reader: &Reader<'_>, filters: &Filters) -> Result<Self> {
        let squares: BTreeSet<u8> = match &filters.squares {
            Some(range)
                if range.is_empty() || *range.start() == 0 || *range.end() > MAX_CENSUS_SQUARES =>
            {
                let (first, last) = (range.start(), range.end());
                return Err(DatasetError::Question(format!(
                    "{first}..{last} is not a range of squares: it must begin at 1 or later, not end before it begins, \
                     and end at {MAX_CENSUS_SQUARES} or earlier"
                )));
            }
            Some(range) => range.clone().collect(),
            None => reader.records.keys().map(|shard| shard.class.n).collect(),
        };
        let strata = squares
            .into_iter()
            .map(|n| Self::stratum(reader, filters, n))
            .filter(|stratum| stratum.total() > 0);
        let strata: Vec<Stratum> = strata.collect();
        if strata.is_empty() && (filters.squares.is_some() || !reader.records.is_empty()) {
            return Err(no_class(reader, filters));
        }
        Ok(Self { strata })
    }

    /// What `filters` ask about, of the n of which something is committed, whatever the ranges are.
    pub(crate) fn begun(reader: &Reader<'_>, filters: &Filters) -> Self {
        let squares: BTreeSet<u8> = reader.records.keys().map(|shard| shard.class.n).collect();
        let strata = squares
            .into_iter()
            .map(|n| Self::stratum(reader, filters, n))
            .filter(|stratum| stratum.total() > 0);
        Self {
            strata: strata.collect(),
        }
    }

    fn stratum(reader: &Reader<'_>, filters: &Filters, n: u8) -> Stratum {
        let asked = Class::computed(n).map(|class| Part {
            shard: reader.shard_of(class),
            direct: filters.admits(class),
            mirrored: class != class.mirror() && filters.admits(class.mirror()),
        });
        let (parts, missing) = asked
            .filter(|part| part.direct || part.mirrored)
            .partition(|part| reader.records.contains_key(&part.shard));
        Stratum { n, parts, missing }
    }

    /// All committed shards.
    pub(crate) fn parts(&self) -> Vec<Part> {
        self.strata
            .iter()
            .flat_map(|stratum| stratum.parts.iter().copied())
            .collect()
    }

    /// Whether something asked about is not committed.
    pub(crate) fn is_partial(&self) -> bool {
        self.strata
            .iter()
            .any(|stratum| !stratum.missing.is_empty())
    }

    /// For people: each n of which classes are missing.
    pub(crate) fn notes(&self) -> Vec<String> {
        if self.strata.is_empty() {
            return vec![
                "nothing of this is committed yet; run `toads census run` first".to_owned(),
            ];
        }
        let partial = self
            .strata
            .iter()
            .filter(|stratum| !stratum.missing.is_empty());
        partial
            .map(|stratum| {
                let (n, done, total) = (stratum.n, stratum.parts.len(), stratum.total());
                if done == 0 {
                    format!("n = {n}: none of {total} classes committed")
                } else {
                    format!("n = {n}: {done} of {total} classes committed; figures are partial")
                }
            })
            .collect()
    }
}

/// There are squares, and no class of them has these pieces.
fn no_class(reader: &Reader<'_>, filters: &Filters) -> DatasetError {
    let committed = || {
        let (first, last) = (
            reader.records.first_key_value(),
            reader.records.last_key_value(),
        );
        first
            .zip(last)
            .map(|(first, last)| first.0.class.n..=last.0.class.n)
    };
    let squares = filters.squares.clone().or_else(committed);
    let count = |range: &Option<RangeInclusive<u8>>, any: &str| match range {
        None => any.to_owned(),
        Some(range) if range.start() == range.end() => range.start().to_string(),
        Some(range) => format!("{}..{}", range.start(), range.end()),
    };
    DatasetError::Question(format!(
        "no strip of {} squares has {} toads and {} frogs: all must fit on the squares",
        count(&squares, "these"),
        count(&filters.toads, "any"),
        count(&filters.frogs, "any"),
    ))
}

impl Reader<'_> {
    /// The tallies of `parts`, in no particular order; the next ones are read meanwhile.
    pub(crate) fn each_tally(
        &self,
        parts: &[Part],
        mut each: impl FnMut(Part, ShardResult) -> Result<()>,
    ) -> Result<()> {
        in_parallel(
            self.threads,
            &largest_first(parts),
            |part| Ok((*part, self.tally(part.shard)?)),
            |(part, tally)| each(part, tally),
        )
    }
}
