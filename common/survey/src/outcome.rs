//! What is known of a cell, and which of two records stays.

use std::fmt;
use std::str::FromStr;

use toads_game::ValueId;

/// The most bytes of a value's text, and of a message. A longer text is cut and ends with `…`.
pub const MAX_TEXT_BYTES: usize = 64 << 10;

/// The most relations of one cell.
const MAX_BOUNDS: usize = 64;

/// How a position compares with a value: G ? H.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Relation {
    /// G > H.
    Greater,
    /// G < H.
    Less,
    /// G || H.
    Confused,
    /// G ≥ H: Left wins G − H moving second.
    GreaterOrEqual,
    /// G ≤ H.
    LessOrEqual,
    /// G > H or G || H: Left wins G − H moving first.
    GreaterOrConfused,
    /// G < H or G || H.
    LessOrConfused,
}

impl Relation {
    /// All, by code.
    pub const ALL: [Self; 7] = [
        Self::Greater,
        Self::Less,
        Self::Confused,
        Self::GreaterOrEqual,
        Self::LessOrEqual,
        Self::GreaterOrConfused,
        Self::LessOrConfused,
    ];

    /// A small number for storage, 0 to 6; part of the store's format.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The relation with this [`code`](Self::code).
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// As it is printed: `>`, `<`, `||`, `>=`, `<=`, `|>`, `<|`.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Greater => ">",
            Self::Less => "<",
            Self::Confused => "||",
            Self::GreaterOrEqual => ">=",
            Self::LessOrEqual => "<=",
            Self::GreaterOrConfused => "|>",
            Self::LessOrConfused => "<|",
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.symbol())
    }
}

/// The text is not a relation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not one of > < || >= <= |> <|", .0.escape_debug())]
pub struct ParseRelationError(String);

impl FromStr for Relation {
    type Err = ParseRelationError;

    fn from_str(text: &str) -> Result<Self, ParseRelationError> {
        let found = Self::ALL
            .into_iter()
            .find(|relation| relation.symbol() == text);
        found.ok_or_else(|| ParseRelationError(text.to_owned()))
    }
}

/// A relation that was found: the cell is `relation` to `value`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// Which relation.
    pub relation: Relation,
    /// The value on the other side, in CGSuite notation.
    pub value: String,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.relation, self.value)
    }
}

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exact {
    /// The canonical form in CGSuite notation (or a closed form, where that is too large to be written out).
    pub text: String,
    /// The content id; `None` where the canonical form is too large to be built.
    pub id: Option<ValueId>,
    /// The first kind that fits, as `query kinds` prints it: `integer`, `dyadic`, `hot`, …
    pub kind: String,
}

/// What an evaluation found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellOutcome {
    /// The value.
    Exact {
        /// The value.
        value: Exact,
        /// Which way settled it: `closed form`, `class table`, `play`, …
        how: String,
    },
    /// Not the value, but what it compares with, tightest first; at least one.
    Bounded {
        /// The relations.
        bounds: Vec<Bound>,
        /// Which way settled them.
        how: String,
    },
    /// Neither, and what would help.
    Failed {
        /// One line for a person.
        message: String,
    },
}

impl CellOutcome {
    /// A failure.
    pub fn failed(message: impl fmt::Display) -> Self {
        let mut message = message.to_string();
        cut(&mut message);
        Self::Failed { message }
    }

    /// The value, when there is one.
    pub fn exact(&self) -> Option<&Exact> {
        match self {
            Self::Exact { value, .. } => Some(value),
            _ => None,
        }
    }

    /// What is wrong with it, if anything: texts that are empty or too long, no relations or too many.
    pub fn check(&self) -> Result<(), String> {
        let text = |what: &str, text: &str| match text.len() {
            0 => Err(format!("{what} is empty")),
            bytes if bytes > MAX_TEXT_BYTES => Err(format!(
                "{what} has {bytes} bytes, at most {MAX_TEXT_BYTES}"
            )),
            _ => Ok(()),
        };
        match self {
            Self::Exact { value, how } => {
                text("the text of the value", &value.text)?;
                text("the kind of the value", &value.kind)?;
                text("the way it was found", how)
            }
            Self::Bounded { bounds, how } => {
                text("the way it was found", how)?;
                if bounds.is_empty() || bounds.len() > MAX_BOUNDS {
                    return Err(format!("{} relations, not 1 to {MAX_BOUNDS}", bounds.len()));
                }
                let mut values = bounds.iter().map(|bound| bound.value.as_str());
                values.try_for_each(|value| text("the value of a relation", value))?;
                // Together they have to fit into a message.
                let bytes: usize = bounds.iter().map(|bound| bound.value.len()).sum();
                if bytes > 4 * MAX_TEXT_BYTES {
                    return Err(format!("the values of the relations have {bytes} bytes"));
                }
                Ok(())
            }
            Self::Failed { message } => text("the message of the failure", message),
        }
    }

    /// How much it says: 0 failed, 1 relations, 2 a value.
    fn weight(&self) -> u8 {
        match self {
            Self::Failed { .. } => 0,
            Self::Bounded { .. } => 1,
            Self::Exact { .. } => 2,
        }
    }
}

