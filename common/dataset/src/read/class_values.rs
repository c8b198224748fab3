//! The value of every strip of a class, in index order.

use std::ops::Deref;

use rustc_hash::FxHashMap;
use toads_census::ClassIndex;
use toads_game::ValueId;
use toads_strip::{Class, Strip};

use super::catalogue::Catalogue;
use super::cores::{CoreCodes, core_class};
use super::reader::Reader;
use super::zero_id;
use crate::error::{DatasetError, Result};

/// The value of every strip of a class, dead ends and mirrors included: 4 bytes a strip.
///
/// A store keeps core strips of classes with at least as many toads as frogs. The value of any other strip is that of
/// its core, or the negative of its mirror image's. Where the blocks of a class are not stored it is evaluated, within
/// the limit of the [`Reader`].
pub struct ClassValues {
    class: Class,
    values: Vec<ValueId>,
    source: Source,
}

/// A strip of a class and its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StripValue {
    /// The base-3 number of the strip.
    pub index: u64,
    /// The place of its value in [`ClassValues::values`].
    pub code: u32,
}

enum Source {
    /// By rank in the class, or in its mirror class.
    All { codes: Vec<u32> },
    /// By numbers of dead frogs and dead toads.
    Cores(Vec<Cores>),
}

/// Core strips with equally many dead frogs in front and dead toads behind them.
struct Cores {
    class: Class,
    codes: Vec<u32>,
}

impl Cores {
    fn code(&self, core: &Strip) -> u32 {
        if self.class.n == 0 {
            return self.codes[0];
        }
        let rank = if self.class.is_computed() {
            self.class.core_rank(core)
        } else {
            self.class.mirror().core_rank(&core.mirror())
        };
        self.codes[rank as usize]
    }
}

impl ClassValues {
    /// Reads (or evaluates) `class`, which may have more frogs than toads.
    pub fn open(reader: &Reader<'_>, class: Class) -> Result<Self> {
        Self::open_with(reader, &mut Catalogue::default(), class)
    }

    /// The same; negatives are looked up in (and added to) `catalogue`.
    pub(crate) fn open_with(
        reader: &Reader<'_>,
        catalogue: &mut Catalogue,
        class: Class,
    ) -> Result<Self> {
        let mut builder = Builder {
            values: Vec::new(),
            places: FxHashMap::default(),
            catalogue,
        };
        let shard = reader.shard_of(class);
        let Some(_) = reader.records.get(&shard) else {
            return Err(DatasetError::NotCommitted {
                what: format!("the class {class}"),
            });
        };
        let stored = |core: Class| {
            core.n == 0
                || reader
                    .record_of(core)
                    .is_some_and(|record| record.blocks > 0)
        };
        let dead_ends = || {
            (0..=class.frogs).flat_map(|frogs| (0..=class.toads).map(move |toads| (frogs, toads)))
        };
        let missing = dead_ends()
            .map(|(frogs, toads)| core_class(class, frogs, toads))
            .find(|&core| core.core_size() > 0 && !stored(core));
        let source = match missing {
            Some(_) if class.size() <= reader.evaluate_limit => Source::All {
                codes: builder.adopt(
                    reader,
                    CoreCodes::evaluated(reader, shard)?,
                    !class.is_computed(),
                )?,
            },
            Some(core) => {
                let shard = reader.shard_of(core);
                let (strips, limit) = (shard.class.size(), reader.evaluate_limit);
                return Err(DatasetError::NeedsBlocks {
                    shard,
                    strips,
                    limit,
                });
            }
            None => {
                let cores = dead_ends()
                    .map(|(frogs, toads)| builder.cores(reader, core_class(class, frogs, toads)));
                Source::Cores(cores.collect::<Result<_>>()?)
            }
        };
        Ok(Self {
            class,
            values: builder.values,
            source,
        })
    }

    /// The class.
    pub fn class(&self) -> Class {
        self.class
    }

    /// The distinct values.
    pub fn values(&self) -> &[ValueId] {
        &self.values
    }

    /// The value of one strip of the class.
    pub fn value(&self, strip: &Strip) -> ValueId {
        self.values[self.code(strip) as usize]
    }

    /// The place of the value of one strip in [`Self::values`].
    pub fn code(&self, strip: &Strip) -> u32 {
        match &self.source {
            Source::All { codes } if self.class.is_computed() => {
                codes[self.class.rank(strip) as usize]
            }
            Source::All { codes } => codes[self.class.mirror().rank(&strip.mirror()) as usize],
            Source::Cores(cores) => {
                let (frogs, core, toads) = strip.core();
                cores[frogs * (usize::from(self.class.toads) + 1) + toads].code(&core)
            }
        }
    }

    /// All strips of the class in index order, with their values.
    pub fn iter(&self) -> impl Iterator<Item = StripValue> + '_ {
        Walk::new(self)
    }
}

/// The strips of a class in index order, with their values; holds them, or a reference to them.
pub(crate) struct Walk<V> {
    values: V,
    strips: OwnedIndex,
    /// For each kind of core, how many were met.
    met: Vec<usize>,
    rank: usize,
}

