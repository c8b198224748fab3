//! `toads query`: aggregates and strips of a store, or of a running coordinator.

mod filters;
mod sql;

use toads_dataset::{Question, answer};

use crate::args::Context;
use crate::failure::Result;
use crate::output::Format;
use crate::source::Source;
use crate::verbs::sink::Printed;
use filters::{FilterArgs, LimitArgs, TextArgs};
use sql::SqlArgs;
pub(crate) use sql::stopped;

/// Ask a store (or the coordinator that holds it): counts, values, strips
///
/// Works while a census goes on: whoever holds the store is asked. Figures speak of all 3^n strips, mirror images included,
/// as far as they are computed.
#[derive(clap::Subcommand, Debug)]
#[command(after_help = "\
Examples:
  toads query summary
  toads query summary --variant hopless --squares 1..10 --format tsv
  toads query values --squares 12 --kind hot --limit 20
  toads query strips --value '{1/2|0}' --squares 7
  toads query kinds --coordinator http://127.0.0.1:7433")]
pub(crate) enum QueryVerb {
    /// One row for each n: distinct values, numbers, zeros, stars, outcomes
    ///
    /// Columns: n strips distinct numbers integers zeros stars P L R N.
    #[command(
        after_help = "Examples:\n  toads query summary\n  toads query summary --squares 1..10 --format tsv"
    )]
    Summary(FilterArgs),
    /// Who wins: strips by outcome, for each n
    ///
    /// Columns: n P L R N.
    #[command(after_help = "Examples:\n  toads query outcomes --variant hopless")]
    Outcomes(FilterArgs),
    /// What sort of values: strips and distinct values by kind, for each n
    ///
    /// Columns: n kind strips distinct. Kinds, first that fits: integer, dyadic, nimber, number+nimber, up, uptimal, tiny,
    /// infinitesimal, numberish, switch, hot.
    #[command(after_help = "Examples:\n  toads query kinds --squares 12")]
    Kinds(FilterArgs),
    /// How hot: strips and distinct values by temperature, for each n
    ///
    /// Columns: n temperature strips distinct.
    #[command(after_help = "Examples:\n  toads query temperatures --squares 12 --format csv")]
    Temperatures(FilterArgs),
    /// How fine: strips worth a number and distinct numbers by denominator, for each n
    ///
    /// Columns: n denominator strips distinct.
    #[command(after_help = "Examples:\n  toads query denominators --squares 12")]
    Denominators(FilterArgs),
    /// For each n the hottest, coldest, largest, finest, oldest … value, and the first strip that has it
    ///
    /// Columns: n property amount strips distinct value first_strip. Properties: hottest, coldest (of those above 0), largest and
    /// smallest (mean), widest (left stop less right stop), finest (denominator of a number), oldest (birthday), most_options
    /// (of both players).
    #[command(
        after_help = "Examples:\n  toads query extremes --squares 12\n  toads query extremes --kind infinitesimal"
    )]
    Extremes {
        #[command(flatten)]
        filters: FilterArgs,
        #[command(flatten)]
        text: TextArgs,
    },
    /// The smallest n, and the first strip there, where a value or a property appears
    ///
    /// Columns: n first_strip value kind outcome strips distinct value_id; strips and distinct count at that n. No row where it
    /// does not appear.
    #[command(
        after_help = "Examples:\n  toads query first --value '*2'\n  toads query first --kind tiny\n  toads query first --outcome P --toads 3 --frogs 3"
    )]
    First {
        #[command(flatten)]
        filters: FilterArgs,
        #[command(flatten)]
        text: TextArgs,
    },
    /// One row for each class: strips of n squares with so many toads and frogs
    ///
    /// Columns: n toads frogs strips distinct numbers P L R N state.
    #[command(after_help = "Examples:\n  toads query classes --squares 12 --toads 4..6")]
    Classes(FilterArgs),
    /// Which values occur, the most frequent first
    ///
    /// Columns: value count first_n first_strip kind outcome mean temperature birthday value_id.
    #[command(
        after_help = "Examples:\n  toads query values --squares 12 --limit 20\n  toads query values --kind hot --format json"
    )]
    Values {
        #[command(flatten)]
        filters: FilterArgs,
        #[command(flatten)]
        limits: LimitArgs,
    },
    /// Strips and their values, in index order
    ///
    /// Columns: strip value. Needs a census that keeps blocks (or small classes, which are evaluated again).
    #[command(
        after_help = "Examples:\n  toads query strips --value '{1/2|0}' --squares 7\n  toads query strips --squares 9 --toads 2 --frogs 2 --outcome P"
    )]
    Strips {
        #[command(flatten)]
        filters: FilterArgs,
        #[command(flatten)]
        limits: LimitArgs,
    },
    Sql(SqlArgs),
}

/// Runs the verb.
pub(crate) fn run(verb: &QueryVerb, context: &Context) -> Result<()> {
    let variant = context.globals.variant;
    let format = context.globals.format;
    let mut shown = None;
    let mut limited = |limits: &LimitArgs| {
        // For people a screenful will do; one row more tells whether there are others.
        shown = limits.limit.or((format == Format::Text).then_some(50));
        (
            shown.map(|limit| limit.saturating_add(1)),
            limits.text.max(format),
        )
    };
    let question = match verb {
        QueryVerb::Sql(args) => return sql::run(args, context),
        QueryVerb::Summary(filters) => Question::Summary {
            filters: filters.of(variant)?,
        },
        QueryVerb::Outcomes(filters) => Question::Outcomes {
            filters: filters.of(variant)?,
        },
        QueryVerb::Kinds(filters) => Question::Kinds {
            filters: filters.of(variant)?,
        },
        QueryVerb::Temperatures(filters) => Question::Temperatures {
            filters: filters.of(variant)?,
        },
        QueryVerb::Denominators(filters) => Question::Denominators {
            filters: filters.of(variant)?,
        },
        QueryVerb::Extremes { filters, text } => Question::Extremes {
            filters: filters.of(variant)?,
            max_text: text.max(format),
        },
        QueryVerb::First { filters, text } => Question::First {
            filters: filters.of(variant)?,
            max_text: text.max(format),
        },
        QueryVerb::Classes(filters) => Question::Classes {
            filters: filters.of(variant)?,
        },
        QueryVerb::Values { filters, limits } => {
            let (limit, max_text) = limited(limits);
            Question::Values {
                filters: filters.of(variant)?,
                limit,
                max_text,
            }
        }
        QueryVerb::Strips { filters, limits } => {
            let (limit, max_text) = limited(limits);
            Question::Strips {
                filters: filters.of(variant)?,
                limit,
                max_text,
            }
        }
    };
    let source = Source::reading(context)?;
    let mut printed = Printed::new(format, shown, context.globals.quiet > 0);
    let answered = match &source {
        Source::Store(store) => answer(store.as_ref(), &question, &mut printed).map_err(Into::into),
        Source::Remote(remote) => remote.answer(&question, &mut printed),
    };
    printed.finish(answered)
}
