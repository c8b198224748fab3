//! An audit on several threads tells the same, and one that is interrupted goes on from its journal.

mod support;
#[path = "support/tampered.rs"]
mod tampered;

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use support::census;
use tampered::Tampered;
use tempfile::TempDir;
use toads_dataset::DatasetError;
use toads_dataset::audit::{AuditOptions, AuditSummary, Finding, audit};
use toads_store::{Keep, Store};
use toads_strip::Variant;

/// A store with damage of many sorts in many shards.
fn damaged() -> Tampered {
    let mut store = Tampered::new(census(Variant::Hop, 6, Keep::Blocks));
    store.block = Box::new(|(shard, number, bytes)| {
        let flipped = |mut bytes: Vec<u8>| {
            let last = bytes.len() - 1;
            bytes[last] ^= 1;
            bytes
        };
        let is_hit = shard.class.n == 5 && shard.class.toads == 2;
        (
            shard,
            number,
            if is_hit { bytes.map(flipped) } else { bytes },
        )
    });
    store.record = Box::new(|mut record| {
        record.strips += u64::from(record.shard.class.frogs == 2);
        record
    });
    store.value = Box::new(|(id, form)| {
        let hit = id.0[0] < 30;
        (id, form.filter(|_| !hit))
    });
    store
}

/// Runs an audit until so many shards are done; what was found, and what came of it.
fn run(
    store: &dyn Store,
    options: &AuditOptions,
    shards: usize,
) -> (Vec<Finding>, Result<AuditSummary, DatasetError>) {
    let mut findings = Vec::new();
    let summary = audit(
        store,
        options,
        &mut |at| {
            if at.shards_done < shards {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        },
        &mut |finding| findings.push(finding.clone()),
    );
    (findings, summary)
}

fn with(journal: &Path) -> AuditOptions {
    AuditOptions {
        journal: Some(journal.to_owned()),
        ..AuditOptions::default()
    }
}

/// What does not depend on where an audit was interrupted.
fn lasting(summary: AuditSummary) -> AuditSummary {
    AuditSummary {
        values: 0,
        earlier: 0,
        ..summary
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let store = damaged();
    let of = |threads| {
        let options = AuditOptions {
            threads,
            ..AuditOptions::default()
        };
        let (findings, summary) = run(&store, &options, usize::MAX);
        (findings, summary.unwrap())
    };
    let one = of(1);
    assert!(one.0.len() > 20 && one.1.findings >= one.0.len() as u64);
    for threads in [2, 3, 16] {
        assert_eq!(of(threads), one);
    }
}

#[test]
fn an_interrupted_audit_goes_on_and_tells_all() {
    let (store, folder) = (damaged(), TempDir::new().unwrap());
    let (findings, whole) = run(&store, &AuditOptions::default(), usize::MAX);
    let whole = whole.unwrap();
    let path = folder.path().join("journal");
    for shards in [3, 4, 9] {
        let (_, stopped) = run(&store, &with(&path), shards);
        assert!(matches!(stopped, Err(DatasetError::Stopped)));
    }
    let (told, summary) = run(&store, &with(&path), usize::MAX);
    let summary = summary.unwrap();
    assert_eq!((told, lasting(summary)), (findings.clone(), lasting(whole)));
    assert!(summary.earlier >= 9 && summary.earlier < summary.shards);
    // All is in the journal now: nothing is read but the markers.
    let (told, summary) = run(&store, &with(&path), usize::MAX);
    let summary = summary.unwrap();
    assert_eq!((told, lasting(summary)), (findings, lasting(whole)));
    assert_eq!((summary.earlier, summary.values), (summary.shards, 0));
}

#[test]
fn a_journal_cut_off_anywhere_is_gone_on_from() {
    let (store, folder) = (damaged(), TempDir::new().unwrap());
    let path = folder.path().join("journal");
    let options = AuditOptions {
        squares: Some(1..=5),
        ..with(&path)
    };
    let (findings, whole) = run(&store, &options, usize::MAX);
    let whole = whole.unwrap();
    let bytes = fs::read(&path).unwrap();
    let mut earlier = Vec::new();
    for length in (0..bytes.len()).step_by(13) {
        fs::write(&path, &bytes[..length]).unwrap();
        let (told, summary) = run(&store, &options, usize::MAX);
        let summary = summary.unwrap();
        assert_eq!(
            (told, lasting(summary)),
            (findings.clone(), lasting(whole)),
            "{length}"
        );
        earlier.push(summary.earlier);
        assert_eq!(
            fs::read_to_string(&path)
                .unwrap()
                .matches("\ndone\t")
                .count(),
            whole.shards as usize
        );
    }
    assert!(earlier.is_sorted() && earlier[0] == 0 && earlier[earlier.len() - 1] > 5);
}

#[test]
fn a_shard_with_another_digest_is_audited_again() {
    let (mut store, folder) = (damaged(), TempDir::new().unwrap());
    let path = folder.path().join("journal");
    run(&store, &with(&path), usize::MAX).1.unwrap();
    store.record = Box::new(|mut record| {
        record.digest.0[0] ^= u8::from(record.shard.class.n == 4);
        record
    });
    let (findings, summary) = run(&store, &with(&path), usize::MAX);
    let summary = summary.unwrap();
    assert_eq!(summary.earlier, summary.shards - 9);
    let wrong = findings
        .iter()
        .filter(|finding| finding.detail.contains("in the marker and"));
    assert!(wrong.count() >= 9, "{findings:#?}");
}

#[test]
fn what_is_no_journal_of_this_audit_is_refused_and_left_alone() {
    let (store, folder) = (
        census(Variant::Hop, 3, Keep::Tallies),
        TempDir::new().unwrap(),
    );
    let path = folder.path().join("journal");
    let refused = |options: &AuditOptions, part: &str| {
        let before = fs::read(&path).unwrap();
        let error = run(&store, options, usize::MAX).1.unwrap_err();
        assert!(
            error.is_input() && error.to_string().contains(part),
            "{error}"
        );
        assert_eq!(fs::read(&path).unwrap(), before);
    };
    fs::write(&path, "a letter\n").unwrap();
    refused(&with(&path), "no journal");
    fs::remove_file(&path).unwrap();
    run(&store, &with(&path), usize::MAX).1.unwrap();
    let sample = AuditOptions {
        one_in: 7,
        ..with(&path)
    };
    refused(&sample, "--sample");
    let other = AuditOptions {
        journal_of: "other.db".to_owned(),
        ..with(&path)
    };
    refused(&other, "another store");
    let device = run(&store, &with(Path::new("/dev/zero")), usize::MAX).1;
    assert!(device.unwrap_err().to_string().contains("not a file"));
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.clone() + "done\thop/9/1\tx\t1\t1\t1\t1\t1\n").unwrap();
    refused(&with(&path), &format!("line {}", text.lines().count() + 1));
    fs::write(&path, &text).unwrap();
    let held = fs::File::open(&path).unwrap();
    held.lock().unwrap();
    refused(&with(&path), "going on");
}
