//! The loop: lease, start, drain.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use toads_census::kernel::WORTH_ALL_THREADS;
use toads_survey::Resources;
use toads_wire::{convert, v1};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tracing::{info, warn};

use crate::arenas::Arenas;
use crate::beat::beat;
use crate::board::{Board, Entered};
use crate::cells::{Cells, NextCell};
use crate::config::{Config, ExitReason, Shutdown, WorkerError};
use crate::link::{CallError, Link};
use crate::process::Crew;
use crate::task::Task;

/// Works until it is told to stop, its lifetime is over, or (if asked to) every run and survey is finished.
///
/// Runs on the caller's runtime; evaluation takes its blocking threads. Signals are the caller's business: they arrive
/// through `shutdown`.
pub async fn run(config: Config, shutdown: Shutdown) -> Result<ExitReason, WorkerError> {
    if config.threads == 0 {
        return Err(WorkerError::Config(
            "a worker needs at least one thread; give --threads 1".into(),
        ));
    }
    let config = Arc::new(config);
    let board = Board::default();
    let link = Link::new(&config, &board, &shutdown)?;
    let memory = config.memory_bytes;
    let arenas = tokio::task::spawn_blocking(move || Arc::new(Arenas::new(memory)));
    let arenas = arenas.await.map_err(|error| {
        WorkerError::Config(format!(
            "no memory for the arena: {error}; give less --memory"
        ))
    })?;
    let resources = Resources {
        threads: config.threads,
        memory_bytes: arenas.memory(),
    };
    let crew = Crew {
        cells: Arc::new(Cells::new(config.evaluator.clone(), resources)),
        threads: Arc::new(Semaphore::new(config.threads)),
        deliveries: Arc::new(Semaphore::new(config.deliveries.max(1))),
        link,
        board,
        arenas,
        config,
    };
    crew.work(&shutdown).await
}

/// What ends the loop.
enum End {
    Reason(ExitReason),
    Failed,
}

impl Crew {
    async fn work(&self, shutdown: &Shutdown) -> Result<ExitReason, WorkerError> {
        let mut beating: Option<tokio::task::JoinHandle<()>> = None;
        let (mut tasks, mut waiting) = (JoinSet::new(), VecDeque::new());
        let start = Instant::now();
        let lifetime = async {
            match self.config.lifetime {
                Some(lifetime) => {
                    sleep_until(start + lifetime.saturating_sub(self.config.drain_grace)).await;
                }
                None => std::future::pending().await,
            }
        };
        let end = {
            let work = self.lease_and_start(&mut tasks, &mut waiting, &mut beating, shutdown);
            tokio::select! {
                biased;
                () = shutdown.draining() => End::Reason(ExitReason::Drained),
                () = self.link.failed() => End::Failed,
                () = lifetime => End::Reason(ExitReason::Lifetime),
                end = work => end,
            }
        };
        if let End::Reason(reason) = end {
            // What has not begun is for others.
            let unstarted: Vec<_> = waiting
                .iter()
                .map(|entered: &Entered| Arc::clone(&entered.task))
                .collect();
            self.release(&unstarted).await;
            waiting.clear();
            self.drain(&mut tasks, shutdown, reason).await;
        }
        self.board.all().iter().for_each(|task| task.cancel());
        self.cells.cancel();
        self.arenas.report();
        if let Some(beating) = beating {
            beating.abort();
        }
        tasks.abort_all();
        match (self.link.failure(), end) {
            (Some(error), _) => Err(error),
            (None, End::Reason(_)) if shutdown.is_now() => Ok(ExitReason::Stopped),
            (None, End::Reason(reason)) => Ok(reason),
            (None, End::Failed) => Ok(ExitReason::Stopped),
        }
    }

