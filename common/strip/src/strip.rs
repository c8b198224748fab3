//! A row of squares: its text, its number, its order.

use crate::class::Class;
use crate::error::{Result, StripError};
use crate::square::Square;
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

/// The most squares [`Strip::parse`] accepts.
pub const MAX_SQUARES: usize = 1_000_000;

/// The most squares whose base-3 number fits a `u128`.
pub const MAX_INDEX_SQUARES: usize = 80;

/// A position: squares from left to right.
///
/// Strips up to 24 squares live without an allocation. The empty strip exists (it is what is left of `FT` without its
/// dead ends, and its value is 0), but no text means it. A strip is a slice of squares: `&strip` goes wherever
/// `&[Square]` is asked for.
///
/// Strips are ordered by length, then by [index](Strip::index), at any length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Strip {
    squares: SmallVec<[Square; 24]>,
}

impl Strip {
    /// The strip of these squares; any number of them, none included.
    pub fn new(squares: &[Square]) -> Self {
        Self {
            squares: SmallVec::from_slice(squares),
        }
    }

    /// Reads `T.F`, powers and groups; see [`crate::parse`] for the grammar. At most [`MAX_SQUARES`] squares.
    pub fn parse(text: &str) -> Result<Self> {
        crate::parse::parse(text, MAX_SQUARES)
    }

    /// The squares, from left to right.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// How many squares.
    pub fn len(&self) -> usize {
        self.squares.len()
    }

    /// Whether there are no squares at all.
    pub fn is_empty(&self) -> bool {
        self.squares.is_empty()
    }

    /// How many toads.
    pub fn toads(&self) -> usize {
        count(&self.squares, Square::Toad)
    }

    /// How many frogs.
    pub fn frogs(&self) -> usize {
        count(&self.squares, Square::Frog)
    }

    /// How many blanks.
    pub fn blanks(&self) -> usize {
        count(&self.squares, Square::Blank)
    }

    /// The strip read as a base-3 number, leftmost square most significant, `F` = 0, `.` = 1, `T` = 2; `None` past
    /// [`MAX_INDEX_SQUARES`] squares. Every move of either player makes it smaller.
    pub fn index(&self) -> Option<u128> {
        (self.len() <= MAX_INDEX_SQUARES).then(|| {
            self.squares
                .iter()
                .fold(0, |index, square| 3 * index + u128::from(square.digit()))
        })
    }

    /// The strip of `squares` squares with this [index](Strip::index).
    pub fn from_index(squares: usize, index: u128) -> Result<Self> {
        let out_of_range = || StripError::IndexOutOfRange { squares, index };
        if squares > MAX_INDEX_SQUARES {
            return Err(out_of_range());
        }
        let mut strip = Self {
            squares: SmallVec::from_elem(Square::Frog, squares),
        };
        let mut rest = index;
        for square in strip.squares.iter_mut().rev() {
            *square = Square::ALL[(rest % 3) as usize];
            rest /= 3;
        }
        if rest == 0 {
            Ok(strip)
        } else {
            Err(out_of_range())
        }
    }

    /// The class: the counts of squares, toads and frogs.
    ///
    /// # Panics
    /// When the strip is longer than [`crate::MAX_CLASS_SQUARES`]; [`Strip::try_class`] asks first.
    pub fn class(&self) -> Class {
        self.try_class()
            .expect("a strip of at most 40 squares has a class")
    }

    /// The class, or [`StripError::ClassOutOfRange`] for a strip longer than [`crate::MAX_CLASS_SQUARES`].
    pub fn try_class(&self) -> Result<Class> {
        Class::new(self.len(), self.toads(), self.frogs())
    }

    /// Text with powers, one per run: `T^4 .^3 F^3`; a single square stays bare. [`Strip::parse`] reads it back.
    pub fn compact(&self) -> String {
        let run_text = |run: &[Square]| match run.len() {
            1 => run[0].to_string(),
            power => format!("{}^{power}", run[0]),
        };
        self.squares
            .chunk_by(|a, b| a == b)
            .map(run_text)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The squares, to change in place.
    pub(crate) fn squares_mut(&mut self) -> &mut [Square] {
        &mut self.squares
    }

    /// The next strip of the same class in index order, in place; `false` (and no change) at the last one.
    ///
    /// Constant amortised cost over a whole class; at most linear.
    pub fn next_in_class(&mut self) -> bool {
        let squares = &mut self.squares[..];
        // The next permutation of a multiset: the last rise a < b, with a replaced by the least larger one behind it.
        let Some(at) = squares.windows(2).rposition(|pair| pair[0] < pair[1]) else {
            return false;
        };
        let with = squares
            .iter()
            .rposition(|&square| square > squares[at])
            .expect("its right neighbour is larger");
        squares.swap(at, with);
        squares[at + 1..].reverse();
        true
    }
}

fn count(squares: &[Square], what: Square) -> usize {
    squares.iter().filter(|&&square| square == what).count()
}

impl Deref for Strip {
    type Target = [Square];

