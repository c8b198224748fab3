//! An audit passes what is right and names what is wrong.

mod support;
#[path = "support/tampered.rs"]
mod tampered;

use std::ops::ControlFlow;

use support::census;
use tampered::Tampered;
use toads_census::{Shard, codec};
use toads_dataset::DatasetError;
use toads_dataset::audit::{AuditOptions, AuditSummary, Damage, Finding, audit};
use toads_game::{Dyadic, ValueId};
use toads_store::{Keep, Store};
use toads_strip::{Class, Variant};

const LAST: u8 = 6;

fn run(store: &dyn Store, options: &AuditOptions) -> (AuditSummary, Vec<Finding>) {
    let mut findings = Vec::new();
    let summary = audit(
        store,
        options,
        &mut |_| ControlFlow::Continue(()),
        &mut |finding| findings.push(finding.clone()),
    );
    (summary.unwrap(), findings)
}

/// The shard that is damaged: hop, 6 squares, two toads, two frogs.
fn victim() -> Shard {
    Shard::whole(Variant::Hop, Class::new(6, 2, 2).unwrap())
}

fn blocks() -> Tampered {
    Tampered::new(census(Variant::Hop, LAST, Keep::Blocks))
}

/// Runs the audit and expects nothing but findings of one sort, all about the victim.
fn expect(store: &Tampered, damages: &[Damage]) -> Vec<Finding> {
    let (summary, findings) = run(store, &AuditOptions::default());
    assert!(!summary.is_sound());
    for finding in &findings {
        assert!(damages.contains(&finding.damage), "{finding}");
        assert_eq!(finding.shard, victim(), "{finding}");
    }
    for damage in damages {
        assert!(
            findings.iter().any(|finding| finding.damage == *damage),
            "{damage} is not among {findings:?}"
        );
    }
    findings
}

#[test]
fn a_good_store_passes() {
    for variant in Variant::ALL {
        for keep in [Keep::Blocks, Keep::Tallies] {
            let store = census(variant, LAST, keep);
            let (summary, findings) = run(&store, &AuditOptions::default());
            assert_eq!(findings, []);
            assert!(summary.is_sound());
            assert_eq!(summary.strips_checked, summary.strips);
            assert_eq!(
                summary.recomputed,
                if keep == Keep::Tallies {
                    summary.shards
                } else {
                    0
                }
            );
        }
    }
}

#[test]
fn a_sample_checks_fewer_strips_and_tallies_may_be_left_alone() {
    let store = census(Variant::Hop, LAST, Keep::Blocks);
    let (summary, _) = run(
        &store,
        &AuditOptions {
            one_in: 4,
            ..AuditOptions::default()
        },
    );
    assert!(
        summary.strips_checked > summary.strips / 8 && summary.strips_checked < summary.strips / 2
    );
    let store = census(Variant::Hop, LAST, Keep::Tallies);
    let (summary, _) = run(
        &store,
        &AuditOptions {
            recompute_up_to: 20,
            ..AuditOptions::default()
        },
    );
    assert!(summary.tallies_only > 0 && summary.recomputed > 0);
    let squares = AuditOptions {
        squares: Some(3..=3),
        ..AuditOptions::default()
    };
    assert_eq!(run(&store, &squares).0.shards, 6);
    let one = AuditOptions {
        shards: vec![victim()],
        ..AuditOptions::default()
    };
    assert_eq!(run(&store, &one).0.strips, victim().strips());
}

#[test]
fn an_audit_can_be_stopped() {
    let store = census(Variant::Hop, 3, Keep::Blocks);
    let stopped = audit(
        &store,
        &AuditOptions::default(),
        &mut |_| ControlFlow::Break(()),
        &mut |_| (),
    );
    assert!(matches!(stopped, Err(DatasetError::Stopped)));
}

