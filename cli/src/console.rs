//! What a person sees on standard error: colour, one-line messages, and a progress bar where there is a terminal.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

use indicatif::MultiProgress;

/// All bars of the process. Lines written through [`line()`] go above them.
static BARS: OnceLock<MultiProgress> = OnceLock::new();

/// The bars of the process.
pub(crate) fn bars() -> &'static MultiProgress {
    BARS.get_or_init(MultiProgress::new)
}

/// Colour is welcome: `NO_COLOR` is not set and the terminal is not a dumb one.
fn colour_is_welcome() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !refused && !dumb
}

/// Whether standard error may be coloured.
pub(crate) fn stderr_has_colour() -> bool {
    io::stderr().is_terminal() && colour_is_welcome()
}

/// Whether standard output may be coloured.
pub(crate) fn stdout_has_colour() -> bool {
    io::stdout().is_terminal() && colour_is_welcome()
}

/// Whether a progress bar can be drawn.
pub(crate) fn can_draw() -> bool {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stderr().is_terminal() && !dumb
}

/// One line on standard error. Nobody to tell is no reason to fail.
pub(crate) fn line(text: &str) {
    let write = || {
        let _ = writeln!(io::stderr(), "{text}");
    };
    match BARS.get() {
        Some(bars) => bars.suspend(write),
        None => write(),
    }
}

/// `error: …`.
pub(crate) fn error(text: &str) {
    labelled("error", "31", text);
}

/// `warning: …`.
pub(crate) fn warning(text: &str) {
    labelled("warning", "33", text);
}

fn labelled(label: &str, colour: &str, text: &str) {
    let text = text.trim_end().replace('\n', " ");
    if stderr_has_colour() {
        line(&format!("\x1b[1;{colour}m{label}\x1b[0m: {text}"));
    } else {
        line(&format!("{label}: {text}"));
    }
}