    /// Asks for leases and starts them, one bundle ahead of the threads.
    async fn lease_and_start(
        &self,
        tasks: &mut JoinSet<()>,
        waiting: &mut VecDeque<Entered>,
        beating: &mut Option<tokio::task::JoinHandle<()>>,
        shutdown: &Shutdown,
    ) -> End {
        loop {
            while let Some(next) = waiting.front() {
                let (shard, threads) = (next.task.shard, self.config.threads);
                let side_by_side =
                    shard.strips() < WORTH_ALL_THREADS && self.arenas.have_room_for(shard, threads);
                let wanted = if side_by_side { 1 } else { threads };
                let Ok(permit) = Arc::clone(&self.threads)
                    .acquire_many_owned(wanted as u32)
                    .await
                else {
                    return End::Failed;
                };
                let Some(entered) = waiting.pop_front() else {
                    break;
                };
                tasks.spawn(self.clone().process(entered, permit, wanted));
                while tasks.try_join_next().is_some() {}
            }
            let max_shards = self.config.max_shards;
            let answer = self.link.call(|mut client, key| async move {
                client
                    .lease(v1::LeaseRequest {
                        worker: Some(key),
                        max_shards,
                    })
                    .await
            });
            let response = match answer.await {
                Ok(response) => response,
                Err(CallError::Ending) => return End::Failed,
                Err(CallError::Refused(status)) => {
                    warn!(error = status.message(), "no lease");
                    sleep(self.config.max_backoff).await;
                    continue;
                }
            };
            if beating.is_none() {
                *beating = Some(tokio::spawn(beat(
                    self.link.clone(),
                    self.board.clone(),
                    Arc::clone(&self.arenas),
                    shutdown.clone(),
                )));
            }
            match response.next() {
                v1::Next::Work => {
                    // All of them stand on the board before the first starts: the beat names what waits, too.
                    self.cells.put_away();
                    waiting.extend(response.leases.iter().filter_map(|lease| self.enter(lease)));
                }
                v1::Next::Drain => return End::Reason(ExitReason::Drained),
                v1::Next::Done | v1::Next::Wait | v1::Next::Unspecified => {
                    let is_done = response.next() == v1::Next::Done;
                    let wait = Duration::from_millis(response.wait_ms.clamp(5, 60_000).into());
                    if let Some(end) = self.cell_or_pause(tasks, is_done, wait).await {
                        return end;
                    }
                }
            }
        }
    }

    /// No shard for us now: evaluates a cell, or waits a while. An end when there is nothing left to wait for.
    async fn cell_or_pause(
        &self,
        tasks: &mut JoinSet<()>,
        shards_are_done: bool,
        wait: Duration,
    ) -> Option<End> {
        if !self.board.all().is_empty() {
            sleep(wait).await;
            return None;
        }
        let all = self.config.threads as u32;
        let threads = || Arc::clone(&self.threads).acquire_many_owned(all);
        let Ok(permit) = threads().await else {
            return Some(End::Failed);
        };
        match self.next_cell().await {
            NextCell::Cell(cell) => {
                // A task of its own: a drain lets it finish, or stops it.
                tasks.spawn(self.clone().process_cell(*cell, permit));
                let is_open = threads().await.is_ok();
                while tasks.try_join_next().is_some() {}
                (!is_open).then_some(End::Failed)
            }
            NextCell::Drain => Some(End::Reason(ExitReason::Drained)),
            NextCell::Ending => Some(End::Failed),
            NextCell::Done if shards_are_done && self.config.exit_when_done => {
                Some(End::Reason(ExitReason::Done))
            }
            NextCell::Done => {
                sleep(wait).await;
                None
            }
            NextCell::Wait(longer) => {
                sleep(wait.max(longer)).await;
                None
            }
        }
    }

    fn enter(&self, lease: &v1::Lease) -> Option<Entered> {
        let key = lease.key.as_ref()?;
        match (
            convert::shard(key.shard.as_ref()),
            convert::keep_blocks(lease.keep),
        ) {
            (Ok(shard), Ok(keep_blocks)) => {
                let task = Task::new(shard, key.epoch, keep_blocks).last(lease.last);
                Some(self.board.enter(task))
            }
            (Err(error), _) | (_, Err(error)) => {
                // Not named in any beat, it goes back by itself.
                warn!(%error, "a lease that this build does not understand");
                None
            }
        }
    }

    /// No new leases; what runs may finish within the grace, what waits or does not finish is released; goodbye (P11).
    async fn drain(&self, tasks: &mut JoinSet<()>, shutdown: &Shutdown, reason: ExitReason) {
        if reason != ExitReason::Done {
            info!(
                held = self.board.all().len(),
                grace_s = self.config.drain_grace.as_secs(),
                "draining"
            );
        }
        let finish = async { while tasks.join_next().await.is_some() {} };
        let finished = tokio::select! {
            () = finish => true,
            () = sleep(self.config.drain_grace) => false,
            () = shutdown.stopping() => false,
            () = self.link.failed() => false,
        };
        if !finished {
            self.cells.cancel();
            let held = self.board.all();
            for task in &held {
                task.cancel();
            }
            let Ok(Ok(worker)) = timeout(Duration::from_secs(1), self.link.key())
                .await
                .map_err(|_| ())
            else {
                return;
            };
            let leases = held
                .iter()
                .filter(|task| !task.is_revoked())
                .map(|task| task.key())
                .collect();
            let request = v1::ReleaseRequest {
                worker: Some(worker),
                leases,
            };
            let _ = timeout(Duration::from_secs(1), self.link.client().release(request)).await;
        }
        if let Ok(Ok(worker)) = timeout(Duration::from_secs(1), self.link.key()).await {
            let request = v1::GoodbyeRequest {
                worker: Some(worker),
                reason: format!("{reason:?}").to_lowercase(),
            };
            let _ = timeout(Duration::from_secs(1), self.link.client().goodbye(request)).await;
        }
    }
}
