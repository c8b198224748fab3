//! Surveys and cells: the same suite over the store on disk and its twin in memory, and what only files can do.

mod support;

use std::path::Path;

use support::event;
use toads_game::ValueId;
use toads_store::{
    MemoryStore, OpenOptions, RocksStore, Store, StoreError, SurveyRecord, SurveyState,
};
use toads_strip::Variant;
use toads_survey::{
    Bound, Budget, Cell, CellOutcome, CellRecord, Effort, Exact, Merge, Relation, Survey, SurveyId,
};

fn rocks(folder: &Path) -> RocksStore {
    RocksStore::open(&folder.join("s.db"), &OpenOptions::creating()).unwrap()
}

macro_rules! over_both {
    ($($name:ident)*) => {
        mod on_disk {
            $(#[test] fn $name() {
                let folder = tempfile::tempdir().unwrap();
                super::$name(&super::rocks(folder.path()));
            })*
        }
        mod in_memory {
            $(#[test] fn $name() {
                super::$name(&super::MemoryStore::new());
            })*
        }
    };
}

over_both! {
    surveys_are_listed_by_age_and_keep_it
    cells_are_kept_by_survey_and_index
    a_better_record_takes_the_place_of_a_worse_one_only
    another_value_is_a_conflict_and_writes_nothing
    what_belongs_to_no_survey_or_says_nothing_is_refused
}

fn survey(title: &str, cells: i64, created_ms: u64) -> SurveyRecord {
    let cells = (1..=cells).map(|a| Cell::new([("a", a)], format!("T^{a} . F")));
    let survey = Survey::new(title, Variant::Hop, Budget::default(), cells.collect());
    SurveyRecord {
        survey: survey.unwrap(),
        state: SurveyState::Active,
        created_ms,
    }
}

fn record(outcome: CellOutcome) -> CellRecord {
    CellRecord {
        outcome,
        effort: Effort {
            nodes: 12,
            milliseconds: 3,
        },
        worker: "w#1".into(),
        finished_ms: 1_700_000_000_000,
    }
}

fn exact(text: &str, id: u8) -> CellRecord {
    let value = Exact {
        text: text.into(),
        id: Some(ValueId([id; 16])),
        kind: "hot".into(),
    };
    record(CellOutcome::Exact {
        value,
        how: "class table".into(),
    })
}

fn bounded() -> CellRecord {
    let bounds = vec![Bound {
        relation: Relation::Confused,
        value: "0".into(),
    }];
    record(CellOutcome::Bounded {
        bounds,
        how: "play".into(),
    })
}

fn surveys_are_listed_by_age_and_keep_it(store: &dyn Store) {
    assert_eq!(store.surveys().unwrap(), []);
    let (young, old) = (survey("young", 2, 20), survey("old", 2, 10));
    store.put_survey(&young).unwrap();
    store.put_survey(&old).unwrap();
    assert_eq!(store.surveys().unwrap(), [old.clone(), young.clone()]);
    // Asked for again later, and given up: only the state changes.
    let cancelled = SurveyRecord {
        state: SurveyState::Cancelled,
        created_ms: 99,
        ..old.clone()
    };
    store.put_survey(&cancelled).unwrap();
    let stored = store.surveys().unwrap();
    assert_eq!(stored[0].state, SurveyState::Cancelled);
    assert_eq!((stored[0].created_ms, &stored[1]), (10, &young));
    assert_eq!(stored[0].survey, old.survey);
}

fn cells_are_kept_by_survey_and_index(store: &dyn Store) {
    let (one, two) = (survey("one", 300, 1), survey("two", 300, 2));
    store.put_survey(&one).unwrap();
    store.put_survey(&two).unwrap();
    assert_eq!(store.cells(one.id()).unwrap(), []);
    for index in [256, 0, 299, 2] {
        let put = store.put_cell(one.id(), index, &exact("1", index as u8), &[]);
        assert_eq!(put.unwrap(), Merge::Take);
    }
    store.put_cell(two.id(), 1, &bounded(), &[]).unwrap();
    let cells = store.cells(one.id()).unwrap();
    let indices: Vec<u32> = cells.iter().map(|(index, _)| *index).collect();
    assert_eq!(indices, [0, 2, 256, 299]);
    assert_eq!(cells[1].1, exact("1", 2));
    assert_eq!(store.cells(two.id()).unwrap(), [(1, bounded())]);
    assert_eq!(store.cell(two.id(), 1).unwrap(), Some(bounded()));
    assert_eq!(store.cell(two.id(), 0).unwrap(), None);
}

