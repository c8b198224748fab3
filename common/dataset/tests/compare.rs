//! What two stores, or a store and an export, say differently is found and named.

mod support;
#[path = "support/tampered.rs"]
mod tampered;

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use support::{census, commit};
use tampered::Tampered;
use toads_census::{Digest, Shard, codec, plan};
use toads_dataset::DatasetError;
use toads_dataset::compare::{
    CompareOptions, DatasetFinding, DatasetSummary, Difference, Disagreement, Side, Summary,
    compare_dataset, compare_stores,
};
use toads_dataset::export::{ExportOptions, Format, Manifest, TableName, export, sha256_of};
use toads_store::{Keep, MemoryStore, Store};
use toads_strip::{Class, Variant};

const LAST: u8 = 6;

fn diff(
    left: &dyn Store,
    right: &dyn Store,
    options: &CompareOptions,
) -> (Summary, Vec<Difference>) {
    let mut all = Vec::new();
    let summary = compare_stores(
        left,
        right,
        options,
        &mut |_| ControlFlow::Continue(()),
        &mut |difference| all.push(difference.clone()),
    );
    (summary.unwrap(), all)
}

fn shard(n: usize, toads: usize, frogs: usize) -> Shard {
    Shard::whole(Variant::Hop, Class::new(n, toads, frogs).unwrap())
}

/// A store in which `victim` has another digest, and its first core strip the next value of the tally.
fn other(victim: Shard, keep: Keep) -> Tampered {
    let mut store = Tampered::new(census(Variant::Hop, LAST, keep));
    store.record = Box::new(move |mut record| {
        if record.shard == victim {
            record.digest = Digest([5; 32]);
        }
        record
    });
    store.block = Box::new(move |(shard, number, block)| {
        let block = block.map(|bytes| {
            if (shard, number) != (victim, 0) {
                return bytes;
            }
            let block = codec::decode(&bytes).unwrap();
            let mut places: Vec<u32> = block.tally_places().collect();
            places[0] = u32::from(places[0] == 0);
            codec::encode(shard, number, &places)
        });
        (shard, number, block)
    });
    store.tally = Box::new(move |(shard, mut result)| {
        if shard == victim {
            result.tally[1].count += 1;
            result.tally[2].count -= 1;
        }
        (shard, result)
    });
    store
}

#[test]
fn equal_stores_are_equal_whatever_they_keep() {
    let blocks = census(Variant::Hop, LAST, Keep::Blocks);
    let tallies = census(Variant::Hop, LAST, Keep::Tallies);
    let (summary, all) = diff(&blocks, &tallies, &CompareOptions::default());
    assert!(summary.is_equal() && all.is_empty());
    assert_eq!(summary.equal, plan::shards(Variant::Hop, 1..=LAST).len());
}

#[test]
fn shards_of_one_side_are_told_for_the_range_that_is_compared() {
    let (left, right) = (census(Variant::Hop, 4, Keep::Blocks), MemoryStore::new());
    for shard in plan::shards(Variant::Hop, 2..=4) {
        commit(&right, shard, Keep::Blocks);
    }
    commit(&right, shard(5, 2, 1), Keep::Blocks);
    let (summary, all) = diff(&left, &right, &CompareOptions::default());
    assert_eq!((summary.only_left, summary.only_right), (2, 1));
    let of = |side| {
        all.iter()
            .filter(|found| matches!(found, Difference::Only { side: at, .. } if *at == side))
            .count()
    };
    assert_eq!((of(Side::Left), of(Side::Right)), (2, 1));
    let narrow = CompareOptions {
        squares: Some(2..=4),
        ..CompareOptions::default()
    };
    assert!(diff(&left, &right, &narrow).0.is_equal());
}

