//! The strips of 1–9 squares, as the page this project grew from counted them.

use toads_count::{Column, counts};
use toads_strip::{Square, hopless};

use crate::survey::all_strips;

/// The page looked at strips of 1 to so many squares.
pub const PAGE_SQUARES: u32 = 9;

/// Strips of 1–9 squares by odd contested gaps and by whether they are numbers, from whatever source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageTally {
    /// At j: strips with j odd contested gaps.
    pub by_gaps: [u64; 4],
    /// At j: those of them that are worth a number.
    pub numbers_by_gaps: [u64; 4],
    /// At n − 1: the strips of n squares that are worth a number.
    pub numbers_by_squares: [u64; PAGE_SQUARES as usize],
}

impl PageTally {
    /// Counts a strip of 1–9 squares.
    ///
    /// # Panics
    /// When it is longer, or has no squares.
    pub fn add(&mut self, squares: &[Square], is_number: bool) {
        let gaps = hopless::odd_gaps(squares);
        self.by_gaps[gaps] += 1;
        if is_number {
            self.numbers_by_gaps[gaps] += 1;
            self.numbers_by_squares[squares.len() - 1] += 1;
        }
    }

    /// How many strips were counted.
    pub fn strips(&self) -> u64 {
        self.by_gaps.iter().sum()
    }

    /// How many strips there are to count: 29,523.
    pub fn all_strips() -> u64 {
        (1..=PAGE_SQUARES).map(|n| 3_u64.pow(n)).sum()
    }

    /// Those of 1–`squares` squares that are worth a number.
    pub fn numbers_to(&self, squares: u32) -> u64 {
        self.numbers_by_squares[..squares as usize].iter().sum()
    }

    /// Strip by strip, values by the closed form.
    pub(crate) fn enumerated(threads: usize) -> Self {
        all_strips(
            1..=PAGE_SQUARES,
            threads,
            Self::default,
            |tally, squares| tally.add(squares, hopless::analyse(squares).is_number()),
            |tally, later| tally.merge(&later),
        )
    }

    /// Without looking at a strip.
    pub(crate) fn counted(threads: usize) -> Self {
        let columns = [Column::OddGaps, Column::Numbers, Column::NumbersByOddGaps];
        let rows = counts(1..=PAGE_SQUARES, columns.into_iter().collect(), threads)
            .expect("nine squares are within every limit");
        let small = |count| u64::try_from(count).expect("at most 3^9");
        let mut tally = Self::default();
        for row in rows {
            for (gaps, count) in row.odd_gaps.into_iter().flatten().enumerate() {
                tally.by_gaps[gaps] += small(count);
            }
            for (pairs, count) in row.numbers_by_odd_gaps.into_iter().flatten().enumerate() {
                tally.numbers_by_gaps[2 * pairs] += small(count);
            }
            tally.numbers_by_squares[row.n as usize - 1] = row.numbers.map_or(0, small);
        }
        tally
    }

    fn merge(&mut self, other: &Self) {
        let pairs = [
            (&mut self.by_gaps[..], &other.by_gaps[..]),
            (&mut self.numbers_by_gaps, &other.numbers_by_gaps),
            (&mut self.numbers_by_squares, &other.numbers_by_squares),
        ];
        for (sums, more) in pairs {
            for (sum, more) in sums.iter_mut().zip(more) {
                *sum += more;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PageTally;

    #[test]
    fn both_ways_count_the_same() {
        let tally = PageTally::enumerated(2);
        assert_eq!(tally, PageTally::enumerated(1));
        assert_eq!(tally, PageTally::counted(1));
        assert_eq!(tally.strips(), PageTally::all_strips());
        assert_eq!(
            tally.numbers_to(9),
            tally.numbers_by_gaps.iter().sum::<u64>()
        );
    }
}
