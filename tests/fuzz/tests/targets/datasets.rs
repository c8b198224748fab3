//! Exported datasets, read again by `census verify --against`: manifest, checksums, Parquet. The first byte of an input says
//! which file the rest is; its checksum is made to fit.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use toads_dataset::compare::{CompareOptions, compare_dataset};
use toads_dataset::export::{ExportOptions, Format, Manifest, export, sha256_of};
use toads_fuzz::{Fuzz, folder};
use toads_store::MemoryStore;

use crate::census::store;

const WORDS: &[&str] = &[
    "\"files\":[",
    "\"rows\":",
    "\"path\":",
    "null",
    "../",
    "/",
    "strips/variant=hop/n=2/",
    "n=255",
    "tallies",
    "strips",
    "  ",
    "\n",
    "[]",
    "PAR1",
];

/// An export in a folder, and its files.
struct Export {
    folder: tempfile::TempDir,
    files: Vec<PathBuf>,
}

impl Export {
    fn new(store: &MemoryStore) -> Self {
        let folder = folder();
        let target = folder.path().join("export");
        let options = ExportOptions::new(Format::Parquet);
        export(store, &target, &options, &mut |_| ControlFlow::Continue(())).unwrap();
        let manifest: Manifest =
            serde_json::from_slice(&fs::read(target.join("MANIFEST.json")).unwrap()).unwrap();
        let mut files: Vec<_> = manifest
            .files
            .iter()
            .map(|file| PathBuf::from(&file.path))
            .collect();
        // What is read alone comes first.
        files.retain(|file| !file.starts_with("values") && file.extension().is_some());
        files.splice(0..0, ["MANIFEST.json".into(), "SHA256SUMS".into()]);
        Self { folder, files }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("export")
    }

    fn seeds(&self) -> Vec<Vec<u8>> {
        let seed = |(at, file): (usize, &PathBuf)| {
            let bytes = fs::read(self.path().join(file)).unwrap();
            [vec![at as u8], bytes].concat()
        };
        self.files.iter().enumerate().map(seed).collect()
    }
}

/// The list of checksums with that of `file` made to fit.
fn with_checksum(sums: &str, root: &Path, file: &Path) -> String {
    let name = file.display().to_string();
    let sum = sha256_of(&root.join(file)).unwrap();
    let lines = sums.lines().map(|line| match line.split_once("  ") {
        Some((_, other)) if other == name => format!("{sum}  {name}\n"),
        _ => format!("{line}\n"),
    });
    lines.collect()
}

#[test]
fn datasets() {
    let store = store(2);
    let export = Export::new(&store);
    let root = export.path();
    let sums = fs::read_to_string(root.join("SHA256SUMS")).unwrap();
    let seeds = export.seeds();
    let target = Fuzz::new("datasets")
        .seeds(seeds.clone())
        .words(WORDS)
        .quick(500);
    target.run(|input| {
        let Some((&at, bytes)) = input.split_first() else {
            return false;
        };
        let Some(file) = export.files.get(usize::from(at)) else {
            return false;
        };
        fs::write(root.join(file), bytes).unwrap();
        if !file.ends_with("SHA256SUMS") {
            fs::write(root.join("SHA256SUMS"), with_checksum(&sums, &root, file)).unwrap();
        }
        let progress = &mut |_: &_| ControlFlow::Continue(());
        let mut told = 0;
        let compared = compare_dataset(
            &store,
            &root,
            &CompareOptions::default(),
            progress,
            &mut |finding| {
                assert!(!finding.detail.is_empty());
                told += 1;
            },
        );
        let manifest = fs::read(root.join("MANIFEST.json")).unwrap();
        fs::write(root.join(file), &seeds[usize::from(at)][1..]).unwrap();
        fs::write(root.join("SHA256SUMS"), &sums).unwrap();
        match compared {
            Ok(summary) => {
                assert!(told <= summary.findings);
                let manifest: Manifest = serde_json::from_slice(&manifest).expect("it was read");
                assert!(
                    summary.findings > 0 || summary.files >= manifest.files.len(),
                    "a file without a checksum was passed over"
                );
                summary.findings == 0
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                false
            }
        }
    });
}
