//! The connection to the coordinator: register, retry, register again.
//!
//! One channel for everything; it reconnects by itself. What must be watched is the registration: a coordinator that
//! was restarted, or gave this worker up, answers `NOT_FOUND`, and then the worker registers anew and offers to keep what
//! it is working on.

use std::error::Error;
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use toads_census::fingerprint;
use toads_wire::client::{self, Bearer, Channel, Trouble, trouble};
use toads_wire::v1::workers_client::WorkersClient;
use toads_wire::{MAX_MESSAGE_BYTES, PROTOCOL, convert, v1};
use tokio::sync::{Mutex, watch};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep, timeout};
use tonic::{Code, Response, Status};
use tracing::{info, warn};

use crate::board::Board;
use crate::cells;
use crate::config::{Config, Shutdown, WorkerError};

pub(crate) type Client = WorkersClient<Channel>;

/// Why a call has no answer.
#[derive(Debug)]
pub(crate) enum CallError {
    /// The worker is ending: told to stop at once, or for good ([`Link::failure`]).
    Ending,
    /// The coordinator refused the call.
    Refused(Status),
}

/// The connection, shared by all tasks of the worker.
#[derive(Clone)]
pub(crate) struct Link {
    client: Client,
    surveys: cells::Client,
    config: Arc<Config>,
    board: Board,
    shutdown: Shutdown,
    /// The present registration; locked while registering.
    key: Arc<Mutex<Option<v1::WorkerKey>>>,
    beat_ms: watch::Sender<u32>,
    /// Set once, when the worker cannot go on.
    failure: watch::Sender<Option<WorkerError>>,
    /// Since when nobody answers.
    silent: Arc<std::sync::Mutex<Option<Instant>>>,
    /// Since when it takes no results.
    busy: Arc<std::sync::Mutex<Option<Instant>>>,
    /// It has answered once.
    met: Arc<AtomicBool>,
}

impl Link {
    pub(crate) fn new(
        config: &Arc<Config>,
        board: &Board,
        shutdown: &Shutdown,
    ) -> Result<Self, WorkerError> {
        let endpoint = client::endpoint(&config.coordinator, &config.access)
            .map_err(|error| WorkerError::Config(error.to_string()))?;
        let channel = Channel::new(endpoint.connect_lazy(), Bearer::new(&config.access));
        Ok(Self {
            surveys: cells::Client::new(channel.clone())
                .max_decoding_message_size(MAX_MESSAGE_BYTES),
            client: WorkersClient::new(channel).max_decoding_message_size(MAX_MESSAGE_BYTES),
            config: Arc::clone(config),
            board: board.clone(),
            shutdown: shutdown.clone(),
            key: Arc::default(),
            beat_ms: watch::Sender::new(1_000),
            failure: watch::Sender::new(None),
            silent: Arc::default(),
            busy: Arc::default(),
            met: Arc::default(),
        })
    }

    pub(crate) fn beat(&self) -> Duration {
        Duration::from_millis((*self.beat_ms.borrow()).max(10).into())
    }

    /// Why the worker cannot go on.
    pub(crate) fn failure(&self) -> Option<WorkerError> {
        self.failure.borrow().clone()
    }

    /// Resolves when the worker cannot go on.
    pub(crate) async fn failed(&self) {
        let mut failure = self.failure.subscribe();
        let _ = failure.wait_for(Option::is_some).await;
    }

    fn give_up(&self, error: WorkerError) -> CallError {
        self.failure.send_if_modified(|failure| {
            let first = failure.is_none();
            failure.get_or_insert(error);
            first
        });
        CallError::Ending
    }

    /// The registration, made when there is none.
    pub(crate) async fn key(&self) -> Result<v1::WorkerKey, CallError> {
        let mut key = self.key.lock().await;
        if let Some(key) = *key {
            return Ok(key);
        }
        let mut wait = self.config.backoff;
        loop {
            if self.shutdown.is_now() || self.failure().is_some() {
                return Err(CallError::Ending);
            }
            let holding = self.board.progress();
            let request = v1::RegisterRequest {
                name: self.config.name.clone(),
                protocol: PROTOCOL,
                fingerprint: convert::to_digest(fingerprint()),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                threads: self.config.threads as u32,
                memory_bytes: self.config.memory_bytes,
                pid: std::process::id(),
                capabilities: vec![],
                holding: holding.clone(),
            };
            let mut client = self.client.clone();
            match self.within(client.register(request)).await? {
                Ok(response) => {
                    let response = response.into_inner();
                    let Some(worker) = response.worker else {
                        return Err(self.give_up(WorkerError::Incompatible("the coordinator gave no worker id; use the same build of toads on both sides".into())));
                    };
                    self.board.adopt(&holding, &response.adopted);
                    self.beat_ms.send_replace(response.beat_ms);
                    self.answered();
                    info!(
                        worker = worker.worker_id,
                        instance = worker.instance,
                        adopted = response.adopted.len(),
                        held = holding.len(),
                        "registered"
                    );
                    *key = Some(worker);
                    return Ok(worker);
                }
                Err(status)
                    if status.code() == Code::FailedPrecondition
                        || status.code() == Code::Unimplemented =>
                {
                    return Err(
                        self.give_up(WorkerError::Incompatible(status.message().to_owned()))
                    );
                }
                Err(status) if is_denied(&status) => return Err(self.denied(&status)),
                Err(status) => self.pause(&status, &mut wait).await?,
            }
        }
    }

