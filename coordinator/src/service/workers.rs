//! The `Workers` service: everything but the submission itself.

use toads_census::fingerprint;
use toads_store::{FailureClass, FailureRecord, Keep};
use toads_wire::v1::workers_server::Workers;
use toads_wire::{MAX_MESSAGE_BYTES, MAX_OFFER, PROTOCOL, convert, v1};
use tonic::{Request, Response, Status, Streaming};

use super::submit;
use crate::config::Leases;
use crate::core::Core;
use crate::error::CoordinatorError;
use crate::metrics::Handshake;
use crate::scheduler::{EventKind, Grant, Held, Offer, Progress, Scheduler, WorkerId};

pub(crate) struct WorkersService {
    core: Core,
}

impl WorkersService {
    pub(crate) fn new(core: Core) -> Self {
        Self { core }
    }

    fn reject(&self, kind: Handshake, name: &str, why: String) -> Status {
        self.core.counters.reject(kind);
        self.core.log(EventKind::Rejected, name, 0, &why);
        Status::failed_precondition(why)
    }
}

/// The worker that speaks, if it knows this instance; else it has to register (again).
pub(super) fn known(core: &Core, key: Option<&v1::WorkerKey>) -> Result<WorkerId, Status> {
    let key =
        key.ok_or_else(|| Status::invalid_argument("the message names no worker; register first"))?;
    let id = WorkerId(key.worker_id);
    if key.instance == core.instance && core.with(|scheduler, now| scheduler.touch(now, id)) {
        Ok(id)
    } else {
        Err(Status::not_found(
            "this coordinator does not know the worker (any more); register again",
        ))
    }
}

fn held(messages: &[v1::LeaseProgress]) -> Result<Vec<Held>, Status> {
    let one = |message: &v1::LeaseProgress| {
        let key = message
            .key
            .as_ref()
            .ok_or_else(|| Status::invalid_argument("a lease without a key"))?;
        let shard = convert::shard(key.shard.as_ref()).map_err(CoordinatorError::from)?;
        let progress = Progress {
            started: message.started,
            strips_done: message.strips_done,
            steps: message.steps,
        };
        Ok(Held {
            shard,
            epoch: key.epoch,
            progress,
        })
    };
    messages.iter().map(one).collect()
}

fn lease_key(shard: toads_census::Shard, epoch: u64) -> v1::LeaseKey {
    v1::LeaseKey {
        shard: Some(convert::to_shard(shard)),
        epoch,
    }
}

fn to_lease(grant: &Grant) -> v1::Lease {
    v1::Lease {
        key: Some(lease_key(grant.shard, grant.epoch)),
        keep: convert::to_keep(grant.keep == Keep::Blocks).into(),
        speculative: grant.speculative,
        last: grant.last,
    }
}

fn failure_class(number: i32) -> FailureClass {
    match v1::FailureClass::try_from(number) {
        Ok(v1::FailureClass::Transient) => FailureClass::Transient,
        Ok(v1::FailureClass::Lost) => FailureClass::Lost,
        Ok(v1::FailureClass::Drained) => FailureClass::Drained,
        Ok(v1::FailureClass::Incompatible) => FailureClass::Incompatible,
        // What a newer worker may mean, taken for the class that is looked at.
        Ok(v1::FailureClass::Deterministic | v1::FailureClass::Unspecified) | Err(_) => {
            FailureClass::Deterministic
        }
    }
}

#[tonic::async_trait]
impl Workers for WorkersService {
    async fn register(
        &self,
        request: Request<v1::RegisterRequest>,
    ) -> Result<Response<v1::RegisterResponse>, Status> {
        let request = request.into_inner();
        let name: String = request
            .name
            .chars()
            .filter(|c| !c.is_control())
            .take(64)
            .collect();
        if request.protocol != PROTOCOL {
            let why = format!(
                "the worker speaks protocol {}, the coordinator {PROTOCOL}; use the same build of toads on both sides",
                request.protocol
            );
            return Err(self.reject(Handshake::Protocol, &name, why));
        }
        let theirs = convert::digest("the fingerprint", &request.fingerprint)
            .map_err(CoordinatorError::from)?;
        if theirs != fingerprint() {
            let why = format!(
                "the worker's results have fingerprint {theirs}, the store's {}: they must not be mixed; use the same build of toads on both sides",
                fingerprint()
            );
            return Err(self.reject(Handshake::Fingerprint, &name, why));
        }
        let holding = held(&request.holding)?;
        let (id, adopted) = self.core.with(|scheduler, now| {
            scheduler.register(now, &name, request.threads, request.pid, &holding)
        });
        let scheduler = &self.core.config.scheduler;
        let ms = |ms: u64| ms.min(u32::MAX.into()) as u32;
        Ok(Response::new(v1::RegisterResponse {
            worker: Some(v1::WorkerKey {
                worker_id: id.0,
                instance: self.core.instance,
            }),
            beat_ms: ms(scheduler.beat_ms),
            liveness_ms: ms(scheduler.liveness_ms),
            progress_ms: ms(scheduler.progress_ms),
            adopted: adopted.iter().map(to_lease).collect(),
            max_message_bytes: MAX_MESSAGE_BYTES as u32,
        }))
    }

