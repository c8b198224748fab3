//! The `Census` service.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use toads_census::Shard;
use toads_store::{Keep, RunState, Selection};
use toads_wire::v1::census_server::Census;
use toads_wire::{WireError, convert, v1};
use tonic::{Request, Response, Status};

use super::stream::{self, Stream};
use super::{facts, messages};
use crate::core::Core;
use crate::error::CoordinatorError;
use crate::scheduler::Scheduler;

pub(crate) struct CensusService {
    core: Core,
}

impl CensusService {
    pub(crate) fn new(core: Core) -> Self {
        Self { core }
    }

    async fn set_state(
        &self,
        run: u32,
        state: RunState,
    ) -> Result<Response<v1::RunStatus>, Status> {
        let summary = self.core.set_run_state(run, state).await?;
        Ok(Response::new(messages::run_status(&summary)))
    }
}

/// What only somebody on the coordinator's own machine may ask for.
fn local_only<T>(request: &Request<T>) -> Result<(), Status> {
    match request.remote_addr() {
        Some(addr) if addr.ip().is_loopback() => Ok(()),
        _ => Err(Status::permission_denied(
            "only from the coordinator's own machine, over loopback",
        )),
    }
}

fn selection(request: &v1::InvalidateRequest) -> Result<Selection, WireError> {
    let shards: BTreeSet<Shard> = request
        .shards
        .iter()
        .map(|shard| convert::shard(Some(shard)))
        .collect::<Result<_, _>>()?;
    let square = |number: u32| u8::try_from(number).unwrap_or(u8::MAX);
    let squares = square(request.first_squares)..=square(request.last_squares);
    Ok(Selection {
        shards: (!shards.is_empty()).then_some(shards),
        worker: (!request.worker.is_empty()).then(|| request.worker.clone()),
        variant: match request.variant() {
            v1::Variant::Unspecified => None,
            _ => Some(convert::variant(request.variant)?),
        },
        squares: (request.first_squares > 0).then_some(squares),
    })
}

#[tonic::async_trait]
impl Census for CensusService {
    type WatchStream = Stream<v1::RunStatus>;
    type QueryStream = Stream<v1::QueryResponse>;
    type EventsStream = Stream<v1::EventsResponse>;

    async fn submit_run(
        &self,
        request: Request<v1::SubmitRunRequest>,
    ) -> Result<Response<v1::RunStatus>, Status> {
        let request = request.into_inner();
        let (variant, squares) =
            convert::range(request.range.as_ref()).map_err(CoordinatorError::from)?;
        let blocks = convert::keep_blocks(request.keep).map_err(CoordinatorError::from)?;
        let keep = if blocks { Keep::Blocks } else { Keep::Tallies };
        let summary = self.core.submit_run(variant, squares, keep).await?;
        Ok(Response::new(messages::run_status(&summary)))
    }

    async fn list_runs(
        &self,
        _: Request<v1::ListRunsRequest>,
    ) -> Result<Response<v1::ListRunsResponse>, Status> {
        let runs = self
            .core
            .summaries()
            .iter()
            .map(messages::run_status)
            .collect();
        let protection = self.core.protection.to_string();
        Ok(Response::new(v1::ListRunsResponse { runs, protection }))
    }

    async fn get_run(
        &self,
        request: Request<v1::GetRunRequest>,
    ) -> Result<Response<v1::RunStatus>, Status> {
        let summary = self.core.summary(request.into_inner().run)?;
        Ok(Response::new(messages::run_status(&summary)))
    }

    async fn watch(
        &self,
        request: Request<v1::WatchRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        let v1::WatchRequest { run, interval_ms } = request.into_inner();
        self.core.summary(run)?;
        let interval = Duration::from_millis(if interval_ms == 0 {
            500
        } else {
            interval_ms.max(20).into()
        });
        let look = move |core: &Core| {
            let summary = core.summary(run)?;
            Ok((messages::run_status(&summary), summary.phase.is_terminal()))
        };
        Ok(Response::new(stream::watch(
            self.core.clone(),
            interval,
            look,
        )))
    }

    async fn pause(
        &self,
        request: Request<v1::PauseRequest>,
    ) -> Result<Response<v1::RunStatus>, Status> {
        self.set_state(request.into_inner().run, RunState::Paused)
            .await
    }

    async fn resume(
        &self,
        request: Request<v1::ResumeRequest>,
    ) -> Result<Response<v1::RunStatus>, Status> {
        self.set_state(request.into_inner().run, RunState::Active)
            .await
    }

