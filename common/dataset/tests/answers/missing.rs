//! What is not there, not understood or not wanted any more.

use toads_census::plan;
use toads_dataset::{Cell, DatasetError, Filters, Question, Reader, Table, answer, answer_with};
use toads_store::{Keep, MemoryStore};
use toads_strip::Variant;

use crate::support::{ask, census, commit};

#[test]
fn what_is_missing_is_said_and_marked() {
    let store = census(Variant::Hop, 4, Keep::Blocks);
    let five = plan::shards(Variant::Hop, 5..=5);
    five[..4]
        .iter()
        .for_each(|&shard| commit(&store, shard, Keep::Blocks));
    let table = ask(
        &store,
        &Question::Summary {
            filters: Filters::default(),
        },
    );
    assert_eq!(
        table.notes,
        ["n = 5: 4 of 12 classes committed; figures are partial"]
    );
    let row = table.rows.last().unwrap();
    let strips: u64 = five[..4].iter().map(|shard| shard.strips_answered()).sum();
    assert_eq!((&row[0], &row[1]), (&Cell::from(5u8), &Cell::from(strips)));
    assert_eq!(row[11..], [Cell::from(4u8), Cell::from(12u8)]);
    assert_eq!(table.rows[0][11..], [Cell::from(2u8), Cell::from(2u8)]);
    assert_eq!(table.columns.last().unwrap().name, "classes_total");
    // Ranges that end where the census does are whole, and those past it are said to be empty.
    let asked = |squares| {
        ask(
            &store,
            &Question::Summary {
                filters: Filters::default().squares(squares),
            },
        )
    };
    assert_eq!(asked(1..=4).columns.len(), 11);
    assert_eq!(asked(6..=6).notes, ["n = 6: none of 16 classes committed"]);
    assert!(asked(6..=6).rows.is_empty());
    let classes = ask(
        &store,
        &Question::Classes {
            filters: Filters::default().squares(5..=5),
        },
    );
    assert_eq!(classes.rows.len(), 21);
    let pending = classes
        .rows
        .iter()
        .filter(|row| row[10] == Cell::from("pending"))
        .count();
    assert_eq!(
        pending,
        five[4..]
            .iter()
            .map(|shard| 2 - usize::from(shard.class == shard.class.mirror()))
            .sum::<usize>()
    );
    let empty = ask(
        &MemoryStore::new(),
        &Question::Summary {
            filters: Filters::default(),
        },
    );
    assert_eq!(empty.notes.len(), 1);
}

#[test]
fn who_asks_about_the_other_variant_is_told_so() {
    let store = census(Variant::Hopless, 4, Keep::Tallies);
    for filters in [Filters::default(), Filters::default().squares(1..=3)] {
        let table = ask(&store, &Question::Summary { filters });
        assert_eq!(
            table.notes,
            [
                "the store has nothing of the hop census, but of the hopless one: ask with --variant hopless"
            ]
        );
    }
}

#[test]
fn questions_that_cannot_be_answered_say_what_to_do() {
    let store = census(Variant::Hop, 6, Keep::Tallies);
    let refused = |question: &Question| {
        let error = answer(&store, question, &mut Table::default()).unwrap_err();
        assert!(error.is_input(), "{error}");
        error.to_string()
    };
    let summary = |filters| Question::Summary { filters };
    assert!(refused(&summary(Filters::default().squares(0..=3))).contains("begin at 1"));
    assert!(refused(&summary(Filters::default().squares(1..=99))).contains("24"));
    assert!(refused(&summary(Filters::default().value("{1|"))).contains("is not a value"));
    let pieces = Filters {
        toads: Some(9..=9),
        ..Filters::default()
    };
    assert_eq!(
        refused(&summary(pieces.clone().squares(3..=3))),
        "no strip of 3 squares has 9 toads and any frogs: all must fit on the squares"
    );
    assert!(refused(&summary(pieces)).contains("1..6 squares"));
    assert!(
        refused(&summary(
            Filters::default().value("0123456789abcdef0123456789abcdef")
        ))
        .contains("value with id")
    );
    let bad = Question::Value {
        strip: "TXF".to_owned(),
        variant: Variant::Hop,
        max_text: None,
    };
    assert!(!refused(&bad).is_empty());
    let strips = Question::Strips {
        filters: Filters::default().value("0"),
        limit: None,
        max_text: None,
    };
    let small = |variant| Ok(Reader::new(&store, variant)?.evaluating_up_to(10));
    let error = answer_with(&strips, &mut Table::default(), small).unwrap_err();
    assert!(
        matches!(error, DatasetError::NeedsBlocks { .. })
            && error.to_string().contains("needs --keep blocks"),
        "{error}"
    );
}

#[test]
fn a_sink_that_has_enough_ends_the_answer() {
    struct One(usize);
    impl toads_dataset::RowSink for One {
        fn columns(&mut self, _: &[toads_dataset::Column]) -> std::ops::ControlFlow<()> {
            std::ops::ControlFlow::Continue(())
        }
        fn row(&mut self, _: &[Cell]) -> std::ops::ControlFlow<()> {
            self.0 += 1;
            std::ops::ControlFlow::Break(())
        }
        fn note(&mut self, _: &str) {}
    }
    let store = census(Variant::Hop, 5, Keep::Blocks);
    let filters = Filters::default;
    for question in [
        Question::Summary { filters: filters() },
        Question::Classes { filters: filters() },
        Question::Values {
            filters: filters(),
            limit: None,
            max_text: None,
        },
        Question::Strips {
            filters: filters(),
            limit: None,
            max_text: None,
        },
        Question::Strips {
            filters: filters().value("0"),
            limit: None,
            max_text: None,
        },
    ] {
        let mut sink = One(0);
        answer(&store, &question, &mut sink).unwrap();
        assert_eq!(sink.0, 1, "{question:?}");
    }
}
