//! Exports read back: the same totals as the questions, the same bytes twice, all or nothing.

mod support;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::Path;

use arrow_array::Array as _;
use arrow_array::cast::AsArray;
use arrow_array::types::{UInt8Type, UInt32Type, UInt64Type};
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use support::{ask, census, commit, golden};
use toads_census::plan;
use toads_dataset::export::{ExportOptions, Format, Manifest, TableName, export, sha256_of};
use toads_dataset::{DatasetError, Filters, Question, SqlLimits};
use toads_store::{Keep, MemoryStore, Store};
use toads_strip::{Strip, Variant};

type Row = BTreeMap<String, String>;

fn run(store: &dyn Store, out: &Path, options: &ExportOptions) -> Result<Manifest, DatasetError> {
    export(store, out, options, &mut |_| ControlFlow::Continue(()))
}

fn both(last: u8) -> MemoryStore {
    let store = census(Variant::Hop, last, Keep::Blocks);
    for shard in plan::shards(Variant::Hopless, 1..=last) {
        commit(&store, shard, Keep::Blocks);
    }
    store
}

fn read_csv(path: &Path) -> Vec<Row> {
    csv::Reader::from_path(path)
        .unwrap()
        .deserialize()
        .map(Result::unwrap)
        .collect()
}

fn read_jsonl(path: &Path) -> Vec<Row> {
    let line = |line: &str| -> Row {
        let object: BTreeMap<String, serde_json::Value> = serde_json::from_str(line).unwrap();
        let text = |value: serde_json::Value| match value {
            serde_json::Value::String(text) => text,
            serde_json::Value::Null => String::new(),
            other => other.to_string(),
        };
        object
            .into_iter()
            .map(|(key, value)| (key, text(value)))
            .collect()
    };
    fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(line)
        .collect()
}

fn read_parquet(path: &Path) -> Vec<Row> {
    let mut rows = Vec::new();
    for batch in ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap())
        .unwrap()
        .build()
        .unwrap()
    {
        let batch = batch.unwrap();
        for at in 0..batch.num_rows() {
            let cell = |(column, field): (&arrow_array::ArrayRef, &arrow_schema::FieldRef)| {
                let text = match field.data_type() {
                    _ if column.is_null(at) => String::new(),
                    DataType::UInt8 => column.as_primitive::<UInt8Type>().value(at).to_string(),
                    DataType::UInt32 => column.as_primitive::<UInt32Type>().value(at).to_string(),
                    DataType::UInt64 => column.as_primitive::<UInt64Type>().value(at).to_string(),
                    DataType::Utf8 => column.as_string::<i32>().value(at).to_owned(),
                    other => panic!("{other} in {}", path.display()),
                };
                (field.name().clone(), text)
            };
            rows.push(
                batch
                    .columns()
                    .iter()
                    .zip(batch.schema().fields())
                    .map(cell)
                    .collect(),
            );
        }
    }
    rows
}

/// A table of an export in any format, with the partition's columns.
fn read(out: &Path, manifest: &Manifest, table: &str) -> Vec<Row> {
    let mut files: Vec<_> = manifest
        .files
        .iter()
        .filter(|file| file.table == table)
        .collect();
    files.sort_by_key(|file| {
        (
            file.path.contains("hopless"),
            file.path
                .split("n=")
                .nth(1)
                .and_then(|n| n.split('/').next()?.parse::<u8>().ok()),
        )
    });
    let mut all = Vec::new();
    for file in files {
        let path = out.join(&file.path);
        let mut rows = match manifest.format.as_str() {
            "csv" => read_csv(&path),
            "jsonl" => read_jsonl(&path),
            _ => read_parquet(&path),
        };
        assert_eq!(rows.len() as u64, file.rows, "{}", file.path);
        for pair in file.path.split('/').filter_map(|part| part.split_once('=')) {
            for row in &mut rows {
                assert_eq!(row.insert(pair.0.to_owned(), pair.1.to_owned()), None);
            }
        }
        all.extend(rows);
    }
    all
}