fn a_better_record_takes_the_place_of_a_worse_one_only(store: &dyn Store) {
    let survey = survey("x", 1, 1);
    let id = survey.id();
    store.put_survey(&survey).unwrap();
    let failed = record(CellOutcome::failed("too large"));
    let put = |record: &CellRecord, sequence| {
        let event = event(sequence, "committed");
        store.put_cell(id, 0, record, &[event]).unwrap()
    };
    assert_eq!(put(&failed, 1), Merge::Take);
    assert_eq!(put(&bounded(), 2), Merge::Take);
    assert_eq!(put(&failed, 3), Merge::Keep);
    assert_eq!(store.cells(id).unwrap(), [(0, bounded())]);
    assert_eq!(put(&exact("{1|0}", 1), 4), Merge::Take);
    assert_eq!(put(&exact("{1|0}", 1), 5), Merge::Keep);
    assert_eq!(store.cells(id).unwrap(), [(0, exact("{1|0}", 1))]);
    // The log tells of all five.
    assert_eq!(store.next_event().unwrap(), 6);
}

fn another_value_is_a_conflict_and_writes_nothing(store: &dyn Store) {
    let survey = survey("x", 1, 1);
    let id = survey.id();
    store.put_survey(&survey).unwrap();
    store.put_cell(id, 0, &exact("1", 1), &[]).unwrap();
    let answer = store.put_cell(id, 0, &exact("2", 2), &[event(1, "committed")]);
    assert!(
        matches!(&answer, Err(StoreError::CellConflict { cell, .. }) if cell.survey == id),
        "{answer:?}"
    );
    assert_eq!(store.cells(id).unwrap(), [(0, exact("1", 1))]);
    assert_eq!(store.next_event().unwrap(), 1);
}

fn what_belongs_to_no_survey_or_says_nothing_is_refused(store: &dyn Store) {
    let survey = survey("x", 3, 1);
    store.put_survey(&survey).unwrap();
    let refused = |survey, index, record: &CellRecord| {
        let answer = store.put_cell(survey, index, record, &[]);
        assert!(
            matches!(answer, Err(StoreError::Rejected { .. })),
            "{answer:?}"
        );
    };
    refused(survey.id(), 3, &exact("1", 1));
    refused(SurveyId([9; 16]), 0, &exact("1", 1));
    refused(survey.id(), 0, &exact("", 1));
    assert_eq!(store.cells(survey.id()).unwrap(), []);
}

#[test]
fn a_store_from_before_surveys_is_read_as_without_and_written_on() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/format-2");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    support::copy(&fixture, &path);
    let survey = survey("x", 1, 1);
    {
        let store = RocksStore::open_read_only(&path, &OpenOptions::default()).unwrap();
        assert_eq!(store.surveys().unwrap(), []);
        assert_eq!(store.cells(survey.id()).unwrap(), []);
        let info = store.info().unwrap();
        assert!(info.contains(&("surveys".into(), "0".into())), "{info:?}");
        store.verify(&mut |damage| panic!("{damage}")).unwrap();
    }
    {
        let store = RocksStore::open(&path, &OpenOptions::default()).unwrap();
        store.put_survey(&survey).unwrap();
        store.put_cell(survey.id(), 0, &exact("1", 1), &[]).unwrap();
    }
    let store = RocksStore::open_read_only(&path, &OpenOptions::default()).unwrap();
    assert_eq!(store.cells(survey.id()).unwrap().len(), 1);
    let verified = store.verify(&mut |damage| panic!("{damage}")).unwrap();
    assert_eq!((verified.surveys, verified.cells), (1, 1));
    assert!(!store.shards(None).unwrap().is_empty());
}
