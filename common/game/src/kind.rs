//! The kinds a value is sorted into, as tables and queries name them.

use std::fmt;
use std::str::FromStr;

use crate::arena::{Arena, Value};
use crate::invariants::Invariants;

/// What sort of value it is: the first that fits, in the order of the variants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// An integer.
    Integer,
    /// A number that is no integer.
    Dyadic,
    /// A nimber *k, k ≥ 1.
    Nimber,
    /// A number other than 0, and a nimber.
    NumberNimber,
    /// A number, a multiple of ↑ other than 0, and a nimber (either of them may be 0).
    Up,
    /// A number, a sum of multiples of ↑, ↑², ↑³ … that is no multiple of ↑, and a nimber.
    Uptimal,
    /// A number and a tiny or a miny.
    Tiny,
    /// Any other infinitesimal: both stops are 0.
    Infinitesimal,
    /// Any other value with equal stops.
    Numberish,
    /// A switch {x | y} of two numbers x > y.
    Switch,
    /// Any other hot value.
    Hot,
}

impl Kind {
    /// Every kind, in order; the position of a kind is its [`code`](Self::code).
    pub const ALL: [Self; 11] = [
        Self::Integer,
        Self::Dyadic,
        Self::Nimber,
        Self::NumberNimber,
        Self::Up,
        Self::Uptimal,
        Self::Tiny,
        Self::Infinitesimal,
        Self::Numberish,
        Self::Switch,
        Self::Hot,
    ];

    /// A small number for storage, 0 to 10; part of the store's format.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The kind with this [`code`](Self::code).
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Dyadic => "dyadic",
            Self::Nimber => "nimber",
            Self::NumberNimber => "number+nimber",
            Self::Up => "up",
            Self::Uptimal => "uptimal",
            Self::Tiny => "tiny",
            Self::Infinitesimal => "infinitesimal",
            Self::Numberish => "numberish",
            Self::Switch => "switch",
            Self::Hot => "hot",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text is not the name of a kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a kind of value; the kinds are {}", text.escape_debug(), Kind::ALL.map(Kind::name).join(", "))]
pub struct ParseKindError {
    text: String,
}

impl FromStr for Kind {
    type Err = ParseKindError;

    fn from_str(text: &str) -> Result<Self, ParseKindError> {
        let named = Self::ALL.into_iter().find(|kind| kind.name() == text);
        named.ok_or_else(|| ParseKindError {
            text: text.to_owned(),
        })
    }
}

/// The kind of one value. In a loop ask one [`Invariants`] instead, which remembers what it met.
pub fn kind_of(arena: &Arena, value: Value) -> Kind {
    Invariants::new(arena).kind(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_codes_read_back() {
        for (code, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(kind.code()), code);
            assert_eq!(Kind::from_code(code as u8), Some(kind));
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        assert_eq!(Kind::from_code(11), None);
        let error = "warm".parse::<Kind>().unwrap_err();
        assert!(error.to_string().contains("number+nimber"), "{error}");
    }
}