#[test]
fn every_format_holds_every_strip_value_and_tally() {
    let (store, folder) = (both(6), tempfile::tempdir().unwrap());
    let mut exports = Vec::new();
    for format in [Format::Csv, Format::Jsonl, Format::Parquet] {
        let out = folder.path().join(format.to_string());
        let manifest = run(&store, &out, &ExportOptions::new(format)).unwrap();
        exports.push(["strips", "values", "tallies"].map(|table| read(&out, &manifest, table)));
    }
    assert!(exports.iter().all(|export| *export == exports[0]));
    let [strips, values, tallies] = &exports[0];
    assert_eq!(
        strips.len(),
        2 * (1..=6).map(|n| 3usize.pow(n)).sum::<usize>()
    );
    let texts: BTreeMap<&str, &str> = values
        .iter()
        .map(|row| (row["value_id"].as_str(), row["value"].as_str()))
        .collect();
    assert_eq!(texts.len(), values.len());
    for variant in Variant::ALL {
        let of = |rows: &[Row]| {
            rows.iter()
                .filter(|row| row["variant"] == variant.to_string())
                .cloned()
                .collect::<Vec<_>>()
        };
        let (strips, tallies) = (of(strips), of(tallies));
        for n in 1..=6u8 {
            let at: Vec<&Row> = strips
                .iter()
                .filter(|row| row["n"] == n.to_string())
                .collect();
            let listed = ask(
                &store,
                &Question::Strips {
                    filters: Filters::of(variant).squares(n..=n),
                    limit: None,
                    max_text: None,
                },
            );
            let mut found: Vec<(u128, &str, &str)> = at
                .iter()
                .map(|row| {
                    (
                        row["idx"].parse().unwrap(),
                        row["strip"].as_str(),
                        row["value"].as_str(),
                    )
                })
                .collect();
            found.sort_unstable();
            for ((index, strip, value), listed) in found.iter().zip(&listed.rows) {
                assert_eq!(Strip::parse(strip).unwrap().index(), Some(*index));
                assert_eq!(
                    [*strip, *value],
                    [listed[0].to_string(), listed[1].to_string()]
                );
            }
            assert_eq!(found.len(), listed.rows.len());
            // The tallies are the strips, counted.
            let mut counted = BTreeMap::<[&str; 3], (u64, u128)>::new();
            for row in &at {
                let class = [
                    row["toads"].as_str(),
                    row["frogs"].as_str(),
                    row["value_id"].as_str(),
                ];
                let (count, first) = counted.entry(class).or_insert((0, u128::MAX));
                (*count, *first) = (*count + 1, (*first).min(row["idx"].parse().unwrap()));
                assert_eq!(texts[row["value_id"].as_str()], row["value"]);
            }
            let told: BTreeMap<[&str; 3], (u64, u128)> = tallies
                .iter()
                .filter(|row| row["n"] == n.to_string())
                .map(|row| {
                    let class = [
                        row["toads"].as_str(),
                        row["frogs"].as_str(),
                        row["value_id"].as_str(),
                    ];
                    (
                        class,
                        (
                            row["count"].parse().unwrap(),
                            Strip::parse(&row["first_strip"]).unwrap().index().unwrap(),
                        ),
                    )
                })
                .collect();
            assert_eq!(told, counted);
        }
    }
}

#[test]
fn values_have_the_columns_of_sql_and_the_same_in_them() {
    let (store, folder) = (both(7), tempfile::tempdir().unwrap());
    let out = folder.path().join("out");
    let manifest = run(&store, &out, &ExportOptions::new(Format::Parquet)).unwrap();
    let statement = "select * from \"values\" order by value_id".to_owned();
    let limits = SqlLimits::default();
    let asked = ask(&store, &Question::Sql { statement, limits });
    let names: Vec<&str> = asked.columns.iter().map(|column| &*column.name).collect();
    let table = manifest.tables.iter().find(|table| table.name == "values");
    let told: Vec<&str> = table.unwrap().columns.iter().map(|c| &*c.name).collect();
    assert_eq!(told, names);
    let in_sql: BTreeMap<String, Row> = asked
        .rows
        .iter()
        .map(|row| {
            let cells = names.iter().zip(row);
            let row: Row = cells
                .map(|(name, cell)| ((*name).to_owned(), cell.to_string()))
                .collect();
            (row["value_id"].clone(), row)
        })
        .collect();
    let values = read(&out, &manifest, "values");
    for row in &values {
        assert_eq!(row, &in_sql[&row["value_id"]]);
    }
    // Each optional column has something in it and nothing in it.
    for name in ["denominator", "atomic_weight"] {
        assert!(values.iter().any(|row| row[name].is_empty()), "{name}");
        assert!(values.iter().any(|row| row[name] == "1"), "{name}");
    }
    let negatives = values.iter().filter(|row| row["reduced"] == "-1/2");
    assert!(negatives.count() > 0 && values.iter().any(|row| row["depth"] == "3"));
}

