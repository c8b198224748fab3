//! What can go wrong, sorted by what to do about it.

use std::io;
use std::net::SocketAddr;

use toads_store::StoreError;

/// Why a coordinator did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address is open to others and nothing protects it (promise P18). *Another address, or `--insecure`.*
    #[error(
        "{addr} is not a loopback address, and has {missing} to protect it; give --tls-cert, --tls-key and \
         --token-file (`toads cert new` makes some), listen on 127.0.0.1, or give --insecure if everybody who can reach \
         it may use it"
    )]
    Exposed {
        /// The address.
        addr: SocketAddr,
        /// What it lacks.
        missing: &'static str,
    },
    /// Somebody else listens there. *Another address, or stop who has it.*
    #[error(
        "cannot listen on {addr}: the address is in use, perhaps by another coordinator (`ss -ltnp` shows by whom); stop \
         that one, or give another address with {flag} (port 0 picks a free one)"
    )]
    InUse {
        /// The address.
        addr: SocketAddr,
        /// The flag that changes it.
        flag: &'static str,
    },
    /// The address cannot be had. *Another address.*
    #[error(
        "cannot listen on {addr}: {source}; give another address with {flag} (port 0 picks a free one)"
    )]
    Listen {
        /// The address.
        addr: SocketAddr,
        /// The flag that changes it.
        flag: &'static str,
        /// Why.
        source: io::Error,
    },
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No threads, or no such service.
    #[error("cannot start: {0}")]
    Other(String),
}

/// Why something asked of a running coordinator was not done.
#[derive(Debug, thiserror::Error)]
pub enum CoordinatorError {
    /// *Fix the question.*
    #[error("{0}")]
    Input(String),
    /// A message that is not what the contract says. *Fix the sender.*
    #[error(transparent)]
    Message(#[from] toads_wire::WireError),
    /// There is no such run, or shard. *Look at the list.*
    #[error("{0}")]
    NotFound(String),
    /// The store refused or failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store failed earlier, and everything is stopping (promise P23). *Fix the cause, start again.*
    #[error("the coordinator has stopped: {0}")]
    Stopped(String),
}
