//! The unit of leased work.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use toads_strip::{Class, Variant};

use crate::plan::MAX_CENSUS_SQUARES;

/// A shard: one closed class of one variant. A class needs nothing but itself, so shards have no dependencies.
///
/// `block` leaves room for classes split by prefix; it is 0 in plan version 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shard {
    /// The ruleset.
    pub variant: Variant,
    /// The class, with at least as many toads as frogs.
    pub class: Class,
    /// The part of the class; 0 is the whole.
    pub block: u16,
}

impl Shard {
    /// The shard that is all of `class`.
    pub fn whole(variant: Variant, class: Class) -> Self {
        Self {
            variant,
            class,
            block: 0,
        }
    }

    /// The strips of the class itself, mirrors not counted.
    pub fn strips(self) -> u64 {
        self.class.size()
    }

    /// The strips the shard answers for: its class and, when that is another one, the mirror class.
    pub fn strips_answered(self) -> u64 {
        self.class.size()
            * if self.class.toads == self.class.frogs {
                1
            } else {
                2
            }
    }
}

impl fmt::Display for Shard {
    /// `hop/14/5/4`: variant, squares, toads, frogs. So it is written everywhere, and read by the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Class { n, toads, frogs } = self.class;
        write!(f, "{}/{n}/{toads}/{frogs}", self.variant)?;
        if self.block != 0 {
            write!(f, "/{}", self.block)?;
        }
        Ok(())
    }
}

/// Why a text names no shard.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ShardNameError {
    /// Not of the shape, or beyond the squares of a census.
    #[error("`{}` is not a shard; write hop/14/5/4 for 14 squares, 5 toads and 4 frogs", .0.escape_debug())]
    Shape(String),
    /// No class has these pieces.
    #[error(transparent)]
    Class(#[from] toads_strip::StripError),
}

impl FromStr for Shard {
    type Err = ShardNameError;

    /// Reads what is displayed. A class with more frogs than toads means its mirror image, which is the one computed.
    fn from_str(text: &str) -> Result<Self, ShardNameError> {
        let wrong = || ShardNameError::Shape(text.to_owned());
        let parts: Vec<&str> = text.trim().split('/').collect();
        let [variant, n, toads, frogs] = parts[..] else {
            return Err(wrong());
        };
        let variant: Variant = variant.parse().map_err(|_| wrong())?;
        let number = |text: &str| text.parse::<usize>().map_err(|_| wrong());
        let class = Class::new(number(n)?, number(toads)?, number(frogs)?)?;
        if class.n > MAX_CENSUS_SQUARES || class.n == 0 {
            return Err(wrong());
        }
        let class = if class.is_computed() {
            class
        } else {
            class.mirror()
        };
        Ok(Self::whole(variant, class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_mirrors_mean_the_computed_shard() {
        for name in ["hop/14/5/4", "hopless/1/0/0"] {
            assert_eq!(name.parse::<Shard>().unwrap().to_string(), name);
        }
        assert_eq!(
            "hop/14/4/5".parse::<Shard>().unwrap().to_string(),
            "hop/14/5/4"
        );
        for name in [
            "",
            "hop/14/5",
            "leap/14/5/4",
            "hop/14/9/9",
            "hop/a/1/1",
            "hop/0/0/0",
            "hop/30/1/1",
        ] {
            assert!(name.parse::<Shard>().is_err(), "{name}");
        }
    }
}
