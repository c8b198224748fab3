//! Start, watch, drain, stop.

use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use toads_store::{Keep, Store};
use toads_strip::Variant;
use toads_survey::{Survey, SurveyId};
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tracing::{info, warn};

use crate::auth::Protection;
use crate::config::Config;
use crate::core::Core;
use crate::error::{CoordinatorError, StartError};
use crate::http::{self, Http};
use crate::restore::restore;
use crate::scheduler::{EventKind, RunSummary, Scheduler, WorkerSummary};
use crate::service;
use crate::surveys::SurveySummary;
use crate::ticker::tick;

/// A running coordinator. Dropping it stops serving at once; [`Coordinator::shutdown`] does it properly.
pub struct Coordinator {
    core: Core,
    addr: SocketAddr,
    stop_serving: Option<oneshot::Sender<()>>,
    server: JoinHandle<()>,
    http: Option<Http>,
    ticker: JoinHandle<()>,
    writer: Option<std::thread::JoinHandle<()>>,
}

impl Coordinator {
    /// Restores the state from the store, binds, and serves until [`Coordinator::shutdown`].
    ///
    /// The caller opens the store and, when it has a folder, announces [`Coordinator::addr`] in its `HOLDER` file.
    pub async fn start(config: Config, store: Arc<dyn Store>) -> Result<Self, StartError> {
        let (listener, addr) = bind(&config, config.listen, "--listen").await?;
        let http = match config.http {
            Some(http) => Some(bind(&config, http, "--http").await?),
            None => None,
        };
        let (core, unstarted) = {
            let (config, store) = (config.clone(), Arc::clone(&store));
            tokio::task::spawn_blocking(move || restore(config, store))
                .await
                .map_err(|error| StartError::Other(error.to_string()))??
        };
        let writer = unstarted
            .start(&core)
            .map_err(|error| StartError::Other(error.to_string()))?;
        let epoch = core.peek(Scheduler::next_epoch);
        core.log(
            EventKind::Opened,
            "",
            epoch,
            &format!("listening on {addr}"),
        );
        // Synced, where there is something to sync: leases of a run are only given after this.
        for run in core.summaries().into_iter().map(|summary| summary.record) {
            let write = core
                .writer
                .write(&core, move |store, _| store.put_run(&run));
            if let Err(CoordinatorError::Store(error)) = write.await {
                return Err(error.into());
            }
        }
        let (stop_serving, stopped) = oneshot::channel();
        let server = service::serve(&core, listener, stopped).map_err(StartError::Other)?;
        let http = http.map(|(listener, addr)| http::serve(&core, listener, addr));
        let ticker = tokio::spawn(tick(core.clone()));
        let protection = core.protection;
        if protection.is_enough() {
            info!(%addr, %protection, "the coordinator listens");
        } else {
            warn!(%addr, %protection, "the coordinator listens");
        }
        if let Some(http) = &http {
            let protection = core.config.protection(http.addr);
            info!(addr = %http.addr, %protection, "HTTP listens");
        }
        Ok(Self {
            core,
            addr,
            stop_serving: Some(stop_serving),
            server,
            http,
            ticker,
            writer: Some(writer),
        })
    }

    /// Where gRPC listens.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// The same as a URL, for workers and `--coordinator`.
    pub fn url(&self) -> String {
        format!("{}://{}", self.scheme(), self.addr)
    }

    /// Where HTTP listens, as a URL.
    pub fn http_url(&self) -> Option<String> {
        let http = self.http.as_ref()?;
        Some(format!("{}://{}", self.scheme(), http.addr))
    }

    /// What protects the gRPC address.
    pub fn protection(&self) -> Protection {
        self.core.protection
    }

