//! `toads census`: runs, here or on a cluster.

mod against;
mod audit;
mod events;
mod import;
mod invalidate;
mod plan;
mod quarantine;
mod run;
mod runs;
mod split;
mod status;
mod watch;

use crate::args::Context;
use crate::failure::Result;

/// Compute the value of every strip of n squares, and look after runs
#[derive(clap::Subcommand, Debug)]
#[command(after_help = "\
Examples:
  toads census run --squares 1..12
  toads census status
  toads census submit --squares 1..16 --coordinator http://127.0.0.1:7433
  toads census watch --coordinator http://127.0.0.1:7433")]
pub(crate) enum CensusVerb {
    Run(run::RunArgs),
    Plan(plan::PlanArgs),
    Submit(runs::SubmitArgs),
    Status(status::StatusArgs),
    Watch(watch::WatchArgs),
    /// Give out no new work for a run; what is being computed may finish
    #[command(
        after_help = "Examples:\n  toads census pause\n  toads census pause 2 --coordinator http://127.0.0.1:7433"
    )]
    Pause(runs::RunNumber),
    /// Go on with a paused run
    #[command(after_help = "Examples:\n  toads census resume 2")]
    Resume(runs::RunNumber),
    /// Give a run up; what is committed stays
    #[command(after_help = "Examples:\n  toads census cancel 2")]
    Cancel(runs::RunNumber),
    Verify(audit::VerifyArgs),
    #[command(subcommand)]
    Quarantine(quarantine::QuarantineVerb),
    Events(events::EventsArgs),
    Invalidate(invalidate::InvalidateArgs),
    Shard(split::ShardArgs),
    Import(import::ImportArgs),
}

/// Runs the verb.
pub(crate) fn run(verb: &CensusVerb, context: &Context) -> Result<()> {
    match verb {
        CensusVerb::Run(args) => run::run(args, context),
        CensusVerb::Plan(args) => plan::run(args, context),
        CensusVerb::Submit(args) => runs::submit(args, context),
        CensusVerb::Status(args) => status::status(args, context),
        CensusVerb::Watch(args) => watch::run(args, context),
        CensusVerb::Pause(number) => runs::set(number, runs::Wish::Pause, context),
        CensusVerb::Resume(number) => runs::set(number, runs::Wish::Resume, context),
        CensusVerb::Cancel(number) => runs::set(number, runs::Wish::Cancel, context),
        CensusVerb::Verify(args) => audit::run(args, context),
        CensusVerb::Quarantine(verb) => quarantine::run(verb, context),
        CensusVerb::Events(args) => events::run(args, context),
        CensusVerb::Invalidate(args) => invalidate::run(args, context),
        CensusVerb::Shard(args) => split::run(args, context),
        CensusVerb::Import(args) => import::run(args, context),
    }
}
