//! The counts, one row for each number of squares.

use std::ops::RangeInclusive;

use num_bigint::BigUint;

use crate::odd_gaps::OddGaps;
use crate::outcomes::FirstPlayerWins;
use crate::{Column, Columns, CountError, distinct, numbers, outcomes};

/// What was counted of the 3ⁿ strips of n squares; `None` where it was not asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The squares.
    pub n: u32,
    /// All strips, 3ⁿ.
    pub strips: BigUint,
    /// Strips worth a number, which is then an integer.
    pub numbers: Option<BigUint>,
    /// Strips worth 0.
    pub zeros: Option<BigUint>,
    /// Strips by who wins.
    pub outcomes: Option<Outcomes>,
    /// Different values.
    pub distinct: Option<BigUint>,
    /// At j: strips with j odd contested gaps; j ≤ ⌊n/3⌋, none of them 0.
    pub odd_gaps: Option<Vec<BigUint>>,
    /// At u: strips with 2u odd contested gaps that are worth a number; u ≤ ⌊n/6⌋, none of them 0.
    pub numbers_by_odd_gaps: Option<Vec<BigUint>>,
}

/// Strips by who wins. They add up to 3ⁿ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcomes {
    /// The previous player: the strips worth 0.
    pub p: BigUint,
    /// Left, whoever begins.
    pub l: BigUint,
    /// Right, whoever begins: as many as `l`, their mirror images.
    pub r: BigUint,
    /// The next player.
    pub n: BigUint,
}

/// Twice the largest temperature of a strip of n squares: that of `T…T.F`, n − 3; −2 where all strips are integers.
pub fn largest_twice_temperature(n: u32) -> i64 {
    if n < 3 { -2 } else { i64::from(n) - 3 }
}

/// The counts for these numbers of squares, in order.
///
/// Nearly all the work is done here, for the largest number of squares, on so many threads; see [`Column`] for its cost.
/// The rows themselves are cheap. Memory is that of the rows and of some residues: below 100 MB within the limits of
/// all columns but [`Column::NumbersByOddGaps`] (about 200 MB at its limit).
pub fn counts(
    squares: RangeInclusive<u32>,
    columns: Columns,
    threads: usize,
) -> Result<Rows, CountError> {
    if squares.is_empty() {
        return Err(CountError::Empty { squares });
    }
    let max = *squares.end();
    if let Some(column) = columns.iter().find(|column| max > column.limit()) {
        return Err(CountError::TooManySquares {
            column,
            squares: max,
            limit: column.limit(),
        });
    }
    let most = max as usize;
    let asked = |column| columns.contains(column);
    let first_player_wins =
        asked(Column::Outcomes).then(|| outcomes::first_player_wins(most, threads));
    let zeros = (asked(Column::Zeros) && first_player_wins.is_none())
        .then(|| outcomes::zeros(most, threads));
    Ok(Rows {
        next: 0,
        squares,
        odd_gaps: asked(Column::OddGaps).then(OddGaps::new),
        strips: BigUint::from(1_u32),
        numbers: asked(Column::Numbers).then(|| numbers::numbers(most, threads)),
        by_odd_gaps: asked(Column::NumbersByOddGaps)
            .then(|| numbers::numbers_by_odd_gaps(most, threads)),
        zeros,
        first_player_wins,
        distinct: asked(Column::Distinct).then(|| distinct::distinct(most)),
    })
}

/// An iterator over [`Counts`]; made by [`counts`].
pub struct Rows {
    next: u32,
    squares: RangeInclusive<u32>,
    strips: BigUint,
    odd_gaps: Option<OddGaps>,
    numbers: Option<Vec<BigUint>>,
    by_odd_gaps: Option<Vec<Vec<BigUint>>>,
    zeros: Option<Vec<BigUint>>,
    first_player_wins: Option<FirstPlayerWins>,
    distinct: Option<Vec<BigUint>>,
}

impl Iterator for Rows {
    type Item = Counts;

    fn next(&mut self) -> Option<Counts> {
        loop {
            let n = self.next;
            if n > *self.squares.end() {
                return None;
            }
            self.next += 1;
            let odd_gaps = self.odd_gaps.as_mut().and_then(Iterator::next);
            let next_strips = &self.strips * 3_u32;
            let strips = std::mem::replace(&mut self.strips, next_strips);
            if n >= *self.squares.start() {
                return Some(self.row(n, strips, odd_gaps));
            }
        }
    }
}

impl Rows {
    fn row(&self, n: u32, strips: BigUint, odd_gaps: Option<Vec<BigUint>>) -> Counts {
        let at = n as usize;
        let outcomes = self.first_player_wins.as_ref().map(|found| {
            let (first_player, zeros) = (&found.first_player[at], &found.zeros[at]);
            let each = (&strips - first_player - zeros) / 2_u32;
            assert_eq!(
                &each + &each + first_player + zeros,
                strips,
                "Left wins as many strips as Right"
            );
            Outcomes {
                p: zeros.clone(),
                l: each.clone(),
                r: each,
                n: first_player.clone(),
            }
        });
        let zeros = self.zeros.as_ref().map(|zeros| zeros[at].clone());
        Counts {
            n,
            zeros: zeros.or_else(|| outcomes.as_ref().map(|outcomes| outcomes.p.clone())),
            numbers: self.numbers.as_ref().map(|numbers| numbers[at].clone()),
            numbers_by_odd_gaps: self.by_odd_gaps.as_ref().map(|rows| rows[at].clone()),
            distinct: self.distinct.as_ref().map(|distinct| distinct[at].clone()),
            strips,
            outcomes,
            odd_gaps,
        }
    }
}
