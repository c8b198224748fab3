//! The fast kernel against the plain one, which moves strip by strip, and against itself on several threads.

use std::sync::Arc;

use toads_census::kernel::{self, evaluate, plain};
use toads_census::{Control, KnownValues, Shard, codec, forms, plan};
use toads_game::{Arena, Canonicalizer, ValueId};
use toads_strip::{Class, Strip, Variant};

const VARIANTS: [Variant; 2] = [Variant::Hop, Variant::Hopless];

#[test]
fn the_kernel_equals_the_plain_evaluation_on_every_strip_to_ten_squares() {
    for variant in VARIANTS {
        let arena = Arena::new();
        let mut canonicalizer = Canonicalizer::new(&arena);
        for class in (1..=10).flat_map(Class::all) {
            let shard = Shard::whole(variant, class);
            let slow = plain::evaluate(&mut canonicalizer, shard).unwrap();
            let fast = evaluate(&arena, shard, 1, &Control::default()).unwrap();
            assert_eq!(fast.len(), slow.len() as u64);
            for (rank, &value) in slow.iter().enumerate() {
                assert_eq!(
                    fast.value_at(rank as u64),
                    value,
                    "{}",
                    class.unrank(rank as u64)
                );
            }
        }
    }
}

#[test]
fn digest_and_tally_do_not_depend_on_threads_or_on_a_shared_arena() {
    let control = Control::default();
    for variant in VARIANTS {
        let shared = Arena::new();
        for (n, toads, frogs) in [(13, 4, 4), (12, 5, 3), (5, 2, 1), (2, 1, 0)] {
            let shard = Shard::whole(variant, Class::new(n, toads, frogs).unwrap());
            let alone = Arena::new();
            let one = evaluate(&alone, shard, 1, &control)
                .unwrap()
                .tally(&alone, 1, &control)
                .unwrap();
            for threads in [1, 2, 5] {
                let class = evaluate(&shared, shard, threads, &control).unwrap();
                assert_eq!(
                    class.tally(&shared, threads, &control).unwrap().result,
                    one.result
                );
            }
        }
    }
}

#[test]
fn blocks_hold_the_core_strips_and_the_tally_counts_every_strip() {
    let control = Control::default();
    let arena = Arena::new();
    let shard = Shard::whole(Variant::Hop, Class::new(12, 4, 3).unwrap());
    let class = evaluate(&arena, shard, 2, &control).unwrap();
    let finished = class.tally(&arena, 2, &control).unwrap();
    let mut blocks = vec![];
    class
        .blocks(&finished, 2, &control, &mut |number, bytes| {
            blocks.push((number, codec::decode(&bytes).unwrap()));
            Ok(())
        })
        .unwrap();
    blocks.sort_by_key(|&(number, _)| number);
    assert_eq!(blocks.len() as u32, toads_census::chunks(shard.class));
    let core: u64 = blocks.iter().map(|(_, block)| block.len() as u64).sum();
    assert_eq!(core, shard.class.core_size());
    for core_rank in (0..core).step_by(17) {
        let strip = shard.class.core_unrank(core_rank);
        let (number, at) = toads_census::position(shard.class, &strip);
        let place = blocks[number as usize].1.tally_place(at).unwrap();
        assert_eq!(
            finished.distinct[place as usize],
            class.value_at(shard.class.rank(&strip))
        );
    }
    assert_eq!(
        finished
            .result
            .tally
            .iter()
            .map(|entry| entry.count)
            .sum::<u64>(),
        shard.class.size()
    );
    for entry in &finished.result.tally {
        let strip = toads_strip::Strip::from_index(12, entry.first.into()).unwrap();
        assert_eq!(
            arena.id(class.value_at(shard.class.rank(&strip))),
            entry.value
        );
        let mirrored = toads_strip::Strip::from_index(12, entry.first_mirrored.into())
            .unwrap()
            .mirror();
        assert_eq!(
            arena.id(class.value_at(shard.class.rank(&mirrored))),
            entry.value
        );
    }
}

