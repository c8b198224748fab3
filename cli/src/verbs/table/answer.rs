//! What a cell of a table shows, wherever it was found.

use toads_game::ValueId;
use toads_survey::CellOutcome;
use toads_surveyor::Finding;

use crate::output::Cell;

/// Behind the parameters.
pub(super) const COLUMNS: [&str; 5] = ["strip", "value", "relations", "how", "value_id"];

/// A cell.
pub(super) struct Answer {
    value: Option<String>,
    /// `= 1/2`, or `> 5/2, < 3`; empty when nothing was found.
    relations: String,
    how: String,
    id: Option<ValueId>,
    /// Why nothing was found.
    trouble: Option<String>,
}

impl Answer {
    pub(super) fn found(finding: &Finding) -> Self {
        match finding {
            Finding::Exact { value, id, how, .. } => Self::exact(value, *id, how.to_string()),
            Finding::Bounded { relations, .. } if relations.is_empty() => Self {
                trouble: Some("the budget did not suffice".to_owned()),
                ..Self::bounded(String::new(), String::new())
            },
            bounded @ Finding::Bounded { .. } => {
                Self::bounded(bounded.to_string(), "play".to_owned())
            }
        }
    }

    pub(super) fn failed(why: &dyn std::fmt::Display) -> Self {
        Self {
            trouble: Some(why.to_string()),
            ..Self::bounded(String::new(), String::new())
        }
    }

    /// What a store knows of a cell.
    pub(super) fn kept(outcome: &CellOutcome) -> Self {
        match outcome {
            CellOutcome::Exact { value, how } => Self::exact(&value.text, value.id, how.clone()),
            CellOutcome::Bounded { bounds, how } => {
                let relations: Vec<_> = bounds.iter().map(ToString::to_string).collect();
                Self::bounded(relations.join(", "), how.clone())
            }
            CellOutcome::Failed { message } => Self::failed(message),
        }
    }

    fn exact(value: &str, id: Option<ValueId>, how: String) -> Self {
        Self {
            value: Some(value.to_owned()),
            relations: format!("= {value}"),
            how,
            id,
            trouble: None,
        }
    }

    fn bounded(relations: String, how: String) -> Self {
        Self {
            value: None,
            relations,
            how,
            id: None,
            trouble: None,
        }
    }

    /// For a grid: the value, the relations, or a question mark.
    pub(super) fn short(&self) -> &str {
        match &self.value {
            Some(value) => value,
            None if self.relations.is_empty() => "?",
            None => &self.relations,
        }
    }

    /// Why nothing was found.
    pub(super) fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// [`COLUMNS`] but the first.
    pub(super) fn columns(&self) -> [Cell; 4] {
        let how = self.trouble.as_ref().unwrap_or(&self.how);
        [
            self.value.as_ref().map_or(Cell::Empty, Cell::text),
            Cell::text(if self.relations.is_empty() {
                "?"
            } else {
                &self.relations
            }),
            Cell::text(how),
            self.id.map_or(Cell::Empty, Cell::text),
        ]
    }
}
