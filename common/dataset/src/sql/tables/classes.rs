//! `classes`: the figures of every class, as `toads query classes` has them.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::places::{ClassColumns, selections};
use super::written::Written;
use crate::answer::{Wanted, class_rows};
use crate::error::Result;
use crate::rows::Cell;
use crate::sql::conditions::Conditions;
use crate::sql::virtual_table::{ColumnSpec, Holds, Rows, Source, column};
use crate::sql::world::World;

pub(super) struct Classes;

const AT: ClassColumns = ClassColumns {
    variant: 0,
    n: 1,
    toads: 2,
    frogs: 3,
};

impl Source for Classes {
    const NAME: &'static str = "classes";
    const COLUMNS: &'static [ColumnSpec] = &[
        column("variant", Holds::Text).told(),
        column("n", Holds::Integer).told(),
        column("toads", Holds::Integer).told(),
        column("frogs", Holds::Integer).told(),
        column("strips", Holds::Integer),
        column("distinct", Holds::Integer),
        column("numbers", Holds::Integer),
        // To SQL, n and N are one name.
        column("outcome_P", Holds::Integer),
        column("outcome_L", Holds::Integer),
        column("outcome_R", Holds::Integer),
        column("outcome_N", Holds::Integer),
        column("state", Holds::Text),
    ];
    const ORDER: &'static [usize] = &[0, 1, 2, 3];

    fn estimate(_: &World, equal: u64) -> f64 {
        if equal >> AT.n & 1 == 1 {
            100.0
        } else {
            1000.0
        }
    }

    fn rows(world: &Arc<World>, conditions: &Conditions) -> Result<Box<dyn Rows>> {
        let mut rows = Vec::new();
        for (reader, selection) in selections(world, conditions, AT) {
            class_rows(reader, &selection, &Wanted::default(), &mut |row| {
                let mut cells = vec![Cell::from(reader.variant.name())];
                cells.extend_from_slice(row);
                rows.push(cells);
                ControlFlow::Continue(())
            })?;
        }
        Ok(Written::boxed(rows))
    }
}
