//! Store with store.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use toads_census::{Digest, Shard};
use toads_game::ValueId;
use toads_store::Store;
use toads_strip::{Strip, Variant};

use super::difference::{CompareOptions, CompareProgress, Difference, Side, Summary};
use crate::answer::Names;
use crate::error::{DatasetError, Result};
use crate::read::{Catalogue, ClassValues, Reader};

/// Compares what two stores say of each shard that one of them has; each difference goes to `report`.
///
/// Digests first, which is quick. Shards whose digests differ are compared strip by strip where both stores hold the
/// values of single strips (8 bytes a strip of the class), else by their tallies.
pub fn compare_stores(
    left: &dyn Store,
    right: &dyn Store,
    options: &CompareOptions,
    progress: &mut dyn FnMut(&CompareProgress) -> ControlFlow<()>,
    report: &mut dyn FnMut(&Difference),
) -> Result<Summary> {
    let mut summary = Summary::default();
    let sides = |variant| -> Result<_> {
        // A class that was evaluated again would hide what the store holds.
        let open = |store| Ok::<_, DatasetError>(Reader::new(store, variant)?.evaluating_up_to(0));
        Ok((open(left)?, open(right)?))
    };
    let sides = Variant::ALL
        .map(sides)
        .into_iter()
        .collect::<Result<Vec<_>>>()?;
    let shards_of = |(left, right): &(Reader<'_>, Reader<'_>)| -> BTreeSet<Shard> {
        let all = left.records.keys().chain(right.records.keys()).copied();
        all.filter(|&shard| options.selects(shard)).collect()
    };
    let shards_total = sides.iter().map(|sides| shards_of(sides).len()).sum();
    let mut shards_done = 0;
    for both in &sides {
        for shard in shards_of(both) {
            let at = CompareProgress {
                shard,
                shards_done,
                shards_total,
            };
            if progress(&at).is_break() {
                return Err(DatasetError::Stopped);
            }
            compare(both, shard, options, &mut summary, report)?;
            shards_done += 1;
        }
    }
    Ok(summary)
}

fn compare(
    (left, right): &(Reader<'_>, Reader<'_>),
    shard: Shard,
    options: &CompareOptions,
    summary: &mut Summary,
    report: &mut dyn FnMut(&Difference),
) -> Result<()> {
    let digest = |reader: &Reader<'_>| reader.records.get(&shard).map(|record| record.digest);
    let mut only = |side: Side, digest: Digest| {
        report(&Difference::Only {
            shard,
            side,
            digest,
        });
    };
    match (digest(left), digest(right)) {
        (Some(a), Some(b)) if a == b => summary.equal += 1,
        (Some(a), Some(b)) => {
            summary.different += 1;
            report(&Difference::Digest {
                shard,
                left: a,
                right: b,
            });
            match (Strips::open(left, shard)?, Strips::open(right, shard)?) {
                (Some(left), Some(right)) => strips(&left, &right, shard, options, report)?,
                _ => counts(left, right, shard, options, report)?,
            }
        }
        (Some(digest), None) => {
            summary.only_left += 1;
            only(Side::Left, digest);
        }
        (None, Some(digest)) => {
            summary.only_right += 1;
            only(Side::Right, digest);
        }
        (None, None) => {}
    }
    Ok(())
}

/// The value of every strip of a class, as a store holds it.
struct Strips<'a, 's> {
    reader: &'a Reader<'s>,
    values: ClassValues,
    /// Knows the negatives among them.
    catalogue: Catalogue,
}

impl<'a, 's> Strips<'a, 's> {
    /// `None` where the store keeps tallies alone.
    fn open(reader: &'a Reader<'s>, shard: Shard) -> Result<Option<Self>> {
        let mut catalogue = Catalogue::default();
        match ClassValues::open_with(reader, &mut catalogue, shard.class) {
            Ok(values) => Ok(Some(Self {
                reader,
                values,
                catalogue,
            })),
            Err(DatasetError::NeedsBlocks { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Indices and value ids, in order.
    fn ids(&self) -> impl Iterator<Item = (u64, ValueId)> + '_ {
        let values = self.values.values();
        let of_code = |code: u32| values[code as usize];
        self.values
            .iter()
            .map(move |found| (found.index, of_code(found.code)))
    }

    fn texts(
        &self,
        ids: impl IntoIterator<Item = ValueId>,
        options: &CompareOptions,
    ) -> Result<BTreeMap<ValueId, String>> {
        texts(self.reader, &self.catalogue, ids, options)
    }
}

fn strips(
    left: &Strips<'_, '_>,
    right: &Strips<'_, '_>,
    shard: Shard,
    options: &CompareOptions,
    report: &mut dyn FnMut(&Difference),
) -> Result<()> {
    let differing: Vec<(u64, ValueId, ValueId)> = left
        .ids()
        .zip(right.ids())
        .filter(|((_, left), (_, right))| left != right)
        .map(|((index, left), (_, right))| (index, left, right))
        .take(options.strips)
        .collect();
    let on_left = left.texts(differing.iter().map(|&(_, id, _)| id), options)?;
    let on_right = right.texts(differing.iter().map(|&(_, _, id)| id), options)?;
    for (index, left, right) in differing {
        let strip = Strip::from_index(shard.class.n.into(), index.into())
            .expect("the index is one of the class");
        report(&Difference::Strip {
            shard,
            strip,
            left: on_left[&left].clone(),
            right: on_right[&right].clone(),
        });
    }
    Ok(())
}

fn counts(
    left: &Reader<'_>,
    right: &Reader<'_>,
    shard: Shard,
    options: &CompareOptions,
    report: &mut dyn FnMut(&Difference),
) -> Result<()> {
    let mut counts = BTreeMap::<ValueId, (u64, u64)>::new();
    for entry in left.tally(shard)?.tally {
        counts.entry(entry.value).or_default().0 = entry.count;
    }
    for entry in right.tally(shard)?.tally {
        counts.entry(entry.value).or_default().1 = entry.count;
    }
    let differing: Vec<_> = counts
        .into_iter()
        .filter(|(_, (left, right))| left != right)
        .take(options.strips)
        .collect();
    for (id, (on_left, on_right)) in differing {
        let reader = if on_left > 0 { left } else { right };
        let text = texts(reader, &Catalogue::default(), [id], options)?;
        let value = text[&id].clone();
        report(&Difference::Count {
            shard,
            value,
            left: on_left,
            right: on_right,
        });
    }
    Ok(())
}

fn texts(
    reader: &Reader<'_>,
    catalogue: &Catalogue,
    ids: impl IntoIterator<Item = ValueId>,
    options: &CompareOptions,
) -> Result<BTreeMap<ValueId, String>> {
    let ids: BTreeSet<ValueId> = ids.into_iter().collect();
    let mut names = Names::new(options.max_text);
    names.load(reader, catalogue, ids.iter().copied())?;
    Ok(ids
        .into_iter()
        .map(|id| (id, names.text(id).to_owned()))
        .collect())
}
