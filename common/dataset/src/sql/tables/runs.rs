//! `runs`: what was asked of the store.

use std::sync::Arc;

use toads_census::plan;
use toads_store::{Keep, RunRecord, RunState, ShardRecord};

use super::written::Written;
use crate::error::Result;
use crate::rows::Cell;
use crate::sql::conditions::Conditions;
use crate::sql::virtual_table::{ColumnSpec, Holds, Rows, Source, column};
use crate::sql::world::World;

pub(super) struct Runs;

impl Source for Runs {
    const NAME: &'static str = "runs";
    const COLUMNS: &'static [ColumnSpec] = &[
        column("run", Holds::Integer),
        column("variant", Holds::Text),
        column("first_n", Holds::Integer),
        column("last_n", Holds::Integer),
        column("keep", Holds::Text),
        column("state", Holds::Text),
        column("created_ms", Holds::Integer),
    ];

    fn estimate(_: &World, _: u64) -> f64 {
        10.0
    }

    fn rows(world: &Arc<World>, _: &Conditions) -> Result<Box<dyn Rows>> {
        let runs = world.store.runs()?;
        let records = world.store.shards(None)?;
        let row = |run: &RunRecord| {
            let state = match run.state {
                RunState::Cancelled => "cancelled",
                _ if is_done(run, &records) => "done",
                RunState::Active => "active",
                RunState::Paused => "paused",
            };
            vec![
                Cell::from(run.id),
                Cell::from(run.variant.name()),
                Cell::from(run.first_n),
                Cell::from(run.last_n),
                Cell::from(run.keep.to_string()),
                Cell::from(state),
                Cell::from(run.created_ms),
            ]
        };
        Ok(Written::boxed(runs.iter().map(row).collect()))
    }
}

/// Whether all shards of a run are there, with what it keeps.
fn is_done(run: &RunRecord, records: &[ShardRecord]) -> bool {
    let has_all = |record: &&ShardRecord| {
        run.covers(record.shard) && (run.keep == Keep::Tallies || record.blocks > 0)
    };
    let shards = plan::shards(run.variant, run.first_n..=run.last_n);
    records.iter().filter(has_all).count() == shards.len()
}
