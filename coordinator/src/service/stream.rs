//! Questions, the event log and status as streams. Each has a bounded channel, so a slow reader slows only itself.

use std::ops::ControlFlow;
use std::time::Duration;

use prost::Message;
use toads_dataset::{Cancelled, Cell, Column, DatasetError, Question, RowSink, answer};
use toads_wire::v1::query_response::Part;
use toads_wire::{BATCH_BYTES, MAX_MESSAGE_BYTES, v1};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;

use super::messages;
use crate::core::Core;
use crate::error::CoordinatorError;

pub(super) type Stream<T> = ReceiverStream<Result<T, Status>>;

/// Answers a question on a blocking thread, row by row.
pub(super) fn query(core: Core, question: Question) -> Stream<v1::QueryResponse> {
    let (sender, receiver) = mpsc::channel(4);
    tokio::spawn(async move {
        let Ok(_place) = core.queries.acquire().await else {
            return;
        };
        let store = std::sync::Arc::clone(&core.store);
        let answered = tokio::task::spawn_blocking(move || {
            let mut sink = Batches {
                sender,
                is_sql: matches!(question, Question::Sql { .. }),
                rows: Vec::new(),
                bytes: 0,
            };
            let outcome = answer(store.as_ref(), &question, &mut sink);
            let _ = sink.flush();
            if let Err(error) = outcome {
                let _ = sink.sender.blocking_send(Err(refusal(&error)));
            }
        });
        let _ = answered.await;
    });
    ReceiverStream::new(receiver)
}

fn refusal(error: &DatasetError) -> Status {
    if error.is_input() {
        Status::invalid_argument(error.to_string())
    } else if error.is_damage() {
        Status::data_loss(error.to_string())
    } else {
        Status::internal(error.to_string())
    }
}

/// Gathers rows into messages.
struct Batches {
    sender: mpsc::Sender<Result<v1::QueryResponse, Status>>,
    /// Then cells have types of their own, and cross as JSON.
    is_sql: bool,
    rows: Vec<v1::QueryRow>,
    bytes: usize,
}

impl Batches {
    fn send(&self, part: Part) -> ControlFlow<()> {
        match self
            .sender
            .blocking_send(Ok(v1::QueryResponse { part: Some(part) }))
        {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn text(&self, cell: &Cell) -> String {
        match cell {
            Cell::Empty => String::new(),
            // A number or a string is always written.
            cell if self.is_sql => serde_json::to_string(cell).unwrap_or_default(),
            cell => cell.to_string(),
        }
    }

    fn flush(&mut self) -> ControlFlow<()> {
        if self.rows.is_empty() {
            return ControlFlow::Continue(());
        }
        self.bytes = 0;
        let rows = std::mem::take(&mut self.rows);
        self.send(Part::Rows(v1::QueryRows { rows }))
    }
}

impl RowSink for Batches {
    fn cancelled(&self) -> Cancelled {
        let sender = self.sender.clone();
        Cancelled::when(move || sender.is_closed())
    }

    fn columns(&mut self, columns: &[Column]) -> ControlFlow<()> {
        let column = |column: &Column| v1::QueryColumn {
            name: column.name.to_string(),
            numeric: column.numeric,
        };
        self.send(Part::Columns(v1::QueryColumns {
            columns: columns.iter().map(column).collect(),
        }))
    }

    fn row(&mut self, cells: &[Cell]) -> ControlFlow<()> {
        let row = v1::QueryRow {
            cells: cells.iter().map(|cell| self.text(cell)).collect(),
        };
        let bytes = row.encoded_len() + 8;
        if bytes > MAX_MESSAGE_BYTES - 64 {
            let text = format!(
                "a row has {bytes} bytes, more than a message takes; limit the length of values"
            );
            let _ = self
                .sender
                .blocking_send(Err(Status::resource_exhausted(text)));
            return ControlFlow::Break(());
        }
        if self.bytes + bytes > BATCH_BYTES {
            self.flush()?;
        }
        self.bytes += bytes;
        self.rows.push(row);
        ControlFlow::Continue(())
    }

    fn note(&mut self, text: &str) {
        let _ = self.flush();
        let _ = self.send(Part::Note(text.to_owned()));
    }
}

/// The event log from a sequence number on; with `follow`, also what is yet to come.
pub(super) fn events(core: Core, request: v1::EventsRequest) -> Stream<v1::EventsResponse> {
    const PAGE: u64 = 512;
    let (sender, receiver) = mpsc::channel(4);
    tokio::spawn(async move {
        let mut written = core.writer.written();
        let mut next = request.from.max(1);
        let mut left = if request.limit == 0 {
            u64::MAX
        } else {
            request.limit
        };
        while left > 0 {
            written.borrow_and_update();
            let limit = left.min(PAGE) as usize;
            let page = match core.blocking(move |store| store.events(next, limit)).await {
                Ok(page) => page,
                Err(error) => {
                    let _ = sender.send(Err(error.into())).await;
                    return;
                }
            };
            if let Some(last) = page.last() {
                next = last.sequence + 1;
                let since = request.since_ms;
                let wanted = page.into_iter().filter(|event| event.at_ms >= since);
                let events: Vec<_> = wanted.map(messages::event).collect();
                left -= events.len() as u64;
                if events.is_empty() {
                    continue;
                }
                if sender
                    .send(Ok(v1::EventsResponse { events }))
                    .await
                    .is_err()
                {
                    return;
                }
            } else if !request.follow {
                return;
            } else {
                tokio::select! {
                    changed = written.changed() => if changed.is_err() { return },
                    () = sender.closed() => return,
                }
            }
        }
    });
    ReceiverStream::new(receiver)
}

/// What `look` sees whenever it changes, at most every `interval`, until it says that this was the last.
pub(super) fn watch<T>(
    core: Core,
    interval: Duration,
    look: impl Fn(&Core) -> Result<(T, bool), CoordinatorError> + Send + 'static,
) -> Stream<T>
where
    T: Clone + PartialEq + Send + 'static,
{
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(async move {
        let (mut changes, mut failure) = (core.changes(), core.failure());
        let mut last = None;
        loop {
            if failure.borrow_and_update().is_some() {
                let _ = sender
                    .send(Err(Status::unavailable(
                        "the store of the coordinator failed",
                    )))
                    .await;
                return;
            }
            let (message, is_last) = match look(&core) {
                Ok(seen) => seen,
                Err(error) => {
                    let _ = sender.send(Err(error.into())).await;
                    return;
                }
            };
            if last.as_ref() != Some(&message) && sender.send(Ok(message.clone())).await.is_err() {
                return;
            }
            last = Some(message);
            if is_last {
                return;
            }
            let waited = async {
                tokio::time::sleep(interval).await;
                changes.changed().await.is_ok()
            };
            tokio::select! {
                going = waited => if !going { return },
                () = sender.closed() => return,
            }
        }
    });
    ReceiverStream::new(receiver)
}
