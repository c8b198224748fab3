//! `toads coordinator`: the role that owns the store and hands out work.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use clap::builder::BoolishValueParser;
use toads_coordinator::{Config, Coordinator, SchedulerConfig};
use toads_store::RocksStore;

use crate::access;
use crate::args::Context;
use crate::console;
use crate::failure::{Failure, Result};
use crate::output;
use crate::signals::Signals;
use crate::source::{holder, open_or_make};
use crate::units;

/// Own a store, hand out work to `toads worker`, answer questions
///
/// Makes the store when there is none, goes on with the runs it finds in it, and serves until SIGINT, SIGTERM or
/// a shutdown by an operator: then workers finish or give back what they hold within --grace. Prints its addresses on
/// standard output, gRPC first.
///
/// An address that is not loopback is served only with TLS (--tls-cert, --tls-key) and tokens (--token-file), or with
/// --insecure. HTTP answers /healthz, /readyz and /metrics, protected as gRPC is.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  toads coordinator --store census.db
  toads cert new --out secrets --host 10.0.0.5              makes certificates and tokens
  toads coordinator --store census.db --listen 10.0.0.5:7433 --tls-cert secrets/server.pem \
    --tls-key secrets/server.key --token-file secrets/tokens
  toads worker --coordinator https://10.0.0.5:7433 --tls-ca secrets/ca.pem --token-file secrets/worker.token
  toads census submit --squares 1..16 --coordinator https://10.0.0.5:7433 --tls-ca secrets/ca.pem \
    --token-file secrets/operator.token")]
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

    /// Where HTTP listens: health, readiness, metrics; port 0 picks a free one, `off` is nowhere [default: on
    /// 127.0.0.1, the port after that of --listen, so 7434; a free one when that is 0]
    #[arg(
        long,
        value_name = "ADDRESS",
        env = "TOADS_HTTP",
        hide_env_values = true
    )]
    http: Option<HttpAddress>,

    /// The certificate (PEM) that clients check, with what its authority wants in between after it
    #[arg(
        long,
        value_name = "FILE",
        env = "TOADS_TLS_CERT",
        hide_env_values = true,
        requires = "tls_key"
    )]
    tls_cert: Option<PathBuf>,

    /// The private key of the certificate (PEM)
    #[arg(
        long,
        value_name = "FILE",
        env = "TOADS_TLS_KEY",
        hide_env_values = true,
        requires = "tls_cert"
    )]
    tls_key: Option<PathBuf>,

    /// Allow addresses that are not loopback without TLS or tokens: whoever reaches them may use them
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

    /// The share of committed shards that another worker process computes once more, 0 to 1: the first, and then every
    /// hundredth with 0.01
    #[arg(long, value_name = "SHARE", env = "TOADS_AUDIT", hide_env_values = true, default_value_t = 0.01, value_parser = units::share)]
    audit: f64,

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
    let config = config(args, context)?;
    let store = Arc::new(open_or_make(&context.globals.store, args.store_memory)?);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let runtime =
        runtime.map_err(|error| Failure::failed(format_args!("cannot start threads: {error}")))?;
    let ended = runtime.block_on(serve(args, config, &store));
    runtime.shutdown_timeout(Duration::from_secs(2));
    ended
}

/// An address, or none.
#[derive(Clone, Copy, Debug)]
struct HttpAddress(Option<SocketAddr>);

impl FromStr for HttpAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "off" {
            return Ok(Self(None));
        }
        let wrong = |_| format!("`{text}` is neither an address such as 127.0.0.1:7434 nor `off`");
        text.parse().map(|addr| Self(Some(addr))).map_err(wrong)
    }
}

/// Where HTTP listens when nobody says: on the port after gRPC's, so that two coordinators of a machine that were given two
/// ports do not meet; on a free one when gRPC takes a free one.
fn default_http(listen: SocketAddr) -> SocketAddr {
    let port = match listen.port() {
        0 | u16::MAX => 0,
        port => port + 1,
    };
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

fn config(args: &CoordinatorArgs, context: &Context) -> Result<Config> {
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
        audit_share: args.audit,
        ..SchedulerConfig::default()
    };
    let http = args
        .http
        .unwrap_or(HttpAddress(Some(default_http(args.listen))));
    let identity = match (&args.tls_cert, &args.tls_key) {
        (Some(certificate), Some(key)) => Some(access::identity(certificate, key)?),
        _ => None,
    };
    let token_file = context.globals.token_file.as_deref();
    Ok(Config {
        tick: tick.max(Duration::from_millis(2)),
        listen: args.listen,
        http: http.0,
        identity,
        tokens: token_file.map(access::tokens).transpose()?,
        insecure: args.insecure,
        scheduler,
        ..Config::default()
    })
}

async fn serve(args: &CoordinatorArgs, config: Config, store: &Arc<RocksStore>) -> Result<()> {
    let mut signals = Signals::listen()?;
    let coordinator = Coordinator::start(config, store.clone()).await?;
    store.announce(&holder(&coordinator))?;
    // Whoever started us with port 0 reads this line.
    output::print(&format!("listening on {}\n", coordinator.url()))?;
    if let Some(url) = coordinator.http_url() {
        output::print(&format!("HTTP on {url}\n"))?;
    }
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
