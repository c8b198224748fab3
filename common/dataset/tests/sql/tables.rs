//! What is in the tables.

use std::collections::BTreeMap;

use toads_game::{DeepInvariants, Invariants, Value, notation};
use toads_store::{Keep, MemoryStore, RunRecord, RunState, Store};
use toads_strip::{Class, Strip, Variant};

use crate::support::{Referee, census};
use crate::{LAST, cell, rows};

fn all(referee: &mut Referee) -> Vec<(Strip, Value)> {
    (1..=LAST).flat_map(|n| referee.all(n)).collect()
}

#[test]
fn strips_are_those_of_brute_force_in_the_order_of_their_classes() {
    for variant in Variant::ALL {
        let mut referee = Referee::new(variant);
        let mut expected = all(&mut referee);
        expected.sort_by_key(|(strip, _)| (strip.class(), strip.index()));
        for keep in [Keep::Blocks, Keep::Tallies] {
            let store = census(variant, LAST, keep);
            let found = rows(
                &store,
                "select variant, n, idx, strip, toads, frogs, value_id, value from strips",
            );
            assert_eq!(found.len(), expected.len());
            for (row, (strip, value)) in found.iter().zip(&expected) {
                let class = strip.class();
                let expected = [
                    variant.to_string(),
                    class.n.to_string(),
                    strip.index().unwrap().to_string(),
                    strip.to_string(),
                    class.toads.to_string(),
                    class.frogs.to_string(),
                    referee.arena.id(*value).to_string(),
                    notation::display(&referee.arena, *value),
                ];
                assert_eq!(row[..], expected);
            }
        }
    }
}

#[test]
fn values_have_all_their_invariants() {
    for variant in Variant::ALL {
        let store = census(variant, LAST, Keep::Tallies);
        let mut referee = Referee::new(variant);
        let strips = all(&mut referee);
        let arena = &referee.arena;
        let (mut invariants, mut deep) = (Invariants::new(arena), DeepInvariants::default());
        let mut expected = BTreeMap::new();
        for (_, value) in strips {
            let record = invariants.record(value).unwrap();
            let (left, right) = invariants.option_counts(value);
            let text = |value: Option<Value>| {
                value.map_or_else(String::new, |value| notation::display(arena, value))
            };
            let denominator = arena
                .as_number(value)
                .map(|number| 1 << number.log2_denominator());
            let row = vec![
                notation::display(arena, value),
                record.kind.to_string(),
                record.outcome.to_string(),
                record.left_stop.to_string(),
                record.right_stop.to_string(),
                record.mean.to_string(),
                record.temperature.to_string(),
                record.birthday.to_string(),
                arena.negative_id(value).to_string(),
                left.to_string(),
                right.to_string(),
                deep.depth(arena, value).to_string(),
                deep.subpositions(arena, value).unwrap().to_string(),
                denominator.map_or_else(String::new, |of: u64| of.to_string()),
                text(deep.atomic_weight(arena, value).unwrap()),
                text(deep.reduced(arena, value).unwrap()),
            ];
            expected.insert(arena.id(value).to_string(), row);
        }
        let found: BTreeMap<_, _> = rows(&store, "select * from values")
            .into_iter()
            .map(|row| (row[0].clone(), row[1..].to_vec()))
            .collect();
        assert_eq!(found, expected);
        // One by one, as a look-up has them.
        for (id, row) in expected.iter().step_by(17) {
            let looked_up = rows(
                &store,
                &format!("select * from values where value_id = '{id}'"),
            );
            assert_eq!(looked_up[0][1..], row[..]);
            let text = row[0].replace('\'', "''");
            assert_eq!(
                rows(
                    &store,
                    &format!("select * from values where value = '{text}'")
                ),
                looked_up
            );
        }
    }
}

#[test]
fn tallies_count_strips_by_class_and_value() {
    let store = census(Variant::Hop, LAST, Keep::Tallies);
    let mut referee = Referee::new(Variant::Hop);
    let mut expected = BTreeMap::<_, (u64, Strip)>::new();
    for (strip, value) in all(&mut referee) {
        let id = referee.arena.id(value).to_string();
        let entry = expected.entry((strip.class(), id)).or_insert((0, strip));
        entry.0 += 1;
    }
    let expected: Vec<Vec<String>> = expected
        .into_iter()
        .map(|((Class { n, toads, frogs }, id), (count, first))| {
            let mut row: Vec<_> = [n, toads, frogs].map(|of| of.to_string()).into();
            row.extend([id, count.to_string(), first.to_string()]);
            row
        })
        .collect();
    let statement = "select n, toads, frogs, value_id, count, first_strip from tallies order by n, toads, frogs, value_id";
    assert_eq!(rows(&store, statement), expected);
    // The rest is that of the values.
    let differing = "select count(*) from tallies t join values v using (value_id) \
        where t.value <> v.value or t.kind <> v.kind or t.outcome <> v.outcome or t.mean <> v.mean \
        or t.left_stop <> v.left_stop or t.right_stop <> v.right_stop or t.temperature <> v.temperature or t.birthday <> v.birthday";
    assert_eq!(cell(&store, differing), "0");
}

#[test]
fn the_store_itself_is_told() {
    let store: MemoryStore = census(Variant::Hop, 4, Keep::Blocks);
    let run = RunRecord {
        id: 1,
        variant: Variant::Hop,
        first_n: 1,
        last_n: 5,
        keep: Keep::Blocks,
        state: RunState::Paused,
        created_ms: 17,
    };
    store.put_run(&run).unwrap();
    let finished = RunRecord {
        id: 2,
        last_n: 4,
        state: RunState::Active,
        ..run
    };
    store.put_run(&finished).unwrap();
    assert_eq!(
        rows(&store, "select * from runs"),
        [
            ["1", "hop", "1", "5", "blocks", "paused", "17"],
            ["2", "hop", "1", "4", "blocks", "done", "17"]
        ]
    );
    let shards = store.shards(None).unwrap();
    let found = rows(
        &store,
        "select n, toads, frogs, state, strips, digest from shards",
    );
    assert_eq!(found.len(), shards.len());
    for (row, record) in found.iter().zip(&shards) {
        let class = record.shard.class;
        let expected = [
            class.n.to_string(),
            class.toads.to_string(),
            class.frogs.to_string(),
            "committed".to_owned(),
            record.strips.to_string(),
            record.digest.to_string(),
        ];
        assert_eq!(row[..], expected);
    }
}

#[test]
fn an_empty_store_has_empty_tables() {
    for table in ["strips", "values", "tallies", "classes", "runs", "shards"] {
        let store = MemoryStore::new();
        assert_eq!(cell(&store, &format!("select count(*) from {table}")), "0");
    }
}
