//! What every store answers: the same suite over the one on disk and its twin in memory.

mod support;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;

use support::{blocks, commit, event, forms, result, run, shard};
use toads_census::{TallyEntry, ValueForm};
use toads_game::ValueId;
use toads_store::{
    FailureClass, FailureRecord, MemoryStore, Negative, NumberedEntry, OpenOptions,
    QuarantineRecord, RocksStore, RunState, Store, StoreError, Swept, run_digest, store_digest,
};
use toads_strip::Variant;

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
                super::$name(&toads_store::MemoryStore::new());
            })*
        }
    };
}

over_both! {
    an_empty_store_is_empty
    runs_are_kept_and_changed
    values_read_back_and_missing_ones_are_named_in_order
    values_whose_id_does_not_fit_are_refused_whole
    values_come_after_their_options
    values_are_visited_in_the_order_in_which_they_came
    tallies_are_read_by_number_as_by_id
    nothing_is_visible_before_the_commit
    a_commit_is_refused_until_everything_is_there
    a_commit_that_contradicts_itself_is_refused
    a_commit_again_changes_nothing_and_another_result_is_a_conflict
    blocks_may_be_added_to_a_shard_that_was_committed_without
    invalidated_shards_are_gone_and_may_come_back
    the_log_is_append_only
    quarantine_comes_and_goes
    sweeping_removes_what_nobody_committed
    digests_do_not_depend_on_the_order_of_commits
}

fn an_empty_store_is_empty(store: &dyn Store) {
    assert_eq!(store.runs().unwrap(), []);
    assert_eq!(store.shards(None).unwrap(), []);
    assert_eq!(store.shard(shard(3, 1, 1)).unwrap(), None);
    assert_eq!(store.tally(shard(3, 1, 1)).unwrap(), None);
    assert_eq!(store.block(shard(3, 1, 1), 0).unwrap(), None);
    assert_eq!(store.value(ValueId([1; 16])).unwrap(), None);
    assert_eq!(store.values(&[]).unwrap(), []);
    assert_eq!(store.missing_values(&[]).unwrap(), []);
    assert_eq!(store.events(1, 10).unwrap(), []);
    assert_eq!(store.next_event().unwrap(), 1);
    assert_eq!(store.quarantine().unwrap(), []);
    assert_eq!(store.sweep().unwrap(), Swept::default());
    store.put_values(&[]).unwrap();
    store.put_blocks(shard(3, 1, 1), &[]).unwrap();
    store.append_events(&[]).unwrap();
    let info = store.info().unwrap();
    assert!(
        info.iter()
            .any(|(key, value)| key == "format" && value == "2"),
        "{info:?}"
    );
    assert!(
        info.iter()
            .any(|(key, value)| key == "digest" && value == &store_digest(&[]).to_string()),
        "{info:?}"
    );
}

fn runs_are_kept_and_changed(store: &dyn Store) {
    store.put_run(&run(2)).unwrap();
    store.put_run(&run(1)).unwrap();
    let paused = toads_store::RunRecord {
        state: RunState::Paused,
        ..run(2)
    };
    store.put_run(&paused).unwrap();
    assert_eq!(store.runs().unwrap(), [run(1), paused]);
    assert!(matches!(
        store.put_run(&run(0)),
        Err(StoreError::Rejected { .. })
    ));
}

fn values_read_back_and_missing_ones_are_named_in_order(store: &dyn Store) {
    let forms = forms();
    assert!(forms.len() > 100);
    let (stored, others) = forms.split_at(60);
    store.put_values(stored).unwrap();
    store.put_values(stored).unwrap();
    for form in stored {
        assert_eq!(store.value(form.id).unwrap().as_ref(), Some(form));
    }
    let asked: Vec<ValueId> = others
        .iter()
        .rev()
        .chain(stored)
        .chain(others)
        .map(|form| form.id)
        .collect();
    let missing: Vec<ValueId> = others
        .iter()
        .rev()
        .chain(others)
        .map(|form| form.id)
        .collect();
    assert_eq!(store.missing_values(&asked).unwrap(), missing);
    let answers = store.values(&asked).unwrap();
    for (id, answer) in asked.iter().zip(answers) {
        assert_eq!(answer.as_ref(), stored.iter().find(|form| form.id == *id));
    }
}

