//! The two players.

use crate::square::Square;
use std::fmt;

/// Left moves toads to the right, Right moves frogs to the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// Owns the toads; positive values are good for Left.
    Left,
    /// Owns the frogs.
    Right,
}

impl Player {
    /// Both, Left first.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The other player.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// The player's piece.
    pub const fn piece(self) -> Square {
        match self {
            Self::Left => Square::Toad,
            Self::Right => Square::Frog,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Left => "Left",
            Self::Right => "Right",
        })
    }
}