/// Cuts a text that is too long; it then ends with `…`.
pub(crate) fn cut(text: &mut String) {
    if text.len() > MAX_TEXT_BYTES {
        let mut end = MAX_TEXT_BYTES - '…'.len_utf8();
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push('…');
    }
}

/// What it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Positions looked at for this cell; 0 when an earlier cell had seen all of them.
    pub nodes: u64,
    /// Time, in milliseconds.
    pub milliseconds: u64,
}

/// A cell that is done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellRecord {
    /// What was found.
    pub outcome: CellOutcome,
    /// What it took.
    pub effort: Effort,
    /// The worker that found it.
    pub worker: String,
    /// When, in milliseconds since the Unix epoch.
    pub finished_ms: u64,
}

/// What becomes of a record when a cell has one already.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Merge {
    /// The new one says more: it takes the place of the other.
    Take,
    /// The one that is there says as much: it stays.
    Keep,
    /// Two values that differ: one of them is wrong, and nothing is overwritten.
    Conflict(String),
}

impl CellRecord {
    /// Whether `self` takes the place of `stored`. Equal values are equal ids; texts decide only where both lack one.
    pub fn over(&self, stored: &Self) -> Merge {
        let (new, old) = (&self.outcome, &stored.outcome);
        if let (Some(new), Some(old)) = (new.exact(), old.exact()) {
            return match (new.id, old.id) {
                (Some(a), Some(b)) if a != b => Merge::Conflict(format!(
                    "value {} ({a}) is stored, now {} ({b}) came",
                    old.text, new.text
                )),
                (None, None) if new.text != old.text => {
                    Merge::Conflict(format!("{} is stored, now {} came", old.text, new.text))
                }
                (Some(_), None) => Merge::Take,
                _ => Merge::Keep,
            };
        }
        let is_newer_failure = new.weight() == 0 && old.weight() == 0 && new != old;
        if new.weight() > old.weight() || is_newer_failure {
            Merge::Take
        } else {
            Merge::Keep
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(outcome: CellOutcome) -> CellRecord {
        CellRecord {
            outcome,
            effort: Effort::default(),
            worker: "w".into(),
            finished_ms: 0,
        }
    }

    fn exact(text: &str, id: Option<u8>) -> CellRecord {
        let value = Exact {
            text: text.into(),
            id: id.map(|byte| ValueId([byte; 16])),
            kind: "hot".into(),
        };
        record(CellOutcome::Exact {
            value,
            how: "a test".into(),
        })
    }

    fn bounded(value: &str) -> CellRecord {
        let bounds = vec![Bound {
            relation: Relation::Greater,
            value: value.into(),
        }];
        record(CellOutcome::Bounded {
            bounds,
            how: "play".into(),
        })
    }

    #[test]
    fn more_takes_the_place_of_less_and_never_the_other_way_round() {
        let failed = record(CellOutcome::failed("too large"));
        let order = [failed.clone(), bounded("2"), exact("3", Some(1))];
        for (i, old) in order.iter().enumerate() {
            for (j, new) in order.iter().enumerate() {
                let expected = if j > i { Merge::Take } else { Merge::Keep };
                assert_eq!(new.over(old), expected, "{new:?} over {old:?}");
            }
        }
        assert_eq!(
            record(CellOutcome::failed("later")).over(&failed),
            Merge::Take
        );
        assert_eq!(bounded("3").over(&bounded("2")), Merge::Keep);
    }

    #[test]
    fn two_values_that_differ_are_a_conflict() {
        let conflicts =
            |new: &CellRecord, old: &CellRecord| matches!(new.over(old), Merge::Conflict(_));
        assert!(conflicts(&exact("1", Some(1)), &exact("1", Some(2))));
        assert!(conflicts(&exact("1", None), &exact("2", None)));
        assert_eq!(
            exact("{1|}", Some(1)).over(&exact("2", Some(1))),
            Merge::Keep
        );
        assert_eq!(
            exact("1", Some(1)).over(&exact("closed", None)),
            Merge::Take
        );
        assert_eq!(
            exact("closed", None).over(&exact("1", Some(1))),
            Merge::Keep
        );
    }

    #[test]
    fn relations_read_back() {
        for (code, relation) in Relation::ALL.into_iter().enumerate() {
            assert_eq!(Relation::from_code(code as u8), Some(relation));
            assert_eq!(relation.to_string().parse(), Ok(relation));
        }
        assert_eq!(Relation::from_code(7), None);
        assert!("=".parse::<Relation>().is_err());
    }

    #[test]
    fn what_says_nothing_or_too_much_is_refused() {
        assert_eq!(bounded("2").outcome.check(), Ok(()));
        assert!(bounded("").outcome.check().is_err());
        assert!(exact("", None).outcome.check().is_err());
        assert!(
            exact(&"x".repeat(MAX_TEXT_BYTES + 1), None)
                .outcome
                .check()
                .is_err()
        );
        assert_eq!(
            CellOutcome::failed("…".repeat(MAX_TEXT_BYTES)).check(),
            Ok(())
        );
        let bounds = vec![];
        let how = "play".to_owned();
        assert!(CellOutcome::Bounded { bounds, how }.check().is_err());
    }
}
