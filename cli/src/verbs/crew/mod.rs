//! The workers of `census run`: a task of this process, or processes of their own.

use std::time::Duration;

use toads_coordinator::Coordinator;
use toads_worker::{Config, ExitReason, Shutdown, WorkerError};
use tokio::task::JoinHandle;

use super::Job;
use super::children::Children;
use crate::failure::{Failure, Result};

/// Who evaluates.
pub(super) enum Crew {
    /// One worker in this process.
    Inside {
        /// `None` after it has ended.
        task: Option<JoinHandle<Result<ExitReason, WorkerError>>>,
        /// Tells it to stop.
        shutdown: Shutdown,
    },
    /// Processes.
    Outside(Children),
}

impl Crew {
    /// Starts them.
    pub(super) fn start(job: &Job<'_>, coordinator: &Coordinator) -> Result<Self> {
        if job.args.workers > 0 {
            return Children::start(job, &coordinator.url()).map(Self::Outside);
        }
        let shutdown = Shutdown::new();
        let config = Config {
            coordinator: coordinator.url(),
            name: "census-run".to_owned(),
            threads: job.threads,
            memory_bytes: job.memory,
            drain_grace: job.args.grace,
            ..Config::default()
        };
        let task = tokio::spawn(toads_worker::run(config, shutdown.clone()));
        Ok(Self::Inside {
            task: Some(task),
            shutdown,
        })
    }

    /// Resolves when no worker is left and none can be started again. Restarts processes that died.
    pub(super) async fn lost(&mut self, coordinator: &Coordinator) -> Failure {
        match self {
            Self::Outside(children) => children.lost(coordinator).await,
            Self::Inside { task, .. } => {
                let Some(running) = task else {
                    return std::future::pending().await;
                };
                let ended = running.await;
                *task = None;
                match ended {
                    Ok(Err(error)) => error.into(),
                    Ok(Ok(reason)) => Failure::Failed(format!(
                        "the worker ended early ({reason:?}); run the command again"
                    )),
                    Err(_) => Failure::failed("the worker failed; run the command again"),
                }
            }
        }
    }

    /// No new work; finish or give back.
    pub(super) fn drain(&self) {
        // Processes hear of it from the coordinator.
        if let Self::Inside { shutdown, .. } = self {
            shutdown.drain();
        }
    }

    /// Waits until all have ended, at most so long.
    pub(super) async fn gone(&mut self, grace: Duration) {
        match self {
            Self::Outside(children) => children.gone(grace).await,
            Self::Inside { task, .. } => {
                if let Some(running) = task.as_mut()
                    && tokio::time::timeout(grace + Duration::from_secs(1), running)
                        .await
                        .is_ok()
                {
                    *task = None;
                }
            }
        }
    }

    /// Whoever is left stops now.
    pub(super) async fn kill(&mut self) {
        match self {
            Self::Outside(children) => children.kill().await,
            Self::Inside { task, shutdown } => {
                shutdown.now();
                if let Some(running) = task.take() {
                    let _ = tokio::time::timeout(Duration::from_secs(2), running).await;
                }
            }
        }
    }

    /// The most memory the processes had in use, together; this process not counted.
    pub(super) fn peak_bytes(&self) -> u64 {
        match self {
            Self::Outside(children) => children.peak_bytes(),
            Self::Inside { .. } => 0,
        }
    }

    /// Looks how much they have in use.
    pub(super) fn look_at_memory(&mut self) {
        if let Self::Outside(children) = self {
            children.look_at_memory();
        }
    }
}
