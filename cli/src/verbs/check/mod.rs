//! `toads check`: theorems, lemmas, conjectures and published figures, tested as far as is asked.

mod census;
mod report;
mod search;

use std::sync::Arc;

use toads_claims::{Claim, Limits, Verdict};

use crate::args::Context;
use crate::console;
use crate::failure::{Failure, Result};
use crate::output::{Cell, Format, Table};
use crate::units;
use report::Report;

/// Test theorems, lemmas, conjectures and published figures
///
/// Each CLAIM is tested as far as --bound allows. A verdict is `holds (bound, cases)`, `refuted by …`, `differs from print`
/// or `undecided`; every claim carries the verdict on record, and exit code 1 means that another one was found; a recorded
/// counterexample that lies beyond the bound is not looked for. Figures of
/// strips of 1 to 9 squares are read from the store as well, if --store names one.
///
/// Columns: claim verdict recorded bound cases statement source standing figures as_recorded.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  toads check --list
  toads check hopless
  toads check hop
  toads check E5 T3 --bound 18
  toads check hop-tables --bound 21 --memory 12GiB
  toads check hopless --store census.db
  toads check hopless-closed-form --bound 13")]
pub(crate) struct CheckArgs {
    /// Claims or groups of claims, such as hopless; all when none is named
    #[arg(value_name = "CLAIM")]
    claims: Vec<String>,

    /// List the claims without testing them: claim group recorded least_bound bound most_bound statement source standing
    #[arg(long)]
    list: bool,

    /// How far to look, in squares (T2, T5: the exponent a; lemmas: letters); raised or lowered to what a claim admits [default: each claim's own]
    #[arg(long, value_name = "N", value_parser = units::bound)]
    bound: Option<u32>,

    /// Memory for canonical forms and positions played out, such as 8GiB [default: 2GiB]
    #[arg(long, value_name = "SIZE", env = "TOADS_MEMORY", hide_env_values = true, value_parser = units::bytes)]
    memory: Option<u64>,

    /// Threads [default: all cores]
    #[arg(long, value_name = "N", env = "TOADS_THREADS", hide_env_values = true, value_parser = units::threads)]
    threads: Option<usize>,
}

/// Runs the verb.
pub(crate) fn run(args: &CheckArgs, context: &Context) -> Result<()> {
    let claims = chosen(&args.claims)?;
    if args.list {
        return list(&claims, context.globals.format);
    }
    let wants_census = claims.iter().any(|claim| claim.reads_census);
    let threads = args.threads.unwrap_or_else(units::cores);
    let limits = Limits {
        bound: args.bound,
        threads,
        census: if wants_census {
            census::page(context)?
        } else {
            None
        },
        comparer: Some(Arc::new(search::Comparing::new(args.memory, threads))),
        memory: args.memory,
    };
    let mut report = Report::open(context.globals.format)?;
    let mut unexpected = vec![];
    let mut undecided = false;
    for claim in &claims {
        let finding = claim.check(&limits);
        if finding.verdict != claim.expected(finding.bound) {
            unexpected.push(claim.id);
            undecided |= finding.verdict == Verdict::Undecided;
        }
        report.add(claim, &finding)?;
    }
    report.close()?;
    if unexpected.is_empty() {
        if context.globals.quiet == 0 {
            console::line(&match claims.len() {
                1 => "the verdict is the recorded one".to_owned(),
                many => format!("{many} claims, every verdict is the recorded one"),
            });
        }
        return Ok(());
    }
    let hint = if undecided {
        "; what is undecided may be decided with a smaller --bound or more --memory"
    } else {
        ""
    };
    Err(Failure::Failed(format!(
        "{} of {} verdicts are not the recorded ones: {}{hint}",
        unexpected.len(),
        claims.len(),
        unexpected.join(", ")
    )))
}

/// The claims named, in the order of the list; each once.
fn chosen(names: &[String]) -> Result<Vec<&'static Claim>> {
    let all = toads_claims::claims();
    // `hop` names hop-lemmas, hop-families and hop-tables; letters of both cases are read.
    let named = |claim: &Claim, name: &str| {
        let in_group = claim.group.strip_prefix(name);
        claim.id.eq_ignore_ascii_case(name)
            || in_group.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    for name in names {
        if !all.iter().any(|claim| named(claim, name)) {
            return Err(Failure::Input(format!(
                "there is no claim `{name}`; groups are {}; `toads check --list` lists the claims",
                toads_claims::groups().join(", ")
            )));
        }
    }
    let is_chosen =
        |claim: &&Claim| names.is_empty() || names.iter().any(|name| named(claim, name));
    Ok(all.iter().filter(is_chosen).collect())
}

fn list(claims: &[&Claim], format: Format) -> Result<()> {
    let columns = [
        "claim",
        "group",
        "recorded",
        "least_bound",
        "bound",
        "most_bound",
        "statement",
        "source",
        "standing",
    ];
    if format == Format::Text {
        return report::list(claims);
    }
    let mut table = Table::open(format, columns)?;
    for claim in claims {
        table.row(&[
            Cell::text(claim.id),
            Cell::text(claim.group),
            Cell::text(claim.recorded),
            Cell::from(claim.reach.least),
            Cell::from(claim.reach.default),
            Cell::from(claim.reach.most),
            Cell::text(claim.statement),
            Cell::text(claim.source),
            Cell::text(claim.standing),
        ])?;
    }
    table.close().map(drop)
}
