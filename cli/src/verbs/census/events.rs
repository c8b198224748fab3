//! `toads census events`: the log of leases and commits.

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::time::{Duration, SystemTime};

use toads_census::Shard;
use toads_store::{EventRecord, RocksStore, Store};
use toads_strip::Variant;
use toads_wire::{convert, v1};

use crate::args::Context;
use crate::console;
use crate::failure::Result;
use crate::output::{Cell, Table};
use crate::source::{Remote, Source, now_ms};
use crate::units;

/// What happened: leases, commits, workers that came and went
///
/// Columns: sequence at_ms kind shard worker epoch detail at run. `at` is `at_ms` for people, in UTC; `run` names the run that
/// the event is about, or those that have its shard; detail is the reason, where there is one.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  toads census events --limit 20\n  toads census events --since 10m --follow --coordinator http://127.0.0.1:7433\n  toads census events --since 2026-11-30T12:00:00Z\n  toads census events --from 100 --format json"
)]
pub(crate) struct EventsArgs {
    /// The first sequence number
    #[arg(long, value_name = "N", default_value_t = 1)]
    from: u64,

    /// Only what happened since then: so long ago (10m), or a time in UTC (2026-11-30T12:00:00Z)
    #[arg(long, value_name = "TIME", value_parser = since)]
    since: Option<Since>,

    /// Events at most [default: all]
    #[arg(long, value_name = "N")]
    limit: Option<u64>,

    /// Go on with new events as they come (from whoever holds the store, or --coordinator)
    #[arg(long)]
    follow: bool,
}

/// The beginning of what is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Since {
    Ago(Duration),
    At(SystemTime),
}

/// Events read at a time.
const BATCH: usize = 4096;

const COLUMNS: [&str; 9] = [
    "sequence", "at_ms", "kind", "shard", "worker", "epoch", "detail", "at", "run",
];

/// Runs the verb.
pub(crate) fn run(args: &EventsArgs, context: &Context) -> Result<()> {
    let source = Source::reading(context)?;
    let mut table = Table::open(context.globals.format, COLUMNS)?;
    let since_ms = args.since.map_or(0, Since::ms);
    match source {
        Source::Store(store) => {
            of_store(args, since_ms, &store, &mut table)?;
            table.close()?;
            if args.follow {
                console::line("nobody works on this store: nothing more will happen");
            }
            Ok(())
        }
        Source::Remote(remote) => {
            of_coordinator(args, since_ms, &remote, &mut table)?;
            table.close().map(drop)
        }
    }
}

fn of_store(args: &EventsArgs, since_ms: u64, store: &RocksStore, table: &mut Table) -> Result<()> {
    let mut runs = Runs::default();
    for run in store.runs()? {
        runs.add(run.id, run.variant, run.first_n..=run.last_n);
    }
    let mut left = args.limit.unwrap_or(u64::MAX);
    let mut from = args.from;
    loop {
        let batch = store.events(from, BATCH)?;
        let Some(last) = batch.last() else {
            return Ok(());
        };
        from = last.sequence + 1;
        for event in batch.iter().filter(|event| event.at_ms >= since_ms) {
            if left == 0 {
                return Ok(());
            }
            left -= 1;
            table.row(&runs.row(event))?;
        }
    }
}

fn of_coordinator(
    args: &EventsArgs,
    since_ms: u64,
    remote: &Remote,
    table: &mut Table,
) -> Result<()> {
    let mut runs = Runs::of(remote)?;
    let request = v1::EventsRequest {
        from: args.from,
        limit: args.limit.unwrap_or(0),
        follow: args.follow,
        since_ms,
    };
    let mut stream = remote.call(|mut client| async move { client.events(request).await })?;
    while let Some(batch) = remote.next(&mut stream)? {
        for event in batch.events.iter().map(record) {
            if args.follow && event.kind == "submitted" {
                runs = Runs::of(remote)?;
            }
            table.row(&runs.row(&event))?;
        }
        if args.follow {
            table.flush()?;
        }
    }
    Ok(())
}

/// The runs there are, to say which one an event is about.
#[derive(Default)]
struct Runs(Vec<(u32, Variant, RangeInclusive<u8>)>);

