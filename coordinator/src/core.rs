//! What the services share: the scheduler and the surveys behind a lock, the clock, the store, and who waits for what.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use toads_census::Shard;
use toads_store::{EventRecord, Pressure, QuarantineRecord, Store, StoreError};
use tokio::sync::{Semaphore, watch};
use tracing::error;

use crate::auth::Protection;
use crate::config::Config;
use crate::error::CoordinatorError;
use crate::log::{random, record, trace, wall_ms};
use crate::metrics::Counters;
use crate::scheduler::{COMMITTED_BEFORE, Event, EventKind, FailureNote, Millis, Scheduler};
use crate::surveys::Surveys;
use crate::writer::Writer;

/// Shared by every service and task of one coordinator.
#[derive(Clone)]
pub(crate) struct Core(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) config: Config,
    pub(crate) store: Arc<dyn Store>,
    /// Random per start: a worker that names another instance registers again.
    pub(crate) instance: u64,
    pub(crate) writer: Writer,
    pub(crate) counters: Counters,
    /// What protects the gRPC address.
    pub(crate) protection: Protection,
    /// Places for submissions (promise P14).
    pub(crate) submissions: Semaphore,
    /// Places for look-ups of offered values.
    pub(crate) lookups: Semaphore,
    /// Places for questions.
    pub(crate) queries: Semaphore,
    /// One change of runs or quarantine at a time.
    pub(crate) admin: tokio::sync::Mutex<()>,
    start: Instant,
    state: Mutex<State>,
    /// Counts up at every change; progress bars and waits hang on it.
    changes: watch::Sender<u64>,
    /// Why the store failed, once it did (promise P23).
    failure: watch::Sender<Option<String>>,
    /// How far behind the engine is, as of the last tick.
    pressure: watch::Sender<Pressure>,
    /// Someone asked to stop: `Some(now)`.
    stop: watch::Sender<Option<bool>>,
}

struct State {
    scheduler: Scheduler,
    surveys: Surveys,
    /// Events without a number yet, for the writer.
    pending: Vec<EventRecord>,
    /// Shards whose submission is being read: one at a time, so that two streams never mix their blocks.
    reading: HashSet<Shard>,
}

impl std::ops::Deref for Core {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Core {
    pub(crate) fn new(
        config: Config,
        store: Arc<dyn Store>,
        scheduler: Scheduler,
        surveys: Surveys,
        writer: Writer,
    ) -> Self {
        let state = State {
            scheduler,
            surveys,
            pending: Vec::new(),
            reading: HashSet::new(),
        };
        Self(Arc::new(Inner {
            submissions: Semaphore::new(config.max_submissions.max(1)),
            lookups: Semaphore::new(config.max_submissions.max(1)),
            queries: Semaphore::new(config.max_queries.max(1)),
            protection: config.protection(config.listen),
            config,
            store,
            instance: random(),
            writer,
            counters: Counters::new(),
            admin: tokio::sync::Mutex::default(),
            start: Instant::now(),
            state: Mutex::new(state),
            changes: watch::Sender::new(0),
            failure: watch::Sender::new(None),
            pressure: watch::Sender::default(),
            stop: watch::Sender::new(None),
        }))
    }

    /// Asks or tells the scheduler something, at the present time. What happened goes to the log and to whoever waits.
    pub(crate) fn with<T>(&self, f: impl FnOnce(&mut Scheduler, Millis) -> T) -> T {
        let now = Millis(self.now_ms());
        let mut state = self.state();
        let outcome = f(&mut state.scheduler, now);
        let events = state.scheduler.take_events();
        if !events.is_empty() {
            for event in &events {
                self.tell(event);
            }
            let at_ms = wall_ms();
            state
                .pending
                .extend(events.into_iter().map(|event| record(event, at_ms)));
            drop(state);
            self.writer.wake();
            self.changed();
        }
        outcome
    }

    /// Asks or tells the surveys something, at the present time; the caller logs what happened.
    pub(crate) fn with_surveys<T>(&self, f: impl FnOnce(&mut Surveys, u64) -> T) -> T {
        let now_ms = self.now_ms();
        f(&mut self.state().surveys, now_ms)
    }

    /// Looks at the surveys.
    pub(crate) fn peek_surveys<T>(&self, f: impl FnOnce(&Surveys) -> T) -> T {
        f(&self.state().surveys)
    }

    /// Shards and cells that are leased.
    pub(crate) fn leases_out(&self) -> usize {
        let state = self.state();
        state.scheduler.leases_out() + state.surveys.board.leases_out()
    }

