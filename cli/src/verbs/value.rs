//! `toads value`: the canonical value of positions, and all that can be read off it.

use std::fmt::Write as _;
use std::io::{self, BufRead};

use serde_json::json;

use crate::args::Context;
use crate::evaluate::{Answer, Budget, Evaluator, Subject, clip, read};
use crate::failure::{Failure, Result, plain};
use crate::memory;
use crate::output::{self, Cell, Format, Table};
use crate::progress::Progress;
use crate::units;

/// The value of positions: canonical form and invariants
///
/// Prints the canonical value of each POSITION with outcome, stops, mean, temperature, kind, birthday and options. Hopless
/// strips, and hop strips with one blank, may have any length; other hop strips are evaluated from the positions that can be
/// reached from them. A POSITION may also be a value in CGSuite notation, which is brought into canonical form.
///
/// A value too large to be written out is printed in closed form; with one blank that uses O(x) for {0|x}, and O^k(x) for O done k times.
///
/// Columns of --format tsv and csv: strip value outcome left_stop right_stop mean temperature kind birthday depth subpositions
/// denominator atomic_weight reduced (docs/DATASET.md defines them). --format json adds left_options, right_options and, with --explain, explanation.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  toads value T.F
  toads value 'T^4 .^3 F^3' 'T^2 .(TF)^2'
  toads value --variant hopless --explain 'T^2 . F T . F'
  toads value --explain 'T^3 . F T F^3'          one blank: the lemma for each step
  toads value '{2,1|}' -1/2                      values are read as well
  printf 'T.F\\nT..F\\n' | toads value --format tsv -")]
pub(crate) struct ValueArgs {
    /// Positions such as 'T^4 .^3 F^3'; `-` reads them from standard input, one a line
    #[arg(required = true, value_name = "POSITION")]
    positions: Vec<String>,

    /// Say why: walls, components and switches (hopless), lemmas (one blank), parts and options (hop)
    #[arg(long)]
    explain: bool,

    /// Characters of a value's text at most; longer texts are cut and say how long they are [default: 2000 in text, whole otherwise]
    #[arg(long, value_name = "N", env = "TOADS_MAX_TEXT", hide_env_values = true)]
    max_text: Option<usize>,

    /// Positions that one hop strip may take to evaluate
    #[arg(long, value_name = "N", default_value_t = 3_000_000)]
    limit: usize,

    /// Memory for canonical forms and tables, such as 8GiB [default: 60 % of the machine's]
    #[arg(long, value_name = "SIZE", env = "TOADS_MEMORY", hide_env_values = true, value_parser = units::bytes)]
    memory: Option<u64>,

    /// Threads for large strips [default: all cores]
    #[arg(long, value_name = "N", env = "TOADS_THREADS", hide_env_values = true, value_parser = units::threads)]
    threads: Option<usize>,
}

const COLUMNS: [&str; 14] = [
    "strip",
    "value",
    "outcome",
    "left_stop",
    "right_stop",
    "mean",
    "temperature",
    "kind",
    "birthday",
    "depth",
    "subpositions",
    "denominator",
    "atomic_weight",
    "reduced",
];

/// Runs the verb.
pub(crate) fn run(args: &ValueArgs, context: &Context) -> Result<()> {
    // Every argument is read before the first is evaluated: a slip in the last one should not cost the time of all.
    let mut subjects = Vec::new();
    for text in &args.positions {
        subjects.push(if text.trim() == "-" {
            None
        } else {
            Some(read(text)?)
        });
    }
    let budget = Budget {
        positions: args.limit,
        threads: args.threads.unwrap_or_else(units::cores),
        memory: args.memory.unwrap_or_else(|| memory::available() / 10 * 6),
    };
    let arena = budget.arena(subjects.iter().flatten());
    let mut progress = Progress::new(&context.globals, "value");
    let mut evaluator = Evaluator::new(&arena, budget, |done, total| {
        if done < total {
            progress.show(
                done,
                total,
                &format!("the class has {} strips", units::show_count(total)),
            );
        } else {
            progress.clear();
        }
    });
    let mut printer = Printer::open(args, context.globals.format)?;
    let answered = subjects.iter().try_for_each(|subject| match subject {
        Some(subject) => {
            printer.print(&evaluator.answer(subject, context.globals.variant, args.explain)?)
        }
        None => from_stdin(|subject| {
            printer.print(&evaluator.answer(&subject, context.globals.variant, args.explain)?)
        }),
    });
    // What was answered before a failure stays well-formed.
    let closed = printer.close();
    answered.and(closed)
}

/// Positions from standard input, one a line; blank lines are skipped.
fn from_stdin(mut each: impl FnMut(Subject) -> Result<()>) -> Result<()> {
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let line = line.map_err(|error| {
            Failure::Input(format!("cannot read standard input: {}", plain(&error)))
        })?;
        if line.trim().is_empty() {
            continue;
        }
        let done = read(&line).and_then(&mut each);
        done.map_err(|failure| match failure {
            Failure::Input(text) => {
                Failure::Input(format!("standard input, line {}: {text}", number + 1))
            }
            other => other,
        })?;
    }
    Ok(())
}

