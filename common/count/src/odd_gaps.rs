//! Strips by their number of odd contested gaps: one linear recurrence.
//!
//! With x for a square and u for an odd contested gap, all strips together are
//! (1 − x²) / (1 − 3x − x² + (4 − u)x³) (docs/MATH.md, section 7). So the strips of n squares with j odd gaps are
//! s(n, j) = 3 s(n−1, j) + s(n−2, j) − 4 s(n−3, j) + s(n−3, j−1), for n ≥ 3.

use num_bigint::BigUint;

/// The rows s(n, 0), s(n, 1), …, s(n, ⌊n/3⌋) for n = 0, 1, 2, …
///
/// A row costs n/3 additions of numbers of about 1.6·n bits: all rows to n = 1,000 take a few hundredths of a second.
pub(crate) struct OddGaps {
    /// The rows of n − 3, n − 2, n − 1, where they exist.
    previous: [Vec<BigUint>; 3],
    n: usize,
}

impl OddGaps {
    pub(crate) fn new() -> Self {
        Self {
            previous: [const { vec![] }; 3],
            n: 0,
        }
    }
}

impl Iterator for OddGaps {
    type Item = Vec<BigUint>;

    fn next(&mut self) -> Option<Vec<BigUint>> {
        let [third, second, first] = &self.previous;
        let row: Vec<BigUint> = match self.n {
            // (1 − x²)/(1 − 3x − x² + …) begins 1 + 3x + 9x².
            0..=2 => vec![BigUint::from(3_u32).pow(self.n as u32)],
            _ => (0..=self.n / 3)
                .map(|j| {
                    let at = |row: &[BigUint], j: usize| row.get(j).cloned().unwrap_or_default();
                    let with_one_more = j.checked_sub(1).map(|j| at(third, j)).unwrap_or_default();
                    at(first, j) * 3_u32 + at(second, j) + with_one_more - at(third, j) * 4_u32
                })
                .collect(),
        };
        self.previous.rotate_left(1);
        self.previous[2].clone_from(&row);
        self.n += 1;
        Some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_add_up_to_all_strips() {
        for (n, row) in OddGaps::new().take(60).enumerate() {
            assert_eq!(row.len(), n / 3 + 1);
            assert_eq!(
                row.iter().sum::<BigUint>(),
                BigUint::from(3_u32).pow(n as u32),
                "n = {n}"
            );
            assert!(row.iter().all(|count| *count > BigUint::ZERO));
        }
    }

    #[test]
    fn every_third_row_ends_with_one_strip() {
        // 3j squares hold j odd gaps in one way only: T.F again and again.
        let ends: Vec<BigUint> = OddGaps::new()
            .step_by(3)
            .take(5)
            .map(|row| row[row.len() - 1].clone())
            .collect();
        assert!(ends.iter().all(|end| *end == BigUint::from(1_u32)));
    }
}
