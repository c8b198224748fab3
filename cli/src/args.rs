//! What is common to all verbs, and the list of verbs.

use std::path::PathBuf;

use clap::builder::BoolishValueParser;
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Args, Parser, Subcommand};
use toads_strip::Variant;
use toads_wire::client::Access;

use crate::access;
use crate::config::Settings;
use crate::failure::{Failure, Result};
use crate::logging::LogFormat;
use crate::output::Format;
use crate::verbs;

const LONG_ABOUT: &str = "\
The value of every strip of Toads and Frogs.

`toads value` evaluates one position; `toads census run` computes the value of every strip of n squares and keeps them \
in a store; `toads query` and `toads export` answer questions about what a store holds. Results go to standard output, \
everything else to standard error.";

const AFTER_HELP: &str = "\
Examples:
  toads value 'T^2 .^3 F^2'
  toads census run --squares 1..12
  toads query summary
  toads query strips --value '{1/2|0}' --squares 7

Positions: T (toad, moves right), F (frog, moves left), . (blank); powers and groups such as 'T^2 .(TF)^2'.
Settings: flag, then TOADS_* environment, then toads.toml, then default; see `toads config show`.
Exit codes: 0 done; 1 false or failed; 2 bad usage or input; 3 shards in quarantine; 4 not reachable or stalled;
  5 incompatible store, protocol or build; 130 and 143 stopped by a signal after a clean drain.";

/// The command line.
#[derive(Parser, Debug)]
#[command(name = "toads",
    bin_name = "toads", version, long_version = verbs::long_version(), about = "The value of every strip of Toads and Frogs")]
#[command(long_about = LONG_ABOUT, after_help = AFTER_HELP, subcommand_required = true, arg_required_else_help = true)]
#[command(max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) globals: Globals,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// Flags that every verb takes.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Globals {
    /// How results are shown
    #[arg(
        long,
        global = true,
        env = "TOADS_FORMAT",
        value_name = "FORMAT",
        default_value = "text",
        hide_env_values = true
    )]
    pub(crate) format: Format,

    /// The rules: hop (the standard game) or hopless (no jumps; elephants-and-rhinos)
    #[arg(
        long,
        global = true,
        env = "TOADS_VARIANT",
        value_name = "VARIANT",
        default_value = "hop",
        hide_env_values = true
    )]
    pub(crate) variant: Variant,

    /// The folder of the store
    #[arg(
        long,
        global = true,
        env = "TOADS_STORE",
        value_name = "DIR",
        default_value = "toads.db",
        hide_env_values = true
    )]
    pub(crate) store: PathBuf,

    /// Ask this coordinator instead of a store, such as http://127.0.0.1:7433
    #[arg(
        long,
        global = true,
        env = "TOADS_COORDINATOR",
        value_name = "URL",
        hide_env_values = true
    )]
    pub(crate) coordinator: Option<String>,

    /// The certificate (PEM) of the authority that signed the coordinator's; needed for https:// addresses
    #[arg(
        long,
        global = true,
        env = "TOADS_TLS_CA",
        value_name = "FILE",
        hide_env_values = true
    )]
    pub(crate) tls_ca: Option<PathBuf>,

    /// The file with your token; for `toads coordinator` the file with everybody's, a line `role token` each
    #[arg(
        long,
        global = true,
        env = "TOADS_TOKEN_FILE",
        value_name = "FILE",
        hide_env_values = true
    )]
    pub(crate) token_file: Option<PathBuf>,

    /// Draw no progress bar; log a line every 30 s instead
    #[arg(long, global = true, env = "TOADS_NO_PROGRESS", hide_env_values = true, value_parser = BoolishValueParser::new())]
    pub(crate) no_progress: bool,

    /// How log lines on standard error look
    #[arg(
        long,
        global = true,
        env = "TOADS_LOG_FORMAT",
        value_name = "FORMAT",
        default_value = "text",
        hide_env_values = true
    )]
    pub(crate) log: LogFormat,

    /// Which log lines are written, such as info or warn,toads_worker=debug
    #[arg(long, global = true, env = "TOADS_LOG", value_name = "FILTER", hide_env_values = true, value_parser = crate::logging::filter)]
    pub(crate) log_filter: Option<String>,

    /// Log more (-vv: still more)
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub(crate) verbose: u8,

    /// Log less (-qq: nothing)
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "verbose")]
    pub(crate) quiet: u8,
}

