//! The beat: how far every lease is, and what the coordinator says to it.

use std::sync::Arc;

use toads_wire::v1;
use tokio::time::sleep;

use crate::arenas::Arenas;
use crate::board::Board;
use crate::config::Shutdown;
use crate::link::{CallError, Link};

/// Beats until the worker ends. A coordinator that drains makes the worker drain.
pub(crate) async fn beat(link: Link, board: Board, arenas: Arc<Arenas>, shutdown: Shutdown) {
    loop {
        let answer = link.call(|mut client, key| {
            let request = v1::ProgressRequest {
                worker: Some(key),
                leases: board.progress(),
                memory_bytes: arenas.memory_bytes(),
            };
            async move { client.progress(request).await }
        });
        match answer.await {
            Ok(response) => {
                board.revoke(&response.revoked);
                if response.drain && !shutdown.is_draining() {
                    tracing::info!("the coordinator drains");
                    shutdown.drain();
                }
            }
            Err(CallError::Ending) => return,
            Err(CallError::Refused(status)) => {
                tracing::warn!(error = status.message(), "a beat was refused");
            }
        }
        sleep(link.beat()).await;
    }
}
