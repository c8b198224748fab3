//! Who wins.

use std::fmt;

/// The four outcome classes of normal play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The previous player: who moves first loses. The value is 0.
    P,
    /// Left, whoever starts. The value is positive.
    L,
    /// Right, whoever starts. The value is negative.
    R,
    /// The next player: who moves first wins. The value is confused with 0.
    N,
}

impl Outcome {
    /// The outcome, given whether Left wins moving first and whether Right wins moving first.
    pub const fn from_first_player_wins(left: bool, right: bool) -> Self {
        match (left, right) {
            (false, false) => Self::P,
            (true, false) => Self::L,
            (false, true) => Self::R,
            (true, true) => Self::N,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::P => "P",
            Self::L => "L",
            Self::R => "R",
            Self::N => "N",
        })
    }
}
