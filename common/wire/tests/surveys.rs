//! Surveys and results cross the wire unchanged, and what contradicts itself is refused.

use proptest::prelude::*;
use prost::Message;
use toads_game::ValueId;
use toads_strip::Variant;
use toads_survey::{
    Bound, Budget, Cell, CellKey, CellOutcome, CellRecord, Effort, Exact, Relation, Survey,
    SurveyId,
};
use toads_wire::convert::{self, WireError};
use toads_wire::v1::cell_result::Outcome;
use toads_wire::{MAX_MESSAGE_BYTES, v1};

fn outcomes() -> impl Strategy<Value = CellOutcome> {
    let bound = (0u8..7, ".{1,20}").prop_map(|(code, value)| Bound {
        relation: Relation::from_code(code).unwrap(),
        value,
    });
    let id = prop::option::of(any::<[u8; 16]>().prop_map(ValueId));
    prop_oneof![
        ".{1,40}".prop_map(|message| CellOutcome::Failed { message }),
        (prop::collection::vec(bound, 1..4), ".{1,20}")
            .prop_map(|(bounds, how)| CellOutcome::Bounded { bounds, how }),
        (id, ".{1,40}", "[a-z+]{1,10}", ".{1,20}").prop_map(|(id, text, kind, how)| {
            let value = Exact { text, id, kind };
            CellOutcome::Exact { value, how }
        }),
    ]
}

proptest! {
    #[test]
    fn results_arrive_as_they_were_sent(outcome in outcomes(), nodes: u64, milliseconds: u64, worker in ".{0,20}", finished_ms: u64) {
        let record = CellRecord { outcome, effort: Effort { nodes, milliseconds }, worker, finished_ms };
        let bytes = convert::to_cell_record(&record).encode_to_vec();
        let message = v1::CellRecord::decode(bytes.as_slice()).unwrap();
        prop_assert_eq!(convert::cell_record(&message), Ok(record));
    }

    #[test]
    fn definitions_arrive_with_the_same_id(cells in prop::collection::vec(("[a-z]{1,4}", any::<i64>(), "[TF.]{1,9}"), 1..6), title in ".{0,20}", nodes: u64, milliseconds: u64) {
        let cells = cells.into_iter().map(|(name, value, strip)| Cell::new([(name, value)], strip)).collect();
        let survey = Survey::new(title, Variant::Hopless, Budget { nodes, milliseconds }, cells).unwrap();
        let bytes = convert::to_definition(&survey).encode_to_vec();
        let message = v1::SurveyDefinition::decode(bytes.as_slice()).unwrap();
        prop_assert_eq!(convert::definition(Some(&message)), Ok(survey));
    }

    #[test]
    fn leases_arrive_as_they_were_sent(survey: [u8; 16], index: u32, epoch: u64) {
        let key = CellKey { survey: SurveyId(survey), index };
        prop_assert_eq!(convert::cell_key(Some(&convert::to_cell_key(key, epoch))), Ok((key, epoch)));
    }
}

#[test]
fn what_contradicts_itself_is_refused() {
    let result = |outcome| v1::CellResult {
        outcome,
        ..v1::CellResult::default()
    };
    assert_eq!(
        convert::result(None),
        Err(WireError::Missing("the result of the cell"))
    );
    assert!(convert::result(Some(&result(None))).is_err());
    assert!(convert::result(Some(&result(Some(Outcome::Failed(String::new()))))).is_err());
    let none = v1::CellBounds {
        bounds: vec![],
        how: "play".into(),
    };
    assert!(convert::result(Some(&result(Some(Outcome::Bounded(none))))).is_err());
    let odd = v1::CellBounds {
        bounds: vec![v1::CellBound {
            relation: "=".into(),
            value: "2".into(),
        }],
        how: "play".into(),
    };
    let error = convert::result(Some(&result(Some(Outcome::Bounded(odd))))).unwrap_err();
    assert!(error.to_string().contains("relation is ="), "{error}");
    let short = v1::ExactValue {
        text: "1".into(),
        id: vec![1; 15],
        kind: "integer".into(),
        how: "play".into(),
    };
    let error = convert::result(Some(&result(Some(Outcome::Exact(short))))).unwrap_err();
    assert!(
        matches!(error, WireError::Length { bytes: 15, .. }),
        "{error}"
    );
    let key = v1::CellLeaseKey {
        survey: vec![0; 3],
        ..v1::CellLeaseKey::default()
    };
    assert!(convert::cell_key(Some(&key)).is_err());
    let empty = v1::SurveyDefinition {
        variant: v1::Variant::Hop.into(),
        ..v1::SurveyDefinition::default()
    };
    let error = convert::definition(Some(&empty)).unwrap_err();
    assert!(error.to_string().contains("at least one cell"), "{error}");
}

#[test]
fn the_largest_survey_fits_into_a_message() {
    let cells = (0..toads_survey::MAX_CELLS as i64)
        .map(|at| Cell::new([("a", at)], "T^2 .^9 F^2"))
        .collect();
    let survey = Survey::new("x", Variant::Hop, Budget::default(), cells).unwrap();
    let bytes = convert::to_definition(&survey).encoded_len();
    assert!(bytes < MAX_MESSAGE_BYTES - 1_000, "{bytes}");
}
