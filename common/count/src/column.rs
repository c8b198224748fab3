//! What can be counted, and how far.

use std::fmt;
use std::str::FromStr;

use crate::CountError;

/// A column of counts. Each has its own cost; only those asked for are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Column {
    /// Strips by number of odd contested gaps. To n = 1,000 in a twentieth of a second.
    OddGaps,
    /// Strips worth a number. To n = 1,000 in some 3 seconds of one core.
    Numbers,
    /// The same by number of odd contested gaps. To n = 1,000 in some 4 seconds.
    NumbersByOddGaps,
    /// Strips worth 0. To n = 60 in about a second.
    Zeros,
    /// Strips by outcome, and so those worth 0 too. To n = 60 in some 3 seconds.
    Outcomes,
    /// Different values. To n = 1,000 in less than a second.
    Distinct,
}

impl Column {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::OddGaps,
        Self::Numbers,
        Self::NumbersByOddGaps,
        Self::Zeros,
        Self::Outcomes,
        Self::Distinct,
    ];

    /// Its name in text.
    pub fn name(self) -> &'static str {
        match self {
            Self::OddGaps => "odd-gaps",
            Self::Numbers => "numbers",
            Self::NumbersByOddGaps => "numbers-by-odd-gaps",
            Self::Zeros => "zeros",
            Self::Outcomes => "outcomes",
            Self::Distinct => "distinct",
        }
    }

    /// The most squares it is counted for. Up to here nothing overflows and time is measured in minutes at most.
    pub fn limit(self) -> u32 {
        match self {
            Self::OddGaps => 10_000,
            Self::Numbers | Self::NumbersByOddGaps => 1_500,
            Self::Distinct => 1_000,
            Self::Zeros | Self::Outcomes => 120,
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Column {
    type Err = CountError;

    fn from_str(text: &str) -> Result<Self, CountError> {
        let named = Self::ALL.into_iter().find(|column| column.name() == text);
        named.ok_or_else(|| CountError::NoSuchColumn {
            name: text.to_owned(),
        })
    }
}

/// A set of columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns(u8);

impl Columns {
    /// Every column.
    pub fn all() -> Self {
        Column::ALL.into_iter().collect()
    }

    /// Those that can be counted to this many squares.
    pub fn within(squares: u32) -> Self {
        Column::ALL
            .into_iter()
            .filter(|column| squares <= column.limit())
            .collect()
    }

    /// Whether the column is in it.
    pub fn contains(self, column: Column) -> bool {
        self.0 >> column as u8 & 1 == 1
    }

    /// Its columns.
    pub fn iter(self) -> impl Iterator<Item = Column> {
        Column::ALL
            .into_iter()
            .filter(move |&column| self.contains(column))
    }
}

impl FromIterator<Column> for Columns {
    fn from_iter<I: IntoIterator<Item = Column>>(columns: I) -> Self {
        Self(
            columns
                .into_iter()
                .fold(0, |set, column| set | 1 << column as u8),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for column in Column::ALL {
            assert_eq!(column.name().parse(), Ok(column));
        }
        assert!("odd".parse::<Column>().is_err());
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        let some: Columns = [Column::Zeros, Column::Distinct].into_iter().collect();
        assert_eq!(
            some.iter().collect::<Vec<_>>(),
            [Column::Zeros, Column::Distinct]
        );
        assert_eq!(Columns::within(1_000).iter().count(), 4);
        assert_eq!(Columns::all().iter().count(), 6);
        assert_eq!(Columns::default().iter().count(), 0);
    }
}
