//! `toads query sql`: statements from the command line, from standard input or from a prompt.

mod prompt;
mod schema;

use std::io::{IsTerminal, Read, stdin};
use std::time::Duration;

use toads_dataset::{Cancelled, DatasetError, Question, SqlLimits, answer, sql};

use crate::args::Context;
use crate::failure::{Failure, Result, Signal, plain};
use crate::signals::Interrupts;
use crate::source::Source;
use crate::units;
use crate::verbs::sink::Printed;

/// Ask in SQL: the store as tables
///
/// Tables: strips (every strip with its value), values (every value with its invariants), tallies (how often each value
/// occurs in each class), classes, runs, shards. SQLite's SQL; nothing can be changed. The columns kind, outcome, left_stop,
/// right_stop, mean, temperature and birthday of values may be named in strips and tallies as well, and value in tallies.
/// Stops, means and temperatures are exact fractions such as 3/4 that compare and sort by size; num(x) makes a
/// floating-point number of one, value_id('{1|0}') the id of a value. docs/DATASET.md says what the columns mean.
///
/// Without a statement it is a prompt (.help tells its commands), or reads statements from standard input where that is no
/// terminal. Semicolons separate statements; each prints a table of its own.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  toads query sql \"select n, max(temperature) from tallies where variant = 'hop' group by n\"
  toads query sql \"select strip from strips where n = 9 and value = '*2'\" --format csv
  toads query sql 'select value, birthday from values order by birthday desc limit 5'
  toads query sql < questions.sql
  toads query sql --coordinator http://127.0.0.1:7433")]
pub(crate) struct SqlArgs {
    /// One select, or several with semicolons between them
    #[arg(value_name = "STATEMENT", allow_hyphen_values = true)]
    statement: Option<String>,

    /// Time for one statement, such as 90s or 10m
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::duration)]
    timeout: Duration,

    /// Memory for sorting and grouping, and as much again for values and texts [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    memory: Option<u64>,

    /// Rows of one answer at most [default: all]
    #[arg(long, value_name = "N", value_parser = units::limit)]
    limit: Option<u64>,
}

/// Runs the verb.
pub(crate) fn run(args: &SqlArgs, context: &Context) -> Result<()> {
    let asking = Asking {
        args,
        context,
        source: Source::reading(context)?,
        interrupts: Interrupts::listen()?,
    };
    match &args.statement {
        Some(text) => asking.all(text),
        None if stdin().is_terminal() => prompt::run(&asking),
        None => {
            let mut text = String::new();
            stdin().read_to_string(&mut text).map_err(|error| {
                Failure::Input(format!("cannot read standard input: {}", plain(&error)))
            })?;
            asking.all(&text)
        }
    }
}

/// Whom to ask, and how.
struct Asking<'a> {
    args: &'a SqlArgs,
    context: &'a Context,
    source: Source,
    interrupts: Interrupts,
}

impl Asking<'_> {
    /// Every statement of a text, until one fails. The first interrupt from now on ends them all, also between two.
    fn all(&self, text: &str) -> Result<()> {
        let statements = sql::split(text);
        if statements.is_empty() {
            return Err(Failure::input(
                "no statement; write one such as 'select * from classes', or `toads query sql` on a terminal for a prompt",
            ));
        }
        let interrupted = self.interrupts.next();
        statements
            .into_iter()
            .try_for_each(|statement| self.one(statement, interrupted.clone()))
    }

    /// One statement, until it is interrupted.
    fn one(
        &self,
        statement: String,
        interrupted: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Result<()> {
        let shown = self.args.limit;
        let defaults = SqlLimits::default();
        let question = Question::Sql {
            statement,
            limits: SqlLimits {
                timeout_ms: self.args.timeout.as_millis() as u64,
                memory: self.args.memory.unwrap_or(defaults.memory),
                // One row more tells whether there are others.
                rows: shown.map(|limit| limit.saturating_add(1)),
            },
        };
        let globals = &self.context.globals;
        let mut printed = Printed::new(globals.format, shown, globals.quiet > 0)
            .until(Cancelled::when(interrupted));
        let answered = match &self.source {
            Source::Store(store) => {
                answer(store.as_ref(), &question, &mut printed).map_err(|error| match error {
                    DatasetError::Stopped => stopped(),
                    error => error.into(),
                })
            }
            Source::Remote(remote) => remote.answer(&question, &mut printed),
        };
        printed.finish(answered)
    }
}

/// How a statement ends that was interrupted.
pub(crate) fn stopped() -> Failure {
    Failure::Stopped {
        signal: Signal::Interrupt,
        note: "the statement was stopped".to_owned(),
    }
}
