//! The one thread that writes the event log and the markers, so that the log has no gaps and tells things in the order
//! in which they happened.
//!
//! Jobs come through a bounded queue (promise P14). Before each job the pending events are appended. Epochs live here
//! too: each start begins at the next multiple of [`EPOCH_STEP`] above every epoch in the log and in the markers, so an
//! epoch is never issued twice, even if the unsynced end of the log was lost with the power.

use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use toads_fault::Point;
use toads_store::{EventRecord, ShardRecord, Store, StoreError};
use tokio::sync::{oneshot, watch};
use tracing::warn;

use crate::core::Core;
use crate::error::CoordinatorError;

/// Epochs of one instance of the coordinator: more than it could lease without a single synced commit.
pub(crate) const EPOCH_STEP: u64 = 1_000_000;

type Job = Box<dyn FnOnce(&dyn Store, &mut Log) + Send>;

enum Message {
    /// There are pending events.
    Wake,
    Job(Job),
    End,
}

/// The sender's side.
pub(crate) struct Writer {
    queue: SyncSender<Message>,
    /// Jobs that wait or are being done.
    depth: Arc<AtomicIsize>,
    /// The number of the last event written: whoever follows the log waits here.
    written: watch::Receiver<u64>,
}

/// What the thread knows of the log.
pub(crate) struct Log {
    next: u64,
    written: watch::Sender<u64>,
}

impl Log {
    /// Numbers events and has them written.
    pub(crate) fn append(
        &mut self,
        events: Vec<EventRecord>,
        write: impl FnOnce(&[EventRecord]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let events: Vec<_> = (self.next..)
            .zip(events)
            .map(|(sequence, event)| EventRecord { sequence, ..event })
            .collect();
        write(&events)?;
        for event in &events {
            toads_fault::pass_with(Point::CoordinatorLogged, || event.sequence.to_string());
        }
        self.next += events.len() as u64;
        self.written.send_replace(self.next - 1);
        Ok(())
    }
}

/// The thread's side, before the coordinator's state exists.
pub(crate) struct Unstarted {
    receiver: std::sync::mpsc::Receiver<Message>,
    depth: Arc<AtomicIsize>,
    log: Log,
}

impl Writer {
    /// Reads where the log ends.
    pub(crate) fn new(store: &dyn Store, queue: usize) -> Result<(Self, Unstarted), StoreError> {
        let next = store.next_event()?;
        let (sender, receiver) = sync_channel(queue.max(1));
        let written = watch::Sender::new(next - 1);
        let depth = Arc::new(AtomicIsize::new(0));
        let writer = Self {
            queue: sender,
            depth: Arc::clone(&depth),
            written: written.subscribe(),
        };
        Ok((
            writer,
            Unstarted {
                receiver,
                depth,
                log: Log { next, written },
            },
        ))
    }

    /// Tells the thread that there are events. When the queue is full it will see them anyway.
    pub(crate) fn wake(&self) {
        let _ = self.queue.try_send(Message::Wake);
    }

    pub(crate) fn end(&self) {
        let _ = self.queue.send(Message::End);
    }

    /// Jobs that wait or are being done.
    pub(crate) fn depth(&self) -> usize {
        // The thread may be done with a job before its sender has counted it.
        self.depth.load(Ordering::Relaxed).max(0).cast_unsigned()
    }

    /// The number of the last event written, and how to wait for the next.
    pub(crate) fn written(&self) -> watch::Receiver<u64> {
        self.written.clone()
    }

    /// Does something to the store on the writer thread, after everything that was asked before.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        core: &Core,
        job: impl FnOnce(&dyn Store, &mut Log) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, CoordinatorError> {
        let (reply, answer) = oneshot::channel();
        let mut message = Message::Job(Box::new(move |store, log| {
            let _ = reply.send(job(store, log));
        }));
        loop {
            match self.queue.try_send(message) {
                Ok(()) => break,
                Err(std::sync::mpsc::TrySendError::Full(back)) => {
                    message = back;
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
                Err(std::sync::mpsc::TrySendError::Disconnected(_)) => {
                    return Err(CoordinatorError::Stopped("the writer has ended".into()));
                }
            }
        }
        self.depth.fetch_add(1, Ordering::Relaxed);
        match answer.await {
            Ok(outcome) => outcome.map_err(|error| core.note_error(error)),
            Err(_) => Err(CoordinatorError::Stopped("the writer has ended".into())),
        }
    }
}

impl Unstarted {
    pub(crate) fn start(self, core: &Core) -> std::io::Result<JoinHandle<()>> {
        let (core, store) = (core.clone(), Arc::clone(&core.store));
        std::thread::Builder::new()
            .name("toads-writer".into())
            .spawn(move || run(&core, store.as_ref(), self))
    }
}

fn run(core: &Core, store: &dyn Store, unstarted: Unstarted) {
    let Unstarted {
        receiver,
        depth,
        mut log,
    } = unstarted;
    for message in receiver {
        flush(core, store, &mut log);
        match message {
            Message::Wake => {}
            Message::Job(job) => {
                job(store, &mut log);
                depth.fetch_sub(1, Ordering::Relaxed);
            }
            Message::End => break,
        }
    }
    flush(core, store, &mut log);
}

fn flush(core: &Core, store: &dyn Store, log: &mut Log) {
    let events = core.take_pending();
    if events.is_empty() {
        return;
    }
    let mut attempts = 0;
    loop {
        match log.append(events.clone(), |events| store.append_events(events)) {
            Ok(()) => return,
            Err(error) if error.is_retryable() && attempts < 100 => {
                attempts += 1;
                std::thread::sleep(Duration::from_millis(50));
            }
            Err(error) => {
                warn!(%error, lost = events.len(), "events could not be logged");
                if error.is_fatal() {
                    core.fail(&error);
                }
                return;
            }
        }
    }
}

/// The first epoch of this start: above every epoch that was ever issued on the store.
pub(crate) fn first_epoch(store: &dyn Store, markers: &[ShardRecord]) -> Result<u64, StoreError> {
    const PAGE: u64 = 1_024;
    let mut largest = markers.iter().map(|record| record.epoch).max().unwrap_or(0);
    let mut end = store.next_event()?;
    // Backwards to the last start: everything before it has smaller epochs.
    while end > 1 {
        let from = end.saturating_sub(PAGE).max(1);
        let events = store.events(from, (end - from) as usize)?;
        largest = events
            .iter()
            .map(|event| event.epoch)
            .fold(largest, u64::max);
        if events.iter().any(|event| event.kind == "opened") {
            break;
        }
        end = from;
    }
    Ok((largest / EPOCH_STEP + 1) * EPOCH_STEP)
}
