//! Everything a person can ask of a census, as data: the same question goes to a store at hand or, as JSON, to a
//! running coordinator.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toads_game::{Kind, Outcome};
use toads_strip::{Class, Variant};

use crate::sql::SqlLimits;

/// A question. As JSON: `{"ask": "values", "filters": {"variant": "hop", "squares": [1, 7]}, "limit": 20}`.
///
/// Answers speak of all 3^n strips: what a store holds of a class answers for its mirror class as well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Question {
    /// One row for each n: `n strips distinct numbers integers zeros stars P L R N`.
    Summary {
        /// What to speak of.
        #[serde(default)]
        filters: Filters,
    },
    /// `n P L R N`.
    Outcomes {
        /// What to speak of.
        #[serde(default)]
        filters: Filters,
    },
    /// `n kind strips distinct`, kinds in their order.
    Kinds {
        /// What to speak of.
        #[serde(default)]
        filters: Filters,
    },
    /// `n temperature strips distinct`, coldest first.
    Temperatures {
        /// What to speak of.
        #[serde(default)]
        filters: Filters,
    },
    /// `n denominator strips distinct`, of the strips worth a number, integers first.
    Denominators {
        /// What to speak of.
        #[serde(default)]
        filters: Filters,
    },
    /// `n property amount strips distinct value first_strip`: for each n the extreme amounts, how many strips and values
    /// have them, and the first of these strips. Properties: `hottest`, `coldest` (above 0), `largest` and `smallest` (mean),
    /// `widest` (left stop less right stop), `finest` (denominator of a number), `oldest` (birthday), `most_options`.
    Extremes {
        /// What to speak of.
        #[serde(default)]
        filters: Filters,
        /// Characters of a value's text at most; whole when absent.
        #[serde(default)]
        max_text: Option<usize>,
    },
    /// `n first_strip value kind outcome strips distinct value_id`: one row for the smallest n where something is that the
    /// filters admit.
    First {
        /// What to speak of.
        #[serde(default)]
        filters: Filters,
        /// Characters of a value's text at most; whole when absent.
        #[serde(default)]
        max_text: Option<usize>,
    },
    /// `n toads frogs strips distinct numbers P L R N state`, one row for each class, mirrors included.
    Classes {
        /// What to speak of.
        #[serde(default)]
        filters: Filters,
    },
    /// `value count first_n first_strip kind outcome mean temperature birthday value_id`, most frequent first, over the
    /// whole range of n.
    Values {
        /// What to speak of.
        #[serde(default)]
        filters: Filters,
        /// Rows at most; everything when absent.
        #[serde(default)]
        limit: Option<u64>,
        /// Characters of a value's text at most; whole when absent.
        #[serde(default)]
        max_text: Option<usize>,
    },
    /// `strip value`, smallest n first, in index order.
    Strips {
        /// What to speak of.
        #[serde(default)]
        filters: Filters,
        /// Rows at most; everything when absent.
        #[serde(default)]
        limit: Option<u64>,
        /// Characters of a value's text at most; whole when absent.
        #[serde(default)]
        max_text: Option<usize>,
    },
    /// An SQL statement over the tables of [`crate::sql`]; its columns and rows.
    Sql {
        /// One `select`.
        statement: String,
        /// What it may take.
        #[serde(default)]
        limits: SqlLimits,
    },
    /// The value of one strip:
    /// `strip value outcome left_stop right_stop mean temperature kind birthday value_id`.
    Value {
        /// The strip, as people write it.
        strip: String,
        /// The ruleset.
        #[serde(default, with = "text")]
        variant: Variant,
        /// Characters of the value's text at most; whole when absent.
        #[serde(default)]
        max_text: Option<usize>,
    },
}

/// Which strips an answer speaks of. The default is everything committed under [`Variant::Hop`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Filters {
    /// The ruleset.
    #[serde(with = "text")]
    pub variant: Variant,
    /// Numbers of squares, inclusive.
    #[serde(with = "range", skip_serializing_if = "Option::is_none")]
    pub squares: Option<RangeInclusive<u8>>,
    /// Numbers of toads, inclusive.
    #[serde(with = "range", skip_serializing_if = "Option::is_none")]
    pub toads: Option<RangeInclusive<u8>>,
    /// Numbers of frogs, inclusive.
    #[serde(with = "range", skip_serializing_if = "Option::is_none")]
    pub frogs: Option<RangeInclusive<u8>>,
    /// Only strips with a value of this kind.
    #[serde(with = "optional_text", skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// Only strips with this outcome.
    #[serde(with = "outcome", skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Only strips with this value: its text, as people write it, or its id of 32 hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Only strips with a value of which this is true: an SQL expression over the columns of `values`.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
}

