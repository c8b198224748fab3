//! What is compared: sums of strips and values.

use toads_game::Value;
use toads_strip::Strip;

/// A strip or a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Summand {
    /// A strip, of at most [`MAX_SQUARES`](crate::MAX_SQUARES) squares under hop and of any length under hopless.
    Strip(Strip),
    /// A value of the searcher's arena.
    Value(Value),
}

/// A sum of strips and values, some of them negated. The empty sum is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    pub(crate) summands: Vec<(bool, Summand)>,
}

impl Sum {
    /// 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// With one more summand.
    #[must_use]
    pub fn plus(mut self, summand: Summand) -> Self {
        self.summands.push((false, summand));
        self
    }

    /// Less one more summand.
    #[must_use]
    pub fn minus(mut self, summand: Summand) -> Self {
        self.summands.push((true, summand));
        self
    }

    /// Each summand, and whether it is negated.
    pub fn summands(&self) -> impl ExactSizeIterator<Item = (bool, &Summand)> {
        self.summands
            .iter()
            .map(|(negated, summand)| (*negated, summand))
    }
}

impl From<Strip> for Sum {
    fn from(strip: Strip) -> Self {
        Self::new().plus(Summand::Strip(strip))
    }
}

impl From<Value> for Sum {
    fn from(value: Value) -> Self {
        Self::new().plus(Summand::Value(value))
    }
}