#[test]
fn strips_with_two_values_are_named_with_both() {
    let left = census(Variant::Hop, LAST, Keep::Blocks);
    let victim = shard(5, 2, 1);
    let right = other(victim, Keep::Blocks);
    let (summary, all) = diff(&left, &right, &CompareOptions::default());
    assert_eq!((summary.different, summary.is_equal()), (1, false));
    assert!(matches!(&all[0], Difference::Digest { shard, right, .. }
        if *shard == victim && *right == Digest([5; 32])));
    let [
        Difference::Strip {
            strip, left, right, ..
        },
    ] = &all[1..]
    else {
        panic!("{all:?}");
    };
    let first = victim
        .class
        .strips()
        .find(|strip| strip.core().0 + strip.core().2 == 0);
    assert_eq!(Some(strip), first.as_ref());
    assert_ne!(left, right);
    let none = CompareOptions {
        strips: 0,
        ..CompareOptions::default()
    };
    assert_eq!(
        diff(
            &census(Variant::Hop, LAST, Keep::Blocks),
            &other(victim, Keep::Blocks),
            &none
        )
        .1
        .len(),
        1
    );
}

#[test]
fn tallies_alone_are_compared_by_counts() {
    let left = census(Variant::Hop, LAST, Keep::Blocks);
    let right = other(shard(5, 2, 1), Keep::Tallies);
    let (_, all) = diff(&left, &right, &CompareOptions::default());
    let counts: Vec<(u64, u64)> = all
        .iter()
        .filter_map(|difference| match difference {
            Difference::Count { left, right, .. } => Some((*left, *right)),
            _ => None,
        })
        .collect();
    assert!(
        counts.len() == 2
            && counts
                .iter()
                .all(|(left, right)| left.abs_diff(*right) == 1),
        "{all:?}"
    );
}

fn exported(store: &dyn Store, out: &Path, format: Format) -> Manifest {
    let options = ExportOptions {
        variants: vec![Variant::Hop],
        ..ExportOptions::new(format)
    };
    export(store, out, &options, &mut |_| ControlFlow::Continue(())).unwrap()
}

fn against(
    store: &dyn Store,
    folder: &Path,
) -> Result<(DatasetSummary, Vec<DatasetFinding>), DatasetError> {
    against_some(store, folder, &CompareOptions::default())
}

fn against_some(
    store: &dyn Store,
    folder: &Path,
    options: &CompareOptions,
) -> Result<(DatasetSummary, Vec<DatasetFinding>), DatasetError> {
    let mut all = Vec::new();
    let summary = compare_dataset(
        store,
        folder,
        options,
        &mut |_| ControlFlow::Continue(()),
        &mut |finding| all.push(finding.clone()),
    )?;
    Ok((summary, all))
}

#[test]
fn a_store_agrees_with_its_own_export() {
    let (store, folder) = (
        census(Variant::Hop, LAST, Keep::Blocks),
        tempfile::tempdir().unwrap(),
    );
    let out = folder.path().join("out");
    let manifest = exported(&store, &out, Format::Parquet);
    let (summary, findings) = against(&store, &out).unwrap();
    assert_eq!(findings, []);
    assert_eq!(summary.strips, (1..=6).map(|n| 3u64.pow(n)).sum::<u64>());
    assert_eq!(summary.tallies, manifest.rows("tallies"));
    assert_eq!(
        (summary.files, summary.findings),
        (manifest.files.len() + 3, 0)
    );
}

#[test]
fn strips_and_tallies_that_differ_are_found() {
    let (store, folder) = (
        census(Variant::Hop, LAST, Keep::Blocks),
        tempfile::tempdir().unwrap(),
    );
    let out = folder.path().join("out");
    exported(&store, &out, Format::Parquet);
    let (_, findings) = against(&other(shard(5, 2, 1), Keep::Blocks), &out).unwrap();
    let sorts: Vec<Disagreement> = findings.iter().map(|finding| finding.what).collect();
    // The strip, its mirror, and with dead ends in classes of more squares.
    assert!(
        sorts
            .iter()
            .filter(|&&what| what == Disagreement::Strip)
            .count()
            >= 2,
        "{findings:?}"
    );
    assert_eq!(
        sorts
            .iter()
            .filter(|&&what| what == Disagreement::Tally)
            .count(),
        4,
        "{findings:?}"
    );
    let smaller = census(Variant::Hop, 5, Keep::Blocks);
    let (summary, findings) = against(&smaller, &out).unwrap();
    assert!(
        findings
            .iter()
            .all(|finding| finding.what == Disagreement::Missing)
    );
    assert_eq!(
        summary.findings,
        2 * 28,
        "each class of 6 squares, in strips and in tallies"
    );
}

