//! Strips that were looked up: one strip, or all with one value.

use std::sync::Arc;

use toads_game::ValueId;
use toads_strip::{Strip, Variant};

use super::super::of_value::cell;
use super::{AT, IDX, OF, STRIP, VALUE, VALUE_ID};
use crate::answer::Hits;
use crate::error::Result;
use crate::read::{Stratum, missing, strip_at};
use crate::sql::virtual_table::{Out, Rows};
use crate::sql::world::{Codes, World};

/// Rows of strips with known values.
pub(super) struct FoundRows {
    world: Arc<World>,
    /// Yet to be searched, the next one last.
    strata: Vec<(Variant, Stratum)>,
    /// The value searched for, and its negative.
    ids: Option<(ValueId, ValueId)>,
    /// Found, the next one last.
    found: Vec<Found>,
    row: Option<Row>,
}

#[derive(Clone, Copy)]
struct Found {
    variant: Variant,
    n: u8,
    index: u64,
    ids: (ValueId, ValueId),
}

struct Row {
    found: Found,
    strip: Strip,
    codes: Arc<Codes>,
    code: u32,
}

impl FoundRows {
    /// All strips of these strata with one value.
    pub(super) fn of_value(
        world: &Arc<World>,
        ids: (ValueId, ValueId),
        mut strata: Vec<(Variant, Stratum)>,
    ) -> Box<dyn Rows> {
        strata.reverse();
        Box::new(Self {
            world: Arc::clone(world),
            strata,
            ids: Some(ids),
            found: Vec::new(),
            row: None,
        })
    }

    /// These strips of `n` squares, each with the ids of its value and of the negative.
    pub(super) fn of_strips(
        world: &Arc<World>,
        n: u8,
        strips: Vec<(Variant, u64, (ValueId, ValueId))>,
    ) -> Box<dyn Rows> {
        let found = strips.into_iter().rev().map(|(variant, index, ids)| Found {
            variant,
            n,
            index,
            ids,
        });
        Box::new(Self {
            world: Arc::clone(world),
            strata: Vec::new(),
            ids: None,
            found: found.collect(),
            row: None,
        })
    }
}

impl Rows for FoundRows {
    fn advance(&mut self) -> Result<bool> {
        loop {
            if let Some(found) = self.found.pop() {
                // One value for all rows: its codes are at hand after the first.
                let codes = match self.row.take() {
                    Some(row) if row.found.ids == found.ids => row.codes,
                    _ => {
                        let codes = self.world.codes_of(found.ids)?;
                        codes.ok_or_else(|| missing(found.ids.0))?
                    }
                };
                let code = codes.code(found.ids.0).expect("codes were made for it");
                self.row = Some(Row {
                    found,
                    strip: strip_at(found.n, found.index),
                    codes,
                    code,
                });
                return Ok(true);
            }
            let (Some((variant, stratum)), Some(ids)) = (self.strata.pop(), self.ids) else {
                return Ok(false);
            };
            let mut hits = Hits::new(u64::MAX);
            hits.find(self.world.reader(variant), &stratum, ids)?;
            let found = |index| Found {
                variant,
                n: stratum.n,
                index,
                ids,
            };
            self.found = hits.sorted().into_iter().rev().map(found).collect();
        }
    }

    fn cell(&self, column: usize, out: &mut Out<'_>) -> Result<()> {
        let row = self.row.as_ref().expect("there is a row");
        match column {
            _ if column == AT.variant => out.text(row.found.variant.name()),
            _ if column == AT.n => out.integer(row.found.n),
            _ if column == AT.toads => out.integer(row.strip.class().toads),
            _ if column == AT.frogs => out.integer(row.strip.class().frogs),
            IDX => out.integer(row.found.index),
            STRIP => out.display(&row.strip),
            VALUE_ID => out.display(row.found.ids.0),
            VALUE => {
                let (reader, named) = (self.world.any_reader(), row.codes.named(row.code));
                out.text(self.world.shelf().text(reader, named, std::iter::empty())?);
            }
            _ => cell(&row.codes, row.code, column - OF, out),
        }
        Ok(())
    }
}
