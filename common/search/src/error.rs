//! Why a comparison cannot be begun, or not be finished.

use thiserror::Error;
use toads_game::GameError;

use crate::board::MAX_SQUARES;

/// Results of this crate.
pub type Result<T, E = SearchError> = std::result::Result<T, E>;

/// What a search cannot do. Running out of a budget is no error but an [`Answer`](crate::Answer) with less in it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SearchError {
    /// A hop strip that does not fit in the words of bits: cut it at a wall, or compare less.
    #[error("a strip of {squares} squares is too long to be played out: {MAX_SQUARES} at most")]
    TooLong {
        /// Its squares.
        squares: usize,
    },
    /// Numbers whose sum leaves the range of exact arithmetic.
    #[error("the numbers of this sum are too large: 2^20 in magnitude at most, all told")]
    TooLarge,
    /// The values do not fit in the arena: raise the memory limit.
    #[error("the canonical values of small parts do not fit; raise --memory")]
    Full,
    /// A line of play too long to follow.
    #[error("a line of play has more moves than can be followed (20,000)")]
    TooDeep,
    /// Stopped from outside, by [`Control::stop`](crate::Control::stop).
    #[error("stopped")]
    Stopped,
    /// The strategy is too long to be written down.
    #[error("the certificate would have more than {limit} bytes; certify a smaller position")]
    CertificateTooLarge {
        /// The most that is written.
        limit: usize,
    },
    /// A value whose form is too large for a certificate.
    #[error("the form of a value has more than {limit} positions, too many for a certificate")]
    ValueTooLarge {
        /// The most that is written.
        limit: usize,
    },
    /// The comparison is not decided, or, a fault of this program, the winner has no move that wins.
    #[error("there is no winning move to write down")]
    NoReply,
    /// No thread could be started.
    #[error("cannot start a thread: {0}")]
    Thread(String),
    /// A value cannot be built.
    #[error(transparent)]
    Game(#[from] GameError),
}
