//! Surveys and their cells.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use rocksdb::WriteBatch;
use toads_survey::{CellKey, CellRecord, Merge, SurveyId};

use super::RocksStore;
use super::events::last_of;
use super::fault::damaged;
use super::options::Column;
use super::scan::Bounds;
use super::shards::key_place;
use super::verify::{Found, Verified};
use crate::check;
use crate::encode::{decode_cell, decode_survey, encode_cell, encode_survey};
use crate::error::{Result, StoreError};
use crate::keys;
use crate::records::{EventRecord, SurveyRecord};

impl RocksStore {
    pub(super) fn read_surveys(&self) -> Result<Vec<SurveyRecord>> {
        let mut records = self.collect(Column::Surveys, Bounds::all(), decode_survey)?;
        // Stable: those of one moment stay in the order of their ids.
        records.sort_by_key(|record| record.created_ms);
        Ok(records)
    }

    fn read_survey(&self, survey: SurveyId) -> Result<Option<SurveyRecord>> {
        let row = self.db.get(Column::Surveys, &survey.0)?;
        row.map(|row| {
            decode_survey(&survey.0, &row)
                .map_err(|error| damaged(key_place(Column::Surveys, &survey.0), &error))
        })
        .transpose()
    }

    /// How many cells a survey has: read once, because a survey never changes and its definition may be long.
    fn cells_of(&self, survey: SurveyId) -> Result<Option<usize>> {
        let lengths = || self.lengths.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&cells) = lengths().get(&survey) {
            return Ok(Some(cells));
        }
        let record = self.read_survey(survey)?;
        let cells = record.map(|record| record.survey.cells().len());
        lengths().extend(cells.map(|cells| (survey, cells)));
        Ok(cells)
    }

    pub(super) fn write_survey(&self, record: &SurveyRecord) -> Result<()> {
        let _turn = self.survey_turn(record.id());
        let stored = self.read_survey(record.id())?;
        let created_ms = stored.map_or(record.created_ms, |stored| stored.created_ms);
        let row = encode_survey(&SurveyRecord {
            created_ms,
            ..record.clone()
        });
        let mut batch = WriteBatch::default();
        batch.put_cf(&self.db.column(Column::Surveys), record.id().0, row);
        self.db.write_synced(batch)
    }

    pub(super) fn read_cells(&self, survey: SurveyId) -> Result<Vec<(u32, CellRecord)>> {
        let bounds = Bounds::between(keys::cell(survey, 0), keys::cells_end(survey));
        self.collect(Column::Cells, bounds, |key, row| {
            let record = decode_cell(key, row)?;
            let (_, index) = keys::parse_cell(key).unwrap_or((survey, 0));
            Ok((index, record))
        })
    }

    pub(super) fn read_cell(&self, key: CellKey) -> Result<Option<CellRecord>> {
        let bytes = keys::cell(key.survey, key.index);
        let row = self.db.get(Column::Cells, &bytes)?;
        row.map(|row| {
            decode_cell(&bytes, &row)
                .map_err(|error| damaged(key_place(Column::Cells, &bytes), &error))
        })
        .transpose()
    }

    pub(super) fn write_cell(
        &self,
        survey: SurveyId,
        index: u32,
        record: &CellRecord,
        events: &[EventRecord],
    ) -> Result<Merge> {
        let key = CellKey { survey, index };
        let _turn = self.survey_turn(survey);
        check::cell(self.cells_of(survey)?, key, record)?;
        let merge = check::merge(key, record, self.read_cell(key)?.as_ref())?;
        let mut batch = WriteBatch::default();
        if merge == Merge::Take {
            let bytes = keys::cell(survey, index);
            let row = encode_cell(&bytes, record);
            batch.put_cf(&self.db.column(Column::Cells), bytes, row);
        }
        self.add_events(&mut batch, events)?;
        self.db.write_synced(batch)?;
        self.mark()?.raise(0, last_of(events));
        Ok(merge)
    }

    /// Every survey decodes, and every cell belongs to one.
    pub(super) fn verify_surveys(&self, verified: &mut Verified, found: Found<'_>) {
        let mut lengths = BTreeMap::new();
        self.each_row(Column::Surveys, found, |key, row, found| {
            verified.surveys += 1;
            match decode_survey(key, row) {
                Ok(record) => {
                    lengths.insert(record.id(), Some(record.survey.cells().len()));
                }
                Err(error) => {
                    // Its cells cannot be counted, and that is not their fault.
                    lengths.extend(keys::parse_survey(key).map(|id| (id, None)));
                    found(damaged(key_place(Column::Surveys, key), &error));
                }
            }
        });
        self.each_row(Column::Cells, found, |key, row, found| {
            verified.cells += 1;
            let place = || key_place(Column::Cells, key);
            if let Err(error) = decode_cell(key, row) {
                return found(damaged(place(), &error));
            }
            let length = keys::parse_cell(key)
                .and_then(|(survey, index)| Some((index, (*lengths.get(&survey)?)?)));
            let is_cell = match length {
                Some((index, length)) => (index as usize) < length,
                None => keys::parse_cell(key).is_some_and(|(id, _)| lengths.contains_key(&id)),
            };
            if !is_cell {
                found(StoreError::Damaged {
                    place: place(),
                    what: "there is no survey with such a cell".to_owned(),
                });
            }
        });
    }
}
