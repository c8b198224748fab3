//! `toads survey`: a table of strips, cell by cell, here or on a cluster.
//!
//! | file | what lives there |
//! |---|---|
//! | `file` | the cells as a person writes them |
//! | `run`, `drive` | everything in one process tree |
//! | `submit` | submit, cancel |
//! | `status`, `watch` | where surveys stand, once or until one ends; which one is meant |
//! | `show` | the cells and what is known of them |
//!
//! Another verb that has cells to evaluate makes a [`toads_survey::Survey`] of them, then either calls [`run::evaluate`] on
//! a store here, or [`submit::submit_to`] and [`watch::follow`] on a coordinator, and reads what was found with
//! [`show::entries`].

mod drive;
mod file;
pub(crate) mod run;
pub(crate) mod show;
mod status;
pub(crate) mod submit;
pub(crate) mod watch;

use crate::args::Context;
use crate::failure::Result;

/// Evaluate a list of strips, cell by cell, and keep what was found
///
/// The cells are strips of any family with the parameters that made them. They are shared by workers like the shards of a
/// census; what is done is in the store, and whoever asks the same again goes on from there.
#[derive(clap::Subcommand, Debug)]
#[command(after_help = "\
Examples:
  printf 'a\\tb\\tstrip\\n1\\t2\\tT ..F\\n2\\t2\\tTT..F\\n' | toads survey run -
  toads survey run cells.tsv --store tables.db --workers 2
  toads survey status --store tables.db
  toads survey show --store tables.db --format tsv
  toads survey submit cells.tsv --coordinator http://127.0.0.1:7433")]
pub(crate) enum SurveyVerb {
    Run(run::RunArgs),
    Submit(submit::SubmitArgs),
    Status(status::StatusArgs),
    Watch(watch::WatchArgs),
    Show(show::ShowArgs),
    Cancel(submit::CancelArgs),
}

/// Runs the verb.
pub(crate) fn run(verb: &SurveyVerb, context: &Context) -> Result<()> {
    match verb {
        SurveyVerb::Run(args) => run::run(args, context),
        SurveyVerb::Submit(args) => submit::submit(args, context),
        SurveyVerb::Status(args) => status::run(args, context),
        SurveyVerb::Watch(args) => watch::run(args, context),
        SurveyVerb::Show(args) => show::run(args, context),
        SurveyVerb::Cancel(args) => submit::cancel(args, context),
    }
}
