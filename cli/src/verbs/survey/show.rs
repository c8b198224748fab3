//! `toads survey show`: the cells, and what is known of them.

use toads_store::Store;
use toads_survey::{Bound, Cell as SurveyCell, CellOutcome, CellRecord, SurveyId};
use toads_wire::{convert, v1};

use super::status::{all, id_of, pick};
use crate::args::Context;
use crate::failure::{Failure, Result};
use crate::output::{Cell, Table};
use crate::source::Source;

/// The cells of a survey and what is known of them
///
/// Columns: the parameters, then strip state value relations kind how value_id nodes ms worker message. The state is exact,
/// bounded (relations instead of a value), failed or open.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  toads survey show --store tables.db\n  toads survey show 3f2a --format tsv > table.tsv"
)]
pub(crate) struct ShowArgs {
    /// The id of a survey, or its beginning [default: the latest]
    survey: Option<String>,
}

/// A cell, and what is known of it.
pub(crate) struct Entry {
    /// What is asked.
    pub(crate) cell: SurveyCell,
    /// What is known, once it is done.
    pub(crate) record: Option<CellRecord>,
}

/// Runs the verb.
pub(super) fn run(args: &ShowArgs, context: &Context) -> Result<()> {
    let source = Source::reading(context)?;
    let survey = pick(all(&source)?, args.survey.as_deref())?;
    let entries = entries(&source, id_of(&survey)?)?;
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in entries.iter().flat_map(|entry| &entry.cell.labels) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let rest = [
        "strip",
        "state",
        "value",
        "relations",
        "kind",
        "how",
        "value_id",
        "nodes",
        "ms",
        "worker",
        "message",
    ];
    let columns = names.iter().copied().chain(rest);
    let mut table = Table::open(context.globals.format, columns)?;
    for entry in &entries {
        table.row(&row(&names, entry))?;
    }
    table.close().map(drop)
}

/// The cells of a survey, in order.
pub(crate) fn entries(source: &Source, survey: SurveyId) -> Result<Vec<Entry>> {
    match source {
        Source::Store(store) => {
            let records = store.surveys()?;
            let record = records.into_iter().find(|record| record.id() == survey);
            let record =
                record.ok_or_else(|| Failure::Input(format!("there is no survey {survey}")))?;
            let mut entries: Vec<Entry> = record
                .survey
                .cells()
                .iter()
                .map(|cell| Entry {
                    cell: cell.clone(),
                    record: None,
                })
                .collect();
            for (index, record) in store.cells(survey)? {
                if let Some(entry) = entries.get_mut(index as usize) {
                    entry.record = Some(record);
                }
            }
            Ok(entries)
        }
        Source::Remote(remote) => {
            let request = v1::ReadSurveyRequest {
                survey: convert::to_survey_id(survey),
            };
            let mut stream =
                remote.call_surveys(|mut client| async move { client.read(request).await })?;
            let mut entries = Vec::new();
            while let Some(message) = remote.next(&mut stream)? {
                for entry in message.cells {
                    entries.push(received(&entry)?);
                }
            }
            Ok(entries)
        }
    }
}

fn received(entry: &v1::CellEntry) -> Result<Entry> {
    let cell = entry.cell.as_ref().map(convert::cell);
    let cell =
        cell.ok_or_else(|| Failure::failed("the coordinator sent a cell without a strip"))?;
    let record = entry.record.as_ref().map(convert::cell_record);
    Ok(Entry {
        cell: SurveyCell {
            index: entry.index,
            ..cell
        },
        record: record.transpose().map_err(Failure::failed)?,
    })
}

fn row(names: &[&str], entry: &Entry) -> Vec<Cell> {
    let label = |name: &&str| {
        let mut labels = entry.cell.labels.iter();
        labels
            .find(|(label, _)| label == name)
            .map_or(Cell::Empty, |(_, value)| Cell::Integer((*value).into()))
    };
    let mut row: Vec<Cell> = names.iter().map(label).collect();
    row.push(Cell::text(&entry.cell.strip));
    let (mut state, mut value, mut relations) = ("open", Cell::Empty, Cell::Empty);
    let (mut kind, mut how, mut id, mut message) =
        (Cell::Empty, Cell::Empty, Cell::Empty, Cell::Empty);
    match entry.record.as_ref().map(|record| &record.outcome) {
        None => {}
        Some(CellOutcome::Exact {
            value: exact,
            how: way,
        }) => {
            state = "exact";
            value = Cell::text(&exact.text);
            (kind, how) = (Cell::text(&exact.kind), Cell::text(way));
            id = exact.id.map_or(Cell::Empty, Cell::text);
        }
        Some(CellOutcome::Bounded { bounds, how: way }) => {
            state = "bounded";
            let texts: Vec<String> = bounds.iter().map(Bound::to_string).collect();
            relations = Cell::text(texts.join(", "));
            how = Cell::text(way);
        }
        Some(CellOutcome::Failed { message: why }) => {
            state = "failed";
            message = Cell::text(why);
        }
    }
    let record = entry.record.as_ref();
    row.extend([Cell::from(state), value, relations, kind, how, id]);
    row.push(record.map_or(Cell::Empty, |record| Cell::from(record.effort.nodes)));
    row.push(record.map_or(Cell::Empty, |record| Cell::from(record.effort.milliseconds)));
    row.push(record.map_or(Cell::Empty, |record| Cell::text(&record.worker)));
    row.push(message);
    row
}
