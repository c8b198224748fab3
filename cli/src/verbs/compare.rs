//! `toads compare`: how two sums of positions and values compare, found by play.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use toads_game::Arena;
use toads_search::{Answer, Control, Limits, Searcher, Sum, Summand};

use crate::args::Context;
use crate::console;
use crate::evaluate::{Subject, Term, clip, read_sum};
use crate::failure::{Failure, Result};
use crate::memory;
use crate::output::{self, Cell, Format, Table};
use crate::progress::Progress;
use crate::signals::Stop;
use crate::units;

/// How two sums of positions and values compare, found by play
///
/// Prints =, <, > or || (confused: neither is at least the other). The outcome of the difference is searched for; no canonical
/// form of a large position is built, so that positions of up to 128 squares can be compared whose values nobody could
/// write down. Nodes, time and the fill of the table go to standard error.
///
/// A SUM joins terms with ` + ` and ` - `. A term is a position or a value in CGSuite notation; `strip:` and `value:` in front
/// force it. A leading minus is data: compare T.F -1/2.
///
/// --format tsv prints the relation alone; json and csv have the columns left relation right nodes.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  toads compare 'T^4 .^4 F^3' 1
  toads compare 'T^7 .^7 F^6' 2 --memory 8GiB --budget 15min
  toads compare 'T^2 .F + T.F' '{1|0} - *'
  toads compare 'T^3 .^3 F^3' 0 --certificate zero.txt
  toads compare --variant hopless 'T^3 .F' -1/2")]
pub(crate) struct CompareArgs {
    /// A sum such as 'T^2 .^3 F - 1/2'
    #[arg(value_name = "SUM")]
    left: String,

    /// What it is compared with
    #[arg(value_name = "SUM")]
    right: String,

    /// Write a winning strategy there, which `toads certify` checks
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,

    /// Nodes, such as 50M, or time, such as 10min, after which to give up [default: none]
    #[arg(long, value_name = "NODES|TIME", value_parser = units::budget)]
    budget: Option<units::Budget>,

    /// Memory for the table of positions, such as 8GiB [default: 60 % of the machine's]
    #[arg(long, value_name = "SIZE", env = "TOADS_MEMORY", hide_env_values = true, value_parser = units::bytes)]
    memory: Option<u64>,

    /// Threads [default: all cores]
    #[arg(long, value_name = "N", env = "TOADS_THREADS", hide_env_values = true, value_parser = units::threads)]
    threads: Option<usize>,
}

/// Runs the verb.
pub(crate) fn run(args: &CompareArgs, context: &Context) -> Result<()> {
    let (left, right) = (read_sum(&args.left)?, read_sum(&args.right)?);
    if let Some(file) = &args.certificate {
        can_be_written(file)?;
    }
    let limits = Limits {
        memory: args.memory.unwrap_or_else(|| memory::available() / 10 * 6),
        threads: args.threads.unwrap_or_else(units::cores),
        nodes: match args.budget {
            Some(units::Budget::Nodes(nodes)) => nodes,
            _ => u64::MAX,
        },
    };
    let arena = limits.arena();
    let (g, h) = (built(&left, &arena)?, built(&right, &arena)?);
    let mut searcher = Searcher::new(&arena, context.globals.variant, limits);
    let watch = Watch {
        control: &searcher.control(),
        started: Instant::now(),
        deadline: match args.budget {
            Some(units::Budget::Time(time)) => Instant::now().checked_add(time),
            _ => None,
        },
        stop: Stop::listen(None)?,
    };
    let answer = watch.over(context, || searcher.compare(&g, &h))??;
    if let Some(stopped) = watch.stop.failure(&known(answer)) {
        return Err(stopped);
    }
    if context.globals.quiet == 0 {
        console::line(&watch.report());
    }
    // First the answer: it stands whatever becomes of the certificate.
    print(args, answer, context.globals.format)?;
    if let (Some(file), Some(relation)) = (&args.certificate, answer.relation()) {
        let text = watch.over(context, || {
            searcher.certificate(&g, &h, relation, MOST_BYTES)
        })?;
        if let Some(stopped) = watch.stop.failure("the certificate is not written") {
            return Err(stopped);
        }
        save(file, &text?)?;
    }
    Ok(())
}