#[test]
fn totals_are_the_reference_figures() {
    let (store, folder) = (
        census(Variant::Hop, 7, Keep::Blocks),
        tempfile::tempdir().unwrap(),
    );
    let out = folder.path().join("hop");
    let options = ExportOptions {
        variants: vec![Variant::Hop],
        ..ExportOptions::new(Format::Parquet)
    };
    let manifest = run(&store, &out, &options).unwrap();
    let outcomes: BTreeMap<String, String> = read(&out, &manifest, "values")
        .into_iter()
        .map(|row| (row["value_id"].clone(), row["outcome"].clone()))
        .collect();
    let strips = read(&out, &manifest, "strips");
    for line in golden("census-hop.tsv").lines().skip(1).take(7) {
        let figures: Vec<&str> = line.split('\t').collect();
        let at: Vec<&Row> = strips.iter().filter(|row| row["n"] == figures[0]).collect();
        let count = |outcome: &str| {
            at.iter()
                .filter(|row| outcomes[&row["value_id"]] == outcome)
                .count()
                .to_string()
        };
        assert_eq!(
            [
                at.len().to_string(),
                count("P"),
                count("L"),
                count("R"),
                count("N")
            ],
            [figures[1], figures[7], figures[8], figures[9], figures[10]]
        );
    }
}

#[test]
fn a_second_export_has_the_same_bytes_and_the_sums_hold() {
    let (store, folder) = (both(5), tempfile::tempdir().unwrap());
    for format in [Format::Csv, Format::Jsonl, Format::Parquet] {
        let outs = ["a", "b"].map(|name| folder.path().join(format!("{name}-{format}")));
        for out in &outs {
            run(&store, out, &ExportOptions::new(format)).unwrap();
        }
        let sums = fs::read_to_string(outs[0].join("SHA256SUMS")).unwrap();
        assert_eq!(
            sums,
            fs::read_to_string(outs[1].join("SHA256SUMS")).unwrap()
        );
        assert!(sums.contains("  MANIFEST.json\n"));
        for line in sums.lines() {
            let (sum, path) = line.split_once("  ").unwrap();
            assert_eq!(sha256_of(&outs[0].join(path)).unwrap(), sum, "{path}");
            assert_eq!(sha256_of(&outs[1].join(path)).unwrap(), sum, "{path}");
        }
        let manifest: Manifest =
            serde_json::from_slice(&fs::read(outs[0].join("MANIFEST.json")).unwrap()).unwrap();
        // MANIFEST.json, README.md and croissant.json beside the data.
        assert_eq!(manifest.files.len() + 3, sums.lines().count());
        assert!(!manifest.partial);
    }
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        6,
        "nothing temporary is left"
    );
}

