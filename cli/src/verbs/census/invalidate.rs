//! `toads census invalidate`: results that are not believed any more.

use toads_store::{EventRecord, Store};

use super::shards::ShardName;
use crate::args::Context;
use crate::failure::{Failure, Result};
use crate::output::{Cell, Table};
use crate::source::{Source, now_ms};

/// Remove the results of shards, to be computed again
///
/// For what `toads census verify` or `toads db verify` found damaged. The store must not be in use; the next run computes
/// what was removed. Columns: shard state, where state is `removed` or `not there`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  toads census invalidate hop/12/4/4\n  toads census run --squares 1..12"
)]
pub(crate) struct InvalidateArgs {
    /// The shards, such as hop/12/4/4
    #[arg(required = true, value_name = "SHARD")]
    shards: Vec<ShardName>,
}

/// Runs the verb.
pub(crate) fn run(args: &InvalidateArgs, context: &Context) -> Result<()> {
    let store = match Source::writing(context)? {
        Source::Store(store) => store,
        Source::Remote(remote) => {
            let text = format!("the store is in use by {}; stop it first", remote.url());
            return Err(Failure::Unreachable(text));
        }
    };
    let mut table = Table::open(context.globals.format, ["shard", "state"])?;
    for name in &args.shards {
        let state = if store.shard(name.0)?.is_some() {
            let event = EventRecord {
                sequence: store.next_event()?,
                at_ms: now_ms(),
                kind: "invalidated".to_owned(),
                shard: Some(name.0),
                worker: String::new(),
                epoch: 0,
                detail: "by `toads census invalidate`".to_owned(),
            };
            store.invalidate(name.0, &[event])?;
            "removed"
        } else {
            "not there"
        };
        table.row(&[Cell::text(name), Cell::from(state)])?;
    }
    table.close().map(drop)
}
