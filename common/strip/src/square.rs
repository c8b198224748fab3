//! What can stand on a square.

use std::fmt;

/// A frog, nothing, or a toad; ordered as base-3 digits, `F < . < T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Square {
    /// Right's piece; it moves to the left.
    Frog = 0,
    /// An empty square.
    Blank = 1,
    /// Left's piece; it moves to the right.
    Toad = 2,
}

impl Square {
    /// All three, in order.
    pub const ALL: [Self; 3] = [Self::Frog, Self::Blank, Self::Toad];

    /// The base-3 digit: 0, 1 or 2.
    pub const fn digit(self) -> u8 {
        self as u8
    }

    /// The square of a base-3 digit; `None` from 3 on.
    pub const fn from_digit(digit: u8) -> Option<Self> {
        match digit {
            0 => Some(Self::Frog),
            1 => Some(Self::Blank),
            2 => Some(Self::Toad),
            _ => None,
        }
    }

    /// `F`, `.` or `T`.
    pub const fn to_char(self) -> char {
        match self {
            Self::Frog => 'F',
            Self::Blank => '.',
            Self::Toad => 'T',
        }
    }

    /// Reads `F`, `f`, `.`, `_`, `□` (U+25A1), `T` and `t`.
    pub const fn from_char(c: char) -> Option<Self> {
        match c {
            'F' | 'f' => Some(Self::Frog),
            '.' | '_' | '\u{25a1}' => Some(Self::Blank),
            'T' | 't' => Some(Self::Toad),
            _ => None,
        }
    }

    /// What stands there when the players change sides: toads become frogs and frogs toads.
    #[must_use]
    pub const fn mirror(self) -> Self {
        match self {
            Self::Frog => Self::Toad,
            Self::Blank => Self::Blank,
            Self::Toad => Self::Frog,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_char())
    }
}

#[cfg(test)]
mod tests {
    use super::Square;

    #[test]
    fn digits_and_characters_round_trip() {
        for square in Square::ALL {
            assert_eq!(Square::from_digit(square.digit()), Some(square));
            assert_eq!(Square::from_char(square.to_char()), Some(square));
            assert_eq!(square.mirror().mirror(), square);
            assert_eq!(square.digit() + square.mirror().digit(), 2);
        }
        assert_eq!(Square::from_digit(3), None);
        assert_eq!(Square::from_char('x'), None);
    }
}
