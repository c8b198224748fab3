//! Surveys and their cells. The id and the cell's index are in the keys.

use toads_game::ValueId;
use toads_strip::Variant;
use toads_survey::{Bound, Budget, Cell, CellOutcome, CellRecord, Effort, Exact, Relation, Survey};

use super::bytes::{Malformed, Reader, open_row, put_signed, put_text, put_varint, seal_row};
use crate::keys;
use crate::records::{SurveyRecord, SurveyState};

const SURVEY: u8 = 1;
const CELL: u8 = 1;

/// A survey under the key of its id.
pub fn encode_survey(record: &SurveyRecord) -> Vec<u8> {
    let survey = &record.survey;
    let state = match record.state {
        SurveyState::Active => 0,
        SurveyState::Cancelled => 1,
    };
    let mut row = vec![SURVEY, survey.variant().code(), state];
    put_varint(&mut row, record.created_ms);
    put_varint(&mut row, survey.budget().nodes);
    put_varint(&mut row, survey.budget().milliseconds);
    put_text(&mut row, survey.title());
    put_varint(&mut row, survey.cells().len() as u64);
    for cell in survey.cells() {
        put_varint(&mut row, cell.labels.len() as u64);
        for (name, value) in &cell.labels {
            put_text(&mut row, name);
            put_signed(&mut row, *value);
        }
        put_text(&mut row, &cell.strip);
    }
    seal_row(&survey.id().0, &mut row);
    row
}

/// The survey with this key; what it asks has to have the id that is its key.
pub fn decode_survey(key: &[u8], row: &[u8]) -> Result<SurveyRecord, Malformed> {
    let id = keys::parse_survey(key).ok_or(Malformed::Field("the key is not a survey's"))?;
    let mut reader = open_row(key, row, SURVEY)?;
    let variant = Variant::from_code(reader.byte()?).ok_or(Malformed::Field("unknown variant"))?;
    let state = match reader.byte()? {
        0 => SurveyState::Active,
        1 => SurveyState::Cancelled,
        _ => return Err(Malformed::Field("unknown state of a survey")),
    };
    let created_ms = reader.varint()?;
    let (nodes, milliseconds) = (reader.varint()?, reader.varint()?);
    let title = reader.text()?;
    let count = count_of(&mut reader, 2)?;
    let cells = (0..count)
        .map(|_| decode_definition(&mut reader))
        .collect::<Result<_, _>>()?;
    reader.end()?;
    let budget = Budget {
        nodes,
        milliseconds,
    };
    let survey = Survey::new(title, variant, budget, cells)
        .map_err(|_| Malformed::Field("the definition is not a survey"))?;
    if survey.id() != id {
        return Err(Malformed::Field("the definition has another id"));
    }
    Ok(SurveyRecord {
        survey,
        state,
        created_ms,
    })
}

fn decode_definition(reader: &mut Reader<'_>) -> Result<Cell, Malformed> {
    let count = count_of(reader, 2)?;
    let labels = (0..count)
        .map(|_| Ok((reader.text()?, reader.signed()?)))
        .collect::<Result<Vec<_>, Malformed>>()?;
    Ok(Cell::new(labels, reader.text()?))
}

/// What is known of a cell, under its key.
pub fn encode_cell(key: &[u8], record: &CellRecord) -> Vec<u8> {
    let mut row = vec![CELL];
    put_varint(&mut row, record.effort.nodes);
    put_varint(&mut row, record.effort.milliseconds);
    put_varint(&mut row, record.finished_ms);
    put_text(&mut row, &record.worker);
    match &record.outcome {
        CellOutcome::Failed { message } => {
            row.push(0);
            put_text(&mut row, message);
        }
        CellOutcome::Bounded { bounds, how } => {
            row.push(1);
            put_text(&mut row, how);
            put_varint(&mut row, bounds.len() as u64);
            for bound in bounds {
                row.push(bound.relation.code());
                put_text(&mut row, &bound.value);
            }
        }
        CellOutcome::Exact { value, how } => {
            row.push(if value.id.is_some() { 3 } else { 2 });
            put_text(&mut row, how);
            if let Some(id) = value.id {
                row.extend_from_slice(&id.0);
            }
            put_text(&mut row, &value.kind);
            put_text(&mut row, &value.text);
        }
    }
    seal_row(key, &mut row);
    row
}

/// What is known of the cell with this key.
pub fn decode_cell(key: &[u8], row: &[u8]) -> Result<CellRecord, Malformed> {
    keys::parse_cell(key).ok_or(Malformed::Field("the key is not a cell's"))?;
    let mut reader = open_row(key, row, CELL)?;
    let effort = Effort {
        nodes: reader.varint()?,
        milliseconds: reader.varint()?,
    };
    let finished_ms = reader.varint()?;
    let worker = reader.text()?;
    let outcome = match reader.byte()? {
        0 => CellOutcome::Failed {
            message: reader.text()?,
        },
        1 => {
            let how = reader.text()?;
            let count = count_of(&mut reader, 2)?;
            let bounds = (0..count)
                .map(|_| decode_bound(&mut reader))
                .collect::<Result<_, _>>()?;
            CellOutcome::Bounded { bounds, how }
        }
        code @ (2 | 3) => {
            let how = reader.text()?;
            let id = if code == 3 {
                Some(ValueId(reader.array()?))
            } else {
                None
            };
            let (kind, text) = (reader.text()?, reader.text()?);
            CellOutcome::Exact {
                value: Exact { text, id, kind },
                how,
            }
        }
        _ => return Err(Malformed::Field("unknown outcome of a cell")),
    };
    reader.end()?;
    Ok(CellRecord {
        outcome,
        effort,
        worker,
        finished_ms,
    })
}

