//! `values`: every value that the store names, and its negative.

use std::ops::Range;
use std::sync::Arc;

use toads_game::ValueId;

use super::of_value::{Admits, OF_VALUE, cell};
use super::written::{Written, put};
use crate::error::Result;
use crate::read::Deep;
use crate::sql::conditions::Conditions;
use crate::sql::virtual_table::{ColumnSpec, Holds, Out, Rows, Source, column};
use crate::sql::world::{Codes, World};

pub(super) struct Values;

const VALUE_ID: usize = 0;
const VALUE: usize = 1;
/// Where the columns of [`OF_VALUE`] begin.
const OF: usize = 2;

impl Source for Values {
    const NAME: &'static str = "values";
    const COLUMNS: &'static [ColumnSpec] = &[
        column("value_id", Holds::Text).told(),
        column("value", Holds::Text).told(),
        OF_VALUE[0],
        OF_VALUE[1],
        OF_VALUE[2],
        OF_VALUE[3],
        OF_VALUE[4],
        OF_VALUE[5],
        OF_VALUE[6],
        column("negative_id", Holds::Text),
        column("left_options", Holds::Integer),
        column("right_options", Holds::Integer),
        column("depth", Holds::Integer),
        column("subpositions", Holds::Integer),
        column("denominator", Holds::Integer),
        column("atomic_weight", Holds::Text),
        column("reduced", Holds::Text),
    ];

    fn estimate(_: &World, equal: u64) -> f64 {
        match () {
            () if equal & (1 << VALUE_ID | 1 << VALUE) != 0 => 1.0,
            () if equal != 0 => 100_000.0,
            () => 500_000.0,
        }
    }

    fn rows(world: &Arc<World>, conditions: &Conditions) -> Result<Box<dyn Rows>> {
        let ids = match (conditions.text(VALUE_ID), conditions.text(VALUE)) {
            (Some(id), _) => world.ids_of_id(id)?,
            (None, Some(text)) => World::ids_of_text(text),
            (None, None) => {
                let codes = world.all()?;
                let left = 0..codes.facts().len() as u32;
                return Ok(ValueRows::boxed(world, codes, left, conditions));
            }
        };
        let Some(ids) = ids else {
            return Ok(Written::boxed(Vec::new()));
        };
        let Some(codes) = world.codes_of(ids)? else {
            return Ok(Written::boxed(Vec::new()));
        };
        let left = codes.code(ids.0).map_or(0..0, |code| code..code + 1);
        Ok(ValueRows::boxed(world, codes, left, conditions))
    }
}

struct ValueRows {
    world: Arc<World>,
    codes: Arc<Codes>,
    left: Range<u32>,
    admits: Admits,
    code: u32,
}

impl ValueRows {
    fn boxed(
        world: &Arc<World>,
        codes: Arc<Codes>,
        left: Range<u32>,
        conditions: &Conditions,
    ) -> Box<dyn Rows> {
        Box::new(Self {
            world: Arc::clone(world),
            codes,
            left,
            admits: Admits::new(conditions, OF),
            code: 0,
        })
    }

    fn next_admitted(&self, left: &mut Range<u32>) -> Option<u32> {
        let facts = self.codes.facts();
        left.find(|&code| self.admits.admits(&facts[code as usize]))
    }

    fn id(&self, code: u32) -> ValueId {
        self.codes.facts()[code as usize].id
    }
}

impl Rows for ValueRows {
    fn advance(&mut self) -> Result<bool> {
        let mut left = self.left.clone();
        let next = self.next_admitted(&mut left);
        self.left = left;
        self.code = next.unwrap_or_default();
        Ok(next.is_some())
    }

    fn cell(&self, column: usize, out: &mut Out<'_>) -> Result<()> {
        let facts = &self.codes.facts()[self.code as usize];
        let (reader, named) = (self.world.any_reader(), self.codes.named(self.code));
        let deep = |what, out: &mut Out<'_>| -> Result<()> {
            put(&self.world.shelf().deep(reader, named.1, what)?, out);
            Ok(())
        };
        match column {
            VALUE_ID => out.display(facts.id),
            VALUE => {
                let mut left = self.left.clone();
                let next =
                    std::iter::from_fn(|| Some(self.codes.named(self.next_admitted(&mut left)?)));
                out.text(self.world.shelf().text(reader, named, next)?);
            }
            9 => out.display(self.id(facts.negative)),
            10 => deep(Deep::LeftOptions, out)?,
            11 => deep(Deep::RightOptions, out)?,
            12 => deep(Deep::Depth, out)?,
            13 => deep(Deep::Subpositions, out)?,
            14 => {
                if let Some(denominator) = facts.denominator() {
                    out.integer(denominator);
                }
            }
            15 => deep(Deep::AtomicWeight, out)?,
            16 => deep(Deep::Reduced, out)?,
            _ => cell(&self.codes, self.code, column - OF, out),
        }
        Ok(())
    }
}
