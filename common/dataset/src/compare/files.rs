//! The folder of a dataset: what it says it is, and the checksums that it comes with.

use std::collections::HashSet;
use std::path::Path;
use std::{fmt, fs};

use toads_census::fingerprint;

use crate::error::{DatasetError, Result};
use crate::export::Manifest;

/// What the folder says it is; refused unless it is a Parquet export of this build's rules that names each file once.
pub(super) fn manifest(folder: &Path) -> Result<Manifest> {
    let no_manifest = |why: &dyn fmt::Display| no_dataset(folder, "MANIFEST.json", why);
    let text = fs::read(folder.join("MANIFEST.json")).map_err(|error| no_manifest(&error))?;
    let manifest: Manifest = serde_json::from_slice(&text).map_err(|error| no_manifest(&error))?;
    if manifest.format != "parquet" {
        return Err(DatasetError::Question(format!(
            "{} holds {}; a store is compared with what `toads export parquet` wrote",
            folder.display(),
            manifest.format
        )));
    }
    let ours = fingerprint().to_string();
    if manifest.fingerprint != ours {
        return Err(DatasetError::OtherFingerprint {
            path: folder.to_owned(),
            found: manifest.fingerprint,
            expected: ours,
        });
    }
    let mut names = HashSet::new();
    if let Some(twice) = manifest.files.iter().find(|file| !names.insert(&file.path)) {
        let why = format!("it names `{}` twice", twice.path.escape_debug());
        return Err(no_manifest(&why));
    }
    Ok(manifest)
}

/// The files that `SHA256SUMS` names, with their sums; then, without one, those of the manifest that it does not name.
pub(super) fn sums(folder: &Path, manifest: &Manifest) -> Result<Vec<(String, Option<String>)>> {
    let text = fs::read_to_string(folder.join("SHA256SUMS"))
        .map_err(|error| no_dataset(folder, "SHA256SUMS", &error))?;
    let mut sums: Vec<(String, Option<String>)> = text
        .lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(sum, name)| (name.to_owned(), Some(sum.to_owned())))
        .collect();
    for file in &manifest.files {
        if sums.iter().all(|(name, _)| *name != file.path) {
            sums.push((file.path.clone(), None));
        }
    }
    Ok(sums)
}

/// Parquet files of the folder that the manifest does not name, in order.
pub(super) fn strangers(folder: &Path, manifest: &Manifest) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        let wrong = |source| DatasetError::Io {
            path: inner.clone(),
            source,
        };
        for entry in fs::read_dir(&inner).map_err(wrong)? {
            let entry = entry.map_err(wrong)?;
            let path = entry.path();
            if entry.file_type().map_err(wrong)?.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "parquet") {
                let name = path.strip_prefix(folder).unwrap_or(&path);
                found.push(name.to_string_lossy().into_owned());
            }
        }
    }
    found.retain(|name| manifest.files.iter().all(|file| file.path != *name));
    found.sort();
    Ok(found)
}

fn no_dataset(folder: &Path, file: &str, why: &dyn fmt::Display) -> DatasetError {
    let folder = folder.display();
    DatasetError::Question(format!(
        "{folder} is no dataset of `toads export`: {file}: {why}"
    ))
}
