//! Logs on standard error: text or JSON, filtered by `TOADS_LOG` or by `-v` and `-q`.

use std::io::{self, Write};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::args::{Globals, Verb};
use crate::console;

/// How log lines look.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub(crate) enum LogFormat {
    /// A line of words
    #[default]
    Text,
    /// A JSON object a line
    Json,
}

/// Starts logging for the process.
pub(crate) fn start(globals: &Globals, verb: &Verb) {
    let level =
        i32::from(globals.verbose) - i32::from(globals.quiet) + i32::from(verb.is_service());
    let level = match level {
        ..=-2 => "off",
        -1 => "error",
        0 => "warn",
        1 => "info",
        2 => "debug",
        3.. => "trace",
    };
    let filter = match &globals.log_filter {
        Some(filter) => EnvFilter::new(filter),
        // The libraries underneath stay quiet until something is wrong.
        None if level == "info" || level == "debug" => EnvFilter::new(format!(
            "warn,progress=info,toads={level},toads_coordinator={level},toads_worker={level},toads_store={level}"
        )),
        // How far it is counts as an answer to the person who waits. The coordinator inside `census run` warns of much that
        // the command itself says, or that mends itself.
        None if level == "warn" => EnvFilter::new("warn,toads_coordinator=error,progress=info"),
        // Of handshakes and headers nothing is told, however much somebody wants to see.
        None if level == "trace" => EnvFilter::new("trace,rustls=warn,h2=warn"),
        None => EnvFilter::new(level),
    };
    let logs = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(Lines)
        .with_ansi(console::stderr_has_colour());
    // A second start can only happen in tests of one process; the first one stands.
    let _ = match globals.log {
        LogFormat::Text => logs.with_target(false).try_init(),
        LogFormat::Json => logs.json().flatten_event(true).try_init(),
    };
}

/// Reads a filter such as `info,toads_worker=debug`.
pub(crate) fn filter(text: &str) -> Result<String, String> {
    EnvFilter::try_new(text)
        .map(|_| text.to_owned())
        .map_err(|error| error.to_string())
}

/// Writes whole log lines above the progress bar.
struct Lines;

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Buffer;

    fn make_writer(&'a self) -> Buffer {
        Buffer(Vec::new())
    }
}

/// One log line being written.
struct Buffer(Vec<u8>);

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if !self.0.is_empty() {
            console::line(String::from_utf8_lossy(&self.0).trim_end());
        }
    }
}
