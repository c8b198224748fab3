//! `toads table`: a family of strips over ranges of its parameters.

mod answer;
mod cells;
mod grid;
mod keep;

use std::time::Duration;

use toads_strip::Strip;
use toads_strip::family::{Cell, Cells, Family};
use toads_surveyor::Budget;

use crate::args::Context;
use crate::failure::{Failure, Result};
use crate::memory;
use crate::output::{self, Format, Table};
use crate::units;
use answer::Answer;

/// A table of a family of strips, such as 'T^(a+1) .^b F^a' for a=1..10 b=1..20
///
/// Each cell is the exact value of its strip, found in the cheapest sound way: by a closed form, from the positions that can be
/// reached, from the table of its class, or by play. Where the budget does not reach that far, a cell says how the strip
/// compares with numbers, as tightly as was found: > 5/2, < 3. A ? means that nothing was found.
///
/// Parameters are single letters; exponents have + - * and parentheses. Text, markdown and latex show a grid, the first parameter
/// downwards, the second to the right; tsv, json and csv have a row for each cell: the parameters, then
/// strip value relations how value_id.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  toads table 'T^a .^b F^a' a=1..4 b=1..8
  toads table 'T^(a+1) .^b F^a' a=1..6 b=1..10 --budget 1min --memory 8GiB
  toads table 'T^2 .^b F^2' b=1..40 --format tsv
  toads table '.^(r-1) T^a .^b F .^r' a=1..5 b=1..4 r=2 --format latex
  toads table --variant hopless 'T^a .^3 F^b' a=1..5 b=1..5
  toads table 'T^a .^b F^a' a=1..6 b=1..12 --keep --workers 2 --store tables.db
  toads table 'T^a .^b F^a' a=1..6 b=1..12 --cells | toads survey submit - --coordinator http://HOST:7433")]
pub(crate) struct TableArgs {
    /// A strip with parameters in its exponents
    #[arg(value_name = "FAMILY")]
    family: String,

    /// A range for each parameter, both ends included, such as a=1..10 or b=3
    #[arg(value_name = "RANGE")]
    ranges: Vec<String>,

    /// What one cell may take: positions, such as 20M, or about so much time, such as 1min
    #[arg(long, value_name = "NODES|TIME", default_value = "5s", value_parser = units::budget)]
    budget: units::Budget,

    /// Memory in all, such as 8GiB [default: 60 % of the machine's]
    #[arg(long, value_name = "SIZE", env = "TOADS_MEMORY", hide_env_values = true, value_parser = units::bytes)]
    memory: Option<u64>,

    /// Threads [default: all cores]
    #[arg(long, value_name = "N", env = "TOADS_THREADS", hide_env_values = true, value_parser = units::threads)]
    threads: Option<usize>,

    /// Keep what is found in the store (--store) as a survey: the same command goes on from where it was stopped
    #[arg(long)]
    keep: bool,

    /// Worker processes that share the cells; with --keep
    #[arg(long, value_name = "N", default_value_t = 0, requires = "keep", value_parser = units::workers)]
    workers: usize,

    /// Print the parameters and strips alone, as `toads survey submit -` reads them
    #[arg(long, conflicts_with = "keep")]
    cells: bool,

    /// Characters of a cell at most, in grids
    #[arg(long, value_name = "N", default_value_t = 40)]
    max_text: usize,
}

/// Runs the verb.
pub(crate) fn run(args: &TableArgs, context: &Context) -> Result<()> {
    let family = Family::parse(&args.family).map_err(Failure::input)?;
    let cells = Cells::parse(&family, &args.ranges).map_err(Failure::input)?;
    let strips = expanded(&family, &cells)?;
    let format = context.globals.format;
    let parameters = cells.ranges().iter().map(|(letter, _)| letter.to_string());
    if args.cells {
        let mut table = Table::open(Format::Tsv, parameters.chain(["strip".to_owned()]))?;
        for (strip, cell) in &strips {
            let mut row = numbers(cell);
            row.push(output::Cell::text(strip.compact()));
            table.row(&row)?;
        }
        return table.close().map(drop);
    }
    let budget = budget(args);
    let is_grid = format.is_for_people() && (1..=2).contains(&cells.ranges().len());
    if is_grid || args.keep {
        let answers = if args.keep {
            keep::all(args, &strips, budget, context)?
        } else {
            let stopped = |found: &[Answer]| grid::show(&cells, found, format, args.max_text);
            cells::all(&strips, budget, context, |_, _| Ok(()), stopped)?
        };
        if is_grid {
            return grid::show(&cells, &answers, format, args.max_text);
        }
        let mut table = Table::open(format, parameters.chain(answer::COLUMNS.map(str::to_owned)))?;
        for ((strip, cell), answer) in strips.iter().zip(&answers) {
            table.row(&row(cell, &strip.compact(), answer))?;
        }
        return table.close().map(drop);
    }
    let mut table = Table::open(format, parameters.chain(answer::COLUMNS.map(str::to_owned)))?;
    let each = |at: usize, answer: &Answer| {
        let (strip, cell) = &strips[at];
        table.row(&row(cell, &strip.compact(), answer))?;
        table.flush()
    };
    cells::all(&strips, budget, context, each, |_| Ok(()))?;
    table.close().map(drop)
}

/// A table has no more squares than this, all strips together: each cell is held until it is shown.
const MOST_SQUARES: usize = 20_000_000;

fn expanded(family: &Family, cells: &Cells) -> Result<Vec<(Strip, Cell)>> {
    let mut squares = 0;
    let mut strips = Vec::new();
    for cell in cells.iter() {
        let strip = family.strip(&cell).map_err(Failure::input)?;
        squares += strip.len() + 1;
        if squares > MOST_SQUARES {
            return Err(Failure::Input(format!(
                "the strips of the {} cells have more than {} squares together; take smaller ranges",
                units::show_count(cells.count()),
                units::show_count(MOST_SQUARES as u64)
            )));
        }
        strips.push((strip, cell));
    }
    Ok(strips)
}

fn numbers(cell: &Cell) -> Vec<output::Cell> {
    let parameters = cell.values().iter();
    parameters
        .map(|&(_, value)| output::Cell::Integer(value.into()))
        .collect()
}

fn row(cell: &Cell, strip: &str, answer: &Answer) -> Vec<output::Cell> {
    let mut row = numbers(cell);
    row.push(output::Cell::text(strip));
    row.extend(answer.columns());
    row
}

/// Per second of a time: positions, strips of a class, nodes of play. On the slow side, so that the time suffices.
const POSITIONS_A_SECOND: u64 = 400_000;
const STRIPS_A_SECOND: u64 = 4_000_000;
const NODES_A_SECOND: u64 = 300_000;

fn budget(args: &TableArgs) -> Budget {
    let (positions, class, nodes) = match args.budget {
        units::Budget::Nodes(nodes) => (nodes, nodes.saturating_mul(10), nodes),
        units::Budget::Time(time) => {
            let per_second =
                |rate: u64| (time.max(Duration::from_millis(1)).as_secs_f64() * rate as f64) as u64;
            (
                per_second(POSITIONS_A_SECOND),
                per_second(STRIPS_A_SECOND),
                per_second(NODES_A_SECOND),
            )
        }
    };
    Budget {
        memory: args.memory.unwrap_or_else(|| memory::available() / 10 * 6),
        threads: args.threads.unwrap_or_else(units::cores),
        positions: usize::try_from(positions).unwrap_or(usize::MAX),
        class,
        nodes,
    }
}