#[test]
fn what_exists_is_not_touched_and_what_is_stopped_leaves_nothing() {
    let (store, folder) = (both(4), tempfile::tempdir().unwrap());
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("mine"), "text").unwrap();
    let refused = run(&store, &out, &ExportOptions::new(Format::Csv)).unwrap_err();
    assert!(matches!(refused, DatasetError::TargetExists { .. }) && refused.is_input());
    assert_eq!(fs::read_dir(&out).unwrap().count(), 1);
    fs::remove_dir_all(&out).unwrap();
    let stopped = export(&store, &out, &ExportOptions::new(Format::Csv), &mut |_| {
        ControlFlow::Break(())
    });
    assert!(matches!(stopped, Err(DatasetError::Stopped)));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn an_incomplete_range_is_refused_unless_it_is_asked_for() {
    let (store, folder) = (
        census(Variant::Hop, 4, Keep::Blocks),
        tempfile::tempdir().unwrap(),
    );
    plan::shards(Variant::Hop, 5..=5)[..4]
        .iter()
        .for_each(|&shard| commit(&store, shard, Keep::Blocks));
    let out = folder.path().join("out");
    let mut options = ExportOptions {
        variants: vec![Variant::Hop],
        ..ExportOptions::new(Format::Csv)
    };
    let refused = run(&store, &out, &options).unwrap_err();
    assert!(
        refused.to_string().contains("hop n = 5: 8 of 12 missing"),
        "{refused}"
    );
    assert!(refused.is_input() && !out.exists());
    options.partial = true;
    let manifest = run(&store, &out, &options).unwrap();
    assert!(manifest.partial);
    assert_eq!(
        (manifest.missing[0].n, manifest.missing[0].classes_missing),
        (5, 8)
    );
    options.squares = Some(1..=4);
    options.partial = false;
    assert!(
        !run(&store, &folder.path().join("whole"), &options)
            .unwrap()
            .partial
    );
    options.squares = Some(9..=9);
    assert!(
        run(&store, &folder.path().join("none"), &options)
            .unwrap_err()
            .is_input()
    );
}

#[test]
fn tallies_alone_are_exported_and_small_classes_evaluated() {
    let (store, folder) = (
        census(Variant::Hop, 5, Keep::Tallies),
        tempfile::tempdir().unwrap(),
    );
    let blocks = census(Variant::Hop, 5, Keep::Blocks);
    let mut options = ExportOptions {
        variants: vec![Variant::Hop],
        ..ExportOptions::new(Format::Csv)
    };
    for (store, name) in [(&store, "tallies"), (&blocks, "blocks")] {
        run(store, &folder.path().join(name), &options).unwrap();
    }
    let sums = |name| fs::read_to_string(folder.path().join(name).join("SHA256SUMS")).unwrap();
    assert_eq!(sums("tallies"), sums("blocks"));
    options.evaluate_up_to = 10;
    let refused = run(&store, &folder.path().join("none"), &options).unwrap_err();
    assert!(matches!(refused, DatasetError::NeedsBlocks { .. }));
    options.tables = vec![TableName::Values, TableName::Tallies];
    assert!(run(&store, &folder.path().join("some"), &options).is_ok());
}

#[test]
fn texts_are_shortened_where_asked() {
    let (store, folder) = (
        census(Variant::Hop, 6, Keep::Blocks),
        tempfile::tempdir().unwrap(),
    );
    let options = ExportOptions {
        max_text: Some(6),
        variants: vec![Variant::Hop],
        ..ExportOptions::new(Format::Csv)
    };
    let manifest = run(&store, &folder.path().join("out"), &options).unwrap();
    let values = read(&folder.path().join("out"), &manifest, "values");
    assert!(values.iter().any(|row| row["value"].ends_with('…')));
    for text in ["value", "atomic_weight", "reduced"] {
        assert!(values.iter().all(|row| row[text].chars().count() <= 7));
    }
    assert!(values.iter().any(|row| row["reduced"].ends_with('…')));
}

#[test]
fn what_a_killed_export_left_goes_with_the_next() {
    let (store, folder) = (
        census(Variant::Hop, 2, Keep::Blocks),
        tempfile::tempdir().unwrap(),
    );
    let at = |name: &str| folder.path().join(name);
    // No process has the first number; the second is the one that began everything; the rest are no leftovers.
    let kept = [".out.partial-1", ".out.partial-x", ".other.partial-4194999"];
    for name in kept.iter().chain(&[".out.partial-4194999"]) {
        fs::create_dir(at(name)).unwrap();
        fs::write(at(name).join("strips.csv"), "half").unwrap();
    }
    let options = ExportOptions {
        variants: vec![Variant::Hop],
        ..ExportOptions::new(Format::Csv)
    };
    export(&store, &at("out"), &options, &mut |_| {
        ControlFlow::Continue(())
    })
    .unwrap();
    assert!(!at(".out.partial-4194999").exists());
    assert!(kept.iter().all(|name| at(name).exists()));
}