    async fn cancel(
        &self,
        request: Request<v1::CancelRequest>,
    ) -> Result<Response<v1::RunStatus>, Status> {
        self.set_state(request.into_inner().run, RunState::Cancelled)
            .await
    }

    async fn query(
        &self,
        request: Request<v1::QueryRequest>,
    ) -> Result<Response<Self::QueryStream>, Status> {
        let question = serde_json::from_str(&request.into_inner().question).map_err(|error| {
            Status::invalid_argument(format!("the question is not understood: {error}"))
        })?;
        Ok(Response::new(stream::query(self.core.clone(), question)))
    }

    async fn events(
        &self,
        request: Request<v1::EventsRequest>,
    ) -> Result<Response<Self::EventsStream>, Status> {
        Ok(Response::new(stream::events(
            self.core.clone(),
            request.into_inner(),
        )))
    }

    async fn list_quarantine(
        &self,
        _: Request<v1::ListQuarantineRequest>,
    ) -> Result<Response<v1::ListQuarantineResponse>, Status> {
        let records = self.core.blocking(|store| store.quarantine()).await?;
        Ok(Response::new(v1::ListQuarantineResponse {
            entries: records.into_iter().map(messages::quarantine).collect(),
        }))
    }

    async fn show_quarantine(
        &self,
        request: Request<v1::ShowQuarantineRequest>,
    ) -> Result<Response<v1::QuarantineEntry>, Status> {
        let shard =
            convert::shard(request.into_inner().shard.as_ref()).map_err(CoordinatorError::from)?;
        let records = self.core.blocking(|store| store.quarantine()).await?;
        let record = records.into_iter().find(|record| record.shard == shard);
        let missing = || Status::not_found(format!("{shard} is not in quarantine"));
        Ok(Response::new(messages::quarantine(
            record.ok_or_else(missing)?,
        )))
    }

    async fn requeue(
        &self,
        request: Request<v1::RequeueRequest>,
    ) -> Result<Response<v1::RequeueResponse>, Status> {
        let shards = request.into_inner().shards;
        let shards: Result<Vec<Shard>, _> = shards
            .iter()
            .map(|shard| convert::shard(Some(shard)))
            .collect();
        let requeued = self
            .core
            .requeue(shards.map_err(CoordinatorError::from)?)
            .await?;
        Ok(Response::new(v1::RequeueResponse {
            requeued: requeued.into_iter().map(convert::to_shard).collect(),
        }))
    }

    async fn invalidate(
        &self,
        request: Request<v1::InvalidateRequest>,
    ) -> Result<Response<v1::InvalidateResponse>, Status> {
        let selection = selection(&request.into_inner()).map_err(CoordinatorError::from)?;
        let invalidated = self.core.invalidate(selection).await?;
        Ok(Response::new(v1::InvalidateResponse {
            invalidated: invalidated.into_iter().map(convert::to_shard).collect(),
        }))
    }

    async fn checkpoint(
        &self,
        request: Request<v1::CheckpointRequest>,
    ) -> Result<Response<v1::CheckpointResponse>, Status> {
        local_only(&request)?;
        let path = PathBuf::from(request.into_inner().path);
        if !path.is_absolute() {
            return Err(Status::invalid_argument(
                "the path must be absolute: the coordinator has its own folder",
            ));
        }
        self.core
            .blocking(move |store| store.checkpoint(&path))
            .await?;
        Ok(Response::new(v1::CheckpointResponse {}))
    }

    async fn info(
        &self,
        _: Request<v1::InfoRequest>,
    ) -> Result<Response<v1::InfoResponse>, Status> {
        Ok(Response::new(facts::info(&self.core).await?))
    }

    async fn digest(
        &self,
        request: Request<v1::DigestRequest>,
    ) -> Result<Response<v1::DigestResponse>, Status> {
        Ok(Response::new(
            facts::digest(&self.core, request.into_inner().run).await?,
        ))
    }

    async fn plan(
        &self,
        request: Request<v1::PlanRequest>,
    ) -> Result<Response<v1::PlanResponse>, Status> {
        let range =
            convert::range(request.into_inner().range.as_ref()).map_err(CoordinatorError::from)?;
        Ok(Response::new(facts::plan(&self.core, range)))
    }

    async fn shutdown(
        &self,
        request: Request<v1::ShutdownRequest>,
    ) -> Result<Response<v1::ShutdownResponse>, Status> {
        if let Some(why) = self.core.failure().borrow().clone() {
            return Err(CoordinatorError::Stopped(why).into());
        }
        self.core.with(Scheduler::drain);
        self.core.ask_to_stop(request.into_inner().now);
        Ok(Response::new(v1::ShutdownResponse {}))
    }
}