    /// The registration does not count any more, unless it was renewed meanwhile.
    pub(crate) async fn forget(&self, old: v1::WorkerKey) {
        let mut key = self.key.lock().await;
        if *key == Some(old) {
            *key = None;
        }
    }

    /// A short call, repeated until it is answered: over restarts of the coordinator too.
    pub(crate) async fn call<T, F>(
        &self,
        call: impl Fn(Client, v1::WorkerKey) -> F,
    ) -> Result<T, CallError>
    where
        F: Future<Output = Result<Response<T>, Status>>,
    {
        let mut wait = self.config.backoff;
        loop {
            let key = self.key().await?;
            match self.within(call(self.client.clone(), key)).await? {
                Ok(response) => {
                    self.answered();
                    return Ok(response.into_inner());
                }
                Err(status) if status.code() == Code::NotFound => self.forget(key).await,
                Err(status) if is_denied(&status) => return Err(self.denied(&status)),
                Err(status) if is_passing(&status) => self.pause(&status, &mut wait).await?,
                Err(status) => return Err(CallError::Refused(status)),
            }
        }
    }

    /// The coordinator does not take the token: nothing will come of asking again (promise P18).
    pub(crate) fn denied(&self, status: &Status) -> CallError {
        self.give_up(WorkerError::Config(format!(
            "{}: {}",
            self.config.coordinator,
            status.message()
        )))
    }

    /// The client for a call that is not repeated blindly.
    pub(crate) fn client(&self) -> Client {
        self.client.clone()
    }

    /// The client for cells, over the same connection and registration.
    pub(crate) fn surveys(&self) -> cells::Client {
        self.surveys.clone()
    }

    /// A call with a deadline, given up when the worker must stop at once.
    async fn within<T>(
        &self,
        call: impl Future<Output = Result<T, Status>>,
    ) -> Result<Result<T, Status>, CallError> {
        tokio::select! {
            outcome = timeout(self.config.call_timeout, call) => {
                Ok(outcome.unwrap_or_else(|_| Err(Status::deadline_exceeded("no answer"))))
            }
            () = self.shutdown.stopping() => Err(CallError::Ending),
        }
    }

    fn answered(&self) {
        self.met.store(true, Ordering::Relaxed);
        if self.silence().take().is_some() {
            info!("the coordinator answers again");
        }
    }

    /// The coordinator cannot take a result now (promise P14). Said once, until it takes one again.
    pub(crate) fn kept_waiting(&self, why: &str) {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        if busy.is_none() {
            warn!(
                why,
                "the coordinator is busy; results wait here and go again later"
            );
            *busy = Some(Instant::now());
        }
    }

    /// It has taken a result.
    pub(crate) fn served(&self) {
        let busy = self
            .busy
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(since) = busy {
            let waited_s = since.elapsed().as_secs();
            info!(waited_s, "the coordinator takes results again");
        }
    }

    fn silence(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.silent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits before the next attempt; gives up when nobody has answered for too long.
    pub(crate) async fn pause(
        &self,
        status: &Status,
        wait: &mut Duration,
    ) -> Result<(), CallError> {
        let since = *self.silence().get_or_insert_with(Instant::now);
        let mut trouble = status.source().map(trouble);
        let is_new = !self.met.load(Ordering::Relaxed);
        if is_new && let Some(plain) = trouble.take() {
            let address = self.config.coordinator.clone();
            let asked = spawn_blocking(move || plain.looked_into(&address));
            trouble = asked.await.ok();
        }
        let why = trouble
            .as_ref()
            .map_or_else(|| status.message().to_owned(), Trouble::to_string);
        // Before the first answer it is the settings that are wrong; later it is the coordinator.
        if is_new && let Some(Trouble::Distrust(_) | Trouble::TlsMismatch(_)) = trouble {
            let text = format!("cannot work for {}: {why}", self.config.coordinator);
            return Err(self.give_up(WorkerError::Config(text)));
        }
        if *wait == self.config.backoff {
            warn!(
                coordinator = self.config.coordinator,
                error = why,
                "the coordinator is out of reach; trying again"
            );
        }
        if let Some(limit) = self.config.connect_timeout
            && since.elapsed() >= limit
        {
            let text = format!(
                "no coordinator answers at {}: {why}",
                self.config.coordinator
            );
            return Err(self.give_up(WorkerError::Unreachable(text)));
        }
        tokio::select! {
            () = sleep(*wait) => {}
            () = self.shutdown.stopping() => return Err(CallError::Ending),
        }
        *wait = (*wait * 2).min(self.config.max_backoff);
        Ok(())
    }
}

/// Whether the coordinator does not take the token.
pub(crate) fn is_denied(status: &Status) -> bool {
    matches!(
        status.code(),
        Code::Unauthenticated | Code::PermissionDenied
    )
}

/// Whether the same call may succeed later.
pub(crate) fn is_passing(status: &Status) -> bool {
    matches!(
        status.code(),
        Code::Unavailable
            | Code::DeadlineExceeded
            | Code::Cancelled
            | Code::Aborted
            | Code::Unknown
            | Code::Internal
    )
}
