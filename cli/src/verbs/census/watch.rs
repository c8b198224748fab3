//! `toads census watch`: where a run stands, until it ends.

use std::time::{Duration, Instant};

use toads_wire::v1;

use super::status::{COLUMNS, all, ended, pick, row};
use crate::args::Context;
use crate::console;
use crate::failure::{Failure, Result};
use crate::output::Table;
use crate::source::{Next, Remote, Source};
use crate::units;

/// Where a run stands, again and again until it ends
///
/// Columns as of `census status`. Exit codes: 0 done, 3 with shards in quarantine, 1 cancelled, 4 when the coordinator goes
/// away or the run is without progress for longer than --stall-timeout.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  toads census watch --coordinator http://127.0.0.1:7433\n  toads census watch 2 --interval 5s --stall-timeout 10m"
)]
pub(crate) struct WatchArgs {
    /// The number of a run [default: the latest that is not finished]
    run: Option<u32>,

    /// The shortest time between two rows
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = units::duration)]
    interval: Duration,

    /// Give up after this long without progress, with exit code 4 [default: wait for ever]
    #[arg(long, value_name = "TIME", env = "TOADS_STALL_TIMEOUT", hide_env_values = true, value_parser = units::duration)]
    stall_timeout: Option<Duration>,
}

/// Runs the verb.
pub(crate) fn run(args: &WatchArgs, context: &Context) -> Result<()> {
    let source = Source::reading(context)?;
    let run = pick(&all(&source)?, args.run)?;
    let mut table = Table::open(context.globals.format, COLUMNS)?;
    let Source::Remote(remote) = source else {
        table.row(&row(&run))?;
        table.close()?;
        console::line("nobody works on this store; `toads census run` goes on with it");
        return ended(&run).unwrap_or(Ok(()));
    };
    let watched = follow(&remote, run.run, args, &mut table);
    table.close()?;
    watched
}

fn follow(remote: &Remote, run: u32, args: &WatchArgs, table: &mut Table) -> Result<()> {
    let interval_ms = u32::try_from(args.interval.as_millis())
        .unwrap_or(u32::MAX)
        .max(1);
    let request = v1::WatchRequest { run, interval_ms };
    let mut stream = remote.call(|mut client| async move { client.watch(request).await })?;
    let mut best = None;
    let mut since = Instant::now();
    loop {
        let next = remote.next_within(
            &mut stream,
            args.stall_timeout
                .map(|limit| limit.saturating_sub(since.elapsed())),
        )?;
        let stalled = || {
            let text = format!(
                "run {run} made no progress for {}",
                units::show_duration(args.stall_timeout.unwrap_or_default())
            );
            Failure::Unreachable(format!(
                "{text}; look at `toads census status` and at the workers"
            ))
        };
        let status = match next {
            Next::Message(status) => status,
            Next::TimedOut => return Err(stalled()),
            Next::Ended => {
                let text = "the coordinator ended; the run goes on when it is started again";
                return Err(Failure::Unreachable(text.into()));
            }
        };
        table.row(&row(&status))?;
        table.flush()?;
        if let Some(end) = ended(&status) {
            return end;
        }
        let progress = Some((status.shards_done, status.strips_leased_done));
        if progress != best {
            (best, since) = (progress, Instant::now());
        } else if args
            .stall_timeout
            .is_some_and(|limit| since.elapsed() >= limit)
        {
            return Err(stalled());
        }
    }
}
