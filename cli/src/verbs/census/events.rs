//! `toads census events`: the log of leases and commits.

use toads_store::{EventRecord, Store};
use toads_wire::{convert, v1};

use super::shards::ShardName;
use crate::args::Context;
use crate::failure::Result;
use crate::output::{Cell, Table};
use crate::source::Source;

/// What happened: leases, commits, workers that came and went
///
/// Columns: sequence at_ms kind shard worker epoch detail.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  toads census events --limit 20\n  toads census events --follow --coordinator http://127.0.0.1:7433\n  toads census events --from 100 --format json"
)]
pub(crate) struct EventsArgs {
    /// The first sequence number
    #[arg(long, value_name = "N", default_value_t = 1)]
    from: u64,

    /// Events at most [default: all]
    #[arg(long, value_name = "N")]
    limit: Option<u64>,

    /// Go on with new events as they come (from whoever holds the store, or --coordinator)
    #[arg(long)]
    follow: bool,
}

/// Events read at a time.
const BATCH: usize = 4096;

/// Runs the verb.
pub(crate) fn run(args: &EventsArgs, context: &Context) -> Result<()> {
    let source = Source::reading(context)?;
    let mut table = Table::open(
        context.globals.format,
        [
            "sequence", "at_ms", "kind", "shard", "worker", "epoch", "detail",
        ],
    )?;
    let mut left = args.limit.unwrap_or(u64::MAX);
    match source {
        Source::Store(store) => {
            let mut from = args.from;
            while left > 0 {
                let batch =
                    store.events(from, BATCH.min(usize::try_from(left).unwrap_or(BATCH)))?;
                let Some(last) = batch.last() else { break };
                from = last.sequence + 1;
                left -= batch.len() as u64;
                batch.iter().try_for_each(|event| table.row(&row(event)))?;
            }
        }
        Source::Remote(remote) => {
            let request = v1::EventsRequest {
                from: args.from,
                limit: args.limit.unwrap_or(0),
                follow: args.follow,
            };
            let mut stream =
                remote.call(|mut client| async move { client.events(request).await })?;
            while let Some(batch) = remote.next(&mut stream)? {
                batch
                    .events
                    .iter()
                    .try_for_each(|event| table.row(&row(&record(event))))?;
                if args.follow {
                    table.flush()?;
                }
            }
        }
    }
    table.close().map(drop)
}

fn record(event: &v1::Event) -> EventRecord {
    EventRecord {
        sequence: event.sequence,
        at_ms: event.at_ms,
        kind: event.kind.clone(),
        shard: event
            .shard
            .as_ref()
            .and_then(|shard| convert::shard(Some(shard)).ok()),
        worker: event.worker.clone(),
        epoch: event.epoch,
        detail: event.detail.clone(),
    }
}

fn row(event: &EventRecord) -> [Cell; 7] {
    let named = |text: &str| {
        if text.is_empty() {
            Cell::Empty
        } else {
            Cell::text(text)
        }
    };
    [
        Cell::from(event.sequence),
        Cell::from(event.at_ms),
        Cell::text(&event.kind),
        event
            .shard
            .map_or(Cell::Empty, |shard| Cell::text(ShardName(shard))),
        named(&event.worker),
        if event.epoch == 0 {
            Cell::Empty
        } else {
            Cell::from(event.epoch)
        },
        named(&event.detail),
    ]
}
