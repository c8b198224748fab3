//! `toads survey submit` and `cancel`.

use toads_store::{Store, SurveyRecord, SurveyState};
use toads_survey::Survey;
use toads_wire::{convert, v1};

use super::file::Asked;
use super::status::{all, fold, id_of, pick, print};
use crate::args::Context;
use crate::console;
use crate::failure::{Failure, Result};
use crate::source::{Remote, Source, now_ms};

/// Have a coordinator evaluate cells, and return at once
///
/// Whoever asks the same again goes on from what is there. On a store that nobody holds the survey is only entered;
/// whoever opens the store next works on it. Prints the row of `survey status`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  toads survey submit cells.tsv --coordinator http://127.0.0.1:7433\n  toads survey submit cells.tsv --variant hopless --title 'T^a .^b F'"
)]
pub(crate) struct SubmitArgs {
    #[command(flatten)]
    asked: Asked,

    /// Try the cells again that failed before
    #[arg(long)]
    retry: bool,
}

/// Give a survey up; what is done stays
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  toads survey cancel 3f2a")]
pub(crate) struct CancelArgs {
    /// The id of a survey, or its beginning [default: the latest]
    survey: Option<String>,
}

/// Runs `submit`.
pub(super) fn submit(args: &SubmitArgs, context: &Context) -> Result<()> {
    let survey = args.asked.survey(context.globals.variant)?;
    let status = match &Source::writing(context)? {
        Source::Remote(remote) => submit_to(remote, &survey, args.retry)?,
        Source::Store(_) if args.retry => {
            return Err(Failure::input(
                "nobody works on this store, so nothing can be tried again; use `toads survey run --retry`",
            ));
        }
        Source::Store(store) => {
            let record = SurveyRecord {
                survey,
                state: SurveyState::Active,
                created_ms: now_ms(),
            };
            store.put_survey(&record)?;
            console::line("nobody works on this store; a coordinator or `toads survey run` will");
            fold(store, &record)?
        }
    };
    print(&[status], context)
}

/// Has a coordinator evaluate a survey, or go on with it; where it stands.
pub(crate) fn submit_to(
    remote: &Remote,
    survey: &Survey,
    retry_failed: bool,
) -> Result<v1::SurveyStatus> {
    let request = v1::SubmitSurveyRequest {
        definition: Some(convert::to_definition(survey)),
        retry_failed,
    };
    remote.call_surveys(|mut client| async move { client.submit(request).await })
}

/// Runs `cancel`.
pub(super) fn cancel(args: &CancelArgs, context: &Context) -> Result<()> {
    let source = Source::writing(context)?;
    let survey = id_of(&pick(all(&source)?, args.survey.as_deref())?)?;
    let status = match &source {
        Source::Remote(remote) => {
            let request = v1::CancelSurveyRequest {
                survey: convert::to_survey_id(survey),
            };
            remote.call_surveys(|mut client| async move { client.cancel(request).await })?
        }
        Source::Store(store) => {
            let records = store.surveys()?;
            let record = records.into_iter().find(|record| record.id() == survey);
            let record = SurveyRecord {
                state: SurveyState::Cancelled,
                ..record.ok_or_else(|| Failure::Input(format!("there is no survey {survey}")))?
            };
            store.put_survey(&record)?;
            fold(store, &record)?
        }
    };
    print(&[status], context)
}
