//! The tables, a file for each.

mod classes;
mod of_value;
mod places;
mod runs;
mod shards;
mod strips;
mod tallies;
mod values;
mod written;

use std::sync::Arc;

use rusqlite::{Connection, Result};

use super::virtual_table::{ColumnSpec, Source, register};
use super::world::World;

/// A table as people see it.
#[derive(Clone, Copy, Debug)]
pub struct TableSpec {
    /// Its name.
    pub name: &'static str,
    /// Its columns, in order.
    pub columns: &'static [ColumnSpec],
}

const fn spec<S: Source>() -> TableSpec {
    TableSpec {
        name: S::NAME,
        columns: S::COLUMNS,
    }
}

/// All tables.
pub const fn tables() -> [TableSpec; 6] {
    [
        spec::<strips::Strips>(),
        spec::<values::Values>(),
        spec::<tallies::Tallies>(),
        spec::<classes::Classes>(),
        spec::<runs::Runs>(),
        spec::<shards::Shards>(),
    ]
}

/// Makes all tables known to a connection.
pub(super) fn register_all(connection: &Connection, world: &Arc<World>) -> Result<()> {
    register::<strips::Strips>(connection, world)?;
    register::<values::Values>(connection, world)?;
    register::<tallies::Tallies>(connection, world)?;
    register::<classes::Classes>(connection, world)?;
    register::<runs::Runs>(connection, world)?;
    register::<shards::Shards>(connection, world)
}
