//! Is a shard what its marker says, and are its strips worth what it says?

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use toads_census::{Shard, ShardResult, TallyEntry, chunks};
use toads_game::Value;
use toads_strip::{Class, Player, Strip};

use super::options::{AuditOptions, AuditSummary};
use super::referee;
use super::report::{Damage, Found};
use super::table::Recount;
use super::values::ValueAudit;
use crate::error::{DatasetError, Result};
use crate::read::{ClassValues, Reader, StoredClass, core_class};

/// Strips between reports of progress.
const REPORT_STRIPS: u64 = 1 << 14;

/// What the threads of an audit tell each other.
#[derive(Default)]
pub(super) struct Signs {
    /// Strips passed, of all shards.
    pub(super) strips: AtomicU64,
    /// Whether to end.
    pub(super) stopped: AtomicBool,
}

/// The audit of one shard.
pub(super) struct ShardAudit<'a, 's, 'v> {
    pub(super) reader: &'a Reader<'s>,
    pub(super) shard: Shard,
    pub(super) options: &'a AuditOptions,
    pub(super) signs: &'a Signs,
    pub(super) values: ValueAudit<'v>,
    /// Whether the form of some value is damaged, of whatever shard.
    pub(super) knows_damaged_values: bool,
    pub(super) found: &'a mut Found,
    pub(super) summary: AuditSummary,
}

