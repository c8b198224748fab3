//! gRPC: what arrives is checked here, then the scheduler and the store are asked.
//!
//! | file | what lives there |
//! |---|---|
//! | `workers` | the `Workers` service |
//! | `submit` | one submission, from header to verdict |
//! | `verdicts` | what the worker hears |
//! | `census` | the `Census` service |
//! | `surveys` | the `Surveys` service |
//! | `facts` | info, digest, plan |
//! | `stream` | questions and the event log as streams |
//! | `messages` | summaries, events and quarantine as messages |

mod census;
mod facts;
mod messages;
mod stream;
mod submit;
mod surveys;
mod verdicts;
mod workers;

use std::time::Duration;

use toads_wire::v1::census_server::CensusServer;
use toads_wire::v1::surveys_server::SurveysServer;
use toads_wire::v1::workers_server::WorkersServer;
use toads_wire::{DESCRIPTORS, MAX_MESSAGE_BYTES};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::Status;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Server, ServerTlsConfig};
use tracing::warn;

use crate::auth::AuthLayer;
use crate::core::Core;
use crate::error::CoordinatorError;

/// The longest time for a TLS handshake: a connection that says nothing is given up then (promise P25).
const HANDSHAKE: Duration = Duration::from_secs(10);

/// Serves until `stopped`.
pub(crate) fn serve(
    core: &Core,
    listener: TcpListener,
    stopped: oneshot::Receiver<()>,
) -> Result<JoinHandle<()>, String> {
    let reflection = tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(DESCRIPTORS)
        .build_v1()
        .map_err(|error| format!("the descriptors are damaged: {error}"))?;
    let workers = WorkersServer::new(workers::WorkersService::new(core.clone()))
        .max_decoding_message_size(MAX_MESSAGE_BYTES);
    let census = CensusServer::new(census::CensusService::new(core.clone()))
        .max_decoding_message_size(MAX_MESSAGE_BYTES);
    let surveys = SurveysServer::new(surveys::SurveysService::new(core.clone()))
        .max_decoding_message_size(MAX_MESSAGE_BYTES);
    let (health, health_service) = tonic_health::server::health_reporter();
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    // Half-open connections are noticed and closed (promise P25).
    let mut server = Server::builder();
    if let Some(identity) = &core.config.identity {
        let tls = ServerTlsConfig::new()
            .identity(identity.grpc())
            .timeout(HANDSHAKE);
        server = server.tls_config(tls).map_err(|error| error.to_string())?;
    }
    let server = server
        .http2_keepalive_interval(Some(Duration::from_secs(20)))
        .http2_keepalive_timeout(Some(Duration::from_secs(20)))
        .layer(AuthLayer::new(core))
        .add_service(health_service)
        .add_service(reflection)
        .add_service(workers)
        .add_service(census)
        .add_service(surveys);
    Ok(tokio::spawn(async move {
        health
            .set_serving::<WorkersServer<workers::WorkersService>>()
            .await;
        health
            .set_serving::<CensusServer<census::CensusService>>()
            .await;
        health
            .set_serving::<SurveysServer<surveys::SurveysService>>()
            .await;
        let until = async {
            // A dropped sender is a stop too.
            let _ = stopped.await;
        };
        if let Err(error) = server.serve_with_incoming_shutdown(incoming, until).await {
            warn!(%error, "the gRPC server ended");
        }
    }))
}

/// The status says what the caller should do: fix the request, look elsewhere, or try again.
impl From<CoordinatorError> for Status {
    fn from(error: CoordinatorError) -> Self {
        let text = error.to_string();
        match error {
            CoordinatorError::Input(_) | CoordinatorError::Message(_) => {
                Self::invalid_argument(text)
            }
            CoordinatorError::NotFound(_) => Self::not_found(text),
            CoordinatorError::Stopped(_) => Self::unavailable(text),
            CoordinatorError::Store(error) if error.is_retryable() => Self::unavailable(text),
            CoordinatorError::Store(_) => Self::internal(text),
        }
    }
}
