//! A table as a survey in the store: shared by worker processes, and never asked twice.

use std::sync::Arc;
use std::time::Duration;

use toads_strip::Strip;
use toads_strip::family::Cell;
use toads_survey::{Cell as SurveyCell, Survey};
use toads_surveyor::Budget;

use super::TableArgs;
use super::answer::Answer;
use crate::args::Context;
use crate::failure::{Failure, Result};
use crate::source::{Source, open_or_make};
use crate::units;
use crate::verbs::survey::run::{Work, evaluate};
use crate::verbs::survey::show::entries;

/// Memory for the store's own buffers.
const STORE_BYTES: u64 = 64 << 20;

/// How long a cell may go on after the first signal.
const GRACE: Duration = Duration::from_secs(10);

/// The answers of all cells, from the store or evaluated now.
pub(super) fn all(
    args: &TableArgs,
    strips: &[(Strip, Cell)],
    budget: Budget,
    context: &Context,
) -> Result<Vec<Answer>> {
    let cells = strips
        .iter()
        .map(|(strip, cell)| {
            let labels = cell.values().iter();
            SurveyCell::new(
                labels.map(|&(letter, value)| (letter.to_string(), value)),
                strip.compact(),
            )
        })
        .collect();
    let limits = toads_survey::Budget {
        nodes: budget.nodes.max(1),
        milliseconds: match args.budget {
            units::Budget::Time(time) => time.as_millis().max(1) as u64,
            units::Budget::Nodes(_) => toads_survey::Budget::default().milliseconds,
        },
    };
    let survey = Survey::new(&args.family, context.globals.variant, limits, cells)
        .map_err(Failure::input)?;
    let store = Arc::new(open_or_make(&context.globals.store, STORE_BYTES)?);
    let work = Work {
        workers: args.workers,
        threads: args.threads,
        memory: Some(budget.memory),
        grace: GRACE,
        retry: false,
    };
    evaluate(&survey, &store, &work, context)?;
    drop(store);
    let source = Source::reading(context)?;
    let entries = entries(&source, survey.id())?;
    Ok(entries
        .into_iter()
        .map(|entry| match entry.record {
            Some(record) => Answer::kept(&record.outcome),
            None => Answer::failed(&"not evaluated"),
        })
        .collect())
}
