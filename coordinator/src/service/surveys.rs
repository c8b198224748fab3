//! The `Surveys` service.

use std::time::Duration;

use prost::Message;
use toads_store::SurveyRecord;
use toads_survey::{CellRecord, SurveyId};
use toads_wire::v1::surveys_server::Surveys;
use toads_wire::{BATCH_BYTES, convert, v1};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};

use super::stream::{self, Stream};
use super::workers::known;
use crate::config::Leases;
use crate::core::Core;
use crate::error::CoordinatorError;
use crate::scheduler::Scheduler;
use crate::surveys::{Completed, Leased, SurveySummary, Verdict};

pub(crate) struct SurveysService {
    core: Core,
}

impl SurveysService {
    pub(crate) fn new(core: Core) -> Self {
        Self { core }
    }
}

fn survey_id(bytes: &[u8]) -> Result<SurveyId, Status> {
    Ok(convert::survey_id(bytes).map_err(CoordinatorError::from)?)
}

fn status(summary: &SurveySummary) -> v1::SurveyStatus {
    let (survey, counts) = (&summary.record.survey, summary.counts);
    v1::SurveyStatus {
        survey: convert::to_survey_id(survey.id()),
        title: survey.title().to_owned(),
        variant: convert::to_variant(survey.variant()).into(),
        state: summary.phase.to_string(),
        cells: counts.cells,
        exact: counts.exact,
        bounded: counts.bounded,
        failed: counts.failed,
        leased: counts.leased,
        workers: summary.workers,
    }
}

/// The cells in order, with what is known of them, in messages of moderate size.
fn read(record: &SurveyRecord, known: Vec<(u32, CellRecord)>) -> Stream<v1::ReadSurveyResponse> {
    let cells: Vec<v1::SurveyCell> = record.survey.cells().iter().map(convert::to_cell).collect();
    let (sender, receiver) = mpsc::channel(4);
    tokio::spawn(async move {
        let mut known = known.into_iter().peekable();
        let (mut batch, mut bytes) = (Vec::new(), 0);
        for (index, cell) in (0..).zip(cells) {
            let record = known
                .next_if(|(known, _)| *known == index)
                .map(|(_, record)| convert::to_cell_record(&record));
            let entry = v1::CellEntry {
                index,
                cell: Some(cell),
                record,
            };
            let size = entry.encoded_len() + 8;
            if bytes + size > BATCH_BYTES && !batch.is_empty() {
                bytes = 0;
                let cells = std::mem::take(&mut batch);
                if sender
                    .send(Ok(v1::ReadSurveyResponse { cells }))
                    .await
                    .is_err()
                {
                    return;
                }
            }
            bytes += size;
            batch.push(entry);
        }
        let _ = sender
            .send(Ok(v1::ReadSurveyResponse { cells: batch }))
            .await;
    });
    ReceiverStream::new(receiver)
}

#[tonic::async_trait]
impl Surveys for SurveysService {
    type WatchStream = Stream<v1::SurveyStatus>;
    type ReadStream = Stream<v1::ReadSurveyResponse>;

    async fn submit(
        &self,
        request: Request<v1::SubmitSurveyRequest>,
    ) -> Result<Response<v1::SurveyStatus>, Status> {
        let request = request.into_inner();
        let survey =
            convert::definition(request.definition.as_ref()).map_err(CoordinatorError::from)?;
        let summary = self
            .core
            .submit_survey(survey, request.retry_failed)
            .await?;
        Ok(Response::new(status(&summary)))
    }

    async fn list(
        &self,
        _: Request<v1::ListSurveysRequest>,
    ) -> Result<Response<v1::ListSurveysResponse>, Status> {
        let surveys = self.core.survey_summaries().iter().map(status).collect();
        Ok(Response::new(v1::ListSurveysResponse { surveys }))
    }

    async fn get(
        &self,
        request: Request<v1::GetSurveyRequest>,
    ) -> Result<Response<v1::SurveyStatus>, Status> {
        let id = survey_id(&request.into_inner().survey)?;
        Ok(Response::new(status(&self.core.survey_summary(id)?)))
    }

    async fn watch(
        &self,
        request: Request<v1::WatchSurveyRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        let request = request.into_inner();
        let id = survey_id(&request.survey)?;
        self.core.survey_summary(id)?;
        let interval = Duration::from_millis(match request.interval_ms {
            0 => 500,
            ms => ms.max(20).into(),
        });
        let look = move |core: &Core| {
            let summary = core.survey_summary(id)?;
            Ok((status(&summary), summary.phase.is_terminal()))
        };
        Ok(Response::new(stream::watch(
            self.core.clone(),
            interval,
            look,
        )))
    }

