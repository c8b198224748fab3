//! What can go wrong, sorted by what to do about it.

use std::io;
use std::net::SocketAddr;

use toads_store::StoreError;

/// Why a coordinator did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address is open to others and nothing protects it (promise P18). *Another address, or `--insecure`.*
    #[error(
        "{0} is not a loopback address, and there is neither TLS nor a token to protect it; \
         listen on 127.0.0.1, or give --insecure if everybody who can reach it may use it"
    )]
    Exposed(SocketAddr),
    /// The address cannot be had. *Another address, or stop who has it.*
    #[error(
        "cannot listen on {addr}: {source}; give another address with --listen (port 0 picks a free one)"
    )]
    Listen {
        /// The address.
        addr: SocketAddr,
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