#[test]
fn forms_come_options_first_and_carry_their_own_ids() {
    let control = Control::default();
    let arena = Arena::new();
    let shard = Shard::whole(Variant::Hop, Class::new(11, 4, 3).unwrap());
    let finished = evaluate(&arena, shard, 1, &control)
        .unwrap()
        .tally(&arena, 1, &control)
        .unwrap();
    let mut known = KnownValues::default();
    let values = forms::closure(&arena, &finished.distinct, &mut known);
    assert!(forms::closure(&arena, &finished.distinct, &mut known).is_empty());
    let mut writer = forms::Forms::new(&arena);
    let mut written = std::collections::HashSet::new();
    for value in values {
        let mut form = writer.form(value).unwrap();
        assert!(
            form.left
                .iter()
                .chain(&form.right)
                .all(|id| written.contains(id))
        );
        assert_eq!(ValueId::of(&mut form.left, &mut form.right), form.id);
        written.insert(form.id);
    }
    assert!(
        finished
            .result
            .tally
            .iter()
            .all(|entry| written.contains(&entry.value))
    );
}

#[test]
fn a_cancelled_evaluation_stops_and_a_full_arena_is_an_error() {
    let shard = Shard::whole(Variant::Hop, Class::new(13, 5, 4).unwrap());
    let control = Control::default();
    control
        .cancelled
        .store(true, std::sync::atomic::Ordering::Relaxed);
    for threads in [1, 2] {
        let outcome = evaluate(&Arena::new(), shard, threads, &control).map(|_| ());
        assert_eq!(outcome, Err(toads_census::EvaluateError::Cancelled));
        let capacity = toads_game::Capacity {
            values: 500,
            ..toads_game::Capacity::SMALL
        };
        let outcome = evaluate(
            &Arena::with_capacity(capacity),
            shard,
            threads,
            &Control::default(),
        )
        .map(|_| ());
        assert!(
            matches!(outcome, Err(toads_census::EvaluateError::Game(_))),
            "{outcome:?}"
        );
    }
}

/// Totals over all strips of one length, mirrors included, from the tallies alone.
#[derive(Debug, PartialEq, Default)]
struct Totals {
    strips: u64,
    distinct: u64,
    numbers: u64,
    zeros: u64,
    stars: u64,
    outcomes: [u64; 4],
}

#[test]
fn totals_to_ten_squares_are_the_golden_ones() {
    for (variant, text) in VARIANTS.into_iter().zip([
        include_str!("../../../tests/golden/census-hop.tsv"),
        include_str!("../../../tests/golden/census-hopless.tsv"),
    ]) {
        let arena = Arena::new();
        let star = arena.id(arena.nimber(1).unwrap());
        for line in text.lines().skip(1) {
            let row: Vec<u64> = line.split('\t').map(|cell| cell.parse().unwrap()).collect();
            let mut totals = Totals::default();
            let mut distinct = std::collections::HashSet::new();
            for shard in plan::shards(variant, row[0] as u8..=row[0] as u8) {
                let control = Control::default();
                let finished = evaluate(&arena, shard, 1, &control)
                    .unwrap()
                    .tally(&arena, 1, &control)
                    .unwrap();
                let mirrored = shard.class.toads != shard.class.frogs;
                for (entry, &value) in finished.result.tally.iter().zip(&finished.distinct) {
                    distinct.insert(entry.value);
                    distinct.insert(arena.negative_id(value));
                    let times = if mirrored { 2 } else { 1 };
                    totals.strips += times * entry.count;
                    totals.numbers +=
                        u64::from(arena.as_number(value).is_some()) * times * entry.count;
                    totals.zeros +=
                        u64::from(value == toads_game::Value::ZERO) * times * entry.count;
                    totals.stars += u64::from(entry.value == star) * times * entry.count;
                    let outcome = arena.outcome(value) as usize;
                    totals.outcomes[outcome] += entry.count;
                    if mirrored {
                        totals.outcomes[[0, 2, 1, 3][outcome]] += entry.count;
                    }
                }
            }
            totals.distinct = distinct.len() as u64;
            let expected = Totals {
                strips: row[1],
                distinct: row[2],
                numbers: row[3],
                zeros: row[5],
                stars: row[6],
                outcomes: [row[7], row[8], row[9], row[10]],
            };
            assert_eq!(totals, expected, "{variant} n = {}", row[0]);
        }
    }
}

