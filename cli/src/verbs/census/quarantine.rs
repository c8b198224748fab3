//! `toads census quarantine`: shards that are out of their run until someone looks at them.

use toads_store::{QuarantineRecord, Store};
use toads_wire::{convert, v1};

use super::shards::ShardName;
use crate::args::Context;
use crate::console;
use crate::failure::{Failure, Result};
use crate::output::{Cell, Table};
use crate::source::Source;

/// Shards that failed too often: list, look at, compute again
#[derive(clap::Subcommand, Debug)]
#[command(after_help = "\
Examples:
  toads census quarantine list
  toads census quarantine show hop/14/5/4
  toads census quarantine requeue                every shard in quarantine")]
pub(crate) enum QuarantineVerb {
    /// Shards in quarantine
    ///
    /// Columns: shard failures since_ms worker message (the last failure).
    List,
    /// Every failure of one shard
    ///
    /// Columns: shard worker message.
    Show {
        /// The shard, such as hop/14/5/4
        shard: ShardName,
    },
    /// Take shards out of quarantine, to be computed again
    ///
    /// Columns: shard, one row for each that was in quarantine.
    Requeue {
        /// The shards, such as hop/14/5/4 [default: all]
        shards: Vec<ShardName>,
    },
}

/// Runs the verb.
pub(crate) fn run(verb: &QuarantineVerb, context: &Context) -> Result<()> {
    match verb {
        QuarantineVerb::List => list(context),
        QuarantineVerb::Show { shard } => show(*shard, context),
        QuarantineVerb::Requeue { shards } => requeue(shards, context),
    }
}

fn entries(source: &Source) -> Result<Vec<QuarantineRecord>> {
    let Source::Remote(remote) = source else {
        let Source::Store(store) = source else {
            return Ok(Vec::new());
        };
        return Ok(store.quarantine()?);
    };
    let listed = remote.call(|mut client| async move {
        client.list_quarantine(v1::ListQuarantineRequest {}).await
    })?;
    let record = |entry: v1::QuarantineEntry| {
        let shard = convert::shard(entry.shard.as_ref()).map_err(Failure::failed)?;
        let failures = entry
            .failures
            .into_iter()
            .map(|failure| (failure.worker, failure.message))
            .collect();
        Ok(QuarantineRecord {
            shard,
            failures,
            since_ms: entry.since_ms,
        })
    };
    listed.entries.into_iter().map(record).collect()
}

fn list(context: &Context) -> Result<()> {
    let found = entries(&Source::reading(context)?)?;
    let mut table = Table::open(
        context.globals.format,
        ["shard", "failures", "since_ms", "worker", "message"],
    )?;
    for record in found {
        let last = record.failures.last().cloned().unwrap_or_default();
        table.row(&[
            Cell::text(ShardName(record.shard)),
            Cell::from(record.failures.len()),
            Cell::from(record.since_ms),
            Cell::from(last.0),
            Cell::from(last.1),
        ])?;
    }
    table.close().map(drop)
}

fn show(shard: ShardName, context: &Context) -> Result<()> {
    let found = entries(&Source::reading(context)?)?
        .into_iter()
        .find(|record| record.shard == shard.0);
    let record = found.ok_or_else(|| {
        Failure::Input(format!(
            "{shard} is not in quarantine; see `toads census quarantine list`"
        ))
    })?;
    let mut table = Table::open(context.globals.format, ["shard", "worker", "message"])?;
    for (worker, message) in record.failures {
        table.row(&[Cell::text(shard), Cell::from(worker), Cell::from(message)])?;
    }
    table.close().map(drop)
}

fn requeue(shards: &[ShardName], context: &Context) -> Result<()> {
    let requeued: Vec<_> = match Source::writing(context)? {
        Source::Remote(remote) => {
            let request = v1::RequeueRequest {
                shards: shards
                    .iter()
                    .map(|name| convert::to_shard(name.0))
                    .collect(),
            };
            let answer = remote.call(|mut client| async move { client.requeue(request).await })?;
            let names = answer
                .requeued
                .iter()
                .map(|shard| convert::shard(Some(shard)).map_err(Failure::failed));
            names.collect::<Result<_>>()?
        }
        Source::Store(store) => {
            let inside = store.quarantine()?.into_iter().map(|record| record.shard);
            let wanted: Vec<_> = inside
                .filter(|shard| shards.is_empty() || shards.contains(&ShardName(*shard)))
                .collect();
            wanted
                .iter()
                .try_for_each(|&shard| store.set_quarantine(shard, None))?;
            wanted
        }
    };
    if requeued.is_empty() {
        console::line("none of these is in quarantine");
    }
    let mut table = Table::open(context.globals.format, ["shard"])?;
    for shard in requeued {
        table.row(&[Cell::text(ShardName(shard))])?;
    }
    table.close().map(drop)
}
