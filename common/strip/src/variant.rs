//! The two rulesets.

use crate::error::StripError;
use std::fmt;
use std::str::FromStr;

/// Whether pieces may jump. Codes and names are stable: they are stored and sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Variant {
    /// The standard game: a piece may jump over exactly one piece of the other kind.
    #[default]
    Hop = 0,
    /// No jumps; the literature also calls it *Elephants and Rhinos*.
    Hopless = 1,
}

impl Variant {
    /// Both, in order of their codes.
    pub const ALL: [Self; 2] = [Self::Hop, Self::Hopless];

    /// The stored code: 0 for hop, 1 for hopless.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The variant of a stored code; `None` from 2 on.
    pub const fn from_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(Self::Hop),
            1 => Some(Self::Hopless),
            _ => None,
        }
    }

    /// The name that [`Variant::from_str`] reads back.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hop => "hop",
            Self::Hopless => "hopless",
        }
    }

    /// Whether pieces may jump.
    pub const fn has_jumps(self) -> bool {
        matches!(self, Self::Hop)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Variant {
    type Err = StripError;

    /// Reads `hop`, `hopless` and `elephants-and-rhinos`, in any case.
    fn from_str(text: &str) -> Result<Self, StripError> {
        match text.trim().to_ascii_lowercase().as_str() {
            "hop" => Ok(Self::Hop),
            "hopless" | "elephants-and-rhinos" => Ok(Self::Hopless),
            _ => Err(StripError::UnknownVariant {
                found: text.to_owned(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Variant;

    #[test]
    fn names_and_codes_round_trip() {
        for variant in Variant::ALL {
            assert_eq!(variant.to_string().parse(), Ok(variant));
            assert_eq!(Variant::from_code(variant.code()), Some(variant));
        }
        assert_eq!("Elephants-and-Rhinos".parse(), Ok(Variant::Hopless));
        assert_eq!((Variant::Hop.code(), Variant::Hopless.code()), (0, 1));
        assert_eq!(Variant::from_code(2), None);
        let error = "leap".parse::<Variant>().unwrap_err().to_string();
        assert!(
            error.contains("`leap`") && error.contains("hopless"),
            "{error}"
        );
    }
}
