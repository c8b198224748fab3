//! What is counted for each n, as b-files: two columns, consecutive n, no gaps.

use std::collections::BTreeMap;
use std::io::Write as _;

use toads_count::bfile;
use toads_store::Store;
use toads_strip::Variant;

use super::Source;
use super::files::{Folder, io_error};
use super::manifest::ManifestFile;
use crate::answer;
use crate::error::{DatasetError, Result};
use crate::question::{Filters, Question};
use crate::read::Selection;
use crate::rows::{Cell, Table};

/// Sequences by name: the terms for consecutive n, from the first on.
type Sequences = BTreeMap<String, Vec<i128>>;

/// A file for each sequence of each ruleset.
pub(super) fn write(
    store: &dyn Store,
    sources: &[Source<'_>],
    folder: &Folder,
) -> Result<Vec<ManifestFile>> {
    let mut files = Vec::new();
    for (reader, selection) in sources {
        let Some((first, last)) = complete(selection) else {
            continue;
        };
        for (name, terms) in sequences(store, reader.variant, first, last)? {
            let path = format!("b-{}-{name}.txt", reader.variant);
            let mut file = folder.file(&path)?;
            let text = bfile(first.into(), &terms);
            file.write_all(text.as_bytes())
                .map_err(io_error(file.path()))?;
            files.push(file.finish(path, "sequence".to_owned(), terms.len() as u64)?);
        }
    }
    if files.is_empty() {
        return Err(DatasetError::NotCommitted {
            what: "every class of the smallest number of squares".to_owned(),
        });
    }
    Ok(files)
}

/// The first n, and the last one up to which nothing is missing.
fn complete(selection: &Selection) -> Option<(u8, u8)> {
    let first = selection.strata.first()?.n;
    let complete = selection
        .strata
        .iter()
        .zip(first..)
        .take_while(|(stratum, n)| stratum.n == *n && stratum.missing.is_empty());
    complete.last().map(|(_, n)| (first, n))
}

fn sequences(store: &dyn Store, variant: Variant, first: u8, last: u8) -> Result<Sequences> {
    let filters = || Filters::of(variant).squares(first..=last);
    let mut all = Sequences::new();
    let mut set = |name: String, n: &Cell, term: &Cell| {
        let (Cell::Int(n), Cell::Int(term)) = (n, term) else {
            return;
        };
        let terms = all
            .entry(name)
            .or_insert_with(|| vec![0; usize::from(last - first) + 1]);
        terms[*n as usize - usize::from(first)] = *term;
    };
    let summary = ask(store, &Question::Summary { filters: filters() })?;
    for row in &summary.rows {
        for (column, term) in summary.columns.iter().zip(row).skip(1) {
            set(column.name.to_string(), &row[0], term);
        }
    }
    let kinds = ask(store, &Question::Kinds { filters: filters() })?;
    for row in &kinds.rows {
        let kind = row[1].to_string();
        set(format!("kind-{kind}"), &row[0], &row[2]);
        set(format!("kind-{kind}-distinct"), &row[0], &row[3]);
    }
    // The temperature of a number with denominator 2^k is −1/2^k, and that of no other value is negative.
    let temperatures = ask(store, &Question::Temperatures { filters: filters() })?;
    for row in &temperatures.rows {
        if let Some(denominator) = denominator(&row[1].to_string()) {
            set(format!("denominator-{denominator}"), &row[0], &row[2]);
        }
    }
    Ok(all)
}

fn denominator(temperature: &str) -> Option<u64> {
    let (numerator, denominator) = temperature.split_once('/').unwrap_or((temperature, "1"));
    (numerator == "-1").then(|| denominator.parse().ok())?
}

fn ask(store: &dyn Store, question: &Question) -> Result<Table> {
    let mut table = Table::default();
    answer(store, question, &mut table)?;
    Ok(table)
}
