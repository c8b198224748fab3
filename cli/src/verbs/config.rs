//! `toads config show`: every setting and where it came from.

use crate::args::Context;
use crate::failure::Result;
use crate::output::{Cell, Table};

/// Settings and where they come from
#[derive(clap::Subcommand, Debug)]
#[command(after_help = "Examples:\n  toads config show")]
pub(crate) enum ConfigVerb {
    /// Show every setting, its value and its origin
    ///
    /// Columns: key value origin. The origin is `flag`, `env NAME`, `file PATH:LINE` or `default`. Keys are the long names
    /// of flags; a line of toads.toml is `key = value`, and it sets the default of that flag for every verb that has
    /// it. toads.toml is read from the current folder, then from $XDG_CONFIG_HOME/toads (~/.config/toads).
    #[command(
        after_help = "Examples:\n  toads config show\n  TOADS_STORE=/data/toads.db toads config show --format json"
    )]
    Show,
}

/// Runs the verb.
pub(crate) fn run(verb: &ConfigVerb, context: &Context) -> Result<()> {
    let ConfigVerb::Show = verb;
    let mut table = Table::open(context.globals.format, ["key", "value", "origin"])?;
    for setting in context.settings.show(&context.matches) {
        table.row(&[
            Cell::text(setting.key),
            Cell::text(setting.value),
            Cell::text(setting.origin),
        ])?;
    }
    table.close().map(|_| ())
}
