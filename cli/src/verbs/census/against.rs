//! `toads census verify --against`: does the store say what was exported?

use std::path::Path;

use toads_dataset::compare::{CompareOptions, Disagreement, compare_dataset};

use crate::args::Context;
use crate::console;
use crate::failure::{Failure, Result};
use crate::output::{Cell, Table};
use crate::progress::Progress;
use crate::source::Whole;
use crate::units::{self, Squares};

/// Compares the store of the context with a dataset.
pub(super) fn run(folder: &Path, squares: Option<Squares>, context: &Context) -> Result<()> {
    let whole = Whole::open(context)?;
    let options = CompareOptions {
        variant: context
            .is_flag("variant")
            .then_some(context.globals.variant),
        squares: squares.map(Squares::range),
        ..CompareOptions::default()
    };
    let mut table = Table::open(context.globals.format, ["file", "difference", "detail"])?;
    let mut written = Ok(());
    let mut progress = Progress::new(&context.globals, "compare");
    let compared = compare_dataset(
        whole.store(),
        folder,
        &options,
        &mut |at| {
            progress.show(at.rows_done, at.rows_total, &at.file);
            whole.stop().flow()
        },
        &mut |finding| {
            if written.is_ok() {
                let difference = match finding.what {
                    Disagreement::File => "file",
                    Disagreement::Missing => "missing",
                    Disagreement::Strip => "strip",
                    Disagreement::Tally => "tally",
                };
                written = table.row(&[
                    Cell::text(&finding.file),
                    Cell::from(difference),
                    Cell::text(&finding.detail),
                ]);
            }
        },
    );
    progress.clear();
    written?;
    table.close()?;
    let stopped = whole.stop().failure("what was found so far is shown");
    let summary = match (compared, stopped) {
        (Err(_), Some(stopped)) => return Err(stopped),
        (compared, _) => compared?,
    };
    let compared = format!(
        "compared {} files, {} strips, {} tally entries of {}",
        summary.files,
        units::show_count(summary.strips),
        units::show_count(summary.tallies),
        folder.display()
    );
    if summary.findings == 0 {
        console::line(&format!("{compared}: they agree with the store"));
        return Ok(());
    }
    Err(Failure::Failed(format!(
        "{compared}: {} findings; `toads census verify` tells whether the store is right, a fresh export replaces the dataset",
        summary.findings
    )))
}
