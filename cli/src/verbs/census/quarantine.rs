//! `toads census quarantine`: shards that are out of their run until someone looks at them.

use toads_census::Shard;
use toads_store::{FailureClass, FailureRecord, QuarantineRecord, Store};
use toads_wire::{convert, v1};

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
    /// Columns: shard failures since_ms worker message class strip (of the last failure).
    List,
    /// Every failure of one shard
    ///
    /// Columns: shard worker message class strip. The class says what kind of failure it was: transient, lost (with its
    /// worker), drained, deterministic (it would fail again) or incompatible; the strip is the one being evaluated, where
    /// the worker knew it.
    Show {
        /// The shard, such as hop/14/5/4
        shard: Shard,
    },
    /// Take shards out of quarantine, to be computed again
    ///
    /// Columns: shard, one row for each that was in quarantine.
    Requeue {
        /// The shards, such as hop/14/5/4 [default: all]
        shards: Vec<Shard>,
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
        let failures = entry.failures.into_iter().map(failure).collect();
        Ok(QuarantineRecord {
            shard,
            failures,
            since_ms: entry.since_ms,
        })
    };
    listed.entries.into_iter().map(record).collect()
}

fn failure(message: v1::QuarantineFailure) -> FailureRecord {
    FailureRecord {
        class: class_of(message.failure_class()),
        worker: message.worker,
        strip: message.strip,
        message: message.message,
    }
}

fn class_of(class: v1::FailureClass) -> FailureClass {
    match class {
        v1::FailureClass::Transient => FailureClass::Transient,
        v1::FailureClass::Lost => FailureClass::Lost,
        v1::FailureClass::Drained => FailureClass::Drained,
        v1::FailureClass::Incompatible => FailureClass::Incompatible,
        v1::FailureClass::Deterministic | v1::FailureClass::Unspecified => {
            FailureClass::Deterministic
        }
    }
}

/// The columns of a failure: worker message class strip.
fn cells(failure: FailureRecord) -> [Cell; 4] {
    let strip = if failure.strip.is_empty() {
        Cell::Empty
    } else {
        Cell::from(failure.strip)
    };
    [
        Cell::from(failure.worker),
        Cell::from(failure.message),
        Cell::text(failure.class),
        strip,
    ]
}

fn list(context: &Context) -> Result<()> {
    let found = entries(&Source::reading(context)?)?;
    let mut table = Table::open(
        context.globals.format,
        [
            "shard", "failures", "since_ms", "worker", "message", "class", "strip",
        ],
    )?;
    for record in found {
        let mut row = vec![
            Cell::text(record.shard),
            Cell::from(record.failures.len()),
            Cell::from(record.since_ms),
        ];
        let last = record.failures.into_iter().last().map(cells);
        row.extend(last.unwrap_or([const { Cell::Empty }; 4]));
        table.row(&row)?;
    }
    table.close().map(drop)
}

fn show(shard: Shard, context: &Context) -> Result<()> {
    let found = entries(&Source::reading(context)?)?
        .into_iter()
        .find(|record| record.shard == shard);
    let record = found.ok_or_else(|| {
        Failure::Input(format!(
            "{shard} is not in quarantine; see `toads census quarantine list`"
        ))
    })?;
    let columns = ["shard", "worker", "message", "class", "strip"];
    let mut table = Table::open(context.globals.format, columns)?;
    for failure in record.failures {
        let [worker, message, class, strip] = cells(failure);
        table.row(&[Cell::text(shard), worker, message, class, strip])?;
    }
    table.close().map(drop)
}

fn requeue(shards: &[Shard], context: &Context) -> Result<()> {
    let requeued: Vec<_> = match Source::writing(context)? {
        Source::Remote(remote) => {
            let request = v1::RequeueRequest {
                shards: shards
                    .iter()
                    .map(|&shard| convert::to_shard(shard))
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
                .filter(|shard| shards.is_empty() || shards.contains(shard))
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
        table.row(&[Cell::text(shard)])?;
    }
    table.close().map(drop)
}