#[test]
fn a_flipped_bit_is_named() {
    let mut store = blocks();
    store.block = Box::new(|(shard, number, bytes)| {
        let flip = |mut bytes: Vec<u8>| {
            bytes[25] ^= 4;
            bytes
        };
        let bytes = if shard == victim() {
            bytes.map(flip)
        } else {
            bytes
        };
        (shard, number, bytes)
    });
    let findings = expect(&store, &[Damage::Block]);
    assert!(
        findings[0]
            .to_string()
            .contains("hop/6/2/2: block: block 0 does not read"),
        "{}",
        findings[0]
    );
}

#[test]
fn a_missing_block_is_named() {
    let mut store = blocks();
    store.block =
        Box::new(|(shard, number, bytes)| (shard, number, bytes.filter(|_| shard != victim())));
    let findings = expect(&store, &[Damage::Block]);
    assert!(findings[0].detail.contains("missing"));
}

#[test]
fn a_damaged_class_is_named_even_when_a_larger_one_stumbles_over_it() {
    let mut store = blocks();
    let small = Shard::whole(Variant::Hop, Class::new(5, 2, 1).unwrap());
    store.block =
        Box::new(move |(shard, number, bytes)| (shard, number, bytes.filter(|_| shard != small)));
    let (_, findings) = run(
        &store,
        &AuditOptions {
            squares: Some(6..=6),
            ..AuditOptions::default()
        },
    );
    assert!(!findings.is_empty() && findings.iter().all(|finding| finding.shard == small));
}

#[test]
fn a_strip_with_the_value_of_another_is_named_with_both() {
    let mut store = blocks();
    store.block = Box::new(|(shard, number, bytes)| {
        let swap = |bytes: Vec<u8>| {
            let mut places: Vec<u32> = codec::decode(&bytes).unwrap().tally_places().collect();
            let last = places.len() - 1;
            assert_ne!(places[last], places[last - 5]);
            places.swap(last, last - 5);
            codec::encode(shard, number, &places)
        };
        let bytes = if shard == victim() {
            bytes.map(swap)
        } else {
            bytes
        };
        (shard, number, bytes)
    });
    let (_, findings) = run(&store, &AuditOptions::default());
    assert!(
        findings.iter().all(|finding| finding.shard == victim()),
        "{findings:?}"
    );
    let of = |damage| {
        findings
            .iter()
            .filter(|finding| finding.damage == damage)
            .count()
    };
    assert!(of(Damage::Strip) >= 2, "{findings:?}");
    assert_eq!(of(Damage::Digest), 1);
    assert!(of(Damage::Mirror) >= 1);
    assert!(
        findings
            .iter()
            .any(|finding| finding.detail.contains("its options make"))
    );
}

#[test]
fn a_miscounted_tally_is_named() {
    let mut store = blocks();
    store.tally = Box::new(|(shard, mut result)| {
        if shard == victim() {
            result.tally[3].count += 1;
        }
        (shard, result)
    });
    expect(&store, &[Damage::Tally]);
    // Counts that still add up.
    store.tally = Box::new(|(shard, mut result)| {
        if shard == victim() {
            let from = result
                .tally
                .iter()
                .position(|entry| entry.count > 1)
                .unwrap();
            result.tally[from].count -= 1;
            result.tally[(from + 1) % 4].count += 1;
        }
        (shard, result)
    });
    expect(&store, &[Damage::Tally]);
    store.tally = Box::new(|(shard, mut result)| {
        if shard == victim() {
            result.tally[3].first_mirrored = result.tally[3].first;
            result.tally[3].first += 1;
        }
        (shard, result)
    });
    expect(&store, &[Damage::Tally]);
}

#[test]
fn a_wrong_digest_or_marker_is_named() {
    let mut store = blocks();
    store.record = Box::new(|mut record| {
        if record.shard == victim() {
            record.digest.0[7] ^= 1;
        }
        record
    });
    expect(&store, &[Damage::Digest]);
    store.record = Box::new(|mut record| {
        if record.shard == victim() {
            record.strips += 1;
            record.distinct -= 1;
            record.block_bytes += 1;
        }
        record
    });
    assert_eq!(expect(&store, &[Damage::Marker]).len(), 3);
}

