//! What an export says of itself, and the exports that are not tables.

mod support;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::Path;

use parquet::file::reader::{FileReader, SerializedFileReader};
use support::{census, commit, golden};
use toads_census::plan;
use toads_dataset::export::{
    ExportOptions, Format, Manifest, TableName, export, export_report, export_sequences,
};
use toads_store::{Keep, MemoryStore, RunRecord, RunState, Store, run_digest, store_digest};
use toads_strip::Variant;

fn hop(format: Format) -> ExportOptions {
    ExportOptions {
        variants: vec![Variant::Hop],
        ..ExportOptions::new(format)
    }
}

fn tables(store: &MemoryStore, out: &Path, options: &ExportOptions) -> Manifest {
    export(store, out, options, &mut |_| ControlFlow::Continue(())).unwrap()
}

fn metadata(path: &Path) -> BTreeMap<String, String> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let all = reader.metadata().file_metadata().key_value_metadata();
    let own = all
        .unwrap()
        .iter()
        .filter_map(|entry| Some((entry.key.strip_prefix("toads.")?, entry.value.clone()?)));
    own.map(|(key, value)| (key.to_owned(), value)).collect()
}

#[test]
fn manifest_and_metadata_name_run_counts_licence_and_digest() {
    let (store, folder) = (
        census(Variant::Hop, 5, Keep::Blocks),
        tempfile::tempdir().unwrap(),
    );
    let out = folder.path().join("out");
    let manifest = tables(&store, &out, &hop(Format::Parquet));
    let run = RunRecord {
        id: 1,
        variant: Variant::Hop,
        first_n: 1,
        last_n: 5,
        keep: Keep::Blocks,
        state: RunState::Active,
        created_ms: 0,
    };
    let records = store.shards(None).unwrap();
    let digest = run_digest(&run, &records).to_string();
    let [told] = &manifest.runs[..] else {
        panic!("one run: {:?}", manifest.runs);
    };
    assert_eq!((told.first_n, told.last_n, told.strips), (1, 5, 363));
    assert_eq!((told.classes, &told.digest), (records.len(), &digest));
    assert_eq!(
        (manifest.digest.as_str(), manifest.license.as_str()),
        (digest.as_str(), "CC0-1.0")
    );
    assert_eq!(manifest.rows("strips"), 363);
    let strips = metadata(&out.join("strips/variant=hop/n=4/part-0.parquet"));
    let expected = [
        ("table", "strips"),
        ("variant", "hop"),
        ("n", "4"),
        ("strips", "81"),
        ("classes", "9 of 9"),
        ("license", "CC0-1.0"),
        ("partial", "false"),
        ("digest", &digest),
        ("fingerprint", &manifest.fingerprint),
    ];
    for (key, value) in expected {
        assert_eq!(strips.get(key).map(String::as_str), Some(value), "{key}");
    }
    let of_n: Vec<_> = records
        .into_iter()
        .filter(|record| record.shard.class.n == 4)
        .collect();
    assert_eq!(strips["digest_of_n"], store_digest(&of_n).to_string());
    assert_eq!(metadata(&out.join("values.parquet"))["table"], "values");
}

#[test]
fn bytes_do_not_depend_on_what_else_the_store_holds() {
    let folder = tempfile::tempdir().unwrap();
    let small = census(Variant::Hop, 4, Keep::Blocks);
    let large = census(Variant::Hop, 6, Keep::Blocks);
    commit(
        &large,
        plan::shards(Variant::Hopless, 3..=3)[0],
        Keep::Blocks,
    );
    let options = ExportOptions {
        squares: Some(1..=4),
        ..hop(Format::Parquet)
    };
    tables(&small, &folder.path().join("small"), &options);
    tables(&large, &folder.path().join("large"), &options);
    let sums = |name| fs::read_to_string(folder.path().join(name).join("SHA256SUMS")).unwrap();
    assert_eq!(sums("small"), sums("large"));
}

#[test]
fn cards_and_descriptions_speak_of_the_files_that_are_there() {
    let (store, folder) = (
        census(Variant::Hop, 5, Keep::Blocks),
        tempfile::tempdir().unwrap(),
    );
    for format in [Format::Csv, Format::Jsonl, Format::Parquet] {
        let out = folder.path().join(format.to_string());
        let manifest = tables(&store, &out, &hop(format));
        let card = fs::read_to_string(out.join("README.md")).unwrap();
        let front = card
            .strip_prefix("---\n")
            .and_then(|rest| rest.split_once("\n---\n"));
        let (front, body) = front.expect("front matter between two rules");
        assert!(front.contains("license: cc0-1.0") && front.contains("size_categories: [n<1K]"));
        assert!(body.contains(&manifest.digest) && !body.contains("Incomplete"));
        let croissant = fs::read_to_string(out.join("croissant.json")).unwrap();
        let croissant: serde_json::Value = serde_json::from_str(&croissant).unwrap();
        assert_eq!(
            croissant["conformsTo"],
            "http://mlcommons.org/croissant/1.0"
        );
        let files: BTreeMap<&str, &serde_json::Value> = croissant["distribution"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|file| file["@type"] == "cr:FileObject")
            .map(|file| (file["contentUrl"].as_str().unwrap(), file))
            .collect();
        assert_eq!(files.len(), manifest.files.len());
        for file in &manifest.files {
            assert_eq!(files[file.path.as_str()]["sha256"], file.sha256.as_str());
        }
        let fields = croissant["recordSet"].as_array().unwrap().iter();
        let fields: usize = fields
            .map(|set| set["field"].as_array().unwrap().len())
            .sum();
        let columns: usize = manifest
            .tables
            .iter()
            .map(|table| table.columns.len())
            .sum();
        assert_eq!((fields, columns), (32, 32));
    }
}

