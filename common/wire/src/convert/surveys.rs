//! Surveys, cells, and what was found out about them.

use toads_game::ValueId;
use toads_survey::{
    Bound, Budget, Cell, CellKey, CellOutcome, CellRecord, Effort, Exact, Survey, SurveyId,
};

use super::{Result, WireError, id, out_of_range, to_id, to_variant, variant};
use crate::v1;

/// A survey's id as 16 bytes.
pub fn to_survey_id(id: SurveyId) -> Vec<u8> {
    id.0.to_vec()
}

/// A survey's id from exactly 16 bytes.
pub fn survey_id(bytes: &[u8]) -> Result<SurveyId> {
    let exact = bytes.try_into().map_err(|_| WireError::Length {
        field: "the survey's id",
        bytes: bytes.len(),
        expected: "16",
    })?;
    Ok(SurveyId(exact))
}

/// A budget as its message.
pub fn to_budget(budget: Budget) -> v1::CellBudget {
    v1::CellBudget {
        nodes: budget.nodes,
        milliseconds: budget.milliseconds,
    }
}

/// A budget from its message; none is no limit.
pub fn budget(message: Option<&v1::CellBudget>) -> Budget {
    message.map_or_else(Budget::default, |message| Budget {
        nodes: message.nodes,
        milliseconds: message.milliseconds,
    })
}

/// A cell, as it is asked.
pub fn to_cell(cell: &Cell) -> v1::SurveyCell {
    let label = |(name, value): &(String, i64)| v1::CellLabel {
        name: name.clone(),
        value: *value,
    };
    v1::SurveyCell {
        labels: cell.labels.iter().map(label).collect(),
        strip: cell.strip.clone(),
    }
}

/// A cell from its message, without a place; [`Survey::new`] checks it.
pub fn cell(message: &v1::SurveyCell) -> Cell {
    let labels = message.labels.iter();
    Cell::new(
        labels.map(|label| (label.name.clone(), label.value)),
        message.strip.clone(),
    )
}

/// What a survey asks, as its message.
pub fn to_definition(survey: &Survey) -> v1::SurveyDefinition {
    v1::SurveyDefinition {
        title: survey.title().to_owned(),
        variant: to_variant(survey.variant()).into(),
        budget: Some(to_budget(survey.budget())),
        cells: survey.cells().iter().map(to_cell).collect(),
    }
}

/// A survey from its message.
pub fn definition(message: Option<&v1::SurveyDefinition>) -> Result<Survey> {
    let message = message.ok_or(WireError::Missing("the definition of the survey"))?;
    let survey = Survey::new(
        message.title.clone(),
        variant(message.variant)?,
        budget(message.budget.as_ref()),
        message.cells.iter().map(cell).collect(),
    );
    survey.map_err(|error| WireError::Survey(error.to_string()))
}

/// A lease of a cell, as its message.
pub fn to_cell_key(key: CellKey, epoch: u64) -> v1::CellLeaseKey {
    v1::CellLeaseKey {
        survey: to_survey_id(key.survey),
        index: key.index,
        epoch,
    }
}

/// A lease of a cell from its message, and its epoch.
pub fn cell_key(message: Option<&v1::CellLeaseKey>) -> Result<(CellKey, u64)> {
    let message = message.ok_or(WireError::Missing("the lease of the cell"))?;
    let key = CellKey {
        survey: survey_id(&message.survey)?,
        index: message.index,
    };
    Ok((key, message.epoch))
}

/// What was found, as its message.
pub fn to_result(outcome: &CellOutcome, effort: Effort) -> v1::CellResult {
    use v1::cell_result::Outcome;
    let outcome = match outcome {
        CellOutcome::Exact { value, how } => Outcome::Exact(v1::ExactValue {
            text: value.text.clone(),
            id: value.id.map_or_else(Vec::new, to_id),
            kind: value.kind.clone(),
            how: how.clone(),
        }),
        CellOutcome::Bounded { bounds, how } => {
            let bound = |bound: &Bound| v1::CellBound {
                relation: bound.relation.to_string(),
                value: bound.value.clone(),
            };
            Outcome::Bounded(v1::CellBounds {
                bounds: bounds.iter().map(bound).collect(),
                how: how.clone(),
            })
        }
        CellOutcome::Failed { message } => Outcome::Failed(message.clone()),
    };
    v1::CellResult {
        outcome: Some(outcome),
        nodes: effort.nodes,
        milliseconds: effort.milliseconds,
    }
}

/// What was found, from its message: checked as [`CellOutcome::check`] does.
pub fn result(message: Option<&v1::CellResult>) -> Result<(CellOutcome, Effort)> {
    use v1::cell_result::Outcome;
    let message = message.ok_or(WireError::Missing("the result of the cell"))?;
    let outcome = match message.outcome.as_ref() {
        None => return Err(WireError::Missing("the outcome of the cell")),
        Some(Outcome::Failed(message)) => CellOutcome::Failed {
            message: message.clone(),
        },
        Some(Outcome::Bounded(message)) => CellOutcome::Bounded {
            bounds: message.bounds.iter().map(bound).collect::<Result<_>>()?,
            how: message.how.clone(),
        },
        Some(Outcome::Exact(message)) => CellOutcome::Exact {
            value: Exact {
                text: message.text.clone(),
                id: value_id(&message.id)?,
                kind: message.kind.clone(),
            },
            how: message.how.clone(),
        },
    };
    outcome.check().map_err(WireError::Survey)?;
    let effort = Effort {
        nodes: message.nodes,
        milliseconds: message.milliseconds,
    };
    Ok((outcome, effort))
}

fn value_id(bytes: &[u8]) -> Result<Option<ValueId>> {
    if bytes.is_empty() {
        return Ok(None);
    }
    id("the id of the value", bytes).map(Some)
}

fn bound(message: &v1::CellBound) -> Result<Bound> {
    let relation = message
        .relation
        .parse()
        .map_err(|_| out_of_range("relation", &message.relation, "> < || >= <= |> <|"))?;
    Ok(Bound {
        relation,
        value: message.value.clone(),
    })
}

/// A cell that is done, as its message.
pub fn to_cell_record(record: &CellRecord) -> v1::CellRecord {
    v1::CellRecord {
        result: Some(to_result(&record.outcome, record.effort)),
        worker: record.worker.clone(),
        finished_ms: record.finished_ms,
    }
}

/// A cell that is done, from its message.
pub fn cell_record(message: &v1::CellRecord) -> Result<CellRecord> {
    let (outcome, effort) = result(message.result.as_ref())?;
    Ok(CellRecord {
        outcome,
        effort,
        worker: message.worker.clone(),
        finished_ms: message.finished_ms,
    })
}