    fn deref(&self) -> &[Square] {
        &self.squares
    }
}

impl AsRef<[Square]> for Strip {
    fn as_ref(&self) -> &[Square] {
        &self.squares
    }
}

impl From<Vec<Square>> for Strip {
    fn from(squares: Vec<Square>) -> Self {
        Self {
            squares: SmallVec::from_vec(squares),
        }
    }
}

impl FromIterator<Square> for Strip {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        Self {
            squares: squares.into_iter().collect(),
        }
    }
}

impl FromStr for Strip {
    type Err = StripError;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}

impl PartialOrd for Strip {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Strip {
    fn cmp(&self, other: &Self) -> Ordering {
        self.len()
            .cmp(&other.len())
            .then_with(|| self.squares.cmp(&other.squares))
    }
}

impl fmt::Display for Strip {
    /// Plain text, one character a square: `T.F`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(
            &self
                .squares
                .iter()
                .map(|square| square.to_char())
                .collect::<String>(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_INDEX_SQUARES, Strip};
    use crate::{Square, StripError};
    use proptest::prelude::*;

    /// Strips of a range of lengths.
    pub(crate) fn strips(squares: std::ops::Range<usize>) -> impl Strategy<Value = Strip> {
        prop::collection::vec(prop::sample::select(&Square::ALL[..]), squares).prop_map(Strip::from)
    }

    #[test]
    fn the_index_is_the_base_three_number() {
        let strip = Strip::parse("T.F").unwrap();
        assert_eq!(strip.index(), Some(2 * 9 + 3));
        assert_eq!(Strip::from_index(3, 21), Ok(strip));
        assert_eq!(
            Strip::from_index(3, 27),
            Err(StripError::IndexOutOfRange {
                squares: 3,
                index: 27
            })
        );
        let longest = Strip::parse("T80").unwrap();
        assert_eq!(longest.index(), Some(3_u128.pow(80) - 1));
        assert_eq!(Strip::parse("T81").unwrap().index(), None);
        assert!(Strip::from_index(MAX_INDEX_SQUARES + 1, 0).is_err());
    }

    #[test]
    fn index_order_is_strip_order() {
        let all: Vec<_> = (0..6561)
            .map(|index| Strip::from_index(8, index).unwrap())
            .collect();
        assert!(all.is_sorted_by(|a, b| a < b));
        assert!(
            all.iter()
                .zip(0..)
                .all(|(strip, index)| strip.index() == Some(index))
        );
        assert!(Strip::parse("TTT").unwrap() < Strip::parse("FFFF").unwrap());
    }

    #[test]
    fn compact_text_has_a_power_per_run() {
        assert_eq!(Strip::parse("TTTT...FFF").unwrap().compact(), "T^4 .^3 F^3");
        assert_eq!(Strip::parse("T.F").unwrap().compact(), "T . F");
    }

    #[test]
    fn a_strip_without_a_class_says_so() {
        assert!(Strip::parse("T40").unwrap().try_class().is_ok());
        assert!(Strip::parse("T41").unwrap().try_class().is_err());
    }

    proptest! {
        #[test]
        fn parse_undoes_both_printers(strip in strips(1..120)) {
            prop_assert_eq!(&Strip::parse(&strip.to_string()).unwrap(), &strip);
            prop_assert_eq!(&Strip::parse(&strip.compact()).unwrap(), &strip);
        }

        #[test]
        fn from_index_undoes_index(strip in strips(0..81)) {
            prop_assert_eq!(Strip::from_index(strip.len(), strip.index().unwrap()), Ok(strip));
        }

        #[test]
        fn counts_add_up(strip in strips(0..60)) {
            prop_assert_eq!(strip.toads() + strip.frogs() + strip.blanks(), strip.len());
        }
    }
}
