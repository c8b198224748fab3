//! `toads coordinator`: the role that owns the store and hands out work.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use clap::builder::BoolishValueParser;
use toads_coordinator::{Config, Coordinator, SchedulerConfig};
use toads_store::{Holder, RocksStore};

use crate::args::Context;
use crate::console;
use crate::failure::{Failure, Result};
use crate::output;
use crate::signals::Signals;
use crate::source::{now_ms, open_or_make};
use crate::units;

/// Own a store, hand out work to `toads worker`, answer questions
///
/// Makes the store when there is none, goes on with the runs it finds in it, and serves until SIGINT, SIGTERM or
/// a shutdown by an operator: then workers finish or give back what they hold within --grace. Prints its address on standard output.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  toads coordinator --store census.db
  toads coordinator --store census.db --listen 10.0.0.5:7433 --insecure
  toads worker --coordinator http://10.0.0.5:7433            on other machines
  toads census submit --squares 1..16 --coordinator http://10.0.0.5:7433")]
pub(crate) struct CoordinatorArgs {
    /// Where gRPC listens; port 0 picks a free one
    #[arg(
        long,
        value_name = "ADDRESS",
        env = "TOADS_LISTEN",
        hide_env_values = true,
        default_value = "127.0.0.1:7433"
    )]
    listen: SocketAddr,

    /// Allow an address that is not loopback, without TLS and token: whoever reaches it may use it
    #[arg(long, env = "TOADS_INSECURE", hide_env_values = true, value_parser = BoolishValueParser::new())]
    insecure: bool,

    /// Memory for the store's buffers and caches
    #[arg(long, value_name = "SIZE", env = "TOADS_STORE_MEMORY", hide_env_values = true, default_value = "512MiB", value_parser = units::bytes)]
    store_memory: u64,

    /// How often workers beat
    #[arg(long, value_name = "TIME", env = "TOADS_BEAT", hide_env_values = true, default_value = "10s", value_parser = units::duration)]
    beat: Duration,

    /// A worker without any message for this long is gone [default: three beats]
    #[arg(long, value_name = "TIME", env = "TOADS_LIVENESS", hide_env_values = true, value_parser = units::duration)]
    liveness: Option<Duration>,

    /// A lease without progress for this long is lost
    #[arg(long, value_name = "TIME", env = "TOADS_PROGRESS_TIMEOUT", hide_env_values = true, default_value = "5m", value_parser = units::duration)]
    progress_timeout: Duration,

    /// How long workers may take to finish after the first signal
    #[arg(long, value_name = "TIME", env = "TOADS_GRACE", hide_env_values = true, default_value = "30s", value_parser = units::duration)]
    grace: Duration,
}

/// Runs the verb.
pub(crate) fn run(args: &CoordinatorArgs, context: &Context) -> Result<()> {
    let liveness = args.liveness.unwrap_or(args.beat * 3);
    if args.beat < Duration::from_millis(10) || liveness < args.beat * 2 {
        return Err(Failure::Input(
            "--beat must be at least 10ms, and --liveness at least two beats".to_owned(),
        ));
    }
    let store = Arc::new(open_or_make(&context.globals.store, args.store_memory)?);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let runtime =
        runtime.map_err(|error| Failure::failed(format_args!("cannot start threads: {error}")))?;
    let ended = runtime.block_on(serve(args, &store));
    runtime.shutdown_timeout(Duration::from_secs(2));
    ended
}

fn config(args: &CoordinatorArgs) -> Config {
    let ms = |duration: Duration| (duration.as_millis() as u64).max(1);
    let liveness = args.liveness.unwrap_or(args.beat * 3);
    // Deadlines are looked at a few times while a worker may be silent; a gap between two looks that is longer than three
    // was ours, and shorter than that silence.
    let tick = Config::default().tick.min(liveness / 6);
    let scheduler = SchedulerConfig {
        beat_ms: ms(args.beat),
        liveness_ms: ms(liveness),
        progress_ms: ms(args.progress_timeout),
        own_gap_ms: ms((liveness / 3).max(tick * 3)),
        ..SchedulerConfig::default()
    };
    Config {
        tick: tick.max(Duration::from_millis(2)),
        listen: args.listen,
        insecure: args.insecure,
        scheduler,
        ..Config::default()
    }
}

async fn serve(args: &CoordinatorArgs, store: &Arc<RocksStore>) -> Result<()> {
    let mut signals = Signals::listen()?;
    let coordinator = Coordinator::start(config(args), store.clone()).await?;
    store.announce(&Holder {
        grpc: coordinator.addr().to_string(),
        ..Holder::this_process(now_ms())
    })?;
    // Whoever started us with port 0 reads this line.
    output::print(&format!("listening on {}\n", coordinator.url()))?;
    let (ended, grace) = tokio::select! {
        signal = signals.next() => {
            let note = "what is committed is safe; the same command goes on from there".to_owned();
            (Err(Failure::Stopped { signal, note }), args.grace)
        }
        now = coordinator.asked_to_stop() => (Ok(()), if now { Duration::ZERO } else { args.grace }),
        why = coordinator.failed() => {
            let text = format!("the store failed: {why}; what is committed is safe, fix the cause and start again");
            (Err(Failure::Failed(text)), Duration::ZERO)
        }
    };
    if let Err(Failure::Stopped { signal, .. }) = &ended {
        console::line(&format!("{signal}: draining; once more to stop at once"));
    }
    tokio::select! {
        stopped = coordinator.shutdown(grace) => if ended.is_ok() { stopped? },
        signal = signals.next() => console::line(&format!("{signal} again: stopping now")),
    }
    ended
}
