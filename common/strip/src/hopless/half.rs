//! Halves of integers: means, half-swings and temperatures of hopless strips are of this kind.

use std::fmt;

/// An exact multiple of 1/2, held as its double.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Half {
    twice: i64,
}

impl Half {
    /// The number whose double this is.
    pub const fn from_twice(twice: i64) -> Self {
        Self { twice }
    }

    /// The double, an integer.
    pub const fn twice(self) -> i64 {
        self.twice
    }

    /// The integer it is, or `None` if it is none.
    pub const fn as_integer(self) -> Option<i64> {
        if self.twice % 2 == 0 {
            Some(self.twice / 2)
        } else {
            None
        }
    }
}

impl fmt::Display for Half {
    /// `3`, `-1/2`, `5/2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_integer() {
            Some(integer) => f.pad(&integer.to_string()),
            None => f.pad(&format!("{}/2", self.twice)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Half;

    #[test]
    fn prints_halves_only_where_needed() {
        let text = |twice| Half::from_twice(twice).to_string();
        assert_eq!(
            [-3, -2, -1, 0, 1, 4].map(text),
            ["-3/2", "-1", "-1/2", "0", "1/2", "2"]
        );
    }
}
