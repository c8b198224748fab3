//! Handing a result in: offer values, submit, and again when the coordinator was busy, away or new.

use std::collections::HashSet;
use std::hash::BuildHasher;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use toads_fault::Point;
use toads_game::Value;
use toads_wire::{MAX_OFFER, convert, v1};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Code;
use tracing::{debug, warn};

use crate::evaluate::{Evaluated, panic_text};
use crate::link::{CallError, Link, is_denied, is_passing};
use crate::produce::{Broken, produce};
use crate::task::Task;

/// What became of a result.
#[derive(Debug, PartialEq)]
pub(crate) enum Delivered {
    /// The coordinator has decided: committed, duplicate, stale or refused. Nothing is left to do.
    Decided,
    /// Revoked, or the worker ends: the lease may be released.
    Cancelled,
    /// The result cannot be handed in; the coordinator must hear why.
    Failed(v1::Failure),
}

/// Hands a result in; returns when the coordinator has decided about it, however long that takes.
pub(crate) async fn deliver(
    link: &Link,
    task: &Arc<Task>,
    evaluated: &Arc<Evaluated>,
    backoff: Duration,
) -> Delivered {
    let mut wait = backoff;
    loop {
        if task.is_cancelled() {
            return Delivered::Cancelled;
        }
        let Ok(key) = link.key().await else {
            return Delivered::Cancelled;
        };
        let (unknown, missing) = match offer(link, evaluated, key).await {
            Ok(offered) => offered,
            Err(CallError::Ending) => return Delivered::Cancelled,
            Err(CallError::Refused(status)) if status.code() == Code::NotFound => continue,
            Err(CallError::Refused(status)) => return failed(status.message()),
        };
        let answer = submit(link, task, evaluated, key, missing).await;
        toads_fault::pass(Point::WorkerAnswered);
        match answer {
            Ok(response) => match response.verdict() {
                v1::Verdict::Committed | v1::Verdict::Duplicate => {
                    link.served();
                    evaluated.shared.learn(key.instance, &unknown);
                    debug!(shard = %task.shard, verdict = ?response.verdict(), "handed in");
                    return Delivered::Decided;
                }
                v1::Verdict::Busy | v1::Verdict::Unspecified => {
                    link.kept_waiting(&response.message);
                    let wait = response.retry_after_ms.clamp(10, 60_000).into();
                    tokio::time::sleep(spread(Duration::from_millis(wait))).await;
                }
                v1::Verdict::Stale | v1::Verdict::Refused => {
                    warn!(shard = %task.shard, verdict = ?response.verdict(), reason = ?response.reason(), message = response.message, "not taken");
                    return Delivered::Decided;
                }
            },
            Err(Unsent::Broken(Broken::Cancelled)) => return Delivered::Cancelled,
            Err(Unsent::Broken(Broken::Failed(why))) => return failed(&why),
            Err(Unsent::Broken(Broken::Closed)) => {}
            Err(Unsent::Status(status)) if status.code() == Code::NotFound => {
                link.forget(key).await;
            }
            Err(Unsent::Status(status)) if is_denied(&status) => {
                link.denied(&status);
                return Delivered::Cancelled;
            }
            Err(Unsent::Status(status)) if is_passing(&status) => {
                if link.pause(&status, &mut wait).await.is_err() {
                    return Delivered::Cancelled;
                }
            }
            Err(Unsent::Status(status)) => return failed(status.message()),
        }
    }
}

/// So long, or up to half as long again: workers that were told the same do not come back all at once.
fn spread(wait: Duration) -> Duration {
    // The standard library seeds its hashers differently each time.
    let dice = std::hash::RandomState::new().hash_one(()) % 512;
    wait + wait * dice as u32 / 1024
}

fn failed(message: &str) -> Delivered {
    Delivered::Failed(v1::Failure {
        failure_class: v1::FailureClass::Deterministic.into(),
        message: format!("the result could not be handed in: {message}"),
        strip: String::new(),
    })
}

/// Asks which values the coordinator lacks. Returns all that were not known to be there, and of these the missing ones.
async fn offer(
    link: &Link,
    evaluated: &Arc<Evaluated>,
    key: v1::WorkerKey,
) -> Result<(Vec<Value>, Vec<Value>), CallError> {
    let shared = Arc::clone(evaluated);
    let collect = move || {
        let unknown = shared
            .shared
            .unknown(key.instance, &shared.finished.distinct);
        let ids: Vec<_> = unknown
            .iter()
            .map(|&value| shared.shared.arena.id(value))
            .collect();
        (unknown, ids)
    };
    let (unknown, ids) = tokio::task::spawn_blocking(collect)
        .await
        .map_err(|_| CallError::Ending)?;
    let mut lacking = HashSet::new();
    for part in ids.chunks(MAX_OFFER) {
        let bytes = convert::to_ids(part);
        let response = link.call(|mut client, current| {
            let request = v1::OfferValuesRequest {
                worker: Some(current),
                ids: bytes.clone(),
            };
            async move { client.offer_values(request).await }
        });
        let missing = convert::ids("the missing ids", &response.await?.missing);
        lacking.extend(
            missing
                .map_err(|error| CallError::Refused(tonic::Status::internal(error.to_string())))?,
        );
    }
    // Another instance may have answered in between; then the submission is refused by it, and all begins again.
    let missing = unknown
        .iter()
        .zip(&ids)
        .filter(|(_, id)| lacking.contains(id))
        .map(|(&value, _)| value)
        .collect();
    Ok((unknown, missing))
}

enum Unsent {
    Status(tonic::Status),
    Broken(Broken),
}

/// One attempt.
async fn submit(
    link: &Link,
    task: &Arc<Task>,
    evaluated: &Arc<Evaluated>,
    key: v1::WorkerKey,
    missing: Vec<Value>,
) -> Result<v1::SubmitResponse, Unsent> {
    let (sender, receiver) = mpsc::channel(2);
    let (of, result) = (Arc::clone(task), Arc::clone(evaluated));
    let producer = tokio::task::spawn_blocking(move || {
        let send = |part| {
            let sent = sender.blocking_send(v1::SubmitRequest { part: Some(part) });
            sent.map_err(|_| Broken::Closed)
        };
        let work = AssertUnwindSafe(|| produce(&of, &result, Some(key), missing, &send));
        catch_unwind(work).unwrap_or_else(|panic| {
            Err(Broken::Failed(format!(
                "panicked: {}",
                panic_text(panic.as_ref())
            )))
        })
    });
    let answer = link.client().submit(ReceiverStream::new(receiver)).await;
    let produced = producer
        .await
        .unwrap_or_else(|error| Err(Broken::Failed(error.to_string())));
    match (answer, produced) {
        // The coordinator may answer before it has read everything.
        (Ok(response), Ok(()) | Err(Broken::Closed)) => Ok(response.into_inner()),
        (_, Err(broken @ (Broken::Cancelled | Broken::Failed(_)))) => Err(Unsent::Broken(broken)),
        (Err(status), _) => Err(Unsent::Status(status)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_spread_over_half_their_length() {
        let wait = Duration::from_secs(1);
        let waits: HashSet<_> = (0..200).map(|_| spread(wait)).collect();
        assert!(waits.len() > 20, "{waits:?}");
        let longest = Duration::from_millis(1_500);
        assert!(
            waits
                .iter()
                .all(|&spread| wait <= spread && spread < longest)
        );
    }
}