#[test]
fn files_that_changed_are_named_and_not_read() {
    let (store, folder) = (
        census(Variant::Hop, 4, Keep::Blocks),
        tempfile::tempdir().unwrap(),
    );
    let out = folder.path().join("out");
    exported(&store, &out, Format::Parquet);
    let path = out.join("tallies.parquet");
    let mut bytes = fs::read(&path).unwrap();
    bytes[40] ^= 1;
    fs::write(&path, bytes).unwrap();
    fs::remove_file(out.join("values.parquet")).unwrap();
    let (summary, findings) = against(&store, &out).unwrap();
    let files: Vec<&str> = findings
        .iter()
        .map(|finding| finding.file.as_str())
        .collect();
    assert_eq!(files, ["tallies.parquet", "values.parquet"]);
    assert!(
        findings
            .iter()
            .all(|finding| finding.what == Disagreement::File)
    );
    assert_eq!(summary.tallies, 0);
}

#[test]
fn files_without_a_checksum_are_named_and_not_read() {
    let (store, folder) = (
        census(Variant::Hop, 4, Keep::Blocks),
        tempfile::tempdir().unwrap(),
    );
    let out = folder.path().join("out");
    let manifest = exported(&store, &out, Format::Parquet);
    let path = out.join("SHA256SUMS");
    let sums = fs::read_to_string(&path).unwrap();
    fs::write(&path, sums.replace("  tallies.parquet", " tallies.parquet")).unwrap();
    let (summary, findings) = against(&store, &out).unwrap();
    assert_eq!((findings.len(), summary.tallies), (1, 0));
    assert_eq!(
        (findings[0].file.as_str(), findings[0].what),
        ("tallies.parquet", Disagreement::File)
    );
    fs::write(&path, "").unwrap();
    let (summary, findings) = against(&store, &out).unwrap();
    assert_eq!((findings.len(), summary.strips), (manifest.files.len(), 0));
    fs::remove_file(&path).unwrap();
    let refused = against(&store, &out).unwrap_err();
    assert!(
        refused.is_input() && refused.to_string().contains("SHA256SUMS"),
        "{refused}"
    );
}

#[test]
fn what_the_manifest_says_of_a_file_is_compared_too() {
    let (store, folder) = (
        census(Variant::Hop, 3, Keep::Blocks),
        tempfile::tempdir().unwrap(),
    );
    let out = folder.path().join("out");
    let manifest = exported(&store, &out, Format::Parquet);
    let tallies = manifest
        .files
        .iter()
        .position(|file| file.table == "tallies");
    let tallies = tallies.unwrap();
    // Written with the list of checksums made to fit, as somebody would who tampers with a dataset.
    let write = |manifest: &Manifest| {
        let name = out.join("MANIFEST.json");
        let sums = out.join("SHA256SUMS");
        let before = sha256_of(&name).unwrap();
        fs::write(&name, serde_json::to_vec_pretty(manifest).unwrap()).unwrap();
        let text = fs::read_to_string(&sums).unwrap();
        fs::write(&sums, text.replace(&before, &sha256_of(&name).unwrap())).unwrap();
    };
    let mut other = manifest.clone();
    other.files[tallies].sha256 = other.files[0].sha256.clone();
    write(&other);
    let (summary, findings) = against(&store, &out).unwrap();
    assert_eq!((findings.len(), summary.tallies), (1, 0));
    assert_eq!(findings[0].file, "tallies.parquet");
    assert!(findings[0].detail.contains("MANIFEST.json"), "{findings:?}");
    let mut twice = manifest.clone();
    twice.files.push(manifest.files[tallies].clone());
    write(&twice);
    let refused = against(&store, &out).unwrap_err();
    assert!(
        refused.is_input() && refused.to_string().contains("`tallies.parquet` twice"),
        "{refused}"
    );
    write(&manifest);
    assert!(against(&store, &out).unwrap().1.is_empty());
}

