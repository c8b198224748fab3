//! `runs`: what was asked of the store.

use std::sync::Arc;

use toads_store::RunState;

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
        let row = |run: &toads_store::RunRecord| {
            let state = match run.state {
                RunState::Active => "active",
                RunState::Paused => "paused",
                RunState::Cancelled => "cancelled",
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