impl Runs {
    fn of(remote: &Remote) -> Result<Self> {
        let listed = remote
            .call(|mut client| async move { client.list_runs(v1::ListRunsRequest {}).await })?;
        let mut runs = Self::default();
        for run in listed.runs {
            if let Ok((variant, squares)) = convert::range(run.range.as_ref()) {
                runs.add(run.run, variant, squares);
            }
        }
        Ok(runs)
    }

    fn add(&mut self, id: u32, variant: Variant, squares: RangeInclusive<u8>) {
        self.0.push((id, variant, squares));
    }

    /// Those that have the shard; else the one that the detail begins with (`run 3: …`).
    fn about(&self, shard: Option<Shard>, detail: &str) -> String {
        let Some(shard) = shard else {
            let number = detail.strip_prefix("run ").unwrap_or_default();
            let end = number
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(number.len());
            return number[..end].to_owned();
        };
        let mut ids = String::new();
        for (id, variant, squares) in &self.0 {
            if *variant == shard.variant && squares.contains(&shard.class.n) {
                let gap = if ids.is_empty() { "" } else { " " };
                let _ = write!(ids, "{gap}{id}");
            }
        }
        ids
    }

    fn row(&self, event: &EventRecord) -> [Cell; 9] {
        let at = SystemTime::UNIX_EPOCH + Duration::from_millis(event.at_ms);
        [
            Cell::from(event.sequence),
            Cell::from(event.at_ms),
            Cell::text(&event.kind),
            event.shard.map_or(Cell::Empty, Cell::text),
            named(&event.worker),
            if event.epoch == 0 {
                Cell::Empty
            } else {
                Cell::from(event.epoch)
            },
            named(&event.detail),
            Cell::text(humantime::format_rfc3339_millis(at)),
            named(&self.about(event.shard, &event.detail)),
        ]
    }
}

fn named(text: &str) -> Cell {
    if text.is_empty() {
        Cell::Empty
    } else {
        Cell::text(text)
    }
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

impl Since {
    /// In milliseconds since the Unix epoch.
    fn ms(self) -> u64 {
        match self {
            Self::Ago(ago) => now_ms().saturating_sub(ago.as_millis() as u64),
            Self::At(at) => at
                .duration_since(SystemTime::UNIX_EPOCH)
                .map_or(0, |since| since.as_millis() as u64),
        }
    }
}

/// Reads `10m`, or a time such as `2026-11-30T12:00:00Z` or `2026-11-30 12:00:00`.
fn since(text: &str) -> Result<Since, String> {
    let wrong = || {
        format!(
            "`{text}` is neither a duration such as 10m nor a time such as 2026-11-30T12:00:00Z"
        )
    };
    if let Ok(ago) = units::duration(text) {
        return Ok(Since::Ago(ago));
    }
    humantime::parse_rfc3339_weak(text.trim())
        .map(Since::At)
        .map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use toads_strip::Class;

    use super::*;

    #[test]
    fn since_is_a_duration_or_a_time() {
        assert_eq!(since("10m"), Ok(Since::Ago(Duration::from_secs(600))));
        let noon = Since::At(SystemTime::UNIX_EPOCH + Duration::from_secs(43_200));
        assert_eq!(since("1970-01-01T12:00:00Z"), Ok(noon));
        assert_eq!(since("1970-01-01 12:00:00"), Ok(noon));
        assert_eq!(noon.ms(), 43_200_000);
        for text in ["", "yesterday", "12:00", "1970-13-01T00:00:00Z"] {
            assert!(since(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_event_is_about_the_runs_that_have_its_shard_or_the_one_it_names() {
        let mut runs = Runs::default();
        runs.add(1, Variant::Hop, 1..=6);
        runs.add(2, Variant::Hopless, 1..=9);
        runs.add(3, Variant::Hop, 5..=8);
        let shard = |n| Some(Shard::whole(Variant::Hop, Class::new(n, 1, 1).unwrap()));
        assert_eq!(runs.about(shard(4), ""), "1");
        assert_eq!(runs.about(shard(5), "run 9"), "1 3");
        assert_eq!(runs.about(shard(9), ""), "");
        assert_eq!(runs.about(None, "run 12: hop 1..4 keeps blocks"), "12");
        assert_eq!(runs.about(None, "runaway"), "");
        assert_eq!(runs.about(None, "no workers"), "");
    }
}