#[test]
fn a_file_too_many_is_named() {
    let (store, folder) = (
        census(Variant::Hop, 3, Keep::Blocks),
        tempfile::tempdir().unwrap(),
    );
    let out = folder.path().join("out");
    exported(&store, &out, Format::Parquet);
    let part = out.join("strips/variant=hop/n=3/part-0.parquet");
    fs::copy(&part, part.with_file_name("part-1.parquet")).unwrap();
    let (_, findings) = against(&store, &out).unwrap();
    assert_eq!(
        (findings.len(), findings[0].file.as_str()),
        (1, "strips/variant=hop/n=3/part-1.parquet")
    );
}

#[test]
fn nothing_to_compare_is_no_agreement() {
    let (store, folder) = (
        census(Variant::Hop, 4, Keep::Blocks),
        tempfile::tempdir().unwrap(),
    );
    let (out, values) = (folder.path().join("out"), folder.path().join("values"));
    exported(&store, &out, Format::Parquet);
    let options = CompareOptions {
        squares: Some(9..=9),
        ..CompareOptions::default()
    };
    let refused = against_some(&store, &out, &options).unwrap_err();
    assert!(refused.is_input(), "{refused}");
    let options = ExportOptions {
        variants: vec![Variant::Hop],
        tables: vec![TableName::Values],
        ..ExportOptions::new(Format::Parquet)
    };
    export(
        &store,
        &values,
        &options,
        &mut |_| ControlFlow::Continue(()),
    )
    .unwrap();
    let refused = against(&store, &values).unwrap_err();
    assert!(
        refused.to_string().contains("nothing to compare"),
        "{refused}"
    );
}

#[test]
fn a_file_outside_of_the_dataset_is_named_and_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let store = census(Variant::Hop, 3, Keep::Blocks);
    let out = folder.path().join("out");
    exported(&store, &out, Format::Parquet);
    // Hashing the first would never end.
    for outside in ["/dev/zero", "../out/MANIFEST.json"] {
        fs::write(out.join("SHA256SUMS"), format!("00  {outside}\n")).unwrap();
        let (_, findings) = against(&store, &out).unwrap();
        assert_eq!(findings[0].file, outside);
        assert!(
            findings[0].detail.contains("outside of the dataset"),
            "{findings:?}"
        );
    }
}

#[test]
fn what_is_no_parquet_dataset_of_these_rules_is_refused() {
    let (store, folder) = (
        census(Variant::Hop, 3, Keep::Blocks),
        tempfile::tempdir().unwrap(),
    );
    let refused = against(&store, folder.path()).unwrap_err();
    assert!(
        refused.is_input() && refused.to_string().contains("MANIFEST.json"),
        "{refused}"
    );
    let csv = folder.path().join("csv");
    exported(&store, &csv, Format::Csv);
    let refused = against(&store, &csv).unwrap_err();
    assert!(
        refused.is_input() && refused.to_string().contains("csv"),
        "{refused}"
    );
    let out = folder.path().join("out");
    exported(&store, &out, Format::Parquet);
    let manifest = fs::read_to_string(out.join("MANIFEST.json")).unwrap();
    let ours = toads_census::fingerprint().to_string();
    fs::write(out.join("MANIFEST.json"), manifest.replace(&ours, "00")).unwrap();
    assert!(matches!(
        against(&store, &out),
        Err(DatasetError::OtherFingerprint { .. })
    ));
}
