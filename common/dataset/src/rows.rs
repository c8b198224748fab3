//! What answers are made of: columns, rows of cells, and whoever takes them.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toads_game::{Dyadic, Kind, Outcome, ValueId};

/// A column of an answer. Names are a contract: they stay, and new ones come after them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// The header.
    pub name: Cow<'static, str>,
    /// Whether all cells are integers (or empty): aligned to the right, no quotes in JSON.
    pub numeric: bool,
}

impl Column {
    /// A column of integers.
    pub const fn number(name: &'static str) -> Self {
        Self {
            name: Cow::Borrowed(name),
            numeric: true,
        }
    }

    /// A column of text.
    pub const fn text(name: &'static str) -> Self {
        Self {
            name: Cow::Borrowed(name),
            numeric: false,
        }
    }
}

/// A cell of an answer. As JSON: a number, a string, or null.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// A count or an index; at most 3^40 in magnitude.
    Int(i128),
    /// Words, a strip, a value, a fraction.
    Text(String),
    /// A floating-point number: what SQL makes of numbers. No answer but that of SQL has any.
    Real(Real),
    /// Nothing is known or asked for.
    Empty,
}

/// A floating-point number in the total order of IEEE 754.
#[derive(Clone, Copy, Debug)]
pub struct Real(f64);

impl Real {
    /// The number.
    pub const fn new(number: f64) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl Ord for Real {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Real {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Real {}

impl Hash for Real {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl fmt::Display for Real {
    /// The shortest decimal that reads back, with a point in it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(number) => fmt::Display::fmt(number, f),
            Self::Text(text) => f.pad(text),
            Self::Real(real) => f.pad(&real.to_string()),
            Self::Empty => f.pad(""),
        }
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            // The number of a strip of up to 24 squares fits; a larger integer is written as one all the same.
            Self::Int(number) => match i64::try_from(*number) {
                Ok(number) => to.serialize_i64(number),
                Err(_) => to.serialize_i128(*number),
            },
            Self::Text(text) => to.serialize_str(text),
            Self::Real(real) => to.serialize_f64(real.get()),
            Self::Empty => to.serialize_unit(),
        }
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        // By hand, because derived untagged enums do not read integers of 128 bits.
        struct CellVisitor;

        impl Visitor<'_> for CellVisitor {
            type Value = Cell;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, a string or null")
            }

            fn visit_i64<E>(self, number: i64) -> Result<Cell, E> {
                Ok(Cell::Int(number.into()))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Cell, E> {
                Ok(Cell::Int(number.into()))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Cell, E> {
                Ok(Cell::Real(Real::new(number)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Cell, E> {
                Ok(Cell::from(text))
            }

            fn visit_string<E>(self, text: String) -> Result<Cell, E> {
                Ok(Cell::Text(text))
            }

            fn visit_unit<E>(self) -> Result<Cell, E> {
                Ok(Cell::Empty)
            }
        }

        from.deserialize_any(CellVisitor)
    }
}

macro_rules! cells_from_integers {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Cell {
            fn from(number: $integer) -> Self {
                Self::Int(i128::from(number))
            }
        }
    )*};
}

cells_from_integers!(u8, u32, u64, i64);

macro_rules! cells_from_words {
    ($($word:ty),*) => {$(
        impl From<$word> for Cell {
            fn from(word: $word) -> Self {
                Self::Text(word.to_string())
            }
        }
    )*};
}

cells_from_words!(Dyadic, Kind, Outcome, ValueId);

impl From<usize> for Cell {
    fn from(number: usize) -> Self {
        Self::Int(number as i128)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Self {
        cell.map_or(Self::Empty, Into::into)
    }
}

/// Takes an answer: the columns once, then the rows in order, and notes at any time.
///
/// [`ControlFlow::Break`] ends the answer early; that is not an error.
pub trait RowSink {
    /// Whether somebody still waits for the answer, to be asked from any thread while no row is there to hand over.
    fn cancelled(&self) -> Cancelled {
        Cancelled::default()
    }

    /// The columns; called once, before any row.
    fn columns(&mut self, columns: &[Column]) -> ControlFlow<()>;

    /// A row, with as many cells as there are columns.
    fn row(&mut self, cells: &[Cell]) -> ControlFlow<()>;

    /// A remark for people: what is missing from the figures. Not part of the data.
    fn note(&mut self, text: &str);
}

/// Says whether an answer is not wanted any more; by default it is.
#[derive(Clone, Default)]
pub struct Cancelled(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Cancelled {
    /// Asks `is_cancelled`.
    pub fn when(is_cancelled: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(is_cancelled)))
    }

    /// Whether it is not wanted any more.
    pub fn get(&self) -> bool {
        self.0.as_ref().is_some_and(|is_cancelled| is_cancelled())
    }
}

/// An answer held in memory: for tests and for answers known to be small.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
    /// The notes.
    pub notes: Vec<String>,
}

impl Table {
    /// One header line and one line a row, tabs between cells.
    pub fn to_tsv(&self) -> String {
        let header = self
            .columns
            .iter()
            .map(|column| column.name.to_string())
            .collect::<Vec<_>>()
            .join("\t");
        let line = |row: &Vec<Cell>| {
            row.iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("\t")
        };
        let mut lines = vec![header];
        lines.extend(self.rows.iter().map(line));
        lines.join("\n") + "\n"
    }
}

impl RowSink for Table {
    fn columns(&mut self, columns: &[Column]) -> ControlFlow<()> {
        self.columns = columns.to_vec();
        ControlFlow::Continue(())
    }

    fn row(&mut self, cells: &[Cell]) -> ControlFlow<()> {
        self.rows.push(cells.to_vec());
        ControlFlow::Continue(())
    }

    fn note(&mut self, text: &str) {
        self.notes.push(text.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_cross_as_plain_json() {
        let row = vec![
            Cell::from(7u64),
            Cell::from("{1|0}"),
            Cell::Empty,
            Cell::from(-3i64),
        ];
        let json = serde_json::to_string(&row).unwrap();
        assert_eq!(json, r#"[7,"{1|0}",null,-3]"#);
        assert_eq!(serde_json::from_str::<Vec<Cell>>(&json).unwrap(), row);
    }
}
