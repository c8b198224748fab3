//! What is found is what the census finds; what is only bounded is bounded by true relations.

use toads_game::{Arena, Relation, notation};
use toads_strip::{Strip, Variant};
use toads_surveyor::{Budget, Finding, How, Surveyor};

/// The answer with every exact way but play closed.
fn by_play(strip: &Strip, nodes: u64) -> Finding {
    let budget = Budget {
        memory: 256 << 20,
        positions: 0,
        class: 0,
        nodes,
        ..Budget::default()
    };
    let arena = budget.arena();
    let mut surveyor = Surveyor::new(&arena, Variant::Hop, budget);
    surveyor.survey(strip).unwrap()
}

fn exactly(strip: &Strip) -> String {
    let budget = Budget::default();
    let arena = budget.arena();
    let found = Surveyor::new(&arena, Variant::Hop, budget).survey(strip);
    match found.unwrap() {
        Finding::Exact { value, .. } => value,
        other @ Finding::Bounded { .. } => panic!("{strip}: {other:?}"),
    }
}

#[test]
fn play_bounds_what_the_positions_tell_exactly() {
    for text in [
        "T^3 .^4 F^2",
        "T^4 .^4 F^3",
        "T^5 .^3 F^3",
        "T^3 .^3 F^3",
        "T^4 .^2 F^3",
        "T^2 .^5 F^2",
        "T^3 .^2 F^3",
        "T.T..F.F.",
        "TT..F..F",
        "T^6 .^3 F^2",
    ] {
        let strip = Strip::parse(text).unwrap();
        let (exact, played) = (exactly(&strip), by_play(&strip, 5_000_000));
        let arena = Arena::new();
        let value = notation::parse(&arena, &exact).unwrap();
        match played {
            Finding::Exact {
                value: found, how, ..
            } => {
                assert_eq!(found, exact, "{text}");
                assert_eq!(how, How::Play, "{text}");
            }
            Finding::Bounded { relations, .. } => {
                assert!(!relations.is_empty(), "{text}");
                for (relation, number) in relations {
                    let number = notation::parse(&arena, &number).unwrap();
                    assert_eq!(arena.compare(value, number), relation, "{text} = {exact}");
                }
            }
        }
    }
}

#[test]
fn numbers_and_their_near_neighbours_are_found_by_play() {
    for (text, value) in [
        ("T^5 .^3 F^3", "3/2"),
        ("T^4 .^4 F^3", "1*"),
        ("T^2 .^5 F^2", "0"),
    ] {
        let played = by_play(&Strip::parse(text).unwrap(), u64::MAX);
        assert!(
            matches!(&played, Finding::Exact { value: found, how: How::Play, .. } if found == value),
            "{text}: {played:?}"
        );
    }
}

#[test]
fn a_budget_of_nothing_finds_nothing_and_says_so() {
    let found = by_play(&Strip::parse("T^5 .^5 F^5").unwrap(), 0);
    assert_eq!(found.to_string(), "?");
}

#[test]
fn every_way_gives_the_same_value() {
    let strip = Strip::parse("T^4 .^5 F^3").unwrap();
    let budget = Budget {
        positions: 10,
        ..Budget::default()
    };
    let arena = budget.arena();
    let found = Surveyor::new(&arena, Variant::Hop, budget)
        .survey(&strip)
        .unwrap();
    let Finding::Exact { value, how, .. } = found else {
        panic!("{found:?}");
    };
    assert_eq!((value, how), (exactly(&strip), How::Class));
}

#[test]
fn relations_print_as_in_the_tables_of_the_literature() {
    let finding = Finding::Bounded {
        relations: vec![
            (Relation::Greater, "5/2".into()),
            (Relation::Less, "3".into()),
        ],
        nodes: 7,
    };
    assert_eq!(finding.to_string(), "> 5/2, < 3");
}
