//! Where answers come from: a store that nobody holds, its holder, or a coordinator.

mod copy;
mod remote;

use std::path::Path;
use std::time::{Duration, SystemTime};

use toads_coordinator::Coordinator;
use toads_store::{Holder, OpenOptions, RocksStore, StoreError, probe};
use toads_wire::client::Access;

use crate::args::{Context, Target};
use crate::failure::{Failure, Result};
pub(crate) use copy::Whole;
pub(crate) use remote::{Next, Remote};

/// Whom to ask.
pub(crate) enum Source {
    /// A store that nobody else holds.
    Store(Box<RocksStore>),
    /// Whoever holds the store, or a coordinator.
    Remote(Box<Remote>),
}

impl Source {
    /// For reading: a store is opened without a lock and nothing in it changes.
    pub(crate) fn reading(context: &Context) -> Result<Self> {
        Self::open(context, |path| RocksStore::open_read_only(path, &options()))
    }

    /// For writing: a store is locked.
    pub(crate) fn writing(context: &Context) -> Result<Self> {
        Self::open(context, |path| RocksStore::open(path, &options()))
    }

    fn open(
        context: &Context,
        open: impl Fn(&Path) -> Result<RocksStore, StoreError>,
    ) -> Result<Self> {
        match context.target()? {
            Target::Coordinator(url) => Ok(Self::Remote(Box::new(Remote::connect(
                &url,
                &context.access()?,
            )?))),
            Target::Store(path) => match open(&path) {
                Ok(store) => Ok(Self::Store(Box::new(store))),
                Err(StoreError::InUse { .. }) => holder_of(&path, &context.access()?, open),
                Err(error) => Err(error.into()),
            },
        }
    }
}

/// Opens a store for a role that works on it, and makes it when there is none. A place where none can be made is bad
/// input, whatever the system says about it.
pub(crate) fn open_or_make(path: &Path, memory: u64) -> Result<RocksStore> {
    let options = OpenOptions {
        now_ms: now_ms(),
        ..OpenOptions::creating()
    }
    .memory(memory);
    // The whole path: `db info` tells it to people who ask from elsewhere.
    let full = std::path::absolute(path).map_err(|error| Failure::path("use", path, &error))?;
    RocksStore::open(&full, &options).map_err(|error| match error {
        StoreError::Io { .. } => {
            let what = error.to_string();
            let what = what.split(" (os error").next().unwrap_or_default();
            Failure::Input(format!("{what}; give another --store"))
        }
        StoreError::InUse { .. } => {
            let hint = format!(
                "`toads census submit --store {}` has the holder compute more",
                path.display()
            );
            Failure::Unreachable(format!("{error}; {hint}"))
        }
        other => other.into(),
    })
}

/// How verbs that read open a store.
fn options() -> OpenOptions {
    OpenOptions {
        now_ms: now_ms(),
        ..OpenOptions::default()
    }
    .memory(256 << 20)
}

/// What the store's folder says of the coordinator that holds it: addresses, with `https://` where TLS is spoken.
pub(crate) fn holder(coordinator: &Coordinator) -> Holder {
    let address = |url: String| url.trim_start_matches("http://").to_owned();
    Holder {
        grpc: address(coordinator.url()),
        http: coordinator.http_url().map(address).unwrap_or_default(),
        ..Holder::this_process(now_ms())
    }
}

/// Milliseconds since the Unix epoch; for people to read, never to decide by.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    since.as_millis() as u64
}

/// Asks the holder of a store. One that has just begun has no address yet, and one that is about to end may be gone in
/// a moment: both are given a few seconds.
fn holder_of(
    path: &Path,
    access: &Access,
    open: impl Fn(&Path) -> Result<RocksStore, StoreError>,
) -> Result<Source> {
    let mut last = None;
    for _ in 0..50 {
        match probe(path)? {
            None => match open(path) {
                Ok(store) => return Ok(Source::Store(Box::new(store))),
                Err(StoreError::InUse { .. }) => {}
                Err(error) => return Err(error.into()),
            },
            Some(holder) if !holder.grpc.is_empty() => {
                match Remote::connect(&url_of(&holder), access) {
                    Ok(remote) => return Ok(Source::Remote(Box::new(remote))),
                    // Another moment does not mend it.
                    Err(failure @ Failure::Input(_)) => return Err(failure),
                    Err(failure) => last = Some((holder, Some(failure))),
                }
            }
            Some(holder) => last = Some((holder, None)),
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    let Some((holder, failure)) = last else {
        return Err(StoreError::InUse {
            path: path.to_owned(),
            holder: None,
        }
        .into());
    };
    let why = failure.map_or_else(
        || "it does not answer questions".to_owned(),
        |failure| failure.to_string(),
    );
    let path = path.display();
    Err(Failure::Unreachable(format!(
        "{path} is held by {holder}, but {why}; wait for it to end, or read a checkpoint"
    )))
}

/// Where a holder answers: `HOST:PORT`, or `https://HOST:PORT`. One that listens everywhere is asked on its own machine.
fn url_of(holder: &Holder) -> String {
    let (scheme, address) = holder
        .grpc
        .split_once("://")
        .unwrap_or(("http", &holder.grpc));
    let anywhere = ["0.0.0.0:", "[::]:"]
        .iter()
        .find_map(|all| address.strip_prefix(all));
    match anywhere {
        Some(port) if holder.host == Holder::this_process(0).host => {
            format!("{scheme}://127.0.0.1:{port}")
        }
        Some(port) => format!("{scheme}://{}:{port}", holder.host),
        None => format!("{scheme}://{address}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holders_are_asked_where_they_can_be_reached() {
        let holder = |grpc: &str, host: &str| Holder {
            grpc: grpc.into(),
            host: host.into(),
            ..Holder::default()
        };
        assert_eq!(
            url_of(&holder("127.0.0.1:7433", "a")),
            "http://127.0.0.1:7433"
        );
        assert_eq!(url_of(&holder("0.0.0.0:7433", "far")), "http://far:7433");
        assert_eq!(
            url_of(&holder("https://[::]:7433", "far")),
            "https://far:7433"
        );
        let here = Holder::this_process(0).host;
        assert_eq!(url_of(&holder("[::]:1", &here)), "http://127.0.0.1:1");
    }
}
