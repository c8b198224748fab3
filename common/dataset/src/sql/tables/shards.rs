//! `shards`: the markers of committed shards, and what is in quarantine. Only classes with at least as many toads as
//! frogs are shards.

use std::sync::Arc;

use super::written::Written;
use crate::error::Result;
use crate::rows::Cell;
use crate::sql::conditions::Conditions;
use crate::sql::virtual_table::{ColumnSpec, Holds, Rows, Source, column};
use crate::sql::world::World;

pub(super) struct Shards;

impl Source for Shards {
    const NAME: &'static str = "shards";
    const COLUMNS: &'static [ColumnSpec] = &[
        column("variant", Holds::Text),
        column("n", Holds::Integer),
        column("toads", Holds::Integer),
        column("frogs", Holds::Integer),
        column("state", Holds::Text),
        column("strips", Holds::Integer),
        column("distinct", Holds::Integer),
        column("blocks", Holds::Integer),
        column("block_bytes", Holds::Integer),
        column("digest", Holds::Text),
        column("epoch", Holds::Integer),
        column("worker", Holds::Text),
        column("committed_ms", Holds::Integer),
        column("evaluate_ms", Holds::Integer),
    ];

    fn estimate(_: &World, _: u64) -> f64 {
        1000.0
    }

    fn rows(world: &Arc<World>, _: &Conditions) -> Result<Box<dyn Rows>> {
        let name = |shard: toads_census::Shard| {
            let class = shard.class;
            vec![
                Cell::from(shard.variant.name()),
                Cell::from(class.n),
                Cell::from(class.toads),
                Cell::from(class.frogs),
            ]
        };
        let mut rows = Vec::new();
        for record in world.store.shards(None)? {
            let mut row = name(record.shard);
            row.extend([
                Cell::from("committed"),
                Cell::from(record.strips),
                Cell::from(record.distinct),
                Cell::from(record.blocks),
                Cell::from(record.block_bytes),
                Cell::from(record.digest.to_string()),
                Cell::from(record.epoch),
                Cell::from(record.worker),
                Cell::from(record.committed_ms),
                Cell::from(record.evaluate_ms),
            ]);
            rows.push(row);
        }
        for record in world.store.quarantine()? {
            let mut row = name(record.shard);
            row.push(Cell::from("quarantined"));
            row.push(Cell::from(record.shard.strips()));
            row.resize(Self::COLUMNS.len(), Cell::Empty);
            rows.push(row);
        }
        Ok(Written::boxed(rows))
    }
}
