//! The unit of leased work.

use std::fmt;

use toads_strip::{Class, Variant};

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
