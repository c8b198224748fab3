//! `toads count`: exact counts of hopless strips without enumeration.

mod distribution;
mod sequences;
mod squares;
mod table;

use std::path::PathBuf;

use toads_count::{Column, Columns, Counts};
use toads_strip::Variant;

use crate::args::Context;
use crate::console;
use crate::failure::{Failure, Result};
use crate::units;
use squares::Squares;

/// Exact counts of hopless strips, without enumeration and far beyond any census
///
/// One row for each number of squares: strips worth a number, zeros, outcomes, different values, and strips by number of
/// odd contested gaps. What is not asked for stays empty. Without --columns everything is counted that can be counted so
/// far; what is left out is said on standard error.
///
/// Columns: n strips numbers zeros P L R N distinct odd0 odd1 odd2 … (strips by number of odd contested gaps), then, if
/// asked for, number0 number2 … (numbers among the strips with so many). In JSON counts are strings: they outgrow its numbers.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Columns and how far they go: odd-gaps 10000, numbers 1500, numbers-by-odd-gaps 1500, distinct 1000, zeros 120, outcomes 120.

Examples:
  toads count --variant hopless --squares 1..20
  toads count --variant hopless --squares 1..1000 --columns numbers,distinct --format tsv
  toads count --variant hopless --squares 20 --distribution --format tsv
  toads count --variant hopless --squares 1..1000 --growth
  toads count --variant hopless --squares 0..60 --bfile out/oeis")]
pub(crate) struct CountArgs {
    /// Numbers of squares: 20, or 1..1000 with both ends; from 0
    #[arg(long, value_name = "A..B")]
    squares: Squares,

    /// What to count, separated by commas: odd-gaps, numbers, numbers-by-odd-gaps, zeros, outcomes, distinct
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    columns: Option<Vec<Column>>,

    /// Every value with its number of strips instead, to 50 squares
    ///
    /// Columns: n value mean half_swings outcome temperature strips; values in closed form.
    #[arg(long, conflicts_with_all = ["columns", "growth", "bfile"])]
    distribution: bool,

    /// How fast each column grows instead, with the digits that can be trusted
    ///
    /// Columns: sequence n ratio root. Needs four numbers of squares or more; more of them give more digits.
    #[arg(long, conflicts_with = "bfile")]
    growth: bool,

    /// Write each column as a b-file of the OEIS into this folder instead
    ///
    /// Columns: sequence file terms. The triangle of odd contested gaps is also written row by row.
    #[arg(long, value_name = "DIR")]
    bfile: Option<PathBuf>,

    /// Threads [default: all cores]
    #[arg(long, value_name = "N", env = "TOADS_THREADS", hide_env_values = true, value_parser = units::threads)]
    threads: Option<usize>,
}

/// Runs the verb.
pub(crate) fn run(args: &CountArgs, context: &Context) -> Result<()> {
    if context.globals.variant != Variant::Hopless {
        return Err(Failure::input(
            "only hopless strips are counted without enumeration, because they have a closed form: add --variant hopless; \
             for the other variant `toads census run` computes every strip",
        ));
    }
    let format = context.globals.format;
    let threads = args.threads.unwrap_or_else(units::cores);
    if args.distribution {
        return distribution::print(args.squares, threads, format);
    }
    let columns = match &args.columns {
        Some(columns) => columns.iter().copied().collect(),
        None => default_columns(args.squares, context),
    };
    let counted = || -> Result<_> {
        toads_count::counts(args.squares.range(), columns, threads).map_err(Failure::input)
    };
    if args.growth {
        sequences::print_growth(args.squares, counted()?, format)
    } else if let Some(folder) = &args.bfile {
        sequences::write_bfiles(args.squares, counted()?, folder, format)
    } else {
        table::print(args.squares, columns, counted()?, format)
    }
}

/// What is counted when nobody says: what can be counted so far. Says what cannot.
fn default_columns(squares: Squares, context: &Context) -> Columns {
    // A refinement of two other columns, for those who ask.
    let usual = |column: &Column| *column != Column::NumbersByOddGaps;
    let columns: Columns = Columns::within(squares.last).iter().filter(usual).collect();
    let say = |text: &str| {
        if context.globals.quiet == 0 {
            console::line(&format!("note: {text}"));
        }
    };
    let missing: Vec<_> = Column::ALL
        .into_iter()
        .filter(|column| usual(column) && !columns.contains(*column))
        .map(|column| format!("{column} (to {})", column.limit()))
        .collect();
    if !missing.is_empty() {
        say(&format!(
            "not counted as far as {} squares: {}; ask for fewer squares to have them",
            squares.last,
            missing.join(", ")
        ));
    }
    if squares.last > 70 && columns.contains(Column::Outcomes) {
        say(
            "outcomes take a while from 70 squares on; --columns odd-gaps,numbers,distinct is quick",
        );
    }
    columns
}

/// The named sequences of a row, in the order of the columns; only what was counted.
fn cells(row: &Counts) -> Vec<(String, &num_bigint::BigUint)> {
    let mut cells = vec![];
    let single = [("numbers", &row.numbers), ("zeros", &row.zeros)];
    for (name, count) in single {
        cells.extend(count.as_ref().map(|count| (name.to_owned(), count)));
    }
    if let Some(outcomes) = &row.outcomes {
        let by_outcome = [
            ("P", &outcomes.p),
            ("L", &outcomes.l),
            ("R", &outcomes.r),
            ("N", &outcomes.n),
        ];
        cells.extend(by_outcome.map(|(name, count)| (name.to_owned(), count)));
    }
    cells.extend(
        row.distinct
            .as_ref()
            .map(|count| ("distinct".to_owned(), count)),
    );
    for (j, count) in row.odd_gaps.iter().flatten().enumerate() {
        cells.push((format!("odd{j}"), count));
    }
    for (pairs, count) in row.numbers_by_odd_gaps.iter().flatten().enumerate() {
        cells.push((format!("number{}", 2 * pairs), count));
    }
    cells
}
