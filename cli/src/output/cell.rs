//! What stands in a table.

use std::fmt;

/// One cell.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Cell {
    /// Nothing: not asked for, or not known. `null` in JSON.
    Empty,
    /// Words.
    Text(String),
    /// A count or another whole number: a number in JSON.
    Integer(i128),
    /// An exact number such as `3/4`: a string in JSON, because a JSON number would lose it.
    Exact(String),
    /// Something with parts of its own; only JSON shows it as it is.
    Nested(serde_json::Value),
    /// A measured figure, shown with at most three decimals: a number in JSON.
    Measure(f64),
    /// A floating-point number, whole: a number in JSON.
    Real(f64),
}

impl Cell {
    /// An exact number.
    pub(crate) fn exact(number: impl fmt::Display) -> Self {
        Self::Exact(number.to_string())
    }

    /// Words.
    pub(crate) fn text(text: impl fmt::Display) -> Self {
        Self::Text(text.to_string())
    }

    /// Whether text tables align it to the right.
    pub(super) fn is_number(&self) -> bool {
        matches!(
            self,
            Self::Integer(_) | Self::Exact(_) | Self::Measure(_) | Self::Real(_)
        )
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => Ok(()),
            Self::Text(text) | Self::Exact(text) => f.write_str(text),
            Self::Integer(number) => number.fmt(f),
            Self::Nested(value) => value.fmt(f),
            Self::Measure(number) => f.write_str(&measure(*number)),
            Self::Real(number) => fmt::Debug::fmt(number, f),
        }
    }
}

/// At most three decimals, without zeros at the end.
fn measure(number: f64) -> String {
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        Self::Integer(number.into())
    }
}

impl From<u32> for Cell {
    fn from(number: u32) -> Self {
        Self::Integer(number.into())
    }
}

impl From<u8> for Cell {
    fn from(number: u8) -> Self {
        Self::Integer(number.into())
    }
}

impl From<usize> for Cell {
    fn from(number: usize) -> Self {
        Self::Integer(number as i128)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Self {
        cell.map_or(Self::Empty, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::measure;

    #[test]
    fn measures_are_short() {
        for (number, text) in [
            (0.0, "0"),
            (1.5, "1.5"),
            (1234.56789, "1234.568"),
            (-0.0001, "0"),
            (2e9, "2000000000"),
        ] {
            assert_eq!(measure(number), text);
        }
    }
}