impl<V: Deref<Target = ClassValues>> Walk<V> {
    /// From the first strip on.
    pub(crate) fn new(values: V) -> Self {
        let class = values.class;
        let met = match &values.source {
            Source::All { .. } => Vec::new(),
            Source::Cores(cores) => vec![0; cores.len()],
        };
        Self {
            strips: OwnedIndex::new(ClassIndex::new(class), class.size()),
            met,
            rank: 0,
            values,
        }
    }

    /// The class and its values.
    pub(crate) fn values(&self) -> &ClassValues {
        &self.values
    }
}

impl<V: Deref<Target = ClassValues>> Iterator for Walk<V> {
    type Item = StripValue;

    fn next(&mut self) -> Option<StripValue> {
        let index = self.strips.next()?;
        let class = self.values.class;
        let code = match &self.values.source {
            Source::All { codes } if class.is_computed() => codes[self.rank],
            Source::All { .. } => self.values.code(&strip_at(class.n, index)),
            Source::Cores(cores) => {
                let (frogs, toads) = dead_ends(index, class);
                let place = frogs * (usize::from(class.toads) + 1) + toads;
                let cores = &cores[place];
                if cores.class.is_computed() {
                    // With the dead ends fixed, index order is the order of the cores.
                    self.met[place] += 1;
                    cores.codes[self.met[place] - 1]
                } else {
                    let strip = strip_at(class.n, index);
                    cores.code(&Strip::new(&strip[frogs..strip.len() - toads]))
                }
            }
        };
        self.rank += 1;
        Some(StripValue { index, code })
    }
}

/// The strip of `n` squares with this index.
pub(crate) fn strip_at(n: u8, index: u64) -> Strip {
    Strip::from_index(usize::from(n), u128::from(index)).expect("an index of a strip of n squares")
}

/// How many frogs lead and how many toads trail a strip of `class`.
fn dead_ends(index: u64, class: Class) -> (usize, usize) {
    let mut unit = 3u64.pow(u32::from(class.n) - 1);
    let mut frogs = 0;
    while frogs < usize::from(class.frogs) && index < unit {
        frogs += 1;
        unit /= 3;
    }
    let (mut rest, mut toads) = (index, 0);
    while toads < usize::from(class.toads) && rest % 3 == 2 {
        toads += 1;
        rest /= 3;
    }
    (frogs, toads)
}

/// Numbers the values of several classes.
struct Builder<'c> {
    values: Vec<ValueId>,
    places: FxHashMap<ValueId, u32>,
    catalogue: &'c mut Catalogue,
}

impl Builder<'_> {
    fn place(&mut self, id: ValueId) -> u32 {
        *self.places.entry(id).or_insert_with(|| {
            self.values.push(id);
            self.values.len() as u32 - 1
        })
    }

    fn cores(&mut self, reader: &Reader<'_>, class: Class) -> Result<Cores> {
        let codes = match class {
            Class { n: 0, .. } => vec![self.place(zero_id())],
            _ if class.core_size() == 0 => Vec::new(),
            _ => {
                let shard = reader.shard_of(class);
                let stored = CoreCodes::stored(reader, shard)?;
                let stored = stored.ok_or(DatasetError::NotCommitted {
                    what: format!("the class {class}"),
                })?;
                self.adopt(reader, stored, !class.is_computed())?
            }
        };
        Ok(Cores { class, codes })
    }

    /// The same codes in our numbering; of the negatives, when `mirrored`.
    fn adopt(&mut self, reader: &Reader<'_>, cores: CoreCodes, mirrored: bool) -> Result<Vec<u32>> {
        let CoreCodes { values, mut codes } = cores;
        let mut used = vec![false; values.len()];
        for &code in &codes {
            used[code as usize] = true;
        }
        if mirrored {
            let ids = values
                .iter()
                .zip(&used)
                .filter(|&(_, &used)| used)
                .map(|(&id, _)| id);
            self.catalogue.load(reader, ids)?;
        }
        let ours: Vec<u32> = values
            .iter()
            .zip(used)
            .map(|(&id, used)| match () {
                () if !used => u32::MAX,
                () if mirrored => {
                    let code = self.catalogue.code(id).expect("loaded above");
                    let negative = self.catalogue.facts(self.catalogue.facts(code).negative).id;
                    self.place(negative)
                }
                () => self.place(id),
            })
            .collect();
        for code in &mut codes {
            *code = ours[*code as usize];
        }
        Ok(codes)
    }
}

/// The indices of a class in order, with the layout they come from.
struct OwnedIndex {
    index: ClassIndex,
    next: u64,
    end: u64,
    buffer: Vec<u64>,
}

impl OwnedIndex {
    fn new(index: ClassIndex, end: u64) -> Self {
        Self {
            index,
            next: 0,
            end,
            buffer: Vec::new(),
        }
    }
}

impl Iterator for OwnedIndex {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        if self.buffer.is_empty() {
            let to = (self.next + 4096).min(self.end);
            self.buffer
                .extend(self.index.strips(self.next..to).map(|strip| strip.index));
            self.buffer.reverse();
            self.next = to;
        }
        self.buffer.pop()
    }
}
