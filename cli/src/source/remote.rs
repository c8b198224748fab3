//! A coordinator, asked from a command that waits for the answer.

use std::error::Error;
use std::future::Future;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use toads_dataset::{Cell, Column, Question, RowSink};
use toads_wire::client::{Access, Bearer, Channel, Trouble, endpoint, trouble};
use toads_wire::v1;
use toads_wire::v1::census_client::CensusClient;
use toads_wire::v1::surveys_client::SurveysClient;
use tokio::runtime::Runtime;
use tonic::Streaming;

use crate::failure::{Failure, Result};
use crate::verbs::query::stopped;

/// How long nothing may come before one looks whether the answer is still wanted.
const LOOK_UP: Duration = Duration::from_millis(200);

/// What came of waiting for a message.
pub(crate) enum Next<T> {
    /// A message.
    Message(T),
    /// The stream ended.
    Ended,
    /// Nothing, for too long.
    TimedOut,
}

/// A connection to a coordinator.
pub(crate) struct Remote {
    runtime: Runtime,
    client: CensusClient<Channel>,
    surveys: SurveysClient<Channel>,
    url: String,
}

impl Remote {
    /// Connects, or says that nobody is there.
    pub(crate) fn connect(url: &str, access: &Access) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime =
            runtime.map_err(|error| Failure::failed(format_args!("cannot start: {error}")))?;
        let endpoint = endpoint(url, access).map_err(Failure::input)?;
        let channel = runtime.block_on(endpoint.connect()).map_err(|error| {
            let trouble = trouble(&error).looked_into(url);
            let text = format!("cannot reach a coordinator at {url}: {trouble}");
            match trouble {
                Trouble::Distrust(_) | Trouble::TlsMismatch(_) => Failure::Input(text),
                Trouble::Unreachable(_) | Trouble::Silent(_) => Failure::Unreachable(text),
            }
        })?;
        let channel = Channel::new(channel, Bearer::new(access));
        Ok(Self {
            runtime,
            surveys: SurveysClient::new(channel.clone()),
            client: CensusClient::new(channel),
            url: url.to_owned(),
        })
    }

    /// Where it is.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Whether it runs on this machine, so that files it writes are files here.
    pub(crate) fn is_local(&self) -> bool {
        let host = self.url.split("://").nth(1).unwrap_or_default();
        ["127.", "[::1]", "localhost"]
            .iter()
            .any(|local| host.starts_with(local))
    }

    /// Makes a call and waits for the answer.
    pub(crate) fn call<T, F>(&self, call: impl FnOnce(CensusClient<Channel>) -> F) -> Result<T>
    where
        F: Future<Output = Result<tonic::Response<T>, tonic::Status>>,
    {
        let answer = self.runtime.block_on(call(self.client.clone()));
        Ok(answer.map_err(|status| self.failure(status))?.into_inner())
    }

    /// Makes a call to the service of surveys and waits for the answer.
    pub(crate) fn call_surveys<T, F>(
        &self,
        call: impl FnOnce(SurveysClient<Channel>) -> F,
    ) -> Result<T>
    where
        F: Future<Output = Result<tonic::Response<T>, tonic::Status>>,
    {
        let answer = self.runtime.block_on(call(self.surveys.clone()));
        Ok(answer.map_err(|status| self.failure(status))?.into_inner())
    }

    /// Why a call has no answer. What the connection says of itself comes first: the status of a call that it broke off says
    /// little.
    fn failure(&self, status: tonic::Status) -> Failure {
        let Some(trouble) = status.source().map(trouble) else {
            return status.into();
        };
        let trouble = trouble.looked_into(&self.url);
        let text = format!("{}: {trouble}", self.url);
        match trouble {
            Trouble::Distrust(_) | Trouble::TlsMismatch(_) => Failure::Input(text),
            Trouble::Unreachable(_) | Trouble::Silent(_) => Failure::Unreachable(text),
        }
    }

    /// The next message of a stream.
    pub(crate) fn next<T>(&self, stream: &mut Streaming<T>) -> Result<Option<T>> {
        let next = self.runtime.block_on(stream.message());
        next.map_err(|status| self.failure(status))
    }

    /// The next message of a stream, for which nobody waits longer than `limit`.
    pub(crate) fn next_within<T>(
        &self,
        stream: &mut Streaming<T>,
        limit: Option<Duration>,
    ) -> Result<Next<T>> {
        let waited = self.runtime.block_on(async {
            match limit {
                Some(limit) => tokio::time::timeout(limit, stream.message()).await.ok(),
                None => Some(stream.message().await),
            }
        });
        let waited = waited.transpose().map_err(|status| self.failure(status))?;
        Ok(match waited {
            Some(Some(message)) => Next::Message(message),
            Some(None) => Next::Ended,
            None => Next::TimedOut,
        })
    }

    /// Asks a question; the answer goes to `sink` as it comes.
    pub(crate) fn answer(&self, question: &Question, sink: &mut dyn RowSink) -> Result<()> {
        let is_sql = matches!(question, Question::Sql { .. });
        let question = serde_json::to_string(question).map_err(Failure::failed)?;
        let cancelled = sink.cancelled();
        let mut stream = self
            .call(|mut client| async move { client.query(v1::QueryRequest { question }).await })?;
        let mut numeric: Vec<bool> = Vec::new();
        loop {
            let message = match self.next_within(&mut stream, Some(LOOK_UP))? {
                Next::Message(message) => message,
                Next::Ended => break,
                // Dropping the stream tells the coordinator.
                Next::TimedOut if cancelled.get() => return Err(stopped()),
                Next::TimedOut => continue,
            };
            let flow = match message.part {
                Some(v1::query_response::Part::Columns(header)) => {
                    numeric = header.columns.iter().map(|column| column.numeric).collect();
                    let columns = header.columns.into_iter().map(|column| Column {
                        name: column.name.into(),
                        numeric: column.numeric,
                    });
                    sink.columns(&columns.collect::<Vec<_>>())
                }
                Some(v1::query_response::Part::Rows(batch)) => {
                    batch.rows.into_iter().try_for_each(|row| {
                        let cells: Vec<_> = row
                            .cells
                            .into_iter()
                            .zip(&numeric)
                            .map(|(text, &number)| {
                                if is_sql {
                                    typed(&text)
                                } else {
                                    cell(text, number)
                                }
                            })
                            .collect();
                        sink.row(&cells)
                    })
                }
                Some(v1::query_response::Part::Note(note)) => {
                    sink.note(&note);
                    ControlFlow::Continue(())
                }
                None => ControlFlow::Continue(()),
            };
            if flow.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Facts about the coordinator and its store.
    pub(crate) fn facts(&self) -> Result<Vec<(String, String)>> {
        let facts = self.call(|mut client| async move { client.info(v1::InfoRequest {}).await })?;
        Ok(facts
            .entries
            .into_iter()
            .map(|entry| (entry.key, entry.value))
            .collect())
    }

    /// One of these facts.
    pub(crate) fn info(&self, key: &str) -> Result<String> {
        let found = self.facts()?.into_iter().find(|(name, _)| name == key);
        found
            .map(|(_, value)| value)
            .ok_or_else(|| Failure::Failed(format!("{} does not tell its {key}", self.url)))
    }

    /// Has the coordinator write a copy of its store to an absolute path.
    pub(crate) fn checkpoint(&self, to: &Path) -> Result<()> {
        let path = to.display().to_string();
        self.call(
            |mut client| async move { client.checkpoint(v1::CheckpointRequest { path }).await },
        )
        .map(drop)
    }
}

/// A cell that SQL made: JSON, or nothing.
fn typed(text: &str) -> Cell {
    serde_json::from_str(text).unwrap_or(Cell::Empty)
}

/// A cell that crossed the wire as text.
fn cell(text: String, numeric: bool) -> Cell {
    if text.is_empty() {
        return Cell::Empty;
    }
    match text.parse() {
        Ok(number) if numeric => Cell::Int(number),
        _ => Cell::Text(text),
    }
}
