//! Strips listed class by class, in index order.

use std::cell::OnceCell;
use std::sync::Arc;

use toads_game::ValueId;
use toads_strip::{Class, Variant};

use super::super::of_value::{Admits, cell};
use super::{AT, IDX, OF, STRIP, VALUE, VALUE_ID};
use crate::error::{DatasetError, Result};
use crate::read::{Catalogue, ClassValues, StripValue, Walk, strip_at};
use crate::sql::virtual_table::{Out, Rows};
use crate::sql::world::{Codes, World};

/// Rows of whole classes.
pub(super) struct ListedRows {
    world: Arc<World>,
    /// Classes to come, the next one last.
    left: Vec<(Variant, Class)>,
    admits: Admits,
    /// Indices, inclusive.
    range: (i64, i64),
    current: Option<Current>,
}

/// A class that is being read: 4 bytes a strip.
struct Current {
    variant: Variant,
    walk: Walk<Box<ClassValues>>,
    /// Which of its values are wanted, where not all are.
    wanted: Option<Vec<bool>>,
    row: StripValue,
    codes: OnceCell<Coded>,
}

/// The values of a class by code.
struct Coded {
    codes: Arc<Codes>,
    by_place: Vec<u32>,
}

impl ListedRows {
    pub(super) fn boxed(
        world: &Arc<World>,
        mut classes: Vec<(Variant, Class)>,
        admits: Admits,
        range: (i64, i64),
    ) -> Box<dyn Rows> {
        classes.reverse();
        Box::new(Self {
            world: Arc::clone(world),
            left: classes,
            admits,
            range,
            current: None,
        })
    }

    /// Whether the tally of a class has a value that is wanted.
    fn is_wanted(&self, variant: Variant, class: Class) -> Result<bool> {
        if !self.admits.restrict() {
            return Ok(true);
        }
        let reader = self.world.reader(variant);
        let (codes, counted) = self.world.tally(reader, reader.shard_of(class))?;
        let facts = codes.facts();
        Ok(counted.iter().any(|entry| {
            let own = &facts[entry.code as usize];
            let of = if class.is_computed() {
                own
            } else {
                &facts[own.negative as usize]
            };
            self.admits.admits(of)
        }))
    }

    fn open(&self, variant: Variant, class: Class) -> Result<Current> {
        let needed = class.size() * 4;
        if needed > self.world.memory {
            return Err(DatasetError::Question(format!(
                "the strips of the class {class} take {} MiB; give --memory {0}MiB or more, or ask about one value",
                needed >> 20
            )));
        }
        let reader = self.world.reader(variant);
        let values = ClassValues::open_with(reader, &mut Catalogue::default(), class)?;
        let mut current = Current {
            variant,
            walk: Walk::new(Box::new(values)),
            wanted: None,
            row: StripValue { index: 0, code: 0 },
            codes: OnceCell::new(),
        };
        if self.admits.restrict() {
            let coded = current.coded(&self.world)?;
            let facts = coded.codes.facts();
            let wanted = |&code: &u32| self.admits.admits(&facts[code as usize]);
            current.wanted = Some(coded.by_place.iter().map(wanted).collect());
        }
        Ok(current)
    }
}

impl Current {
    fn coded(&self, world: &World) -> Result<&Coded> {
        if let Some(coded) = self.codes.get() {
            return Ok(coded);
        }
        let values = self.walk.values();
        let reader = world.reader(self.variant);
        let tally = reader.tally(reader.shard_of(values.class()))?.tally;
        let stored: Vec<ValueId> = tally.iter().map(|entry| entry.value).collect();
        let codes = world.codes_for(&stored)?;
        let code = |&id: &ValueId| {
            codes.code(id).ok_or_else(|| DatasetError::Damaged {
                shard: reader.shard_of(values.class()),
                what: "a block names a value that the tally does not".to_owned(),
            })
        };
        let by_place = values.values().iter().map(code).collect::<Result<_>>()?;
        Ok(self.codes.get_or_init(|| Coded { codes, by_place }))
    }

    /// The next strip that is wanted, up to the index `last`.
    fn next(&mut self, (first, last): (i64, i64)) -> bool {
        for row in self.walk.by_ref() {
            let index = row.index as i64;
            if index > last {
                return false;
            }
            let wanted = self.wanted.as_ref();
            if index >= first && wanted.is_none_or(|wanted| wanted[row.code as usize]) {
                self.row = row;
                return true;
            }
        }
        false
    }
}

impl Rows for ListedRows {
    fn advance(&mut self) -> Result<bool> {
        loop {
            if let Some(current) = &mut self.current
                && current.next(self.range)
            {
                return Ok(true);
            }
            self.current = None;
            let Some((variant, class)) = self.left.pop() else {
                return Ok(false);
            };
            if self.is_wanted(variant, class)? {
                self.current = Some(self.open(variant, class)?);
            }
        }
    }

    fn cell(&self, column: usize, out: &mut Out<'_>) -> Result<()> {
        let current = self.current.as_ref().expect("there is a row");
        let class = current.walk.values().class();
        let row = current.row;
        match column {
            _ if column == AT.variant => out.text(current.variant.name()),
            _ if column == AT.n => out.integer(class.n),
            _ if column == AT.toads => out.integer(class.toads),
            _ if column == AT.frogs => out.integer(class.frogs),
            IDX => out.integer(row.index),
            STRIP => out.display(strip_at(class.n, row.index)),
            VALUE_ID => out.display(current.walk.values().values()[row.code as usize]),
            VALUE => {
                let Coded { codes, by_place } = current.coded(&self.world)?;
                let next = by_place.iter().map(|&code| codes.named(code));
                let named = codes.named(by_place[row.code as usize]);
                let mut shelf = self.world.shelf();
                out.text(shelf.text(self.world.any_reader(), named, next)?);
            }
            _ => {
                let Coded { codes, by_place } = current.coded(&self.world)?;
                cell(codes, by_place[row.code as usize], column - OF, out);
            }
        }
        Ok(())
    }
}
