//! What a connection that failed means, in words.

use std::error::Error;
use std::fmt;

/// Why there is no connection, or none any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// Nobody answers there: try again later.
    Unreachable(String),
    /// The coordinator's certificate is not to be trusted. Trying again does not help.
    Distrust(String),
    /// One side speaks TLS and the other does not. Trying again does not help.
    TlsMismatch(String),
    /// It accepted us, and then said nothing for long.
    Silent(String),
}

impl fmt::Display for Trouble {
    /// The cause, and what to do about it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(cause) => {
                write!(f, "{cause}; check that it runs and the address")
            }
            Self::Distrust(cause) => write!(
                f,
                "its certificate is not trusted ({cause}); --tls-ca must name the authority that signed it, and the \
                 certificate must name the host of the address"
            ),
            Self::TlsMismatch(cause) => write!(
                f,
                "one side speaks TLS and the other does not ({cause}); write https:// with --tls-ca for a coordinator with \
                 --tls-cert, http:// for one without"
            ),
            Self::Silent(cause) => write!(
                f,
                "it accepts connections but does not answer ({cause}); it may be stopped or overloaded: look at its \
                 process, then try again"
            ),
        }
    }
}

/// Sorts the error of a connection, or the source of a [`tonic::Status`].
pub fn trouble(error: &(dyn Error + 'static)) -> Trouble {
    let cause = innermost(error);
    let says = |words: &[&str]| words.iter().any(|word| cause.contains(word));
    if says(&["certificate", "unknownissuer"]) {
        Trouble::Distrust(cause)
    } else if says(&[
        "invalidcontenttype",
        "corrupt message",
        "frame with invalid size",
        "tls handshake eof",
        "fatal alert",
    ]) {
        Trouble::TlsMismatch(cause)
    } else if says(&["keep-alive timed out", "timed out", "deadline"]) {
        Trouble::Silent(cause)
    } else {
        Trouble::Unreachable(cause)
    }
}

/// The text of the innermost cause, which is the one that means something to people (`connection refused`), in lower case
/// and without the number of the system's error.
pub(super) fn innermost(error: &(dyn Error + 'static)) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let text = cause.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    text.to_lowercase()
}