impl ShardAudit<'_, '_, '_> {
    pub(super) fn run(mut self) -> Result<AuditSummary> {
        let strips = self.shard.strips();
        self.summary.shards = 1;
        self.summary.strips = strips;
        let mut passed = 0;
        if let Some(result) = self.tally()? {
            let has_blocks = self.reader.records[&self.shard].blocks > 0;
            let blocks_sound = !has_blocks || self.blocks()?;
            if blocks_sound {
                self.strips(&result, has_blocks, &mut passed)?;
            }
        }
        self.pass(&mut passed, strips)?;
        self.summary.values = self.values.checked();
        Ok(self.summary)
    }

    /// Says how many strips of the shard are passed.
    fn pass(&self, passed: &mut u64, now: u64) -> Result<()> {
        self.signs
            .strips
            .fetch_add(now - *passed, Ordering::Relaxed);
        *passed = now;
        if self.signs.stopped.load(Ordering::Relaxed) {
            return Err(DatasetError::Stopped);
        }
        Ok(())
    }

    fn find(&mut self, damage: Damage, detail: String) {
        self.found.find(self.shard, damage, detail);
    }

    /// Checks the marker and the tally against each other and the class; the tally, when it is of use.
    fn tally(&mut self) -> Result<Option<ShardResult>> {
        let record = self.reader.records[&self.shard].clone();
        let strips = multinomial(self.shard.class);
        if record.strips != strips {
            self.find(
                Damage::Marker,
                format!("counts {} strips, the class has {strips}", record.strips),
            );
        }
        let result = match self.reader.store.tally(self.shard) {
            Ok(Some(result)) => result,
            Ok(None) => {
                self.find(Damage::Tally, "is missing".to_owned());
                return Ok(None);
            }
            Err(error) if is_damage(&error) => {
                self.find(Damage::Tally, error.to_string());
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        };
        if record.distinct != result.tally.len() as u64 {
            let detail = format!(
                "counts {} values, the tally has {}",
                record.distinct,
                result.tally.len()
            );
            self.find(Damage::Marker, detail);
        }
        if record.digest != result.digest {
            self.find(
                Damage::Digest,
                format!(
                    "is {} in the marker and {} with the tally",
                    record.digest, result.digest
                ),
            );
        }
        if !result.tally.is_sorted_by(|a, b| a.value < b.value) {
            self.find(Damage::Tally, "is not in order of ids".to_owned());
            return Ok(None);
        }
        let counted = result
            .tally
            .iter()
            .try_fold(0u64, |sum, entry| sum.checked_add(entry.count));
        if counted != Some(strips) || result.tally.iter().any(|entry| entry.count == 0) {
            let counted = counted.map_or("too many".to_owned(), |counted| counted.to_string());
            self.find(
                Damage::Tally,
                format!("counts {counted} strips, the class has {strips}"),
            );
        }
        for TallyEntry {
            value,
            first,
            first_mirrored,
            ..
        } in &result.tally
        {
            let is_of = |index: u64, class: Class| {
                Strip::from_index(class.n.into(), index.into())
                    .is_ok_and(|strip| strip.class() == class)
            };
            if !is_of(*first, self.shard.class)
                || !is_of(*first_mirrored, self.shard.class.mirror())
            {
                self.find(
                    Damage::Tally,
                    format!("names a first strip of another class for the value {value}"),
                );
            }
        }
        Ok(Some(result))
    }

    /// Checks each block by itself, and their number and length; whether all are sound.
    fn blocks(&mut self) -> Result<bool> {
        let record = self.reader.records[&self.shard].clone();
        let total = chunks(self.shard.class);
        if record.blocks != total {
            self.find(
                Damage::Marker,
                format!("counts {} blocks, the class has {total}", record.blocks),
            );
        }
        let Some(stored) = StoredClass::open(self.reader, self.shard)? else {
            return Ok(false);
        };
        let (mut sound, mut bytes) = (true, 0);
        for number in 0..total {
            match stored.block(self.reader, number) {
                Ok(_) => {
                    let stored = self.reader.store.block(self.shard, number)?;
                    bytes += stored.map_or(0, |block| block.len() as u64);
                }
                Err(DatasetError::Damaged { what, .. }) => {
                    self.find(Damage::Block, what);
                    sound = false;
                }
                Err(DatasetError::Store(error)) if is_damage(&error) => {
                    self.find(Damage::Block, error.to_string());
                    sound = false;
                }
                Err(error) => return Err(error),
            }
        }
        if sound && record.block_bytes != bytes {
            self.find(
                Damage::Marker,
                format!(
                    "counts {} bytes of blocks, there are {bytes}",
                    record.block_bytes
                ),
            );
        }
        Ok(sound)
    }

    /// Checks strip by strip, from the blocks or by recomputing.
    fn strips(&mut self, result: &ShardResult, has_blocks: bool, passed: &mut u64) -> Result<()> {
        if has_blocks && self.cores_are_stored() {
            match ClassValues::open(self.reader, self.shard.class) {
                Ok(values) => return self.by_options(&values, result, passed),
                // A class of cores is damaged: that is its own finding, and this class cannot be read without it.
                Err(DatasetError::Damaged { shard, what }) => {
                    self.found.find(shard, Damage::Block, what);
                    return Ok(());
                }
                Err(DatasetError::DamagedValue { id, what }) => {
                    // Most likely told already; without it the class cannot be read.
                    if !self.knows_damaged_values && !self.found.has(Damage::Value) {
                        self.find(
                            Damage::Value,
                            format!("the value {id} cannot be used: {what}"),
                        );
                    }
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
        if self.shard.strips() <= self.options.recompute_up_to {
            return self.by_recomputing(result, has_blocks);
        }
        self.summary.tallies_only += 1;
        Ok(())
    }

    /// Whether the blocks of the cores of all strips of the class are stored.
    fn cores_are_stored(&self) -> bool {
        let class = self.shard.class;
        let dead_ends =
            (0..=class.frogs).flat_map(|frogs| (0..=class.toads).map(move |toads| (frogs, toads)));
        dead_ends
            .map(|(frogs, toads)| core_class(class, frogs, toads))
            .filter(|core| core.n > 0 && core.core_size() > 0)
            .all(|core| {
                self.reader
                    .record_of(core)
                    .is_some_and(|record| record.blocks > 0)
            })
    }

    /// Every strip's value is the canonical form of its options' values; tally and digest are those of the strips.
    fn by_options(
        &mut self,
        values: &ClassValues,
        result: &ShardResult,
        passed: &mut u64,
    ) -> Result<()> {
        let class = self.shard.class;
        // A value of a smaller class that this tally does not have was not checked with it.
        self.values
            .check(self.reader, self.shard, values.values(), self.found)?;
        let handles: Vec<Option<Value>> = values
            .values()
            .iter()
            .map(|&id| self.values.value(id))
            .collect();
        let mut recount = Recount::new(self.shard);
        for (rank, strip) in class.strips().enumerate() {
            let rank = rank as u64;
            let code = values.code(&strip);
            let id = values.values()[code as usize];
            recount.add(&strip, id);
            if self.options.samples(rank)
                && let Some(value) = handles[code as usize]
            {
                self.summary.strips_checked += 1;
                self.strip(values, &handles, &strip, value)?;
            }
            if rank.is_multiple_of(REPORT_STRIPS) {
                self.pass(passed, rank)?;
            }
        }
        self.compare(recount, result);
        Ok(())
    }

    fn strip(
        &mut self,
        values: &ClassValues,
        handles: &[Option<Value>],
        strip: &Strip,
        value: Value,
    ) -> Result<()> {
        let variant = self.shard.variant;
        let options = |player| {
            let of = |option: &Strip| handles[values.code(option) as usize];
            strip
                .moves(variant, player)
                .iter()
                .map(of)
                .collect::<Option<Vec<_>>>()
        };
        let (Some(left), Some(right)) = (options(Player::Left), options(Player::Right)) else {
            return Ok(());
        };
        let expected = self.values.canonical(&left, &right)?;
        if expected != value {
            let (stored, expected) = (self.values.id(value), self.values.id(expected));
            self.find(
                Damage::Strip,
                format!("{strip} is stored with the value {stored}, its options make {expected}"),
            );
        }
        if self.shard.class == self.shard.class.mirror() {
            let (mirrored, negative) = (values.value(&strip.mirror()), self.values.negative(value));
            if mirrored != negative {
                let detail = format!(
                    "{} has the value {mirrored}, the negative of {strip} is {negative}",
                    strip.mirror()
                );
                self.find(Damage::Mirror, detail);
            }
        }
        Ok(())
    }

    /// Recomputes the class and compares its core strips, tally and digest.
    fn by_recomputing(&mut self, result: &ShardResult, has_blocks: bool) -> Result<()> {
        let class = self.shard.class;
        let table = referee::evaluate(&mut self.values, self.shard)?;
        self.summary.recomputed += 1;
        self.summary.strips_checked += self.shard.strips();
        let mut recount = Recount::new(self.shard);
        for (strip, &value) in class.strips().zip(&table) {
            recount.add(&strip, self.values.id(value));
        }
        if has_blocks {
            let cores = crate::read::CoreCodes::stored(self.reader, self.shard)?;
            let cores = cores.expect("the blocks were read a moment ago");
            let strips = class
                .strips()
                .zip(&table)
                .filter(|(strip, _)| strip.is_core());
            for ((strip, &value), &code) in strips.zip(&cores.codes) {
                let (stored, expected) = (cores.values[code as usize], self.values.id(value));
                if stored != expected {
                    let detail = format!(
                        "{strip} is stored with the value {stored}, its options make {expected}"
                    );
                    self.find(Damage::Strip, detail);
                }
            }
        }
        self.compare(recount, result);
        Ok(())
    }

    fn compare(&mut self, recount: Recount, result: &ShardResult) {
        let (tally, digest) = recount.finish();
        if tally != result.tally {
            let is_there = |entry: &&TallyEntry| {
                let place = result
                    .tally
                    .binary_search_by_key(&entry.value, |entry| entry.value);
                place.is_ok_and(|place| result.tally[place] == **entry)
            };
            let wrong = tally.iter().find(|entry| !is_there(entry));
            let detail = match wrong {
                Some(TallyEntry {
                    value,
                    count,
                    first,
                    ..
                }) => {
                    format!(
                        "does not say that {count} strips have the value {value}, the first with index {first}"
                    )
                }
                None => "names values that no strip has".to_owned(),
            };
            self.find(Damage::Tally, detail);
        }
        if digest != result.digest {
            self.find(
                Damage::Digest,
                format!("is recorded as {}, the strips make {digest}", result.digest),
            );
        }
    }
}

fn is_damage(error: &toads_store::StoreError) -> bool {
    matches!(error, toads_store::StoreError::Damaged { .. })
}

/// n! / (toads! frogs! blanks!), by multiplying and dividing.
fn multinomial(class: Class) -> u64 {
    let mut size = 1u128;
    let mut placed = 0;
    for count in [class.toads, class.frogs, class.blanks()] {
        for at in 1..=u128::from(count) {
            placed += 1;
            size = size * placed / at;
        }
    }
    size.try_into().expect("3^40 fits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multinomials_are_class_sizes() {
        for class in (0..=24).flat_map(Class::all) {
            assert_eq!(multinomial(class), class.size(), "{class}");
        }
    }
}
