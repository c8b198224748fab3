//! One lease from evaluation to verdict.

use std::sync::Arc;
use std::time::Duration;

use toads_wire::v1;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tracing::warn;

use crate::arenas::Arenas;
use crate::board::{Board, Entered};
use crate::cells::Cells;
use crate::config::Config;
use crate::deliver::{Delivered, deliver};
use crate::evaluate::{Evaluated, Unfinished, evaluate};
use crate::link::Link;
use crate::task::Task;

/// From this size on results are handed in one at a time: their tables are what fills memory.
const WORTH_ALL_DELIVERIES: u64 = 1 << 24;

/// What every task of the worker needs.
#[derive(Clone)]
pub(crate) struct Crew {
    pub(crate) config: Arc<Config>,
    pub(crate) link: Link,
    pub(crate) board: Board,
    pub(crate) arenas: Arc<Arenas>,
    pub(crate) cells: Arc<Cells>,
    pub(crate) threads: Arc<Semaphore>,
    pub(crate) deliveries: Arc<Semaphore>,
}

impl Crew {
    /// One lease from evaluation to verdict.
    pub(crate) async fn process(
        self,
        entered: Entered,
        permit: OwnedSemaphorePermit,
        threads: usize,
    ) {
        let task = Arc::clone(&entered.task);
        let outcome = if task.is_cancelled() {
            Err(Unfinished::Cancelled)
        } else {
            self.evaluate(&task, threads).await
        };
        match outcome {
            Ok(evaluated) => {
                let all = task.shard.strips() >= WORTH_ALL_DELIVERIES;
                let wanted = if all {
                    self.config.deliveries.max(1)
                } else {
                    1
                };
                // The threads wait for a free delivery: results pile up no further (promise P14).
                let Ok(_place) = Arc::clone(&self.deliveries)
                    .acquire_many_owned(wanted as u32)
                    .await
                else {
                    return;
                };
                drop(permit);
                match deliver(&self.link, &task, &Arc::new(evaluated), self.config.backoff).await {
                    Delivered::Decided => {}
                    Delivered::Cancelled => self.release(&[task]).await,
                    Delivered::Failed(failure) => self.fail(&task, failure).await,
                }
            }
            Err(Unfinished::Cancelled) => {
                drop(permit);
                self.release(&[task]).await;
            }
            Err(Unfinished::Failed(failure)) => {
                drop(permit);
                self.fail(&task, failure).await;
            }
        }
        drop(entered);
    }

    async fn evaluate(&self, task: &Arc<Task>, threads: usize) -> Result<Evaluated, Unfinished> {
        let (of, arenas) = (Arc::clone(task), Arc::clone(&self.arenas));
        let work = tokio::task::spawn_blocking(move || evaluate(&of, &arenas, threads));
        work.await.unwrap_or(Err(Unfinished::Cancelled))
    }

    async fn fail(&self, task: &Task, failure: v1::Failure) {
        warn!(shard = %task.shard, message = failure.message, strip = failure.strip, "the shard failed");
        let told = self.link.call(|mut client, key| {
            let request = v1::FailRequest {
                worker: Some(key),
                key: Some(task.key()),
                failure: Some(failure.clone()),
            };
            async move { client.fail(request).await }
        });
        let _ = told.await;
    }

    /// Gives leases back that are still ours.
    pub(crate) async fn release(&self, tasks: &[Arc<Task>]) {
        let leases: Vec<_> = tasks
            .iter()
            .filter(|task| !task.is_revoked())
            .map(|task| task.key())
            .collect();
        if leases.is_empty() {
            return;
        }
        let Ok(worker) = self.link.key().await else {
            return;
        };
        let request = v1::ReleaseRequest {
            worker: Some(worker),
            leases,
        };
        let _ = timeout(Duration::from_secs(1), self.link.client().release(request)).await;
    }
}
