//! HTTP beside gRPC: is the process alive, may work be sent here, and the figures.
//!
//! | path | answers |
//! |---|---|
//! | `/healthz` | 200 as long as the process serves |
//! | `/readyz` | 200 `ready`, or 503 with a reason a line |
//! | `/metrics` | the figures, in the Prometheus text format |
//!
//! It is protected as gRPC is: over TLS when the coordinator has a certificate, `/metrics` for readers and operators when
//! it has tokens. Health and readiness need no token: they say nothing but their word, and those who ask carry none.

mod tls;

use std::net::SocketAddr;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tracing::warn;

use crate::auth::{Denied, Role};
use crate::core::Core;
use crate::metrics;
use tls::TlsListener;

/// The HTTP server of a coordinator. Dropping it stops it at once.
pub(crate) struct Http {
    pub(crate) addr: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    server: JoinHandle<()>,
}

/// Serves until told to stop.
pub(crate) fn serve(core: &Core, listener: TcpListener, addr: SocketAddr) -> Http {
    let (stop, stopped) = oneshot::channel::<()>();
    let until = async {
        // A dropped sender is a stop too.
        let _ = stopped.await;
    };
    let app = routes(core);
    let server = match &core.config.identity {
        None => tokio::spawn(async move {
            let serve = axum::serve(listener, app).with_graceful_shutdown(until);
            ended(serve.await);
        }),
        Some(identity) => {
            let listener = TlsListener::new(listener, identity.http());
            tokio::spawn(async move {
                let serve = axum::serve(listener, app).with_graceful_shutdown(until);
                ended(serve.await);
            })
        }
    };
    Http {
        addr,
        stop: Some(stop),
        server,
    }
}

fn ended(how: std::io::Result<()>) {
    if let Err(error) = how {
        warn!(%error, "the HTTP server ended");
    }
}

impl Http {
    /// Takes no new connection; whoever is still connected after `limit` is cut off (promise P25).
    pub(crate) async fn stop(&mut self, limit: std::time::Duration) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if tokio::time::timeout(limit, &mut self.server).await.is_err() {
            self.server.abort();
        }
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        self.server.abort();
    }
}

fn routes(core: &Core) -> Router {
    let guarded = Router::new()
        .route("/metrics", get(figures))
        .layer(from_fn_with_state(core.clone(), readers_only));
    Router::new()
        .route("/healthz", get(|| async { "alive\n" }))
        .route("/readyz", get(ready))
        .merge(guarded)
        .with_state(core.clone())
}

async fn ready(State(core): State<Core>) -> Response {
    let reasons = core.not_ready();
    if reasons.is_empty() {
        "ready\n".into_response()
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, reasons.join("\n") + "\n").into_response()
    }
}

async fn figures(State(core): State<Core>) -> Response {
    let page = metrics::render(&core);
    ([(header::CONTENT_TYPE, metrics::CONTENT_TYPE)], page).into_response()
}

async fn readers_only(State(core): State<Core>, request: Request, next: Next) -> Response {
    let shown = request.headers().get(header::AUTHORIZATION);
    let admitted = core.config.tokens.as_ref().map_or(Ok(()), |tokens| {
        let shown = shown.map(header::HeaderValue::as_bytes);
        tokens.demand(&[Role::Reader, Role::Operator], shown)
    });
    match admitted {
        Ok(()) => next.run(request).await,
        Err(denied) => {
            core.counters.deny(denied);
            refusal(denied)
        }
    }
}

fn refusal(denied: Denied) -> Response {
    match denied {
        Denied::NoToken | Denied::WrongToken => (
            StatusCode::UNAUTHORIZED,
            [(header::WWW_AUTHENTICATE, "Bearer")],
            "send a reader's or an operator's token: `Authorization: Bearer …`\n",
        )
            .into_response(),
        Denied::WrongRole { .. } => (
            StatusCode::FORBIDDEN,
            "this needs a reader's or an operator's token\n",
        )
            .into_response(),
    }
}