/// Answers on their way out.
enum Printer {
    /// A paragraph for each.
    Paragraphs { printed: usize, max_text: usize },
    /// A row for each.
    Rows {
        table: Table,
        max_text: usize,
        json: bool,
        explain: bool,
    },
}

impl Printer {
    fn open(args: &ValueArgs, format: Format) -> Result<Self> {
        if format == Format::Text {
            return Ok(Self::Paragraphs {
                printed: 0,
                max_text: args.max_text.unwrap_or(2000),
            });
        }
        let json = format == Format::Json;
        let mut columns = COLUMNS.to_vec();
        if json {
            columns.extend(["left_options", "right_options"]);
        }
        if args.explain && json {
            columns.push("explanation");
        } else if args.explain {
            return Err(Failure::input(
                "--explain has no shape in tsv and csv; use --format text or json",
            ));
        }
        let table = Table::open(format, columns)?;
        Ok(Self::Rows {
            table,
            max_text: args.max_text.unwrap_or(usize::MAX),
            json,
            explain: args.explain,
        })
    }

    fn print(&mut self, answer: &Answer) -> Result<()> {
        match self {
            Self::Paragraphs { printed, max_text } => {
                let gap = if *printed > 0 { "\n" } else { "" };
                *printed += 1;
                output::print(&format!("{gap}{}", paragraph(answer, *max_text)))
            }
            Self::Rows {
                table,
                max_text,
                json,
                explain,
            } => {
                let mut row = cells(answer, *max_text);
                if *json {
                    row.extend(
                        [&answer.left_options, &answer.right_options]
                            .map(|options| nested(options.as_deref(), *max_text)),
                    );
                }
                if *explain {
                    row.push(
                        answer
                            .explanation
                            .as_ref()
                            .map_or(Cell::Empty, |why| Cell::Nested(why.data.clone())),
                    );
                }
                table.row(&row)
            }
        }
    }

    fn close(self) -> Result<()> {
        match self {
            Self::Paragraphs { .. } => Ok(()),
            Self::Rows { table, .. } => table.close().map(|_| ()),
        }
    }
}

fn cells(answer: &Answer, max_text: usize) -> Vec<Cell> {
    let mut cells = vec![
        Cell::text(&answer.subject),
        Cell::text(clip(&answer.value, max_text)),
        Cell::text(&answer.outcome),
        Cell::exact(&answer.left_stop),
        Cell::exact(&answer.right_stop),
        Cell::exact(&answer.mean),
        Cell::exact(&answer.temperature),
        Cell::text(&answer.kind),
        Cell::from(answer.birthday),
    ];
    match &answer.deep {
        Some(deep) => {
            let text = |text: &Option<String>| {
                let clipped = text.as_deref().map(|text| clip(text, max_text));
                Cell::from(clipped)
            };
            cells.extend([
                Cell::from(deep.depth),
                Cell::from(deep.subpositions),
                Cell::from(deep.denominator),
                text(&deep.atomic_weight),
                text(&deep.reduced),
            ]);
        }
        None => cells.resize(COLUMNS.len(), Cell::Empty),
    }
    cells
}

fn nested(options: Option<&[String]>, max_text: usize) -> Cell {
    options.map_or(Cell::Empty, |options| {
        Cell::Nested(json!(
            options
                .iter()
                .map(|text| clip(text, max_text))
                .collect::<Vec<_>>()
        ))
    })
}

fn paragraph(answer: &Answer, max_text: usize) -> String {
    let mut text = format!("{}\n", answer.subject);
    let mut say = |key: &str, value: &str| {
        writeln!(text, "  {key:<14}{value}").expect("a string takes every line");
    };
    say("value", &clip(&answer.value, max_text));
    let who = match answer.outcome.as_str() {
        "P" => "P: whoever moves first loses",
        "L" => "L: Left wins",
        "R" => "R: Right wins",
        _ => "N: whoever moves first wins",
    };
    say("outcome", who);
    say(
        "stops",
        &format!("{} and {}", answer.left_stop, answer.right_stop),
    );
    say("mean", &answer.mean);
    say("temperature", &answer.temperature);
    say("kind", &answer.kind);
    say("birthday", &answer.birthday.to_string());
    if let Some(deep) = &answer.deep {
        if let Some(weight) = &deep.atomic_weight {
            say("atomic weight", &clip(weight, max_text));
        }
        if let Some(reduced) = deep.reduced.as_ref().filter(|of| **of != answer.value) {
            say("reduced", &clip(reduced, max_text));
        }
    }
    for (key, options) in [
        ("left options", &answer.left_options),
        ("right options", &answer.right_options),
    ] {
        let shown = match options.as_deref() {
            None => "not built: the closed form says it shorter".to_owned(),
            Some([]) => "none".to_owned(),
            Some(options) => clip(&options.join(", "), max_text),
        };
        say(key, &shown);
    }
    if let Some(why) = &answer.explanation {
        text.push('\n');
        for line in why.text.lines() {
            text.push_str(if line.is_empty() { "" } else { "  " });
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}
