//! Store with an exported dataset: first the files, then every strip and every tally.

use std::ops::ControlFlow;
use std::path::{Component, Path};

use toads_store::Store;
use toads_strip::{Class, Strip, Variant};

use super::difference::CompareOptions;
use super::files::{manifest, strangers, sums};
use super::rows::{Rows, StripRow, TallyRow};
use crate::error::{DatasetError, Result};
use crate::export::{Manifest, sha256_of};
use crate::read::{Catalogue, ClassValues, Reader};

/// What is wrong with a dataset, or with the store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disagreement {
    /// A file is missing, has another checksum or none.
    File,
    /// The store does not have a class that the dataset has.
    Missing,
    /// A strip has another value, or stands elsewhere.
    Strip,
    /// A value occurs another number of times, or first elsewhere.
    Tally,
}

/// One thing that was found: where and what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DatasetFinding {
    /// The file.
    pub file: String,
    /// The sort of finding.
    pub what: Disagreement,
    /// In words.
    pub detail: String,
}

/// How far it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DatasetProgress {
    /// The file that is read.
    pub file: String,
    /// Rows compared.
    pub rows_done: u64,
    /// Rows of all files.
    pub rows_total: u64,
}

/// What was compared.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct DatasetSummary {
    /// Files whose checksum was taken.
    pub files: usize,
    /// Strips compared with the store.
    pub strips: u64,
    /// Tally entries compared with the store.
    pub tallies: u64,
    /// What was found wrong.
    pub findings: u64,
}

/// Checks the files of a Parquet export against their checksums, and every strip and tally in them against `store`; the
/// range may be narrowed by `options`, of which [`CompareOptions::strips`] bounds what is told of each class. A dataset that
/// has nothing to compare is refused.
///
/// Memory: 4 bytes for each strip of the largest class, and a batch of rows. Some 10 s for 43 million strips.
pub fn compare_dataset(
    store: &dyn Store,
    folder: &Path,
    options: &CompareOptions,
    progress: &mut dyn FnMut(&DatasetProgress) -> ControlFlow<()>,
    report: &mut dyn FnMut(&DatasetFinding),
) -> Result<DatasetSummary> {
    let manifest = manifest(folder)?;
    let mut comparison = Comparison {
        folder,
        options,
        progress,
        report,
        summary: DatasetSummary::default(),
        told: 0,
        state: DatasetProgress {
            file: String::new(),
            rows_done: 0,
            rows_total: manifest.files.iter().map(|file| file.rows).sum(),
        },
    };
    let sound = comparison.checksums(&manifest)?;
    for variant in Variant::ALL {
        let reader = Reader::new(store, variant)?;
        let mut catalogue = Catalogue::default();
        for file in &manifest.files {
            if !sound.contains(&file.path) {
                continue;
            }
            comparison.state.file.clone_from(&file.path);
            match file.table.as_str() {
                "strips" => {
                    if let Some(n) = partition(&file.path, variant) {
                        comparison.strips(&reader, &mut catalogue, n, &file.path)?;
                    }
                }
                "tallies" => comparison.tallies(&reader, &mut catalogue, &file.path)?,
                _ => {}
            }
        }
    }
    let summary = comparison.summary;
    if summary.findings == 0 && summary.strips == 0 && summary.tallies == 0 {
        return Err(DatasetError::Question(format!(
            "{} has no strips and no tallies of these squares and this variant: there is nothing to compare",
            folder.display()
        )));
    }
    Ok(summary)
}

/// The n of `strips/variant=hop/n=9/part-0.parquet`, when it is of this variant.
fn partition(path: &str, variant: Variant) -> Option<u8> {
    let rest = path.strip_prefix(&format!("strips/variant={variant}/n="))?;
    rest.split('/').next()?.parse().ok()
}

/// The strip with an index, which may be that of none.
fn told(n: u8, index: u64) -> String {
    let strip = Strip::from_index(n.into(), index.into());
    strip.map_or_else(
        |_| format!("index {index}, which no strip of {n} squares has,"),
        |strip| strip.to_string(),
    )
}

/// Whether a path stays below where it begins.
fn is_inside(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    parts.all(|part| matches!(part, Component::Normal(_)))
}

struct Comparison<'a> {
    folder: &'a Path,
    options: &'a CompareOptions,
    progress: &'a mut dyn FnMut(&DatasetProgress) -> ControlFlow<()>,
    report: &'a mut dyn FnMut(&DatasetFinding),
    summary: DatasetSummary,
    /// Findings told of the present class.
    told: usize,
    state: DatasetProgress,
}

