//! `report.md`: what a census found, in tables for people.

use std::fmt::{self, Write as _};
use std::io::Write as _;

use toads_store::Store;
use toads_strip::Variant;

use super::Source;
use super::files::{Folder, io_error};
use super::manifest::{Manifest, ManifestFile};
use super::options::ExportOptions;
use crate::answer;
use crate::error::Result;
use crate::question::{Filters, Question};
use crate::rows::{Cell, Table};

/// Values listed of each ruleset.
const VALUES: u64 = 20;

/// Characters of a value's text where nothing else is asked for.
const MAX_TEXT: usize = 40;

/// The page, as the one file of the export.
pub(super) fn write(
    store: &dyn Store,
    sources: &[Source<'_>],
    options: &ExportOptions,
    manifest: &Manifest,
    folder: &Folder,
) -> Result<Vec<ManifestFile>> {
    let mut page = String::new();
    head(manifest, &mut page).expect("memory takes every write");
    let mut rows = 0;
    for (reader, _) in sources {
        let variant = reader.variant;
        if !manifest
            .runs
            .iter()
            .any(|run| run.variant == variant.name())
        {
            continue;
        }
        for (title, question) in questions(variant, options) {
            let mut answered = Table::default();
            answer(store, &question, &mut answered)?;
            rows += answered.rows.len() as u64;
            section(&format!("{variant}: {title}"), &answered, &mut page)
                .expect("memory takes every write");
        }
    }
    let path = "report.md".to_owned();
    let mut file = folder.file(&path)?;
    file.write_all(page.as_bytes())
        .map_err(io_error(file.path()))?;
    Ok(vec![file.finish(path, "report".to_owned(), rows)?])
}

fn questions(variant: Variant, options: &ExportOptions) -> Vec<(&'static str, Question)> {
    let filters = || Filters {
        squares: options.squares.clone(),
        ..Filters::of(variant)
    };
    vec![
        (
            "strips, values, outcomes",
            Question::Summary { filters: filters() },
        ),
        (
            "the most frequent values",
            Question::Values {
                filters: filters(),
                limit: Some(VALUES),
                max_text: Some(options.max_text.unwrap_or(MAX_TEXT)),
            },
        ),
        ("kinds of values", Question::Kinds { filters: filters() }),
        (
            "temperatures",
            Question::Temperatures { filters: filters() },
        ),
    ]
}

fn head(manifest: &Manifest, page: &mut String) -> fmt::Result {
    writeln!(page, "# {}\n", manifest.dataset)?;
    for run in &manifest.runs {
        writeln!(
            page,
            "- {} {}..{}: {} strips in {} classes, digest `{}`",
            run.variant, run.first_n, run.last_n, run.strips, run.classes, run.digest
        )?;
    }
    for missing in &manifest.missing {
        writeln!(page, "- incomplete: {missing}")?;
    }
    Ok(())
}

fn section(title: &str, table: &Table, page: &mut String) -> fmt::Result {
    writeln!(page, "\n## {title}\n")?;
    let names = table.columns.iter().map(|column| column.name.to_string());
    line(names, page)?;
    let rules = table.columns.iter().map(|column| {
        let rule = if column.numeric { "---:" } else { "---" };
        rule.to_owned()
    });
    line(rules, page)?;
    for row in &table.rows {
        line(row.iter().map(Cell::to_string), page)?;
    }
    Ok(())
}

fn line(cells: impl Iterator<Item = String>, page: &mut String) -> fmt::Result {
    for cell in cells {
        write!(page, "| {} ", cell.replace('|', "\\|"))?;
    }
    writeln!(page, "|")
}