    async fn lease(
        &self,
        request: Request<v1::LeaseRequest>,
    ) -> Result<Response<v1::LeaseResponse>, Status> {
        let request = request.into_inner();
        let id = known(&self.core, request.worker.as_ref())?;
        let wait = |next: v1::Next, wait_ms: u64| v1::LeaseResponse {
            next: next.into(),
            leases: vec![],
            wait_ms: wait_ms as u32,
        };
        let idle_ms = self.core.config.scheduler.idle_ms;
        if self.core.has_failed() {
            return Err(Status::unavailable(
                "the store failed; the coordinator ends",
            ));
        }
        if self.core.is_congested() {
            return Ok(Response::new(wait(v1::Next::Wait, idle_ms)));
        }
        if self.core.config.leases == Leases::Cells && !self.core.peek(Scheduler::is_draining) {
            return Ok(Response::new(wait(v1::Next::Done, idle_ms)));
        }
        let max = request.max_shards.clamp(1, 1_024) as usize;
        Ok(Response::new(
            match self
                .core
                .with(|scheduler, now| scheduler.lease(now, id, max))
            {
                Offer::Work(grants) => v1::LeaseResponse {
                    next: v1::Next::Work.into(),
                    leases: grants.iter().map(to_lease).collect(),
                    wait_ms: 0,
                },
                // Without runs nothing is finished, unless there are surveys: whether these are is for their service to say.
                Offer::Wait(ms) if self.core.has_surveys_only() => wait(v1::Next::Done, ms),
                Offer::Wait(ms) => wait(v1::Next::Wait, ms),
                Offer::Done => wait(v1::Next::Done, idle_ms),
                Offer::Drain => wait(v1::Next::Drain, 0),
                Offer::Unknown => {
                    return Err(Status::not_found(
                        "this coordinator does not know the worker; register again",
                    ));
                }
            },
        ))
    }

    async fn progress(
        &self,
        request: Request<v1::ProgressRequest>,
    ) -> Result<Response<v1::ProgressResponse>, Status> {
        let request = request.into_inner();
        let id = known(&self.core, request.worker.as_ref())?;
        let held = held(&request.leases)?;
        let (revoked, drain) = self
            .core
            .with(|scheduler, now| (scheduler.beat(now, id, &held), scheduler.is_draining()));
        let drain = drain && !self.core.has_failed();
        self.core.changed();
        let revoked = revoked
            .unwrap_or_default()
            .into_iter()
            .map(|(shard, epoch)| lease_key(shard, epoch))
            .collect();
        Ok(Response::new(v1::ProgressResponse { revoked, drain }))
    }

    async fn offer_values(
        &self,
        request: Request<v1::OfferValuesRequest>,
    ) -> Result<Response<v1::OfferValuesResponse>, Status> {
        let request = request.into_inner();
        known(&self.core, request.worker.as_ref())?;
        let ids = convert::ids("the offered ids", &request.ids).map_err(CoordinatorError::from)?;
        if ids.len() > MAX_OFFER {
            return Err(Status::invalid_argument(format!(
                "{} ids in one offer, at most {MAX_OFFER}",
                ids.len()
            )));
        }
        let _place = self
            .core
            .lookups
            .acquire()
            .await
            .map_err(|_| Status::unavailable("the coordinator is stopping"))?;
        let missing = self
            .core
            .blocking(move |store| store.missing_values(&ids))
            .await?;
        Ok(Response::new(v1::OfferValuesResponse {
            missing: convert::to_ids(&missing),
        }))
    }

    async fn submit(
        &self,
        request: Request<Streaming<v1::SubmitRequest>>,
    ) -> Result<Response<v1::SubmitResponse>, Status> {
        submit::submit(&self.core, request.into_inner())
            .await
            .map(Response::new)
    }

    async fn release(
        &self,
        request: Request<v1::ReleaseRequest>,
    ) -> Result<Response<v1::ReleaseResponse>, Status> {
        let request = request.into_inner();
        let id = known(&self.core, request.worker.as_ref())?;
        for key in &request.leases {
            let shard = convert::shard(key.shard.as_ref()).map_err(CoordinatorError::from)?;
            self.core
                .with(|scheduler, now| scheduler.release(now, id, shard, key.epoch));
        }
        Ok(Response::new(v1::ReleaseResponse {}))
    }

    async fn fail(
        &self,
        request: Request<v1::FailRequest>,
    ) -> Result<Response<v1::FailResponse>, Status> {
        let request = request.into_inner();
        let id = known(&self.core, request.worker.as_ref())?;
        let key = request
            .key
            .ok_or_else(|| Status::invalid_argument("a failure without a lease"))?;
        let shard = convert::shard(key.shard.as_ref()).map_err(CoordinatorError::from)?;
        let failure = request.failure.unwrap_or_default();
        let what = FailureRecord {
            worker: String::new(),
            class: failure_class(failure.failure_class),
            strip: failure.strip.chars().take(128).collect(),
            message: failure.message.chars().take(1_000).collect(),
        };
        submit::note_failure(&self.core, id, shard, key.epoch, what).await?;
        Ok(Response::new(v1::FailResponse {}))
    }

    async fn goodbye(
        &self,
        request: Request<v1::GoodbyeRequest>,
    ) -> Result<Response<v1::GoodbyeResponse>, Status> {
        let request = request.into_inner();
        let id = known(&self.core, request.worker.as_ref())?;
        let reason: String = request.reason.chars().take(200).collect();
        self.core.dismiss_cells(id);
        self.core
            .with(|scheduler, now| scheduler.goodbye(now, id, &format!("goodbye: {reason}")));
        Ok(Response::new(v1::GoodbyeResponse {}))
    }
}
