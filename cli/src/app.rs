//! The frame of every command: arguments and settings in, an exit code out.

use std::ffi::OsString;
use std::io::Write;
use std::panic;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};
use tracing::warn;

use crate::args::{Cli, Context};
use crate::config::Settings;
use crate::failure::{Failure, Result};
use crate::{argv, console, logging, verbs};

/// Runs the command that the process was started with.
pub(crate) fn main() -> ExitCode {
    panic::set_hook(Box::new(|what| {
        let place = what
            .location()
            .map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
        let payload = what.payload();
        let text = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let text = text.unwrap_or("no message").replace('\n', " ");
        console::error(&format!(
            "internal error{place}: {text}; this is a defect of toads: please report this line with the command and \
             `toads --version`"
        ));
    }));
    let ended = panic::catch_unwind(|| run(std::env::args_os().collect()));
    // What a verb left on the terminal (a progress bar) is gone by now: its owner was dropped.
    match ended {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => {
            match &failure {
                Failure::OutputClosed => {}
                // Doing what one was told is no error, although it has a code.
                Failure::Stopped { .. } => console::line(&failure.to_string()),
                other => console::error(&other.to_string()),
            }
            ExitCode::from(failure.exit_code())
        }
        Err(_) => ExitCode::from(1),
    }
}

fn run(args: Vec<OsString>) -> Result<()> {
    let args = argv::protect_data(args);
    let settings = match Settings::load(&Cli::command()) {
        Ok(settings) => settings,
        // Help and version do not depend on settings, so broken settings must not hide them.
        Err(failure) => {
            return match Cli::command().try_get_matches_from(&args) {
                Err(error) if !error.use_stderr() => finish(&error),
                _ => Err(failure),
            };
        }
    };
    let matches = match settings.apply(Cli::command()).try_get_matches_from(&args) {
        Ok(matches) => matches,
        Err(error) => return finish(&error),
    };
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => return finish(&error.format(&mut Cli::command())),
    };
    logging::start(&cli.globals, &cli.verb);
    for rule in toads_fault::check().map_err(Failure::Input)? {
        warn!(point = %rule.point, action = ?rule.action, "a fault is asked for by {}", toads_fault::VARIABLE);
    }
    let context = Context::new(cli.globals, settings, &matches);
    verbs::run(cli.verb, &context)
}

/// Shows help, the version or a usage error.
fn finish(error: &clap::Error) -> Result<()> {
    if error.use_stderr() {
        let shown = error.render();
        let text = if console::stderr_has_colour() {
            shown.ansi().to_string()
        } else {
            shown.to_string()
        };
        let text = argv::unprotect(&text);
        let _ = std::io::stderr().write_all(text.as_bytes());
        // Help that was shown because the verb is missing is a usage error like the others.
        debug_assert!(error.kind() != ErrorKind::DisplayHelp);
        std::process::exit(2);
    }
    let shown = error.render();
    let text = if console::stdout_has_colour() {
        shown.ansi().to_string()
    } else {
        shown.to_string()
    };
    crate::output::print(&text)
}