fn values_whose_id_does_not_fit_are_refused_whole(store: &dyn Store) {
    let mut forms = forms();
    let last = forms.len() - 1;
    forms[last].id.0[0] ^= 1;
    assert!(matches!(
        store.put_values(&forms),
        Err(StoreError::Rejected { .. })
    ));
    assert_eq!(store.value(forms[0].id).unwrap(), None);
    let mut forms = self::forms();
    let unsorted = forms.iter_mut().find(|form| form.left.len() > 1).unwrap();
    unsorted.left.reverse();
    assert!(matches!(
        store.put_values(&forms),
        Err(StoreError::Rejected { .. })
    ));
}

fn values_come_after_their_options(store: &dyn Store) {
    let forms = forms();
    let user = forms.iter().rposition(|form| !form.left.is_empty());
    let (before, user) = (&forms[..1], forms[user.unwrap()].clone());
    let option = user.left[0];
    store.put_values(before).unwrap();
    let late = forms.iter().find(|form| form.id == option).unwrap().clone();
    for refused in [vec![user.clone()], vec![user.clone(), late]] {
        match store.put_values(&refused) {
            Err(StoreError::Rejected { what }) => {
                assert!(what.contains(&user.id.to_string()), "{what}");
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(store.value(user.id).unwrap(), None);
    }
    store.put_values(&forms).unwrap();
    // What is stored already is not looked at again, wherever its options are.
    store.put_values(&[user]).unwrap();
}

fn scanned(store: &dyn Store) -> Vec<ValueForm> {
    let mut seen = Vec::new();
    let visited = store.scan_values(&mut |form| {
        seen.push(form);
        ControlFlow::Continue(())
    });
    visited.unwrap();
    seen
}

fn values_are_visited_in_the_order_in_which_they_came(store: &dyn Store) {
    assert_eq!(scanned(store), []);
    let forms = forms();
    let distinct: Vec<ValueForm> = {
        let mut ids = BTreeSet::new();
        forms
            .iter()
            .filter(|form| ids.insert(form.id))
            .cloned()
            .collect()
    };
    for some in [&forms[..40], &forms[20..41], &[], &forms] {
        store.put_values(some).unwrap();
    }
    assert_eq!(scanned(store), distinct);
    let mut seen = Vec::new();
    let visited = store.scan_values(&mut |form| {
        seen.push(form.id);
        if seen.len() == 50 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    visited.unwrap();
    assert!(seen.iter().eq(distinct[..50].iter().map(|form| &form.id)));

    let mut described = Vec::new();
    let visited = store.describe_values(&mut |value| {
        described.push(value);
        ControlFlow::Continue(())
    });
    visited.unwrap();
    assert_eq!(described.len(), distinct.len());
    for (value, form) in described.iter().zip(&distinct) {
        assert_eq!((value.id, value.invariants), (form.id, form.invariants));
        match value.negative {
            Negative::Itself => assert_eq!(form.negative, form.id),
            Negative::Id(id) => assert_eq!(form.negative, id),
            Negative::Number(other) => {
                assert_eq!(form.negative, described[other as usize].id);
            }
        }
    }
}

fn tallies_are_read_by_number_as_by_id(store: &dyn Store) {
    let (forms, shard) = (forms(), shard(6, 3, 2));
    assert_eq!(store.numbered_tally(shard).unwrap(), None);
    commit(store, shard, &forms, 20);
    let values = scanned(store);
    let numbered = store.numbered_tally(shard).unwrap().unwrap();
    assert!(numbered.is_sorted_by(|a, b| a.number < b.number));
    let by_id = |entry: NumberedEntry| TallyEntry {
        value: values[entry.number as usize].id,
        count: entry.count,
        first: entry.first,
        first_mirrored: entry.first_mirrored,
    };
    let mut tally: Vec<TallyEntry> = numbered.into_iter().map(by_id).collect();
    tally.sort_unstable_by_key(|entry| entry.value);
    assert_eq!(store.tally(shard).unwrap().unwrap().tally, tally);
}

fn nothing_is_visible_before_the_commit(store: &dyn Store) {
    let (forms, blocks, shard) = (forms(), blocks(3, 7), shard(6, 3, 2));
    let (record, result) = result(shard, &forms, 20, &blocks);
    store.put_values(&forms).unwrap();
    store.put_blocks(shard, &blocks).unwrap();
    assert_eq!(store.shard(shard).unwrap(), None);
    assert_eq!(store.block(shard, 0).unwrap(), None);
    store
        .commit(&record, &result, &[event(1, "committed")])
        .unwrap();
    assert_eq!(store.shard(shard).unwrap().as_ref(), Some(&record));
    assert_eq!(store.shards(None).unwrap(), std::slice::from_ref(&record));
    assert_eq!(store.shards(Some(Variant::Hop)).unwrap(), [record]);
    assert_eq!(store.shards(Some(Variant::Hopless)).unwrap(), []);
    assert_eq!(store.tally(shard).unwrap(), Some(result));
    for (number, bytes) in blocks {
        assert_eq!(store.block(shard, number).unwrap(), Some(bytes));
    }
    assert_eq!(store.block(shard, 3).unwrap(), None);
    assert_eq!(store.events(1, 10).unwrap(), [event(1, "committed")]);
}

fn a_commit_is_refused_until_everything_is_there(store: &dyn Store) {
    let (forms, blocks, shard) = (forms(), blocks(3, 7), shard(6, 3, 2));
    let (record, result) = result(shard, &forms, 20, &blocks);
    let is_incomplete = || {
        matches!(
            store.commit(&record, &result, &[]),
            Err(StoreError::Incomplete { .. })
        )
    };
    assert!(is_incomplete());
    store.put_blocks(shard, &blocks[..1]).unwrap();
    store.put_blocks(shard, &blocks[2..]).unwrap();
    store.put_values(&forms[..19]).unwrap();
    assert!(is_incomplete());
    store.put_blocks(shard, &[(1, vec![0])]).unwrap();
    store.put_values(&forms).unwrap();
    assert!(is_incomplete());
    assert_eq!(store.shards(None).unwrap(), []);
    store.put_blocks(shard, &blocks).unwrap();
    store.commit(&record, &result, &[]).unwrap();
}

fn a_commit_that_contradicts_itself_is_refused(store: &dyn Store) {
    let (forms, shard) = (forms(), shard(6, 3, 2));
    store.put_values(&forms).unwrap();
    let (record, result) = result(shard, &forms, 20, &[]);
    let refused =
        |change: &dyn Fn(&mut toads_store::ShardRecord, &mut toads_census::ShardResult)| {
            let (mut record, mut result) = (record.clone(), result.clone());
            change(&mut record, &mut result);
            let answer = store.commit(&record, &result, &[]);
            assert!(
                matches!(answer, Err(StoreError::Rejected { .. })),
                "{answer:?}"
            );
        };
    refused(&|record, _| record.digest.0[0] ^= 1);
    refused(&|record, _| record.strips += 1);
    refused(&|record, _| record.distinct += 1);
    refused(&|record, _| record.blocks = 1);
    refused(&|record, _| record.shard = support::shard(6, 2, 3));
    refused(&|_, result| result.tally[0].count += 1);
    refused(&|_, result| result.tally[1].count = 0);
    refused(&|_, result| result.tally[0].first = 729);
    refused(&|_, result| result.tally[0].first += 1);
    refused(&|_, result| result.tally[0].first_mirrored = result.tally[0].first);
    refused(&|_, result| result.tally[2].first_mirrored = result.tally[1].first_mirrored);
    refused(&|_, result| result.tally.swap(0, 1));
    refused(&|_, result| result.tally[1].value = result.tally[0].value);
    assert_eq!(store.shards(None).unwrap(), []);
    store.commit(&record, &result, &[]).unwrap();
}

fn a_commit_again_changes_nothing_and_another_result_is_a_conflict(store: &dyn Store) {
    let (forms, shard) = (forms(), shard(6, 3, 2));
    let record = commit(store, shard, &forms, 20);
    let late = toads_store::ShardRecord {
        worker: "worker-2".into(),
        epoch: 9,
        ..record.clone()
    };
    let (_, same) = result(shard, &forms, 20, &blocks(3, 6));
    store.commit(&late, &same, &[event(2, "refused")]).unwrap();
    assert_eq!(store.shards(None).unwrap(), std::slice::from_ref(&record));
    assert_eq!(store.next_event().unwrap(), 3);

    let (mut odd, mut tally) = result(shard, &forms, 21, &blocks(3, 6));
    (odd.digest, tally.digest) = (record.digest, record.digest);
    let answer = store.commit(&odd, &tally, &[]);
    assert!(
        matches!(answer, Err(StoreError::Conflict { .. })),
        "{answer:?}"
    );
    let (other, tally) = result(shard, &forms, 21, &blocks(3, 6));
    assert!(matches!(
        store.commit(&other, &tally, &[event(3, "x")]),
        Err(StoreError::Conflict { .. })
    ));
    assert_eq!(store.next_event().unwrap(), 3);
    assert_eq!(store.tally(shard).unwrap(), Some(same));

    store.put_blocks(shard, &blocks(3, 6)).unwrap();
    assert!(matches!(
        store.put_blocks(shard, &blocks(3, 5)),
        Err(StoreError::Conflict { .. })
    ));
    assert!(matches!(
        store.put_blocks(shard, &[(3, vec![1])]),
        Err(StoreError::Conflict { .. })
    ));
    assert_eq!(
        store.block(shard, 0).unwrap(),
        Some(blocks(3, 6)[0].1.clone())
    );
}

fn blocks_may_be_added_to_a_shard_that_was_committed_without(store: &dyn Store) {
    let (forms, shard, blocks) = (forms(), shard(6, 3, 2), blocks(2, 1));
    store.put_values(&forms).unwrap();
    let (without, tally) = result(shard, &forms, 20, &[]);
    store.commit(&without, &tally, &[]).unwrap();
    store.put_blocks(shard, &blocks).unwrap();
    assert_eq!(store.block(shard, 0).unwrap(), None);
    let (with, tally) = result(shard, &forms, 20, &blocks);
    store.commit(&with, &tally, &[]).unwrap();
    assert_eq!(store.block(shard, 1).unwrap(), Some(blocks[1].1.clone()));
    store.commit(&without, &tally, &[]).unwrap();
    assert_eq!(store.shards(None).unwrap(), [with]);
}

fn invalidated_shards_are_gone_and_may_come_back(store: &dyn Store) {
    let (forms, one, other) = (forms(), shard(6, 3, 2), shard(6, 3, 3));
    commit(store, one, &forms, 20);
    let kept = commit(store, other, &forms, 20);
    store.invalidate(one, &[event(3, "invalidated")]).unwrap();
    store.invalidate(one, &[]).unwrap();
    assert_eq!(store.shards(None).unwrap(), std::slice::from_ref(&kept));
    assert_eq!(store.tally(one).unwrap(), None);
    assert_eq!(store.block(one, 0).unwrap(), None);
    assert!(store.block(other, 2).unwrap().is_some());
    assert_eq!(store.next_event().unwrap(), 4);
    let again = commit(store, one, &forms, 21);
    assert_eq!(store.shards(None).unwrap(), [again, kept]);
}

fn the_log_is_append_only(store: &dyn Store) {
    store
        .append_events(&[event(1, "opened"), event(2, "leased")])
        .unwrap();
    store
        .append_events(&[event(2, "leased"), event(3, "expired")])
        .unwrap();
    assert!(matches!(
        store.append_events(&[event(4, "x"), event(2, "other")]),
        Err(StoreError::Rejected { .. })
    ));
    assert!(matches!(
        store.append_events(&[event(0, "x")]),
        Err(StoreError::Rejected { .. })
    ));
    assert_eq!(store.next_event().unwrap(), 4);
    assert_eq!(
        store.events(2, 10).unwrap(),
        [event(2, "leased"), event(3, "expired")]
    );
    assert_eq!(store.events(0, 1).unwrap(), [event(1, "opened")]);
    assert_eq!(store.events(1, 0).unwrap(), []);
    assert_eq!(store.events(9, 9).unwrap(), []);
}

fn quarantine_comes_and_goes(store: &dyn Store) {
    let of = |shard| QuarantineRecord {
        shard,
        failures: vec![FailureRecord {
            worker: "w".into(),
            class: FailureClass::Deterministic,
            strip: "T.F".into(),
            message: "arena full".into(),
        }],
        since_ms: 3,
    };
    let (one, other) = (shard(6, 3, 2), shard(5, 2, 2));
    store.set_quarantine(one, Some(&of(one))).unwrap();
    store.set_quarantine(other, Some(&of(other))).unwrap();
    assert_eq!(store.quarantine().unwrap(), [of(other), of(one)]);
    assert!(matches!(
        store.set_quarantine(one, Some(&of(other))),
        Err(StoreError::Rejected { .. })
    ));
    store.set_quarantine(one, None).unwrap();
    store.set_quarantine(one, None).unwrap();
    assert_eq!(store.quarantine().unwrap(), [of(other)]);
}

fn sweeping_removes_what_nobody_committed(store: &dyn Store) {
    let forms = forms();
    let (committed, without_blocks, left) = (shard(6, 3, 2), shard(6, 3, 1), shard(6, 2, 2));
    store.put_blocks(committed, &[(7, vec![1; 10])]).unwrap();
    let record = commit(store, committed, &forms, 20);
    let (tally_only, tally) = result(without_blocks, &forms, 20, &[]);
    store.commit(&tally_only, &tally, &[]).unwrap();
    store.put_blocks(without_blocks, &blocks(2, 1)).unwrap();
    store.put_blocks(left, &blocks(3, 1)).unwrap();
    assert_eq!(
        store.sweep().unwrap(),
        Swept {
            uncommitted: 1,
            surplus: 2
        }
    );
    assert_eq!(store.sweep().unwrap(), Swept::default());
    assert_eq!(store.shards(None).unwrap(), [tally_only, record]);
    assert!(store.block(committed, 2).unwrap().is_some());
    let (swept, tally) = result(left, &forms, 20, &blocks(3, 1));
    assert!(matches!(
        store.commit(&swept, &tally, &[]),
        Err(StoreError::Incomplete { .. })
    ));
}

fn digests_do_not_depend_on_the_order_of_commits(store: &dyn Store) {
    let forms = forms();
    let shards = [shard(6, 3, 2), shard(5, 2, 2), shard(13, 1, 0)];
    for shard in shards {
        commit(store, shard, &forms, 5);
    }
    let twin = MemoryStore::new();
    for &shard in shards.iter().rev() {
        commit(&twin, shard, &forms, 5);
    }
    let (records, others) = (store.shards(None).unwrap(), twin.shards(None).unwrap());
    assert_eq!(store_digest(&records), store_digest(&others));
    assert_ne!(store_digest(&records), store_digest(&records[1..]));
    // The run covers 1 to 12 squares.
    assert_eq!(run_digest(&run(1), &records), store_digest(&records[..2]));
    let mut reversed = records.clone();
    reversed.reverse();
    assert_eq!(store_digest(&records), store_digest(&reversed));
}
