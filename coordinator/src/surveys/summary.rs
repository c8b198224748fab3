//! Where a survey stands: a fold over its cells.

use std::fmt;
use std::sync::Arc;

use toads_store::{SurveyRecord, SurveyState};
use toads_survey::{Counts, SurveyId};

use super::no_survey;
use crate::config::Leases;
use crate::core::Core;
use crate::error::CoordinatorError;

/// Where a survey stands, in a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SurveyPhase {
    /// Its cells are leased.
    Running,
    /// There is work, but no worker, or none that this coordinator gives cells.
    Stalled,
    /// Every cell is done.
    Done,
    /// Given up.
    Cancelled,
}

impl SurveyPhase {
    /// Whether nothing more will happen by itself.
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Done | Self::Cancelled)
    }
}

impl fmt::Display for SurveyPhase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Running => "running",
            Self::Stalled => "stalled",
            Self::Done => "done",
            Self::Cancelled => "cancelled",
        })
    }
}

/// Where a survey stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SurveySummary {
    /// What is asked.
    pub record: Arc<SurveyRecord>,
    /// In a word.
    pub phase: SurveyPhase,
    /// Its cells.
    pub counts: Counts,
    /// Workers of the coordinator, whatever they do.
    pub workers: u32,
}

impl Core {
    /// Where a survey stands.
    pub(crate) fn survey_summary(&self, id: SurveyId) -> Result<SurveySummary, CoordinatorError> {
        let record = self.survey_record(id)?;
        let counts = self
            .peek_surveys(|surveys| surveys.board.counts(id))
            .ok_or_else(|| no_survey(id))?;
        let workers = self.peek(|scheduler| scheduler.workers().len()) as u32;
        let phase = if counts.done() == counts.cells {
            SurveyPhase::Done
        } else if record.state == SurveyState::Cancelled {
            SurveyPhase::Cancelled
        } else if workers == 0 || self.config.leases == Leases::Shards {
            SurveyPhase::Stalled
        } else {
            SurveyPhase::Running
        };
        Ok(SurveySummary {
            record,
            phase,
            counts,
            workers,
        })
    }

    /// All surveys, by the time they were first asked for.
    pub(crate) fn survey_summaries(&self) -> Vec<SurveySummary> {
        let mut records: Vec<_> =
            self.peek_surveys(|surveys| surveys.records.values().cloned().collect());
        records.sort_by_key(|record| (record.created_ms, record.id()));
        let summary = |record: Arc<SurveyRecord>| self.survey_summary(record.id()).ok();
        records.into_iter().filter_map(summary).collect()
    }
}