#[test]
fn classes_evaluated_with_the_help_of_smaller_ones_are_the_same_whatever_is_kept() {
    let control = Control::default();
    for variant in VARIANTS {
        let arena = Arena::new();
        for limit in [0, 5_000, 1 << 30] {
            let tables = toads_census::Tables::new(limit);
            for shard in plan::shards(variant, 1..=10) {
                let helped = tables.evaluate(&arena, shard, 1, &control).unwrap();
                let alone = evaluate(&arena, shard, 1, &control).unwrap();
                assert!(
                    (0..alone.len()).all(|rank| helped.value_at(rank) == alone.value_at(rank)),
                    "{shard}"
                );
            }
            assert!(tables.memory_bytes() <= limit);
            let large = Shard::whole(variant, Class::new(13, 5, 4).unwrap());
            let helped = tables.evaluate(&arena, large, 3, &control).unwrap();
            let alone = evaluate(&arena, large, 1, &control).unwrap();
            assert!((0..alone.len()).all(|rank| helped.value_at(rank) == alone.value_at(rank)));
        }
    }
}

#[test]
fn classes_that_take_over_the_memory_of_others_are_the_same() {
    let (arena, control) = (Arena::new(), Control::default());
    let tables = toads_census::Tables::new(1 << 30);
    let mut held = None;
    // Large, small, larger than before, and once more; one in three is held while the next two are evaluated.
    for (at, pieces) in [(5, 3), (1, 1), (4, 4), (5, 3), (6, 2), (4, 3), (4, 4)]
        .into_iter()
        .enumerate()
    {
        let shard = Shard::whole(Variant::Hop, Class::new(12, pieces.0, pieces.1).unwrap());
        let last = tables
            .evaluate_last(&arena, shard, 1 + at % 2, &control)
            .unwrap();
        if at % 3 == 0 {
            held = Some(Arc::clone(&last));
        }
        for class in [&last].into_iter().chain(&held) {
            let alone = evaluate(&arena, class.shard(), 1, &control).unwrap();
            assert_eq!(class.len(), alone.len());
            assert!(
                (0..alone.len()).all(|rank| class.value_at(rank) == alone.value_at(rank)),
                "{}",
                class.shard()
            );
        }
    }
    assert!(
        tables.memory_bytes() < 8 << 20,
        "classes of 12 squares are not kept"
    );
}

#[test]
fn mirror_images_equal_moves_on_one_thread_and_on_several() {
    let control = Control::default();
    // The last two are long enough to be split among threads.
    for (n, pieces) in [(4, 1), (7, 2), (9, 3), (11, 4), (12, 4), (13, 4)] {
        let arena = Arena::new();
        let shard = Shard::whole(Variant::Hop, Class::new(n, pieces, pieces).unwrap());
        let moves = kernel::evaluate_by_moves(&arena, shard, 1, &control).unwrap();
        for threads in [1, 3] {
            let tables = toads_census::Tables::new(1 << 30);
            let images = tables.evaluate(&arena, shard, threads, &control).unwrap();
            for rank in 0..moves.len() {
                let strip = shard.class.unrank(rank);
                assert_eq!(images.value_at(rank), moves.value_at(rank), "{strip}");
            }
        }
    }
}

#[test]
fn hopless_components_equal_moves_on_every_strip_to_thirteen_squares() {
    let (arena, control) = (Arena::new(), Control::default());
    for shard in (1..=13)
        .flat_map(Class::all)
        .map(|class| Shard::whole(Variant::Hopless, class))
    {
        let components = evaluate(&arena, shard, 2, &control).unwrap();
        let moves = kernel::evaluate_by_moves(&arena, shard, 2, &control).unwrap();
        for rank in 0..moves.len() {
            assert_eq!(
                components.value_at(rank),
                moves.value_at(rank),
                "{}",
                shard.class.unrank(rank)
            );
        }
    }
}

#[test]
fn stops_of_the_longest_classes_fit() {
    let arena = Arena::new();
    let shard = Shard::whole(Variant::Hop, Class::new(24, 12, 0).unwrap());
    let class = evaluate(&arena, shard, 1, &Control::default()).unwrap();
    let first = "T^12 .^12".parse::<Strip>().unwrap();
    let value = class.value_at(shard.class.rank(&first));
    assert_eq!(value, arena.integer(144).unwrap());
}
