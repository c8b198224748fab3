//! Which strips have one value.
//!
//! A strip has the value of its core. So the core strips of every class of at most n squares that have the value (or,
//! mirrored, its negative) are found in the blocks, skipping blocks whose dictionaries do not hold it, and the dead ends
//! that make up n squares are put around them.

use std::collections::{BTreeMap, BinaryHeap};

use toads_census::{Shard, chunk_ranks, chunks};
use toads_game::ValueId;
use toads_strip::{Class, Strip};

use crate::error::Result;
use crate::read::{CoreCodes, Reader, StoredClass, Stratum, zero_id};

/// The smallest indices found, up to a limit.
pub(crate) struct Hits {
    limit: usize,
    found: BinaryHeap<u64>,
}

/// What is sought among the core strips of a class: the value, the classes of n squares it is sought for, and whether
/// it is the mirror images of its strips that are asked about.
struct Sought {
    value: ValueId,
    mirrored: bool,
    /// Numbers of dead frogs and dead toads to put around a hit (after mirroring).
    dead_ends: Vec<(u8, u8)>,
}

impl Hits {
    pub(crate) fn new(limit: u64) -> Self {
        Self {
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            found: BinaryHeap::new(),
        }
    }

    /// What was found, in ascending order.
    pub(crate) fn sorted(self) -> Vec<u64> {
        self.found.into_sorted_vec()
    }

    /// Whether a strip with this index would be among them.
    fn admits(&self, index: u64) -> bool {
        self.found.len() < self.limit || self.found.peek().is_some_and(|&last| index < last)
    }

    fn add(&mut self, index: u64) {
        if self.admits(index) {
            self.found.push(index);
            if self.found.len() > self.limit {
                self.found.pop();
            }
        }
    }

    /// Finds the strips of n squares with the value `id`, in the committed classes of the stratum.
    pub(crate) fn find(
        &mut self,
        reader: &Reader<'_>,
        stratum: &Stratum,
        (id, negative): (ValueId, ValueId),
    ) -> Result<()> {
        let holding = holding(reader, stratum, (id, negative))?;
        for (core, sought) in sought(stratum.n, &holding, (id, negative)) {
            if core.n == 0 {
                if id == zero_id() {
                    self.put(&Strip::default(), &sought[0]);
                }
                continue;
            }
            self.find_in(reader, reader.shard_of(core), &sought)?;
        }
        Ok(())
    }

    /// Finds what is sought among the core strips of one class.
    fn find_in(&mut self, reader: &Reader<'_>, shard: Shard, sought: &[Sought]) -> Result<()> {
        let class = shard.class;
        let Some(stored) = StoredClass::open(reader, shard)? else {
            let cores = CoreCodes::of_cores(reader, shard)?;
            for sought in sought {
                let Some(place) = cores.values.iter().position(|&value| value == sought.value)
                else {
                    continue;
                };
                let ranks = cores
                    .codes
                    .iter()
                    .enumerate()
                    .filter(|&(_, &code)| code as usize == place);
                ranks.for_each(|(rank, _)| self.put(&class.core_unrank(rank as u64), sought));
            }
            return Ok(());
        };
        let place = |value| {
            stored
                .result
                .tally
                .binary_search_by_key(&value, |entry| entry.value)
                .ok()
        };
        let sought: Vec<_> = sought
            .iter()
            .filter_map(|sought| Some((place(sought.value)? as u32, sought)))
            .collect();
        if sought.is_empty() {
            return Ok(());
        }
        for number in 0..chunks(class) {
            let block = stored.block(reader, number)?;
            let start = class.cores_below(chunk_ranks(class, number).start);
            for &(place, sought) in &sought {
                let Ok(wanted) = block.dictionary.binary_search(&place) else {
                    continue;
                };
                let hits = block
                    .codes
                    .iter()
                    .enumerate()
                    .filter(|&(_, &code)| usize::from(code) == wanted);
                hits.for_each(|(at, _)| self.put(&class.core_unrank(start + at as u64), sought));
            }
        }
        Ok(())
    }

    /// Puts dead ends around a core strip.
    fn put(&mut self, core: &Strip, sought: &Sought) {
        let core = if sought.mirrored {
            core.mirror()
        } else {
            core.clone()
        };
        let index = core.index().expect("a census strip has an index") as u64;
        for &(_, toads) in &sought.dead_ends {
            // Frogs in front are zeros; each toad behind is a two.
            let unit = 3u64.pow(toads.into());
            self.add(index * unit + (unit - 1));
        }
    }
}

/// The classes of the stratum that are asked about and hold the value.
fn holding(
    reader: &Reader<'_>,
    stratum: &Stratum,
    (id, negative): (ValueId, ValueId),
) -> Result<Vec<Class>> {
    let mut holding = Vec::new();
    reader.each_tally(&stratum.parts, |part, result| {
        let holds = |value| {
            result
                .tally
                .binary_search_by_key(&value, |entry| entry.value)
                .is_ok()
        };
        if part.direct && holds(id) {
            holding.push(part.shard.class);
        }
        if part.mirrored && holds(negative) {
            holding.push(part.shard.class.mirror());
        }
        Ok(())
    })?;
    Ok(holding)
}

/// What to look for in which class with at least as many toads as frogs, so that every strip of the classes `holding`
/// is met once.
fn sought(
    n: u8,
    holding: &[Class],
    (id, negative): (ValueId, ValueId),
) -> BTreeMap<Class, Vec<Sought>> {
    let mut dead_ends = BTreeMap::<Class, Vec<(u8, u8)>>::new();
    for class in holding {
        for frogs in 0..=class.frogs {
            for toads in 0..=class.toads {
                let core = Class {
                    n: n - frogs - toads,
                    toads: class.toads - toads,
                    frogs: class.frogs - frogs,
                };
                if core.core_size() > 0 {
                    dead_ends.entry(core).or_default().push((frogs, toads));
                }
            }
        }
    }
    let mut sought = BTreeMap::<Class, Vec<Sought>>::new();
    for (core, dead_ends) in dead_ends {
        let (class, value, mirrored) = if core.is_computed() {
            (core, id, false)
        } else {
            (core.mirror(), negative, true)
        };
        sought.entry(class).or_default().push(Sought {
            value,
            mirrored,
            dead_ends,
        });
    }
    sought
}
