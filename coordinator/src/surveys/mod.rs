//! Surveys: what people ask for, and what becomes of the cells.
//!
//! | file | what lives there |
//! |---|---|
//! | `summary` | where a survey stands |
//! | `cells` | leases of cells, their results, lost workers |

mod cells;
mod summary;

use std::collections::BTreeMap;
use std::sync::Arc;

use toads_store::{Store, StoreError, SurveyRecord, SurveyState};
use toads_survey::{Board, BoardConfig, Ending, Survey, SurveyId};

use crate::config::Config;
use crate::core::Core;
use crate::error::CoordinatorError;
use crate::log::wall_ms;
use crate::scheduler::EventKind;

pub(crate) use cells::{Completed, Leased, Verdict};
pub use summary::{SurveyPhase, SurveySummary};

/// The surveys of a coordinator: their definitions, and the lease table of their cells.
pub(crate) struct Surveys {
    pub(crate) board: Board,
    pub(crate) records: BTreeMap<SurveyId, Arc<SurveyRecord>>,
}

impl Surveys {
    /// What the store holds, and no leases.
    pub(crate) fn restore(
        config: &Config,
        first_epoch: u64,
        store: &dyn Store,
    ) -> Result<Self, StoreError> {
        let times = &config.scheduler;
        let config = BoardConfig {
            lease_ms: times.liveness_ms,
            progress_ms: times.progress_ms,
            own_gap_ms: times.own_gap_ms,
            ..BoardConfig::default()
        };
        let mut surveys = Self {
            board: Board::new(config, first_epoch),
            records: BTreeMap::new(),
        };
        for record in store.surveys()? {
            surveys.enter(&record, store)?;
            if record.state == SurveyState::Cancelled {
                surveys.board.cancel(record.id());
            }
            surveys.records.insert(record.id(), Arc::new(record));
        }
        Ok(surveys)
    }

    fn enter(&mut self, record: &SurveyRecord, store: &dyn Store) -> Result<(), StoreError> {
        let done = done_cells(store, record.id())?;
        self.board
            .enter(record.id(), &record.survey.groups(), &done);
        Ok(())
    }
}

/// How the cells that are stored were done.
fn done_cells(store: &dyn Store, survey: SurveyId) -> Result<Vec<(u32, Ending)>, StoreError> {
    let ending =
        |(index, record): (u32, toads_survey::CellRecord)| (index, Ending::from(&record.outcome));
    Ok(store.cells(survey)?.into_iter().map(ending).collect())
}

impl Core {
    /// Starts a survey, or goes on with the one that asks the same; either way it comes first. With `retry_failed` the
    /// cells that failed are tried again.
    pub(crate) async fn submit_survey(
        &self,
        survey: Survey,
        retry_failed: bool,
    ) -> Result<SurveySummary, CoordinatorError> {
        let _admin = self.admin.lock().await;
        let (id, cells) = (survey.id(), survey.cells().len());
        let known = self.peek_surveys(|surveys| surveys.records.get(&id).cloned());
        let is_active = known
            .as_ref()
            .is_some_and(|record| record.state == SurveyState::Active);
        let record = SurveyRecord {
            survey,
            state: SurveyState::Active,
            created_ms: known.map_or_else(wall_ms, |record| record.created_ms),
        };
        if !is_active {
            let stored = record.clone();
            self.writer
                .write(self, move |store, _| store.put_survey(&stored))
                .await?;
        }
        // The lease table knows more than the store: what is being tried again counts as done there.
        let is_known = self.peek_surveys(|surveys| surveys.records.contains_key(&id));
        let done = if is_known {
            Vec::new()
        } else {
            self.blocking(move |store| done_cells(store, id)).await?
        };
        let groups = record.survey.groups();
        let record = Arc::new(record);
        let reopened = self.with_surveys(|surveys, _| {
            surveys.board.enter(id, &groups, &done);
            surveys.records.insert(id, record);
            if retry_failed {
                surveys.board.reopen_failed(id)
            } else {
                0
            }
        });
        let detail = if is_active {
            format!("survey {id} once more, {reopened} of {cells} cells to be tried again")
        } else {
            format!("survey {id} of {cells} cells")
        };
        self.log(EventKind::Submitted, "", 0, &detail);
        self.changed();
        self.survey_summary(id)
    }

    /// Gives a survey up; what is done stays.
    pub(crate) async fn cancel_survey(
        &self,
        id: SurveyId,
    ) -> Result<SurveySummary, CoordinatorError> {
        let _admin = self.admin.lock().await;
        let record = SurveyRecord {
            state: SurveyState::Cancelled,
            ..(*self.survey_record(id)?).clone()
        };
        let stored = record.clone();
        self.writer
            .write(self, move |store, _| store.put_survey(&stored))
            .await?;
        let taken = self.with_surveys(|surveys, _| {
            surveys.records.insert(id, Arc::new(record));
            surveys.board.cancel(id)
        });
        for (key, epoch) in taken {
            self.log(EventKind::Released, "", epoch, &format!("{key}: cancelled"));
        }
        self.log(EventKind::Cancelled, "", 0, &format!("survey {id}"));
        self.changed();
        self.survey_summary(id)
    }

    /// Whether there are surveys and no runs.
    pub(crate) fn has_surveys_only(&self) -> bool {
        self.peek(|scheduler| scheduler.runs().next().is_none())
            && self.peek_surveys(|surveys| !surveys.records.is_empty())
    }

    /// What a survey asks.
    pub(crate) fn survey_record(
        &self,
        id: SurveyId,
    ) -> Result<Arc<SurveyRecord>, CoordinatorError> {
        self.peek_surveys(|surveys| surveys.records.get(&id).cloned())
            .ok_or_else(|| no_survey(id))
    }
}

fn no_survey(id: SurveyId) -> CoordinatorError {
    CoordinatorError::NotFound(format!(
        "there is no survey {id}; `toads survey status` lists them"
    ))
}
