//! The workers of `census run` and `survey run`: a task of this process, or processes of their own.

mod children;

use std::time::Duration;

use toads_coordinator::Coordinator;
use toads_survey::EvaluatorSource;
use toads_worker::{Config, ExitReason, Shutdown, WorkerError};
use tokio::task::JoinHandle;

use crate::args::Globals;
use crate::failure::{Failure, Result};
use children::Children;

/// Who is to evaluate, with what.
pub(crate) struct CrewPlan<'a> {
    /// What the workers are called.
    pub(crate) name: &'static str,
    /// Processes; 0 for a task of this process.
    pub(crate) workers: usize,
    /// Threads, in each.
    pub(crate) threads: usize,
    /// Memory for all of them together, in bytes.
    pub(crate) memory: u64,
    /// How long they may finish what is being computed.
    pub(crate) grace: Duration,
    /// How much they log.
    pub(crate) globals: &'a Globals,
}

/// Who evaluates the cells of surveys, here and in `toads worker`.
pub(crate) fn evaluator() -> EvaluatorSource {
    EvaluatorSource::new(|resources| Box::new(toads_surveyor::StripEvaluator::new(resources)))
}

/// Who evaluates.
pub(crate) enum Crew {
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
    pub(crate) fn start(plan: &CrewPlan<'_>, coordinator: &Coordinator) -> Result<Self> {
        if plan.workers > 0 {
            return Children::start(plan, &coordinator.url()).map(Self::Outside);
        }
        let shutdown = Shutdown::new();
        let config = Config {
            coordinator: coordinator.url(),
            name: plan.name.to_owned(),
            threads: plan.threads,
            memory_bytes: plan.memory,
            drain_grace: plan.grace,
            evaluator: evaluator(),
            ..Config::default()
        };
        let task = tokio::spawn(toads_worker::run(config, shutdown.clone()));
        Ok(Self::Inside {
            task: Some(task),
            shutdown,
        })
    }

    /// Resolves when no worker is left and none can be started again. Restarts processes that died.
    pub(crate) async fn lost(&mut self, coordinator: &Coordinator) -> Failure {
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
    pub(crate) fn drain(&self) {
        // Processes hear of it from the coordinator.
        if let Self::Inside { shutdown, .. } = self {
            shutdown.drain();
        }
    }

    /// Waits until all have ended, at most so long.
    pub(crate) async fn gone(&mut self, grace: Duration) {
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
    pub(crate) async fn kill(&mut self) {
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
    pub(crate) fn peak_bytes(&self) -> u64 {
        match self {
            Self::Outside(children) => children.peak_bytes(),
            Self::Inside { .. } => 0,
        }
    }

    /// Looks how much they have in use.
    pub(crate) fn look_at_memory(&mut self) {
        if let Self::Outside(children) = self {
            children.look_at_memory();
        }
    }
}
