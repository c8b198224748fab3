//! The verbs, one thin module each.

pub(crate) mod census;
pub(crate) mod cert;
pub(crate) mod certify;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod coordinator;
pub(crate) mod count;
mod crew;
pub(crate) mod db;
pub(crate) mod export;
pub(crate) mod man;
pub(crate) mod query;
mod sink;
pub(crate) mod survey;
pub(crate) mod table;
pub(crate) mod value;
pub(crate) mod worker;

use std::sync::LazyLock;

use crate::args::{Context, Verb};
use crate::failure::Result;

/// Runs a verb.
pub(crate) fn run(verb: Verb, context: &Context) -> Result<()> {
    match verb {
        Verb::Value(args) => value::run(&args, context),
        Verb::Check(args) => check::run(&args, context),
        Verb::Certify(args) => certify::run(&args, context),
        Verb::Compare(args) => compare::run(&args, context),
        Verb::Table(args) => table::run(&args, context),
        Verb::Count(args) => count::run(&args, context),
        Verb::Census(verb) => census::run(&verb, context),
        Verb::Survey(verb) => survey::run(&verb, context),
        Verb::Query(verb) => query::run(&verb, context),
        Verb::Export(verb) => export::run(&verb, context),
        Verb::Db(verb) => db::run(&verb, context),
        Verb::Coordinator(args) => coordinator::run(&args, context),
        Verb::Worker(args) => worker::run(&args, context),
        Verb::Cert(verb) => cert::run(&verb, context),
        Verb::Config(verb) => config::run(&verb, context),
        Verb::Completions(args) => completions::run(&args),
        Verb::Man(args) => man::run(&args),
    }
}

/// The version with what decides whether two builds work together.
pub(crate) fn long_version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let version = env!("CARGO_PKG_VERSION");
        let (protocol, format) = (toads_wire::PROTOCOL, toads_store::FORMAT_VERSION);
        format!(
            "{version}\nprotocol {protocol}\nstore format {format}\nfingerprint {}",
            toads_census::fingerprint()
        )
    });
    &TEXT
}