impl Comparison<'_> {
    fn find(&mut self, what: Disagreement, detail: String) {
        self.summary.findings += 1;
        self.told += 1;
        if self.told <= self.options.strips {
            (self.report)(&DatasetFinding {
                file: self.state.file.clone(),
                what,
                detail,
            });
        }
    }

    fn tick(&mut self) -> Result<()> {
        match (self.progress)(&self.state) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(DatasetError::Stopped),
        }
    }

    /// Files whose bytes are those that were exported, by the list of checksums and by the manifest. A file of the manifest without
    /// a checksum is a finding, and so is a name that leads out of the folder; that one is not read.
    fn checksums(&mut self, manifest: &Manifest) -> Result<Vec<String>> {
        let mut sound = Vec::new();
        for (name, sum) in sums(self.folder, manifest)? {
            self.state.file.clone_from(&name);
            self.told = 0;
            self.tick()?;
            self.summary.files += 1;
            let Some(sum) = sum else {
                self.find(Disagreement::File, "SHA256SUMS does not name it".to_owned());
                continue;
            };
            if !is_inside(&name) {
                let detail = "SHA256SUMS names something outside of the dataset".to_owned();
                self.find(Disagreement::File, detail);
                continue;
            }
            match sha256_of(&self.folder.join(&name)) {
                Ok(found) if found == sum => {
                    let named = manifest.files.iter().find(|file| file.path == name);
                    match named.filter(|file| file.sha256 != found) {
                        None => sound.push(name),
                        Some(other) => {
                            let said = other.sha256.escape_debug();
                            let detail =
                                format!("its SHA-256 is {found}, MANIFEST.json says {said}");
                            self.find(Disagreement::File, detail);
                        }
                    }
                }
                Ok(found) => {
                    let sum = sum.escape_debug();
                    let detail = format!("its SHA-256 is {found}, SHA256SUMS says {sum}");
                    self.find(Disagreement::File, detail);
                }
                Err(error) => self.find(Disagreement::File, error.to_string()),
            }
        }
        for name in strangers(self.folder, manifest)? {
            self.state.file = name;
            self.told = 0;
            let detail =
                "MANIFEST.json does not name it; who reads all files reads it too".to_owned();
            self.find(Disagreement::File, detail);
        }
        Ok(sound)
    }

    /// A file of strips: class after class, strip after strip.
    fn strips(
        &mut self,
        reader: &Reader<'_>,
        catalogue: &mut Catalogue,
        n: u8,
        file: &str,
    ) -> Result<()> {
        let mut rows = Rows::<StripRow>::open(&self.folder.join(file))?.peekable();
        while let Some(first) = rows.peek() {
            let (toads, frogs) = match first {
                Ok(row) => (row.toads, row.frogs),
                Err(_) => return rows.next().expect("it was there").map(drop),
            };
            let class = Class { n, toads, frogs };
            let mut same = std::iter::from_fn(|| {
                rows.next_if(|row| {
                    row.as_ref()
                        .map_or(true, |row| (row.toads, row.frogs) == (toads, frogs))
                })
            });
            self.told = 0;
            if !self.options.selects(reader.shard_of(class)) {
                same.by_ref().try_for_each(|row| row.map(drop))?;
                continue;
            }
            if reader.record_of(class).is_none() {
                let skipped = same.by_ref().collect::<Result<Vec<_>>>()?.len();
                self.state.rows_done += skipped as u64;
                let detail = format!("the store does not have the class {class}");
                self.find(Disagreement::Missing, detail);
                continue;
            }
            self.class(reader, catalogue, class, &mut same)?;
        }
        Ok(())
    }

    fn class(
        &mut self,
        reader: &Reader<'_>,
        catalogue: &mut Catalogue,
        class: Class,
        rows: &mut dyn Iterator<Item = Result<StripRow>>,
    ) -> Result<()> {
        let values = ClassValues::open_with(reader, catalogue, class)?;
        let mut stored = values.iter();
        for row in rows {
            let row = row?;
            self.state.rows_done += 1;
            self.summary.strips += 1;
            if self.state.rows_done.is_multiple_of(1 << 16) {
                self.tick()?;
            }
            let Some(found) = stored.next() else {
                self.find(
                    Disagreement::Strip,
                    format!("the class {class} has too many rows"),
                );
                continue;
            };
            let id = values.values()[found.code as usize];
            if row.index != found.index || row.value != id {
                let (here, there) = (told(class.n, row.index), told(class.n, found.index));
                self.find(
                    Disagreement::Strip,
                    format!(
                        "{here} has the value {}, in the store {there} has {id}",
                        row.value
                    ),
                );
            }
        }
        let missing = stored.count();
        if missing > 0 {
            let detail = format!("the class {class} lacks {missing} rows");
            self.find(Disagreement::Strip, detail);
        }
        Ok(())
    }

    /// The tallies of one ruleset.
    fn tallies(
        &mut self,
        reader: &Reader<'_>,
        catalogue: &mut Catalogue,
        file: &str,
    ) -> Result<()> {
        let mut present = None;
        let mut expected = Vec::new().into_iter();
        for row in Rows::<TallyRow>::open(&self.folder.join(file))? {
            let row = row?;
            if row.variant != reader.variant || !self.options.selects(reader.shard_of(row.class)) {
                continue;
            }
            self.state.rows_done += 1;
            if present != Some(row.class) {
                self.told = 0;
                self.tick()?;
                self.end_of_tally(present, expected.count());
                present = Some(row.class);
                let entries = if reader.record_of(row.class).is_some() {
                    reader.tally_of(catalogue, row.class)?
                } else {
                    let detail = format!("the store does not have the class {}", row.class);
                    self.find(Disagreement::Missing, detail);
                    Vec::new()
                };
                expected = entries.into_iter();
            }
            if reader.record_of(row.class).is_none() {
                continue;
            }
            self.summary.tallies += 1;
            let stored = expected.next();
            let stored = stored.map(|entry| (entry.value, entry.count, entry.first));
            if stored != Some((row.value, row.count, row.first)) {
                let detail = format!(
                    "in the class {} the value {} occurs {} times, first at {}; the store has {}",
                    row.class,
                    row.value,
                    row.count,
                    told(row.class.n, row.first),
                    stored.map_or("no such entry".to_owned(), |(value, count, first)| format!(
                        "{value} {count} times, first at {}",
                        told(row.class.n, first)
                    ))
                );
                self.find(Disagreement::Tally, detail);
            }
        }
        self.end_of_tally(present, expected.count());
        Ok(())
    }

    fn end_of_tally(&mut self, class: Option<Class>, left: usize) {
        if let (Some(class), 1..) = (class, left) {
            let detail = format!("the class {class} lacks {left} values that the store has");
            self.find(Disagreement::Tally, detail);
        }
    }
}