#[test]
fn an_incomplete_export_says_so_everywhere() {
    let (store, folder) = (
        census(Variant::Hop, 3, Keep::Blocks),
        tempfile::tempdir().unwrap(),
    );
    commit(&store, plan::shards(Variant::Hop, 4..=4)[2], Keep::Blocks);
    let out = folder.path().join("out");
    let options = ExportOptions {
        partial: true,
        ..hop(Format::Parquet)
    };
    let manifest = tables(&store, &out, &options);
    assert!(manifest.partial);
    let card = fs::read_to_string(out.join("README.md")).unwrap();
    assert!(card.contains("**Incomplete.**") && card.contains("hop n = 4: 8 of 9 missing"));
    let strips = metadata(&out.join("strips/variant=hop/n=4/part-0.parquet"));
    assert_eq!(
        (strips["partial"].as_str(), strips["classes"].as_str()),
        ("true", "1 of 9")
    );
}

/// A b-file as the OEIS checks it: two columns, the first one consecutive.
fn terms(path: &Path) -> BTreeMap<u32, i128> {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.ends_with('\n') && !text.contains("\n\n"));
    let mut terms = BTreeMap::new();
    for line in text.lines() {
        let (n, term) = line.split_once(' ').expect("two columns");
        let n: u32 = n.parse().unwrap();
        assert!(
            terms.is_empty() || terms.contains_key(&(n - 1)),
            "{line} in {}",
            path.display()
        );
        assert_eq!(terms.insert(n, term.parse().unwrap()), None);
    }
    terms
}

#[test]
fn sequences_are_the_reference_figures() {
    let store = census(Variant::Hop, 7, Keep::Tallies);
    for shard in plan::shards(Variant::Hopless, 1..=4) {
        commit(&store, shard, Keep::Tallies);
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let manifest = export_sequences(&store, &out, &ExportOptions::new(Format::Csv)).unwrap();
    let figures = golden("census-hop.tsv");
    let mut lines = figures.lines();
    let columns: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let rows: Vec<Vec<&str>> = lines
        .take(7)
        .map(|line| line.split('\t').collect())
        .collect();
    for (at, column) in columns.iter().enumerate().skip(1) {
        let terms = terms(&out.join(format!("b-hop-{column}.txt")));
        assert_eq!(terms.len(), 7, "{column}");
        for row in &rows {
            assert_eq!(
                terms[&row[0].parse().unwrap()].to_string(),
                row[at],
                "{column}"
            );
        }
    }
    let all = |name: &str| terms(&out.join(format!("b-hop-{name}.txt")));
    assert_eq!(all("denominator-1"), all("integers"));
    let numbers = all("numbers");
    for (n, count) in &numbers {
        let denominators = manifest
            .files
            .iter()
            .filter(|file| file.path.contains("b-hop-denominator-"));
        let sum: i128 = denominators
            .map(|file| terms(&out.join(&file.path))[n])
            .sum();
        assert_eq!(sum, *count, "n = {n}");
    }
    assert_eq!(terms(&out.join("b-hopless-strips.txt")).len(), 4);
    assert!(!out.join("croissant.json").exists());
}

#[test]
fn sequences_end_where_the_census_does() {
    let store = census(Variant::Hop, 4, Keep::Tallies);
    commit(&store, plan::shards(Variant::Hop, 5..=5)[1], Keep::Tallies);
    let folder = tempfile::tempdir().unwrap();
    let options = ExportOptions {
        partial: true,
        ..hop(Format::Csv)
    };
    assert!(export_sequences(&store, &folder.path().join("x"), &hop(Format::Csv)).is_err());
    let out = folder.path().join("out");
    export_sequences(&store, &out, &options).unwrap();
    assert_eq!(terms(&out.join("b-hop-zeros.txt")).len(), 4);
    let none = ExportOptions {
        squares: Some(5..=5),
        ..options
    };
    let refused = export_sequences(&store, &folder.path().join("none"), &none).unwrap_err();
    assert!(refused.is_input() && !folder.path().join("none").exists());
}

#[test]
fn a_report_is_the_same_every_time_and_has_the_figures() {
    let (store, folder) = (
        census(Variant::Hop, 6, Keep::Blocks),
        tempfile::tempdir().unwrap(),
    );
    let page = |name: &str| {
        let out = folder.path().join(name);
        export_report(&store, &out, &hop(Format::Csv)).unwrap();
        fs::read_to_string(out.join("report.md")).unwrap()
    };
    let report = page("a");
    assert_eq!(report, page("b"));
    let figures = golden("census-hop.tsv");
    let last = figures.lines().nth(6).unwrap().replace('\t', " | ");
    assert!(report.contains(&format!("| {last} |")), "{report}");
    assert!(report.contains("## hop: the most frequent values"));
}

#[test]
fn tables_that_were_not_asked_for_are_not_described() {
    let (store, folder) = (
        census(Variant::Hop, 3, Keep::Blocks),
        tempfile::tempdir().unwrap(),
    );
    let out = folder.path().join("out");
    let options = ExportOptions {
        tables: vec![TableName::Values],
        ..hop(Format::Csv)
    };
    tables(&store, &out, &options);
    let card = fs::read_to_string(out.join("README.md")).unwrap();
    assert!(card.contains("## `values`") && !card.contains("## `strips`"));
}
