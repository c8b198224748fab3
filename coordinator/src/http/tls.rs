//! TLS under the HTTP server. Handshakes go on beside each other, so that a caller that connects and says nothing keeps
//! nobody waiting.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::Listener;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::server::TlsStream;
use tracing::debug;

/// The longest time for a handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// Handshakes that go on at the same time; above, the next connection waits (promise P14).
const HANDSHAKES: usize = 64;

type Shaken = Option<(TlsStream<TcpStream>, SocketAddr)>;

/// A listener that hands out connections after their handshake.
pub(super) struct TlsListener {
    tcp: TcpListener,
    acceptor: TlsAcceptor,
    handshakes: JoinSet<Shaken>,
}

impl TlsListener {
    pub(super) fn new(tcp: TcpListener, config: Arc<ServerConfig>) -> Self {
        Self {
            tcp,
            acceptor: TlsAcceptor::from(config),
            handshakes: JoinSet::new(),
        }
    }
}

async fn shake(acceptor: TlsAcceptor, stream: TcpStream, addr: SocketAddr) -> Shaken {
    match timeout(HANDSHAKE, acceptor.accept(stream)).await {
        Ok(Ok(stream)) => Some((stream, addr)),
        Ok(Err(error)) => {
            debug!(%addr, %error, "a TLS handshake failed");
            None
        }
        Err(_) => None,
    }
}

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            let has_room = self.handshakes.len() < HANDSHAKES;
            tokio::select! {
                Some(shaken) = self.handshakes.join_next() => {
                    if let Ok(Some(connection)) = shaken {
                        return connection;
                    }
                }
                accepted = self.tcp.accept(), if has_room => match accepted {
                    Ok((stream, addr)) => {
                        self.handshakes.spawn(shake(self.acceptor.clone(), stream, addr));
                    }
                    // Out of file descriptors, most likely: they come back.
                    Err(error) => {
                        debug!(%error, "no connection");
                        tokio::time::sleep(Duration::from_millis(200)).await;
                    }
                },
            }
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.tcp.local_addr()
    }
}