    /// Of a monotonic clock, since the start.
    pub(crate) fn now_ms(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    /// Wakes whoever shows or waits for progress.
    pub(crate) fn changed(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// Looks at the scheduler without telling anybody.
    pub(crate) fn peek<T>(&self, f: impl FnOnce(&Scheduler) -> T) -> T {
        f(&self.state().scheduler)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // The scheduler panics only on a broken invariant; going on with the table as it is beats stopping a census.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Events that wait for the writer; it takes them all.
    pub(crate) fn take_pending(&self) -> Vec<EventRecord> {
        std::mem::take(&mut self.state().pending)
    }

    /// Whether the log lags so far behind that no new work should be handed out (promise P14).
    pub(crate) fn is_congested(&self) -> bool {
        self.state().pending.len() > self.config.max_pending_events
    }

    /// Counts an event and tells the operator of it.
    pub(crate) fn tell(&self, event: &Event) {
        self.counters.event(event.kind);
        trace(event);
    }

    /// Adds an event that is not the scheduler's.
    pub(crate) fn log(&self, kind: EventKind, worker: &str, epoch: u64, detail: &str) {
        let event = Event {
            kind,
            shard: None,
            worker: worker.to_owned(),
            epoch,
            detail: detail.to_owned(),
        };
        self.tell(&event);
        self.state().pending.push(record(event, wall_ms()));
        self.writer.wake();
    }

    /// Notes how far behind the engine is.
    pub(crate) async fn look_at_store(&self) {
        if let Ok(pressure) = self.blocking(|store| store.pressure()).await {
            self.pressure.send_if_modified(|last| {
                let changed = *last != pressure;
                *last = pressure;
                changed
            });
        }
    }

    /// How far behind the engine is, as of the last tick.
    pub(crate) fn pressure(&self) -> Pressure {
        *self.pressure.borrow()
    }

    /// What waits or is being done, queue by queue.
    pub(crate) fn depths(&self) -> [(&'static str, usize); 5] {
        let taken = |places: &Semaphore, all: usize| all.max(1) - places.available_permits();
        let config = &self.config;
        [
            ("writer", self.writer.depth()),
            ("events", self.state().pending.len()),
            (
                "submissions",
                taken(&self.submissions, config.max_submissions),
            ),
            ("lookups", taken(&self.lookups, config.max_submissions)),
            ("queries", taken(&self.queries, config.max_queries)),
        ]
    }

    /// Why no work should be sent here; empty when it may (`/readyz`). That there is no worker is no reason: one that
    /// comes must find the door open.
    pub(crate) fn not_ready(&self) -> Vec<String> {
        let mut reasons = Vec::new();
        if let Some(why) = self.failure().borrow().as_ref() {
            reasons.push(format!("the store failed: {why}"));
        }
        let (draining, silent_ms) = self.peek(|scheduler| {
            let now = Millis(self.now_ms());
            (scheduler.is_draining(), now - scheduler.last_tick())
        });
        if draining {
            reasons.push("draining".to_owned());
        }
        if silent_ms > 5_000 + 10 * self.config.tick.as_millis() as u64 {
            reasons.push(format!(
                "the deadlines were not looked at for {silent_ms} ms"
            ));
        }
        if self.pressure().is_stopped {
            reasons.push("the store has stopped writes until it has caught up".to_owned());
        }
        reasons
    }

    /// The turn to read a submission of a shard; `None` while another stream has it.
    pub(crate) fn read_turn(&self, shard: Shard) -> Option<ReadTurn> {
        self.state().reading.insert(shard).then(|| ReadTurn {
            core: self.clone(),
            shard,
        })
    }

    /// The store cannot go on: no more leases, and everybody who waits hears why (promise P23).
    pub(crate) fn fail(&self, why: &StoreError) {
        let first = self.failure.send_if_modified(|failure| {
            let first = failure.is_none();
            failure.get_or_insert_with(|| why.to_string());
            first
        });
        if first {
            error!(error = %why, "the store failed; no more work is handed out");
            self.with(Scheduler::drain);
        }
    }

    /// Passes a store error on; one that ends the store ends everything.
    pub(crate) fn note_error(&self, error: StoreError) -> CoordinatorError {
        if error.is_fatal() {
            self.fail(&error);
        }
        CoordinatorError::Store(error)
    }

    /// Whether the store has failed. Workers are not to end with it: they wait for the next coordinator.
    pub(crate) fn has_failed(&self) -> bool {
        self.failure.borrow().is_some()
    }

    pub(crate) fn failure(&self) -> watch::Receiver<Option<String>> {
        self.failure.subscribe()
    }

    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    pub(crate) fn ask_to_stop(&self, now: bool) {
        self.stop
            .send_modify(|stop| *stop = Some(stop.unwrap_or(false) || now));
    }

    pub(crate) fn stop(&self) -> watch::Receiver<Option<bool>> {
        self.stop.subscribe()
    }

    /// Runs a store call off the async threads.
    pub(crate) async fn blocking<T: Send + 'static>(
        &self,
        call: impl FnOnce(&dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, CoordinatorError> {
        let store = Arc::clone(&self.store);
        match tokio::task::spawn_blocking(move || call(store.as_ref())).await {
            Ok(outcome) => outcome.map_err(|error| self.note_error(error)),
            Err(error) => Err(CoordinatorError::Stopped(error.to_string())),
        }
    }

    /// Stores that a shard is in quarantine, and why. With `invalidate`, its committed result does not count any more.
    pub(crate) async fn store_quarantine(
        &self,
        shard: Shard,
        failures: Vec<FailureNote>,
        invalidate: bool,
    ) -> Result<(), CoordinatorError> {
        let failures = failures.into_iter().map(|note| note.record).collect();
        let mut record = QuarantineRecord {
            shard,
            failures,
            since_ms: wall_ms(),
        };
        let write = self.writer.write(self, move |store, _| {
            let Some(committed) = store.shard(shard)?.filter(|_| invalidate) else {
                return store.set_quarantine(shard, Some(&record));
            };
            let unnamed = record.failures.iter_mut();
            for failure in unnamed.filter(|failure| failure.worker == COMMITTED_BEFORE) {
                failure.worker.clone_from(&committed.worker);
            }
            store.set_quarantine(shard, Some(&record))?;
            store.invalidate(shard, &[])
        });
        write.await
    }
}

/// While it lives, no other submission of the shard is read.
pub(crate) struct ReadTurn {
    core: Core,
    shard: Shard,
}

impl Drop for ReadTurn {
    fn drop(&mut self) {
        self.core.state().reading.remove(&self.shard);
    }
}
