//! How a command ends when it does not end well: one type, one exit code each (promise P26), one line for the person.

mod convert;

use std::fmt;
use std::io;

/// Results of verbs.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// Which signal asked the process to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Signal {
    /// Ctrl-C: exit code 130.
    Interrupt,
    /// `kill`: exit code 143.
    Terminate,
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Interrupt => "SIGINT",
            Self::Terminate => "SIGTERM",
        })
    }
}

/// Why a verb did not do what it was asked. Each text says what to do next.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The thing asked for is false or failed: exit code 1.
    #[error("{0}")]
    Failed(String),
    /// Bad usage or input, to be fixed by the caller: exit code 2.
    #[error("{0}")]
    Input(String),
    /// A run ended with shards in quarantine: exit code 3.
    #[error("{0}")]
    Quarantined(String),
    /// Not reachable, or stalled for too long: exit code 4.
    #[error("{0}")]
    Unreachable(String),
    /// A store, protocol or build that does not fit: exit code 5.
    #[error("{0}")]
    Incompatible(String),
    /// Stopped by a signal after a clean drain: exit code 130 or 143.
    #[error("stopped by {signal}: {note}")]
    Stopped {
        /// Which.
        signal: Signal,
        /// What was kept and how to go on.
        note: String,
    },
    /// Whoever read our output went away (`| head`): nobody is left to tell, exit code 0.
    #[error("the reader of the output is gone")]
    OutputClosed,
}

impl Failure {
    /// The exit code of `cli.md`'s list; 0 only for [`Failure::OutputClosed`].
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::OutputClosed => 0,
            Self::Failed(_) => 1,
            Self::Input(_) => 2,
            Self::Quarantined(_) => 3,
            Self::Unreachable(_) => 4,
            Self::Incompatible(_) => 5,
            Self::Stopped {
                signal: Signal::Interrupt,
                ..
            } => 130,
            Self::Stopped {
                signal: Signal::Terminate,
                ..
            } => 143,
        }
    }

    /// Bad input.
    pub(crate) fn input(text: impl fmt::Display) -> Self {
        Self::Input(text.to_string())
    }

    /// A failure of the thing itself.
    pub(crate) fn failed(text: impl fmt::Display) -> Self {
        Self::Failed(text.to_string())
    }

    /// What could not be written to standard output.
    pub(crate) fn output(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::OutputClosed;
        }
        Self::Failed(format!("cannot write to standard output: {}", plain(error)))
    }

    /// A path that could not be used for `what`, with the reason: a wrong argument, mostly.
    pub(crate) fn path(what: &str, path: &std::path::Path, error: &io::Error) -> Self {
        let text = format!("cannot {what} {}: {}", path.display(), plain(error));
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Self::Failed(format!("{text}; free some space and run the command again"))
            }
            _ => Self::Input(format!("{text}; name a place you can use")),
        }
    }
}

/// The text of an I/O error without the `(os error 2)` at its end, in lower case.
pub(crate) fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(chars).collect()
    })
}
