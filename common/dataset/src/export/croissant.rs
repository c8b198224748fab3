//! `croissant.json`: the export described for machines, in the words of `MLCommons`' Croissant 1.0 (JSON-LD).

use serde_json::{Value, json};

use super::manifest::{Manifest, ManifestColumn, ManifestFile, ManifestTable};

/// The description of an export of tables.
pub(super) fn of(manifest: &Manifest) -> String {
    let mut distribution = Vec::new();
    for table in &manifest.tables {
        let files = manifest
            .files
            .iter()
            .filter(|file| file.table == table.name);
        distribution.extend(files.map(|file| file_object(manifest, file)));
        if is_partitioned(manifest, table) {
            distribution.push(file_set(manifest, table));
        }
    }
    let record_sets: Vec<Value> = manifest
        .tables
        .iter()
        .map(|table| record_set(manifest, table))
        .collect();
    let document = json!({
        "@context": context(),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": "toads-and-frogs",
        "alternateName": manifest.dataset,
        "description": format!(
            "The canonical form of every strip of the combinatorial game Toads and Frogs: {}. Content digest {}.",
            ranges(manifest),
            manifest.digest
        ),
        "license": format!("https://spdx.org/licenses/{}", manifest.license),
        "url": "https://en.wikipedia.org/wiki/Toads_and_Frogs",
        "version": format!("{}+{}", env!("CARGO_PKG_VERSION"), &manifest.digest[..16]),
        "citeAs": format!("{}, {}, content digest {}", manifest.dataset, ranges(manifest), manifest.digest),
        "creator": {"@type": "sc:Organization", "name": "The toads developers"},
        "isLiveDataset": false,
        "distribution": distribution,
        "recordSet": record_sets,
    });
    let mut text = serde_json::to_string_pretty(&document).expect("a description is plain data");
    text.push('\n');
    text
}

fn ranges(manifest: &Manifest) -> String {
    let runs = manifest
        .runs
        .iter()
        .map(|run| format!("{} {}..{} squares", run.variant, run.first_n, run.last_n));
    runs.collect::<Vec<_>>().join(", ")
}

fn is_partitioned(manifest: &Manifest, table: &ManifestTable) -> bool {
    manifest.format == "parquet" && table.name == "strips"
}

fn encoding(manifest: &Manifest) -> &'static str {
    match manifest.format.as_str() {
        "csv" => "text/csv",
        "jsonl" => "application/jsonlines",
        _ => "application/x-parquet",
    }
}

fn file_object(manifest: &Manifest, file: &ManifestFile) -> Value {
    json!({
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": file.path,
        "contentUrl": file.path,
        "contentSize": format!("{} B", file.bytes),
        "encodingFormat": encoding(manifest),
        "sha256": file.sha256,
    })
}

fn file_set(manifest: &Manifest, table: &ManifestTable) -> Value {
    let of = manifest
        .files
        .iter()
        .filter(|file| file.table == table.name);
    let contained: Vec<Value> = of.map(|file| json!({"@id": file.path})).collect();
    json!({
        "@type": "cr:FileSet",
        "@id": format!("{}-files", table.name),
        "name": format!("{}-files", table.name),
        "containedIn": contained,
        "encodingFormat": encoding(manifest),
        "includes": format!("{}/*/*/*.parquet", table.name),
    })
}

fn record_set(manifest: &Manifest, table: &ManifestTable) -> Value {
    let fields: Vec<Value> = table
        .columns
        .iter()
        .map(|column| field(manifest, table, column))
        .collect();
    json!({
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "field": fields,
    })
}

fn field(manifest: &Manifest, table: &ManifestTable, column: &ManifestColumn) -> Value {
    let source = if is_partitioned(manifest, table) {
        let files = json!({"@id": format!("{}-files", table.name)});
        if ["variant", "n"].contains(&column.name.as_str()) {
            let pattern = format!("/{}=([^/]+)/", column.name);
            json!({
                "fileSet": files,
                "extract": {"fileProperty": "fullpath"},
                "transform": {"regex": pattern},
            })
        } else {
            json!({"fileSet": files, "extract": {"column": column.name}})
        }
    } else {
        let path = format!("{}.{}", table.name, manifest.format);
        json!({"fileObject": {"@id": path}, "extract": {"column": column.name}})
    };
    let kind = if column.kind == "string" {
        "sc:Text"
    } else {
        "sc:Integer"
    };
    json!({
        "@type": "cr:Field",
        "@id": format!("{}/{}", table.name, column.name),
        "name": column.name,
        "description": column.description,
        "dataType": kind,
        "source": source,
    })
}

/// The terms, as the standard lists them.
fn context() -> Value {
    json!({
        "@language": "en",
        "@vocab": "https://schema.org/",
        "citeAs": "cr:citeAs",
        "column": "cr:column",
        "conformsTo": "dct:conformsTo",
        "cr": "http://mlcommons.org/croissant/",
        "data": {"@id": "cr:data", "@type": "@json"},
        "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
        "dct": "http://purl.org/dc/terms/",
        "examples": {"@id": "cr:examples", "@type": "@json"},
        "extract": "cr:extract",
        "field": "cr:field",
        "fileObject": "cr:fileObject",
        "fileProperty": "cr:fileProperty",
        "fileSet": "cr:fileSet",
        "format": "cr:format",
        "includes": "cr:includes",
        "isLiveDataset": "cr:isLiveDataset",
        "jsonPath": "cr:jsonPath",
        "key": "cr:key",
        "md5": "cr:md5",
        "parentField": "cr:parentField",
        "path": "cr:path",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "recordSet": "cr:recordSet",
        "references": "cr:references",
        "regex": "cr:regex",
        "repeated": "cr:repeated",
        "replace": "cr:replace",
        "sc": "https://schema.org/",
        "separator": "cr:separator",
        "source": "cr:source",
        "subField": "cr:subField",
        "transform": "cr:transform",
    })
}