fn decode_bound(reader: &mut Reader<'_>) -> Result<Bound, Malformed> {
    let relation =
        Relation::from_code(reader.byte()?).ok_or(Malformed::Field("unknown relation"))?;
    Ok(Bound {
        relation,
        value: reader.text()?,
    })
}

/// A count of items of at least `least` bytes each: never more than the row has room for.
fn count_of(reader: &mut Reader<'_>, least: usize) -> Result<usize, Malformed> {
    let count: usize = reader.narrow()?;
    if count > reader.remaining() / least {
        return Err(Malformed::Field("more items than bytes"));
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn outcomes() -> impl Strategy<Value = CellOutcome> {
        let bound = (0u8..7, ".{1,20}").prop_map(|(code, value)| Bound {
            relation: Relation::from_code(code).unwrap(),
            value,
        });
        let id = proptest::option::of(any::<[u8; 16]>().prop_map(ValueId));
        prop_oneof![
            ".{1,40}".prop_map(|message| CellOutcome::Failed { message }),
            (proptest::collection::vec(bound, 1..4), ".{1,20}")
                .prop_map(|(bounds, how)| CellOutcome::Bounded { bounds, how }),
            (id, ".{1,40}", "[a-z+]{1,10}", ".{1,20}").prop_map(|(id, text, kind, how)| {
                let value = Exact { text, id, kind };
                CellOutcome::Exact { value, how }
            }),
        ]
    }

    fn records() -> impl Strategy<Value = CellRecord> {
        let effort = (any::<u64>(), any::<u64>()).prop_map(|(nodes, milliseconds)| Effort {
            nodes,
            milliseconds,
        });
        (outcomes(), effort, ".{0,20}", any::<u64>()).prop_map(
            |(outcome, effort, worker, finished_ms)| CellRecord {
                outcome,
                effort,
                worker,
                finished_ms,
            },
        )
    }

    fn surveys() -> impl Strategy<Value = SurveyRecord> {
        let labels = proptest::collection::vec(("[a-z]{1,3}", any::<i64>()), 0..3);
        let cell = (labels, "[TF.]{1,12}").prop_map(|(labels, strip)| Cell::new(labels, strip));
        let cells = proptest::collection::vec(cell, 1..6);
        (cells, ".{0,20}", any::<(u64, u64, u64, bool, bool)>()).prop_map(
            |(cells, title, (nodes, milliseconds, created_ms, hop, active))| {
                let budget = Budget {
                    nodes,
                    milliseconds,
                };
                let variant = if hop { Variant::Hop } else { Variant::Hopless };
                let state = if active {
                    SurveyState::Active
                } else {
                    SurveyState::Cancelled
                };
                SurveyRecord {
                    survey: Survey::new(title, variant, budget, cells).unwrap(),
                    state,
                    created_ms,
                }
            },
        )
    }

    proptest! {
        #[test]
        fn rows_read_back_and_any_flipped_bit_is_noticed(
            record in records(),
            survey in surveys(),
            index: u32,
            at in any::<proptest::sample::Index>(),
            bit in 0..8u32,
        ) {
            let id = survey.survey.id();
            let key = keys::cell(id, index);
            let mut row = encode_cell(&key, &record);
            prop_assert_eq!(decode_cell(&key, &row), Ok(record));
            let byte = at.index(row.len());
            row[byte] ^= 1 << bit;
            prop_assert!(decode_cell(&key, &row).is_err());
            let mut row = encode_survey(&survey);
            prop_assert_eq!(decode_survey(&id.0, &row), Ok(survey));
            let byte = at.index(row.len());
            row[byte] ^= 1 << bit;
            prop_assert!(decode_survey(&id.0, &row).is_err());
        }

        #[test]
        fn junk_never_panics(junk in proptest::collection::vec(any::<u8>(), 0..80)) {
            let key = [7; 20];
            for start in [vec![], vec![CELL]] {
                let mut row = [start, junk.clone()].concat();
                let _ = decode_cell(&key, &row);
                // With a checksum that fits, so that the fields are reached.
                seal_row(&key, &mut row);
                let _ = decode_cell(&key, &row);
                let mut row = [&[SURVEY], junk.as_slice()].concat();
                seal_row(&key[..16], &mut row);
                prop_assert!(decode_survey(&key[..16], &row).is_err());
            }
        }
    }
}
