//! `toads man`: a manual page for every verb.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory};

use crate::args::Cli;
use crate::console;
use crate::failure::{Failure, Result};

/// Write manual pages, one for each verb
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  toads man --out ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// The folder to write to; made when it does not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Runs the verb.
pub(crate) fn run(args: &ManArgs) -> Result<()> {
    fs::create_dir_all(&args.out)
        .map_err(|error| Failure::path("make the folder", &args.out, &error))?;
    let mut command = Cli::command();
    command.build();
    let pages = write(&command, "toads", &args.out)?;
    console::line(&format!("wrote {pages} pages to {}", args.out.display()));
    Ok(())
}

/// Writes the page of a command and of all below it; says how many.
fn write(command: &Command, name: &str, out: &Path) -> Result<usize> {
    let path = out.join(format!("{name}.1"));
    let mut page = Vec::new();
    // clap_mangen asks for names that live as long as the program; there are a few dozen, once.
    let titled = command.clone().name(name.to_owned().leak() as &'static str);
    clap_mangen::Man::new(titled)
        .render(&mut page)
        .and_then(|()| fs::write(&path, &page))
        .map_err(|error| Failure::path("write", &path, &error))?;
    let mut pages = 1;
    for below in command
        .get_subcommands()
        .filter(|below| below.get_name() != "help" && !below.is_hide_set())
    {
        pages += write(below, &format!("{name}-{}", below.get_name()), out)?;
    }
    Ok(pages)
}