#[test]
fn a_tally_alone_is_recomputed() {
    let mut store = Tampered::new(census(Variant::Hop, LAST, Keep::Tallies));
    store.tally = Box::new(|(shard, mut result)| {
        if shard == victim() {
            let from = result
                .tally
                .iter()
                .position(|entry| entry.count > 1)
                .unwrap();
            result.tally[from].count -= 1;
            result.tally[(from + 1) % 4].count += 1;
        }
        (shard, result)
    });
    expect(&store, &[Damage::Tally]);
}

/// The id of 1/2, whose options are 0 and 1.
fn half() -> ValueId {
    let zero = ValueId::of(&mut [], &mut []);
    ValueId::of(&mut [zero], &mut [ValueId::of(&mut [zero], &mut [])])
}

fn damaged_values(
    change: impl Fn(&mut toads_census::ValueForm) + Send + Sync + 'static,
) -> Vec<String> {
    let mut store = blocks();
    store.value = Box::new(move |(id, mut form)| {
        if id == half() {
            change(form.as_mut().unwrap());
        }
        (id, form)
    });
    let (_, findings) = run(&store, &AuditOptions::default());
    assert!(
        findings
            .iter()
            .all(|finding| finding.damage == Damage::Value),
        "{findings:?}"
    );
    let named = findings
        .iter()
        .map(|finding| finding.detail.clone())
        .filter(|detail| detail.contains(&half().to_string()));
    named.collect()
}

#[test]
fn a_damaged_value_is_named() {
    let zero = ValueId::of(&mut [], &mut []);
    assert!(
        damaged_values(move |form| form.right = vec![zero])[0]
            .contains("is stored with the options of")
    );
    assert!(damaged_values(move |form| form.negative = zero)[0].contains("has the negative"));
    assert!(damaged_values(|form| form.invariants.birthday += 1)[0].contains("is recorded with"));
    assert!(
        damaged_values(|form| form.invariants.mean = Dyadic::ZERO)[0].contains("is recorded with")
    );
}

#[test]
fn a_missing_value_is_named() {
    let mut store = blocks();
    store.value = Box::new(|(id, form)| (id, form.filter(|_| id != half())));
    let (_, findings) = run(&store, &AuditOptions::default());
    assert!(
        findings
            .iter()
            .any(|finding| finding.detail == format!("the value {} is not stored", half()))
    );
}

#[test]
fn a_form_that_is_not_canonical_is_named() {
    // {0, 1 | } in the place of 2 = {1 | }: the same value under another id.
    let zero = ValueId::of(&mut [], &mut []);
    let one = ValueId::of(&mut [zero], &mut []);
    let two = ValueId::of(&mut [one], &mut []);
    let unreduced = ValueId::of(&mut [zero, one], &mut []);
    let mut store = blocks();
    store.tally = Box::new(move |(shard, mut result)| {
        result
            .tally
            .iter_mut()
            .filter(|entry| entry.value == two)
            .for_each(|entry| entry.value = unreduced);
        result.tally.sort_by_key(|entry| entry.value);
        (shard, result)
    });
    let form = store.inner.value(two).unwrap().unwrap();
    store.value = Box::new(move |(id, found)| {
        if id != unreduced {
            return (id, found);
        }
        let mut left = vec![zero, one];
        left.sort();
        (
            id,
            Some(toads_census::ValueForm {
                id,
                left,
                ..form.clone()
            }),
        )
    });
    let (_, findings) = run(&store, &AuditOptions::default());
    assert!(
        findings
            .iter()
            .any(|finding| finding.detail.contains("not in canonical form")),
        "{findings:?}"
    );
}
