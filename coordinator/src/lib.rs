//! The coordinator: the lease state machine, the gRPC services, the commits.
//!
//! One coordinator owns one store. `toads coordinator` runs it as a process of its own; `toads census run` runs it inside
//! the command with workers on loopback. It evaluates nothing: workers do ([`toads_worker`](../toads_worker/index.html)).
//!
//! # The tour
//!
//! | module | what lives there |
//! |---|---|
//! | [`scheduler`] | who computes which shard, until when: a pure state machine without clock or I/O |
//! | [`Coordinator`] | start, watch, drain, stop |
//! | [`Config`] | every time and limit, addresses |
//! | `core` | what the services share: the scheduler behind a lock, the clock, the store |
//! | `log` | events on their way to the store and to the operator |
//! | `restore`, `ticker` | coming back; looking at the deadlines |
//! | `writer` | the one thread that commits and writes the event log, in order |
//! | `runs` | submit, pause, resume, cancel, requeue |
//! | `auth` | roles, tokens, TLS (promise P18) |
//! | `http`, `metrics` | health, readiness, figures |
//! | [`import`] | parts of a split census into a store |
//! | `intake` | the checks on arrival, of a submission or a part (promise P19) |
//! | `surveys` | surveys and their cells: submit, cancel, lease, results |
//! | `service` | gRPC: `Workers`, `Census`, `Surveys`, health, reflection |
//!
//! # How a result becomes visible
//!
//! Forms and blocks are checked and stored while the submission streams in; they are invisible. At the trailer the
//! scheduler decides who may commit (promise P3); the writer thread commits with one synced batch (promise P13); then the
//! scheduler learns of it, and the worker hears `committed`. Whatever dies in between, a restart reads markers and runs
//! and goes on (promise P12).

mod auth;
mod config;
mod coordinator;
mod core;
mod error;
mod http;
pub mod import;
mod intake;
mod log;
mod metrics;
mod restore;
mod runs;
pub mod scheduler;
mod service;
mod surveys;
mod ticker;
mod writer;

pub use auth::{Identity, IdentityError, Protection, Role, Tokens, TokensError};
pub use config::{Config, Leases};
pub use coordinator::Coordinator;
pub use error::{CoordinatorError, StartError};
pub use scheduler::{Phase, RunSummary, SchedulerConfig, WorkerSummary};
pub use surveys::{SurveyPhase, SurveySummary};
