//! Ranges of parameters, and the cells of the table they span.

use super::error::{FamilyError, Result};
use super::pattern::Family;
use std::fmt;
use std::ops::RangeInclusive;

/// More cells than this are refused.
const MAX_CELLS: u64 = 1_000_000;

/// A value for each parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cell {
    values: Vec<(char, i64)>,
}

impl Cell {
    pub(super) fn new(values: Vec<(char, i64)>) -> Self {
        Self { values }
    }

    /// The parameters with their values, in the order of the ranges.
    pub fn values(&self) -> &[(char, i64)] {
        &self.values
    }

    /// The value of a parameter.
    pub fn get(&self, parameter: char) -> Option<i64> {
        let mut values = self.values.iter();
        values
            .find(|(letter, _)| *letter == parameter)
            .map(|&(_, value)| value)
    }
}

impl fmt::Display for Cell {
    /// `a=1 b=3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<_> = self
            .values
            .iter()
            .map(|(letter, value)| format!("{letter}={value}"))
            .collect();
        f.pad(&texts.join(" "))
    }
}

/// A range for each parameter of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cells {
    ranges: Vec<(char, RangeInclusive<i64>)>,
}

impl Cells {
    /// Reads ranges such as `a=1..10` and `b=3`, one for each parameter, in any order; both ends are included. At most a
    /// million cells.
    pub fn parse(family: &Family, texts: &[impl AsRef<str>]) -> Result<Self> {
        let parameters = family.parameters();
        let mut ranges: Vec<(char, RangeInclusive<i64>)> = Vec::new();
        for text in texts.iter().map(AsRef::as_ref) {
            let (letter, range) = read(text)?;
            let wrong = |why| FamilyError::Parameter {
                text: text.to_owned(),
                why,
                parameters: listed(parameters),
            };
            if !parameters.contains(&letter) {
                return Err(wrong("there is no such parameter"));
            }
            if ranges.iter().any(|&(other, _)| other == letter) {
                return Err(wrong("this parameter has a range already"));
            }
            ranges.push((letter, range));
        }
        let unbound = |parameter: &&char| !ranges.iter().any(|(letter, _)| letter == *parameter);
        if let Some(&parameter) = parameters.iter().find(unbound) {
            return Err(FamilyError::Unbound { parameter });
        }
        let cells = Self { ranges };
        if cells.count() > MAX_CELLS {
            return Err(FamilyError::TooMany { limit: MAX_CELLS });
        }
        Ok(cells)
    }

    /// The parameters with their ranges, in the order in which they were given.
    pub fn ranges(&self) -> &[(char, RangeInclusive<i64>)] {
        &self.ranges
    }

    /// How many cells, at most a million.
    pub fn count(&self) -> u64 {
        let lengths = self.ranges.iter().map(|(_, range)| length(range));
        lengths.fold(1, u64::saturating_mul)
    }

    /// All cells; the last parameter runs fastest.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..self.count()).map(|number| {
            let mut rest = number;
            let mut values: Vec<_> = self
                .ranges
                .iter()
                .rev()
                .map(|(letter, range)| {
                    let length = length(range);
                    let value = range.start() + (rest % length) as i64;
                    rest /= length;
                    (*letter, value)
                })
                .collect();
            values.reverse();
            Cell::new(values)
        })
    }
}

fn length(range: &RangeInclusive<i64>) -> u64 {
    range.end().abs_diff(*range.start()).saturating_add(1)
}

/// `a=1..10`, `a=3`.
fn read(text: &str) -> Result<(char, RangeInclusive<i64>)> {
    let no_range = || FamilyError::Range {
        text: text.to_owned(),
    };
    let (name, range) = text.split_once('=').ok_or_else(no_range)?;
    let mut letters = name.trim().chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else {
        return Err(no_range());
    };
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| no_range());
    let (start, end) = range.split_once("..").unwrap_or((range, range));
    let (start, end) = (number(start)?, number(end.trim_start_matches('='))?);
    if end < start {
        return Err(FamilyError::EmptyRange {
            text: text.to_owned(),
        });
    }
    Ok((letter, start..=end))
}

fn listed(parameters: &[char]) -> String {
    if parameters.is_empty() {
        return "no parameters".to_owned();
    }
    let texts: Vec<_> = parameters.iter().map(char::to_string).collect();
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(ranges: &[&str]) -> Result<Cells> {
        Cells::parse(&Family::parse("T^a .^b F^a")?, ranges)
    }

    #[test]
    fn the_last_parameter_runs_fastest() {
        let texts = |ranges: &[&str]| -> Vec<String> {
            let cells = cells(ranges).unwrap();
            cells.iter().map(|cell| cell.to_string()).collect()
        };
        assert_eq!(
            texts(&["a=1..2", "b=0..1"]),
            ["a=1 b=0", "a=1 b=1", "a=2 b=0", "a=2 b=1"]
        );
        assert_eq!(texts(&["b = 5", "a=-1..=0"]), ["b=5 a=-1", "b=5 a=0"]);
        let constant = Cells::parse(&Family::parse("T.F").unwrap(), &[""; 0]).unwrap();
        assert_eq!(constant.iter().count(), 1);
    }

    #[test]
    fn wrong_ranges_say_what_to_do() {
        for (ranges, part) in [
            (
                &["a=1..2"][..],
                "the parameter b has no range; add one, as b=1..10",
            ),
            (&["a"], "`a` is no range"),
            (&["a=1..x"], "is no range"),
            (&["ab=1"], "is no range"),
            (&["a=3..1"], "is empty"),
            (&["c=1"], "no such parameter; the family has a, b"),
            (&["a=1", "a=2"], "has a range already"),
            (&["a=1..1001", "b=1..1000"], "more than 1000000 cells"),
            (
                &["a=-9223372036854775808..9223372036854775807", "b=0..9"],
                "more than",
            ),
        ] {
            let error = cells(ranges).unwrap_err().to_string();
            assert!(error.contains(part), "{ranges:?}: {error}");
        }
    }
}