    fn scheme(&self) -> &'static str {
        if self.core.config.identity.is_some() {
            "https"
        } else {
            "http"
        }
    }

    /// Starts a run, or continues the one of the same variant, range and keep.
    pub async fn submit_run(
        &self,
        variant: Variant,
        squares: RangeInclusive<u8>,
        keep: Keep,
    ) -> Result<RunSummary, CoordinatorError> {
        self.core.submit_run(variant, squares, keep).await
    }

    /// All runs, by number.
    pub fn runs(&self) -> Vec<RunSummary> {
        self.core.summaries()
    }

    /// One run.
    pub fn run(&self, id: u32) -> Option<RunSummary> {
        self.core.summary(id).ok()
    }

    /// Starts a survey, or goes on with the one that asks the same; either way its cells are leased first. With
    /// `retry_failed` cells that failed are tried again.
    pub async fn submit_survey(
        &self,
        survey: Survey,
        retry_failed: bool,
    ) -> Result<SurveySummary, CoordinatorError> {
        self.core.submit_survey(survey, retry_failed).await
    }

    /// All surveys, by the time they were first asked for.
    pub fn surveys(&self) -> Vec<SurveySummary> {
        self.core.survey_summaries()
    }

    /// One survey.
    pub fn survey(&self, id: SurveyId) -> Option<SurveySummary> {
        self.core.survey_summary(id).ok()
    }

    /// Waits until every cell of a survey is done, or it is cancelled. An error when there is no such survey, or the store
    /// failed.
    pub async fn wait_survey(&self, id: SurveyId) -> Result<SurveySummary, CoordinatorError> {
        let (mut changes, mut failure) = (self.core.changes(), self.core.failure());
        loop {
            let summary = self.core.survey_summary(id)?;
            if summary.phase.is_terminal() {
                return Ok(summary);
            }
            if let Some(why) = failure.borrow_and_update().clone() {
                return Err(CoordinatorError::Stopped(why));
            }
            tokio::select! {
                _ = changes.changed() => {}
                _ = failure.changed() => {}
            }
        }
    }

    /// The workers that are alive.
    pub fn workers(&self) -> Vec<WorkerSummary> {
        self.core.peek(Scheduler::workers)
    }

    /// For how long there has been work and no worker (promise P6).
    pub fn stalled(&self) -> Option<Duration> {
        self.core
            .peek(Scheduler::stalled_ms)
            .map(Duration::from_millis)
    }

    /// Counts up at every change, for progress bars.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.core.changes()
    }

    /// Waits until a run is done, in quarantine or cancelled. An error when there is no such run, or the store failed.
    pub async fn wait_run(&self, id: u32) -> Result<RunSummary, CoordinatorError> {
        let (mut changes, mut failure) = (self.core.changes(), self.core.failure());
        loop {
            let summary = self.core.summary(id)?;
            if summary.phase.is_terminal() {
                return Ok(summary);
            }
            if let Some(why) = failure.borrow_and_update().clone() {
                return Err(CoordinatorError::Stopped(why));
            }
            tokio::select! {
                _ = changes.changed() => {}
                _ = failure.changed() => {}
            }
        }
    }

    /// Resolves when the store failed (promise P23), with the reason: stop, and exit.
    pub async fn failed(&self) -> String {
        let mut failure = self.core.failure();
        match failure.wait_for(Option::is_some).await {
            Ok(why) => why.clone().unwrap_or_default(),
            Err(_) => std::future::pending().await,
        }
    }

    /// Resolves when somebody called `Census.Shutdown`; true when workers are not to be waited for.
    pub async fn asked_to_stop(&self) -> bool {
        let mut stop = self.core.stop();
        match stop.wait_for(Option::is_some).await {
            Ok(now) => now.unwrap_or_default(),
            Err(_) => std::future::pending().await,
        }
    }

    /// A child process that ran a worker has ended: its leases are free at once, without waiting for silence (P6).
    pub fn process_ended(&self, pid: u32, how: &str) {
        self.core
            .with(|scheduler, now| scheduler.process_ended(now, pid, how));
        self.core.reap_cells();
    }

    /// No new leases from now on (promise P11).
    pub fn drain(&self) {
        self.core.with(Scheduler::drain);
    }

    /// Drains, waits up to `grace` for the leases that are out, logs the end and stops serving, all in bounded time
    /// (promises P11 and P25).
    pub async fn shutdown(mut self, grace: Duration) -> Result<(), CoordinatorError> {
        self.drain();
        let (deadline, mut changes) = (Instant::now() + grace, self.core.changes());
        while self.core.leases_out() > 0 {
            if tokio::time::timeout_at(deadline, changes.changed())
                .await
                .is_err()
            {
                warn!(
                    leases = self.core.leases_out(),
                    "the grace is over; what is leased will be computed again"
                );
                break;
            }
        }
        // Workers hear of the drain with their next question or beat, and say goodbye.
        let patience = Instant::now() + grace.min(self.core.config.goodbye_timeout);
        while !self.workers().is_empty() {
            if tokio::time::timeout_at(patience, changes.changed())
                .await
                .is_err()
            {
                break;
            }
        }
        self.core.log(EventKind::Closed, "", 0, "");
        self.ticker.abort();
        if let Some(stop) = self.stop_serving.take() {
            let _ = stop.send(());
        }
        if timeout(self.core.config.close_timeout, &mut self.server)
            .await
            .is_err()
        {
            self.server.abort();
        }
        if let Some(http) = &mut self.http {
            http.stop(self.core.config.close_timeout).await;
        }
        let (core, writer) = (self.core.clone(), self.writer.take());
        let ended = tokio::task::spawn_blocking(move || {
            core.writer.end();
            writer.map(std::thread::JoinHandle::join)
        });
        match ended.await {
            Ok(None | Some(Ok(()))) => Ok(()),
            _ => Err(CoordinatorError::Stopped(
                "the writer thread panicked".into(),
            )),
        }
    }
}

/// Listens, if the address may be served (promise P18).
async fn bind(
    config: &Config,
    addr: SocketAddr,
    flag: &'static str,
) -> Result<(TcpListener, SocketAddr), StartError> {
    let protection = config.protection(addr);
    if !protection.is_enough() && !config.insecure {
        let missing = protection.missing();
        return Err(StartError::Exposed { addr, missing });
    }
    let refuse = |source: std::io::Error| match source.kind() {
        std::io::ErrorKind::AddrInUse => StartError::InUse { addr, flag },
        _ => StartError::Listen { addr, flag, source },
    };
    let listener = TcpListener::bind(addr).await.map_err(refuse)?;
    let addr = listener.local_addr().map_err(refuse)?;
    Ok((listener, addr))
}

impl Drop for Coordinator {
    fn drop(&mut self) {
        self.server.abort();
        self.ticker.abort();
        if self.writer.is_some() {
            self.core.writer.end();
        }
    }
}
