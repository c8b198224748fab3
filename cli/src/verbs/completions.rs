//! `toads completions`: what a shell needs to complete our verbs and flags.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::failure::Result;
use crate::output;

/// Print completions for a shell
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  toads completions bash > ~/.local/share/bash-completion/completions/toads\n  toads completions zsh > ~/.zfunc/_toads"
)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Runs the verb.
pub(crate) fn run(args: &CompletionsArgs) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "toads", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}