/// Before the search, not after it: a file that cannot be one is refused. What is there stays as it is.
fn can_be_written(file: &Path) -> Result<()> {
    let is_new = !file.exists();
    let opened = fs::OpenOptions::new().append(true).create(true).open(file);
    opened.map_err(|error| Failure::path("write", file, &error))?;
    if is_new {
        let _ = fs::remove_file(file);
    }
    Ok(())
}

/// A certificate has no more bytes than `toads certify` reads.
const MOST_BYTES: usize = toads_search::certify::MAX_BYTES;

fn save(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).map_err(|error| Failure::path("write", file, &error))
}

/// The sum, with its values in the arena.
fn built(terms: &[Term], arena: &Arena) -> Result<Sum> {
    let mut sum = Sum::new();
    for term in terms {
        let summand = match &term.subject {
            Subject::Strip(strip) => Summand::Strip(strip.clone()),
            Subject::Value(text) => {
                let value = toads_game::notation::parse(arena, text);
                Summand::Value(value.map_err(Failure::input)?)
            }
        };
        sum = if term.is_negated {
            sum.minus(summand)
        } else {
            sum.plus(summand)
        };
    }
    Ok(sum)
}

/// A search that is watched: by the clock, by signals, by whoever wants to see progress.
struct Watch<'a> {
    control: &'a Control,
    started: Instant,
    deadline: Option<Instant>,
    stop: Stop,
}

/// How often the watch looks.
const TICK: Duration = Duration::from_millis(100);

impl Watch<'_> {
    /// Runs the search on a thread of its own, and stops it when it is time.
    fn over<T: Send>(&self, context: &Context, search: impl FnOnce() -> T + Send) -> Result<T> {
        let mut progress = Progress::new(&context.globals, "compare");
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            scope.spawn(move || sender.send(search()));
            loop {
                match receiver.recv_timeout(TICK) {
                    Ok(found) => return Ok(found),
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    Err(mpsc::RecvTimeoutError::Disconnected) => {
                        return Err(Failure::failed("the search ended without an answer"));
                    }
                }
                let is_late = self
                    .deadline
                    .is_some_and(|deadline| Instant::now() >= deadline);
                if is_late || self.stop.flow().is_break() {
                    self.control.stop();
                }
                let (filled, entries) = (self.control.filled(), self.control.entries());
                progress.show(filled, entries, &self.report());
            }
        })
    }

    /// `8,089,859 nodes in 12.3s, 650,000 a second, table 3.1 % full`.
    fn report(&self) -> String {
        let (nodes, elapsed) = (self.control.nodes(), self.started.elapsed());
        let fill = self.control.filled() as f64 * 100.0 / self.control.entries().max(1) as f64;
        format!(
            "{} nodes in {}, {} a second, table {fill:.1} % full",
            units::show_count(nodes),
            units::show_duration(elapsed),
            units::show_count((nodes as f64 / elapsed.as_secs_f64().max(1e-3)) as u64),
        )
    }
}

/// What is known of a relation that was not decided.
fn known(answer: Answer) -> String {
    if answer.at_least.is_none() && answer.at_most.is_none() {
        "nothing is known of the relation".to_owned()
    } else {
        format!("what is known of the relation: {answer}")
    }
}

fn print(args: &CompareArgs, answer: Answer, format: Format) -> Result<()> {
    let (left, right) = (args.left.trim(), args.right.trim());
    let Some(relation) = answer.relation() else {
        return Err(Failure::Failed(format!(
            "`{}` and `{}` are undecided within the budget; {}; raise --budget or --memory",
            clip(left, 60),
            clip(right, 60),
            known(answer)
        )));
    };
    match format {
        Format::Text => output::print(&format!("{left} {relation} {right}\n")),
        Format::Tsv => output::print(&format!("{relation}\n")),
        Format::Json | Format::Csv | Format::Markdown | Format::Latex => {
            let mut table = Table::open(format, ["left", "relation", "right", "nodes"])?;
            table.row(&[
                Cell::text(left),
                Cell::text(relation),
                Cell::text(right),
                Cell::from(answer.nodes),
            ])?;
            table.close().map(drop)
        }
    }
}
