//! `toads export`: tables as files, for other programs.

use std::path::PathBuf;

use toads_dataset::export::{
    ExportOptions, ExportProgress, Format as FileFormat, TableName, export,
};
use toads_strip::Variant;

use crate::args::Context;
use crate::failure::Result;
use crate::output::{Cell, Table};
use crate::progress::Progress;
use crate::source::Whole;
use crate::units::Squares;

/// Write tables of the dataset as files: CSV, JSON lines or Parquet
#[derive(clap::Subcommand, Debug)]
#[command(after_help = "\
Examples:
  toads export parquet --out toads-dataset
  toads export csv --out small --squares 1..8 --tables strips,values
  toads export jsonl --out part --partial")]
pub(crate) enum ExportVerb {
    /// Comma-separated values with one header line
    Csv(ExportArgs),
    /// One JSON object a line
    Jsonl(ExportArgs),
    /// Parquet with zstd, strips partitioned by variant and n
    Parquet(ExportArgs),
}

/// What is written where
///
/// Tables: strips (every strip and its value), values (every value and its invariants), tallies (how often each value occurs
/// in each class). The folder appears under its name when everything is written, with a manifest and checksums. Columns of
/// the printed table: path table rows bytes.
#[derive(clap::Args, Debug)]
pub(crate) struct ExportArgs {
    /// The folder to write; it must not exist yet
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Numbers of squares: 7, or 1..12 with both ends [default: all there are]
    #[arg(long, value_name = "A..B")]
    squares: Option<Squares>,

    /// Which tables
    #[arg(
        long,
        value_name = "TABLES",
        value_delimiter = ',',
        default_value = "strips,values,tallies"
    )]
    tables: Vec<TableName>,

    /// Both variants instead of --variant alone
    #[arg(long)]
    all_variants: bool,

    /// Export what there is, even when classes of the range are missing
    #[arg(long)]
    partial: bool,

    /// Characters of a value's text at most [default: whole]
    #[arg(long, value_name = "N", env = "TOADS_MAX_TEXT", hide_env_values = true)]
    max_text: Option<usize>,
}

/// Runs the verb.
pub(crate) fn run(verb: &ExportVerb, context: &Context) -> Result<()> {
    let (format, args) = match verb {
        ExportVerb::Csv(args) => (FileFormat::Csv, args),
        ExportVerb::Jsonl(args) => (FileFormat::Jsonl, args),
        ExportVerb::Parquet(args) => (FileFormat::Parquet, args),
    };
    let whole = Whole::open(context)?;
    let variants = if args.all_variants {
        Variant::ALL.to_vec()
    } else {
        vec![context.globals.variant]
    };
    let options = ExportOptions {
        variants,
        squares: args.squares.map(Squares::range),
        tables: args.tables.clone(),
        partial: args.partial,
        max_text: args.max_text,
        ..ExportOptions::new(format)
    };
    let mut progress = Progress::new(&context.globals, "export");
    let written = export(
        whole.store(),
        &args.out,
        &options,
        &mut |at: &ExportProgress| {
            progress.show(
                at.rows_done,
                at.rows_total,
                &format!("{} rows of {}", at.rows_done, at.table),
            );
            whole.stop().flow()
        },
    );
    progress.clear();
    let stopped = whole.stop().failure("nothing was written under that name");
    let manifest = match (written, stopped) {
        (Err(_), Some(stopped)) => return Err(stopped),
        (written, _) => written?,
    };
    let mut table = Table::open(context.globals.format, ["path", "table", "rows", "bytes"])?;
    for file in &manifest.files {
        let path = args.out.join(&file.path);
        table.row(&[
            Cell::text(path.display()),
            Cell::text(&file.table),
            Cell::from(file.rows),
            Cell::from(file.bytes),
        ])?;
    }
    table.close().map(drop)
}