impl Filters {
    /// Everything committed of one variant.
    pub fn of(variant: Variant) -> Self {
        Self {
            variant,
            ..Self::default()
        }
    }

    /// The same, for these numbers of squares alone.
    #[must_use]
    pub fn squares(self, squares: RangeInclusive<u8>) -> Self {
        Self {
            squares: Some(squares),
            ..self
        }
    }

    /// The same, for this value alone.
    #[must_use]
    pub fn value(self, value: impl Into<String>) -> Self {
        Self {
            value: Some(value.into()),
            ..self
        }
    }

    /// Whether the numbers of a class are asked for.
    pub(crate) fn admits(&self, class: Class) -> bool {
        let inside = |range: &Option<RangeInclusive<u8>>, count| {
            range.as_ref().is_none_or(|range| range.contains(&count))
        };
        inside(&self.squares, class.n)
            && inside(&self.toads, class.toads)
            && inside(&self.frogs, class.frogs)
    }
}

/// What writes and reads itself as text.
mod text {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer};

    pub(super) fn serialize<T: Display, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        from: D,
    ) -> Result<T, D::Error> {
        String::deserialize(from)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// The same, or null.
#[expect(
    clippy::ref_option,
    reason = "serde calls it with a reference to the field"
)]
mod optional_text {
    use super::{Deserialize, Deserializer, Display, FromStr, Serialize, Serializer};

    pub(super) fn serialize<T: Display, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value
            .as_ref()
            .map(ToString::to_string)
            .serialize(serializer)
    }

    pub(super) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<T>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| text.parse().map_err(serde::de::Error::custom))
            .transpose()
    }
}

/// `[1, 12]`, or null.
#[expect(
    clippy::ref_option,
    reason = "serde calls it with a reference to the field"
)]
mod range {
    use super::{Deserialize, Deserializer, RangeInclusive, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        range: &Option<RangeInclusive<u8>>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        range
            .as_ref()
            .map(|range| [*range.start(), *range.end()])
            .serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<RangeInclusive<u8>>, D::Error> {
        Ok(Option::<[u8; 2]>::deserialize(from)?.map(|[first, last]| first..=last))
    }
}

/// `P`, `L`, `R`, `N`, or null.
#[expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference to the field"
)]
mod outcome {
    use super::{Deserialize, Deserializer, Outcome, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        outcome: &Option<Outcome>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        outcome.map(|outcome| outcome.to_string()).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Outcome>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| super::parse_outcome(&text).map_err(serde::de::Error::custom))
            .transpose()
    }
}

/// Reads `P`, `L`, `R` or `N`, in either case.
pub fn parse_outcome(text: &str) -> Result<Outcome, String> {
    match text {
        "P" | "p" => Ok(Outcome::P),
        "L" | "l" => Ok(Outcome::L),
        "R" | "r" => Ok(Outcome::R),
        "N" | "n" => Ok(Outcome::N),
        _ => Err(format!(
            "`{}` is not an outcome; they are P, L, R, N",
            text.escape_debug()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_cross_as_json() {
        let filters = Filters {
            kind: Some(Kind::NumberNimber),
            outcome: Some(Outcome::N),
            toads: Some(0..=3),
            ..Filters::of(Variant::Hopless).squares(1..=7).value("{1|0}")
        };
        for question in [
            Question::Summary {
                filters: Filters::default(),
            },
            Question::Values {
                filters: filters.clone(),
                limit: Some(20),
                max_text: None,
            },
            Question::Strips {
                filters,
                limit: None,
                max_text: Some(80),
            },
            Question::Value {
                strip: "T^2 . F".to_owned(),
                variant: Variant::Hop,
                max_text: None,
            },
        ] {
            let json = serde_json::to_string(&question).unwrap();
            assert_eq!(
                serde_json::from_str::<Question>(&json).unwrap(),
                question,
                "{json}"
            );
        }
        let short: Question = serde_json::from_str(r#"{"ask": "summary"}"#).unwrap();
        assert_eq!(
            short,
            Question::Summary {
                filters: Filters::default()
            }
        );
    }

    #[test]
    fn what_is_not_understood_is_refused_rather_than_left_out() {
        for json in [
            r#"{"ask": "summary", "filters": {"colour": 1}}"#,
            r#"{"ask": "summary", "filters": {"kind": "warm"}}"#,
            r#"{"ask": "summary", "filters": {"outcome": "W"}}"#,
            r#"{"ask": "weather"}"#,
        ] {
            assert!(serde_json::from_str::<Question>(json).is_err(), "{json}");
        }
    }
}