    async fn read(
        &self,
        request: Request<v1::ReadSurveyRequest>,
    ) -> Result<Response<Self::ReadStream>, Status> {
        let id = survey_id(&request.into_inner().survey)?;
        let record = self.core.survey_record(id)?;
        let known = self.core.blocking(move |store| store.cells(id)).await?;
        Ok(Response::new(read(&record, known)))
    }

    async fn cancel(
        &self,
        request: Request<v1::CancelSurveyRequest>,
    ) -> Result<Response<v1::SurveyStatus>, Status> {
        let id = survey_id(&request.into_inner().survey)?;
        Ok(Response::new(status(&self.core.cancel_survey(id).await?)))
    }

    async fn lease(
        &self,
        request: Request<v1::LeaseCellRequest>,
    ) -> Result<Response<v1::LeaseCellResponse>, Status> {
        let id = known(&self.core, request.into_inner().worker.as_ref())?;
        let nothing = |next: v1::Next| v1::LeaseCellResponse {
            next: next.into(),
            wait_ms: self.core.config.scheduler.idle_ms as u32,
            ..v1::LeaseCellResponse::default()
        };
        if self.core.has_failed() {
            return Ok(Response::new(nothing(v1::Next::Wait)));
        }
        if self.core.peek(Scheduler::is_draining) {
            return Ok(Response::new(nothing(v1::Next::Drain)));
        }
        if self.core.config.leases == Leases::Shards {
            return Ok(Response::new(nothing(v1::Next::Done)));
        }
        if self.core.is_congested() {
            return Ok(Response::new(nothing(v1::Next::Wait)));
        }
        Ok(Response::new(match self.core.lease_cell(id) {
            Leased::Wait => nothing(v1::Next::Wait),
            Leased::Done => nothing(v1::Next::Done),
            Leased::Cell(grant, record) => {
                let survey = &record.survey;
                let cell = survey.cells().get(grant.key.index as usize);
                v1::LeaseCellResponse {
                    next: v1::Next::Work.into(),
                    key: Some(convert::to_cell_key(grant.key, grant.epoch)),
                    variant: convert::to_variant(survey.variant()).into(),
                    strip: cell.map_or_else(String::new, |cell| cell.strip.clone()),
                    budget: Some(convert::to_budget(survey.budget())),
                    wait_ms: 0,
                }
            }
        }))
    }

    async fn renew(
        &self,
        request: Request<v1::RenewCellRequest>,
    ) -> Result<Response<v1::RenewCellResponse>, Status> {
        let request = request.into_inner();
        let id = known(&self.core, request.worker.as_ref())?;
        let (key, epoch) =
            convert::cell_key(request.key.as_ref()).map_err(CoordinatorError::from)?;
        let current = self.core.renew_cell(id, key, epoch, request.nodes);
        Ok(Response::new(v1::RenewCellResponse {
            current: current.is_some(),
            epoch: current.unwrap_or(0),
        }))
    }

    async fn complete(
        &self,
        request: Request<v1::CompleteCellRequest>,
    ) -> Result<Response<v1::CompleteCellResponse>, Status> {
        let request = request.into_inner();
        let worker = known(&self.core, request.worker.as_ref())?;
        let (key, epoch) =
            convert::cell_key(request.key.as_ref()).map_err(CoordinatorError::from)?;
        let (outcome, effort) =
            convert::result(request.result.as_ref()).map_err(CoordinatorError::from)?;
        let completed = Completed {
            worker,
            key,
            epoch,
            outcome,
            effort,
        };
        let (verdict, message) = match self.core.complete_cell(completed).await? {
            Verdict::Stored => (v1::CellVerdict::Stored, String::new()),
            Verdict::Known => (v1::CellVerdict::Known, String::new()),
            Verdict::Stale => (v1::CellVerdict::Stale, String::new()),
            Verdict::Conflict(what) => (v1::CellVerdict::Conflict, what),
        };
        Ok(Response::new(v1::CompleteCellResponse {
            verdict: verdict.into(),
            message,
        }))
    }

    async fn release(
        &self,
        request: Request<v1::ReleaseCellRequest>,
    ) -> Result<Response<v1::ReleaseCellResponse>, Status> {
        let request = request.into_inner();
        let id = known(&self.core, request.worker.as_ref())?;
        let (key, epoch) =
            convert::cell_key(request.key.as_ref()).map_err(CoordinatorError::from)?;
        self.core.release_cell(id, key, epoch);
        Ok(Response::new(v1::ReleaseCellResponse {}))
    }
}