/// What toads can do.
#[derive(Subcommand, Debug)]
pub(crate) enum Verb {
    Value(verbs::value::ValueArgs),
    Compare(verbs::compare::CompareArgs),
    Certify(verbs::certify::CertifyArgs),
    Table(verbs::table::TableArgs),
    Check(verbs::check::CheckArgs),
    Count(verbs::count::CountArgs),
    #[command(subcommand)]
    Census(verbs::census::CensusVerb),
    #[command(subcommand)]
    Survey(verbs::survey::SurveyVerb),
    #[command(subcommand)]
    Query(verbs::query::QueryVerb),
    #[command(subcommand)]
    Export(verbs::export::ExportVerb),
    #[command(subcommand)]
    Db(verbs::db::DbVerb),
    Coordinator(verbs::coordinator::CoordinatorArgs),
    Worker(verbs::worker::WorkerArgs),
    #[command(subcommand)]
    Cert(verbs::cert::CertVerb),
    #[command(subcommand)]
    Config(verbs::config::ConfigVerb),
    Completions(verbs::completions::CompletionsArgs),
    Man(verbs::man::ManArgs),
}

impl Verb {
    /// Whether it is a role that runs until it is stopped; such verbs log what they do.
    pub(crate) fn is_service(&self) -> bool {
        matches!(self, Self::Coordinator(_) | Self::Worker(_))
    }
}

/// Where questions go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A store on this machine, or whoever holds it.
    Store(PathBuf),
    /// A coordinator.
    Coordinator(String),
}

/// What every verb is told.
pub(crate) struct Context {
    /// The global flags, with settings applied.
    pub(crate) globals: Globals,
    /// What the environment and the files said.
    pub(crate) settings: Settings,
    /// The command line as it was read, for the origin of settings.
    pub(crate) matches: ArgMatches,
}

impl Context {
    /// Puts together what verbs are told.
    pub(crate) fn new(globals: Globals, settings: Settings, matches: &ArgMatches) -> Self {
        Self {
            globals,
            settings,
            matches: matches.clone(),
        }
    }

    /// What this command shows a coordinator of itself, and whom it trusts.
    pub(crate) fn access(&self) -> Result<Access> {
        let Globals {
            tls_ca, token_file, ..
        } = &self.globals;
        access::client(tls_ca.as_deref(), token_file.as_deref())
    }

    /// Whether a global flag was given on the command line, before or after the verb.
    pub(crate) fn is_flag(&self, id: &str) -> bool {
        let mut matches = Some(&self.matches);
        while let Some(level) = matches {
            if level.try_contains_id(id).is_ok()
                && level.value_source(id) == Some(ValueSource::CommandLine)
            {
                return true;
            }
            matches = level.subcommand().map(|(_, below)| below);
        }
        false
    }

    /// The same about the store at `path`, and no coordinator.
    pub(crate) fn with_store(&self, path: &std::path::Path) -> Self {
        Self {
            globals: Globals {
                store: path.to_owned(),
                coordinator: None,
                ..self.globals.clone()
            },
            settings: self.settings.clone(),
            matches: self.matches.clone(),
        }
    }

    /// The store or the coordinator: whichever was named by a flag, else the coordinator if a setting names one.
    pub(crate) fn target(&self) -> Result<Target> {
        let store = || Target::Store(self.globals.store.clone());
        let Some(coordinator) = &self.globals.coordinator else {
            return Ok(store());
        };
        match (self.is_flag("store"), self.is_flag("coordinator")) {
            (true, true) => Err(Failure::input(
                "--store and --coordinator exclude each other; name one of them",
            )),
            (true, false) => Ok(store()),
            (false, _) => Ok(Target::Coordinator(coordinator.clone())),
        }
    }
}
