//! `toads survey status`: where surveys stand, and which one is meant.

use toads_store::{RocksStore, Store, SurveyRecord, SurveyState};
use toads_survey::{CellOutcome, SurveyId};
use toads_wire::{convert, v1};

use crate::args::Context;
use crate::failure::{Failure, Result};
use crate::output::{Cell, Table};
use crate::source::Source;

/// Where every survey stands
///
/// Columns: survey title variant state cells done exact bounded failed leased workers. A survey that nobody works on is
/// `idle`. Works on a store, on a store that is in use, and with --coordinator.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  toads survey status --store tables.db\n  toads survey status 3f2a --format json\n  toads survey status --coordinator http://127.0.0.1:7433"
)]
pub(crate) struct StatusArgs {
    /// The id of a survey, or its beginning [default: all]
    survey: Option<String>,
}

/// The columns.
pub(super) const COLUMNS: [&str; 11] = [
    "survey", "title", "variant", "state", "cells", "done", "exact", "bounded", "failed", "leased",
    "workers",
];

/// Runs the verb.
pub(super) fn run(args: &StatusArgs, context: &Context) -> Result<()> {
    let mut surveys = all(&Source::reading(context)?)?;
    if let Some(wanted) = &args.survey {
        surveys = vec![pick(surveys, Some(wanted))?];
    }
    print(&surveys, context)
}

/// Prints rows.
pub(super) fn print(surveys: &[v1::SurveyStatus], context: &Context) -> Result<()> {
    let mut table = Table::open(context.globals.format, COLUMNS)?;
    for survey in surveys {
        table.row(&row(survey))?;
    }
    table.close().map(drop)
}

pub(super) fn row(survey: &v1::SurveyStatus) -> Vec<Cell> {
    let id = convert::survey_id(&survey.survey).map_or(Cell::Empty, Cell::text);
    let variant = convert::variant(survey.variant).map_or(Cell::Empty, Cell::text);
    vec![
        id,
        Cell::text(&survey.title),
        variant,
        Cell::text(&survey.state),
        Cell::from(survey.cells),
        Cell::from(survey.exact + survey.bounded + survey.failed),
        Cell::from(survey.exact),
        Cell::from(survey.bounded),
        Cell::from(survey.failed),
        Cell::from(survey.leased),
        Cell::from(survey.workers),
    ]
}

/// All surveys of a source, by the time they were first asked for.
pub(super) fn all(source: &Source) -> Result<Vec<v1::SurveyStatus>> {
    match source {
        Source::Remote(remote) => {
            let listed = remote.call_surveys(|mut client| async move {
                client.list(v1::ListSurveysRequest {}).await
            })?;
            Ok(listed.surveys)
        }
        Source::Store(store) => {
            let records = store.surveys()?;
            records.iter().map(|record| fold(store, record)).collect()
        }
    }
}

/// Where a survey of a store that nobody works on stands.
pub(super) fn fold(store: &RocksStore, record: &SurveyRecord) -> Result<v1::SurveyStatus> {
    let survey = &record.survey;
    let mut status = v1::SurveyStatus {
        survey: convert::to_survey_id(survey.id()),
        title: survey.title().to_owned(),
        variant: convert::to_variant(survey.variant()).into(),
        cells: survey.cells().len() as u32,
        ..v1::SurveyStatus::default()
    };
    let known = store.cells(survey.id())?;
    for (_, cell) in &known {
        match cell.outcome {
            CellOutcome::Exact { .. } => status.exact += 1,
            CellOutcome::Bounded { .. } => status.bounded += 1,
            CellOutcome::Failed { .. } => status.failed += 1,
        }
    }
    let state = if known.len() == survey.cells().len() {
        "done"
    } else if record.state == SurveyState::Cancelled {
        "cancelled"
    } else {
        "idle"
    };
    state.clone_into(&mut status.state);
    Ok(status)
}

/// The survey that is meant: the one whose id begins so, else the latest.
pub(super) fn pick(
    mut surveys: Vec<v1::SurveyStatus>,
    wanted: Option<&str>,
) -> Result<v1::SurveyStatus> {
    let Some(wanted) = wanted else {
        return surveys.pop().ok_or_else(|| {
            Failure::input("there is no survey yet; start one with `toads survey run`")
        });
    };
    let begins = |survey: &v1::SurveyStatus| {
        id_of(survey).is_ok_and(|id| id.to_string().starts_with(&wanted.to_ascii_lowercase()))
    };
    surveys.retain(begins);
    match (surveys.pop(), surveys.len()) {
        (Some(found), 0) => Ok(found),
        (Some(_), others) => Err(Failure::Input(format!(
            "`{wanted}` is the beginning of {} ids; write more of it",
            others + 1
        ))),
        (None, _) => Err(Failure::Input(format!(
            "there is no survey `{wanted}`; `toads survey status` lists them"
        ))),
    }
}

/// The id of a survey.
pub(super) fn id_of(survey: &v1::SurveyStatus) -> Result<SurveyId> {
    convert::survey_id(&survey.survey).map_err(Failure::failed)
}
