//! `toads export`: the dataset as files, for other programs and for people.

use std::path::{Path, PathBuf};

use toads_dataset::export::{
    ExportOptions, ExportProgress, Format as FileFormat, Manifest, TableName, export,
    export_report, export_sequences,
};
use toads_strip::Variant;

use crate::args::Context;
use crate::failure::Result;
use crate::output::{Cell, Table};
use crate::progress::Progress;
use crate::source::Whole;
use crate::units::Squares;

/// Write the dataset as files: tables, sequences of counts, a report
#[derive(clap::Subcommand, Debug)]
#[command(after_help = "\
Examples:
  toads export parquet --out toads-dataset
  toads export csv --out small --squares 1..8 --tables strips,values
  toads export jsonl --out part --partial
  toads export bfile --out sequences --all-variants")]
pub(crate) enum ExportVerb {
    /// Comma-separated values with one header line
    Csv(TableArgs),
    /// One JSON object a line
    Jsonl(TableArgs),
    /// Parquet with zstd, strips partitioned by variant and n
    Parquet(TableArgs),
    /// A b-file of the On-Line Encyclopedia for every sequence of counts
    ///
    /// One file for each: strips, distinct, numbers, integers, zeros, stars, P, L, R, N, every kind and every denominator,
    /// from the first number of squares to the last one that is complete.
    #[command(
        after_help = "Examples:\n  toads export bfile --out sequences\n  toads export bfile --out hopless --variant hopless --squares 1..12"
    )]
    Bfile(FolderArgs),
    /// A page of Markdown: counts, the most frequent values, kinds, temperatures
    #[command(after_help = "Examples:\n  toads export report --out report --all-variants")]
    Report(FolderArgs),
}

/// What is written where
///
/// Tables: strips (every strip and its value), values (every value and its invariants), tallies (how often each value occurs
/// in each class). The folder appears under its name when everything is written, with MANIFEST.json, SHA256SUMS, a
/// README.md and croissant.json. The same census gives the same bytes. Columns of the printed table: path table rows bytes.
#[derive(clap::Args, Debug)]
pub(crate) struct TableArgs {
    #[command(flatten)]
    folder: FolderArgs,

    /// Which tables
    #[arg(
        long,
        value_name = "TABLES",
        value_delimiter = ',',
        default_value = "strips,values,tallies"
    )]
    tables: Vec<TableName>,
}

/// Where, and how much of the store
#[derive(clap::Args, Debug)]
pub(crate) struct FolderArgs {
    /// The folder to write; it must not exist yet, or be empty
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Numbers of squares: 7, or 1..12 with both ends [default: all there are]
    #[arg(long, value_name = "A..B")]
    squares: Option<Squares>,

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

impl FolderArgs {
    fn options(
        &self,
        format: FileFormat,
        tables: &[TableName],
        context: &Context,
    ) -> ExportOptions {
        let variants = if self.all_variants {
            Variant::ALL.to_vec()
        } else {
            vec![context.globals.variant]
        };
        ExportOptions {
            variants,
            squares: self.squares.map(Squares::range),
            tables: distinct(tables),
            partial: self.partial,
            max_text: self.max_text,
            ..ExportOptions::new(format)
        }
    }
}

/// Each table once, in the order given.
fn distinct(tables: &[TableName]) -> Vec<TableName> {
    let mut distinct = Vec::new();
    for table in tables {
        if !distinct.contains(table) {
            distinct.push(*table);
        }
    }
    distinct
}

/// Runs the verb.
pub(crate) fn run(verb: &ExportVerb, context: &Context) -> Result<()> {
    match verb {
        ExportVerb::Csv(args) => tables(args, FileFormat::Csv, context),
        ExportVerb::Jsonl(args) => tables(args, FileFormat::Jsonl, context),
        ExportVerb::Parquet(args) => tables(args, FileFormat::Parquet, context),
        ExportVerb::Bfile(args) => {
            let options = args.options(FileFormat::Csv, &[], context);
            let whole = Whole::open(context)?;
            let manifest = export_sequences(whole.store(), &args.out, &options)?;
            print(&args.out, &manifest, context)
        }
        ExportVerb::Report(args) => {
            let options = args.options(FileFormat::Csv, &[], context);
            let whole = Whole::open(context)?;
            let manifest = export_report(whole.store(), &args.out, &options)?;
            print(&args.out, &manifest, context)
        }
    }
}

fn tables(args: &TableArgs, format: FileFormat, context: &Context) -> Result<()> {
    let TableArgs { folder, tables } = args;
    let whole = Whole::open(context)?;
    let mut progress = Progress::new(&context.globals, "export");
    let written = export(
        whole.store(),
        &folder.out,
        &folder.options(format, tables, context),
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
    match (written, stopped) {
        (Err(_), Some(stopped)) => Err(stopped),
        (written, _) => print(&folder.out, &written?, context),
    }
}

/// The files that were written.
fn print(out: &Path, manifest: &Manifest, context: &Context) -> Result<()> {
    let mut table = Table::open(context.globals.format, ["path", "table", "rows", "bytes"])?;
    for file in &manifest.files {
        table.row(&[
            Cell::text(out.join(&file.path).display()),
            Cell::text(&file.table),
            Cell::from(file.rows),
            Cell::from(file.bytes),
        ])?;
    }
    table.close().map(drop)
}
