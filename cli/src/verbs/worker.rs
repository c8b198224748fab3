//! `toads worker`: the role that evaluates.

use std::io::Read;
use std::time::Duration;

use toads_worker::{Config, ExitReason, Shutdown};

use crate::args::Context;
use crate::failure::{Failure, Result};
use crate::signals::Signals;
use crate::units;
use crate::verbs::crew;
use crate::{console, memory};

/// Take work from a coordinator, evaluate it, hand in the results
///
/// Shards of runs first; when there are none, cells of surveys, one at a time with all threads.
///
/// Runs until SIGINT or SIGTERM: then it finishes or gives back what it holds within --grace. A coordinator that goes away is
/// waited for.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  toads worker                                              the coordinator of this machine
  toads worker --coordinator http://10.0.0.5:7433 --threads 8 --memory 16GiB
  toads worker --exit-when-done --lifetime 4h               in a batch system")]
pub(crate) struct WorkerArgs {
    /// A name for people; need not be unique [default: host name and process id]
    #[arg(
        long,
        value_name = "NAME",
        env = "TOADS_WORKER_NAME",
        hide_env_values = true
    )]
    name: Option<String>,

    /// Evaluation threads [default: all cores]
    #[arg(long, value_name = "N", env = "TOADS_THREADS", hide_env_values = true, value_parser = units::threads)]
    threads: Option<usize>,

    /// Memory for tables and canonical forms, such as 8GiB [default: 60 % of the machine's]
    #[arg(long, value_name = "SIZE", env = "TOADS_MEMORY", hide_env_values = true, value_parser = units::bytes)]
    memory: Option<u64>,

    /// End when the coordinator has neither run nor survey left to work on
    #[arg(long)]
    exit_when_done: bool,

    /// End after this long, like on a signal: for batch systems with a time limit
    #[arg(long, value_name = "TIME", env = "TOADS_LIFETIME", hide_env_values = true, value_parser = units::duration)]
    lifetime: Option<Duration>,

    /// How long what is being computed may go on after the first signal
    #[arg(long, value_name = "TIME", env = "TOADS_GRACE", hide_env_values = true, default_value = "30s", value_parser = units::duration)]
    grace: Duration,

    /// Give up when the coordinator cannot be reached for this long, with exit code 4 [default: wait for ever]
    #[arg(long, value_name = "TIME", env = "TOADS_CONNECT_TIMEOUT", hide_env_values = true, value_parser = units::duration)]
    connect_timeout: Option<Duration>,

    /// End when standard input closes: whoever started us is gone
    #[arg(long, hide = true)]
    parent_pipe: bool,
}

/// The coordinator of this machine.
const DEFAULT_COORDINATOR: &str = "http://127.0.0.1:7433";

/// Runs the verb.
pub(crate) fn run(args: &WorkerArgs, context: &Context) -> Result<()> {
    let threads = args.threads.unwrap_or_else(units::cores);
    let config = Config {
        coordinator: context
            .globals
            .coordinator
            .clone()
            .unwrap_or_else(|| DEFAULT_COORDINATOR.to_owned()),
        access: context.access()?,
        name: args.name.clone().unwrap_or_else(default_name),
        threads,
        memory_bytes: args.memory.unwrap_or_else(|| memory::available() / 10 * 6),
        exit_when_done: args.exit_when_done,
        lifetime: args.lifetime,
        drain_grace: args.grace,
        connect_timeout: args.connect_timeout,
        evaluator: crew::evaluator(),
        ..Config::default()
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    let runtime =
        runtime.map_err(|error| Failure::failed(format_args!("cannot start threads: {error}")))?;
    let ended = runtime.block_on(work(args, config));
    runtime.shutdown_timeout(Duration::from_secs(1));
    ended
}

async fn work(args: &WorkerArgs, config: Config) -> Result<()> {
    let mut signals = Signals::listen()?;
    let shutdown = Shutdown::new();
    if args.parent_pipe {
        end_with_parent(shutdown.clone());
    }
    let mut work = std::pin::pin!(toads_worker::run(config, shutdown.clone()));
    let mut stopped_by = None;
    let reason = loop {
        tokio::select! {
            ended = &mut work => break ended?,
            signal = signals.next() => {
                if stopped_by.replace(signal).is_none() {
                    console::line(&format!("{signal}: finishing what is being computed; once more to stop at once"));
                    shutdown.drain();
                } else {
                    console::line(&format!("{signal} again: stopping now"));
                    shutdown.now();
                }
            }
        }
    };
    match (stopped_by, reason) {
        (Some(signal), ExitReason::Drained | ExitReason::Stopped) => Err(Failure::Stopped {
            signal,
            note: "what was held is handed in or given back".to_owned(),
        }),
        _ => Ok(()),
    }
}

/// Stops at once when standard input closes, even if the parent was killed: nobody is left to hand results to.
fn end_with_parent(shutdown: Shutdown) {
    std::thread::spawn(move || {
        let mut byte = [0; 64];
        while matches!(std::io::stdin().read(&mut byte), Ok(1..)) {}
        shutdown.now();
        // A worker deep in an evaluation may take a while to notice; an orphan is worth nothing.
        std::thread::sleep(Duration::from_secs(2));
        std::process::exit(1);
    });
}

fn default_name() -> String {
    let host = toads_store::Holder::this_process(0).host;
    format!(
        "{}-{}",
        if host.is_empty() { "worker" } else { &host },
        std::process::id()
    )
}
