//! Strips that are worth a number: every half-swing occurs an even number of times.
//!
//! Let a component with an odd contested gap have the swing s = a + b − 2. All of them with the same s together are
//! (s + 1) c yˢ, where y = x/(1 − x) and c does not depend on s. So of m odd components with swings s₁, …, sₘ only the sum
//! W of the swings and the product of the (sᵢ + 1) matter, and
//!
//! numbers = (1 − x²)/Q · Σ N(m, W) zᵐ yᵂ, with Q = 1 − 3x − x² + 4x³ and z = x³(1 − 2x)²/(Q (1 − x)²),
//!
//! where N(m, W) = Σ Π (sᵢ + 1) over the sequences of m swings with sum W in which every swing occurs an even number
//! of times. Exponential generating functions in m find N one swing after another: s brings in Σⱼ ((s + 1) yˢ)²ʲ/(2j)!
//! (docs/MATH.md, section 7).

use num_bigint::BigUint;

use crate::modular::series::{self, add_product};
use crate::modular::{Crt, Field, fields};
use crate::threads::in_parallel;

/// By n ≤ `max`: the strips of n squares that are worth a number.
///
/// About n³·ln n/60 steps modulo each of n/35 primes.
pub(crate) fn numbers(max: usize, threads: usize) -> Vec<BigUint> {
    let one_column = by_residues(max, threads, |field| vec![total(field, max)]);
    one_column
        .into_iter()
        .map(|mut row| row.remove(0))
        .collect()
}

/// By n ≤ `max`: the strips of n squares with 0, 2, 4, … odd contested gaps that are worth a number. Each row ends
/// before the first zero; with an odd number of odd gaps no strip is worth a number.
pub(crate) fn numbers_by_odd_gaps(max: usize, threads: usize) -> Vec<Vec<BigUint>> {
    let rows = by_residues(max, threads, |field| by_pairs(field, max));
    let longest = |n: usize| n / 6 + 1;
    rows.into_iter()
        .enumerate()
        .map(|(n, mut row)| (row.truncate(longest(n)), row).1)
        .collect()
}

/// From the columns modulo each prime, each by n, to rows of integers.
fn by_residues(
    max: usize,
    threads: usize,
    columns: impl Fn(Field) -> Vec<Vec<u64>> + Sync,
) -> Vec<Vec<BigUint>> {
    let fields = fields(2, max);
    let residues = in_parallel(threads, fields.len(), |i| columns(fields[i]));
    let crt = Crt::new(&fields);
    let entry = |n: usize, column: usize| {
        let residues: Vec<u64> = residues.iter().map(|columns| columns[column][n]).collect();
        crt.integer(&residues)
    };
    (0..=max)
        .map(|n| {
            (0..residues[0].len())
                .map(|column| entry(n, column))
                .collect()
        })
        .collect()
}

/// The sum over m, by Horner's rule in z².
fn total(field: Field, max: usize) -> Vec<u64> {
    let table = table(field, max);
    let mut sum = vec![0; max + 1];
    for u in (0..table.len()).rev() {
        times_z_squared(field, &mut sum);
        sum.rotate_right(6.min(max + 1));
        sum[..6.min(max + 1)].fill(0);
        for (sum, &term) in sum
            .iter_mut()
            .zip(&in_powers_of_y(field, &table[u], max - 6 * u))
        {
            *sum = field.add(*sum, term);
        }
    }
    times_ends(field, &mut sum);
    sum
}

/// Column u: the strips with 2u odd gaps.
fn by_pairs(field: Field, max: usize) -> Vec<Vec<u64>> {
    let mut power_of_z = vec![0; max + 1];
    power_of_z[0] = field.one();
    times_ends(field, &mut power_of_z);
    let column = |(u, coefficients): (usize, Vec<u64>)| {
        let length = max + 1 - 6 * u;
        let mut column = vec![0; max + 1];
        let sum = in_powers_of_y(field, &coefficients, max - 6 * u);
        add_product(
            field,
            &mut column[6 * u..],
            &power_of_z[..length],
            0,
            &sum,
            0,
        );
        times_z_squared(field, &mut power_of_z);
        column
    };
    table(field, max)
        .into_iter()
        .enumerate()
        .map(column)
        .collect()
}

/// (2u)! · [exponential generating function] = N(2u, 2v), at `[u][v]`, for 6u + 2v ≤ `max`.
fn table(field: Field, max: usize) -> Vec<Vec<u64>> {
    let mut table: Vec<Vec<u64>> = (0..=max / 6)
        .map(|u| vec![0; (max - 6 * u) / 2 + 1])
        .collect();
    table[0][0] = field.one();
    let factorials = field.factorials(max / 3 + 1);
    let inverse_factorials: Vec<u64> = factorials
        .iter()
        .map(|&factorial| field.inverse(factorial))
        .collect();
    let mut sums: Vec<u128> = vec![];
    for s in 0..=(max / 2).saturating_sub(3) {
        let square = field.element((s as u64 + 1).pow(2));
        let most = max / (2 * (s + 3));
        let weights: Vec<u64> = (0..=most)
            .map(|j| field.mul(field.pow(square, j as u64), inverse_factorials[2 * j]))
            .collect();
        // Every term comes from a row above, which has its old content as long as rows are filled from below.
        for u in (1..table.len()).rev() {
            let (above, rest) = table.split_at_mut(u);
            let row = &mut rest[0];
            sums.clear();
            sums.resize(row.len(), 0);
            for j in 1..=u.min(most) {
                let Some(targets) = sums.get_mut(s * j..) else {
                    break;
                };
                for (target, &source) in targets.iter_mut().zip(&above[u - j]) {
                    *target += u128::from(source) * u128::from(weights[j]);
                }
            }
            for (entry, &sum) in row.iter_mut().zip(&sums) {
                *entry = field.add(*entry, field.reduce(sum));
            }
        }
    }
    for (u, row) in table.iter_mut().enumerate() {
        for entry in row {
            *entry = field.mul(*entry, factorials[2 * u]);
        }
    }
    table
}

/// Σ cᵥ y²ᵛ as a series in x up to x^`max`, by Horner's rule.
fn in_powers_of_y(field: Field, coefficients: &[u64], max: usize) -> Vec<u64> {
    let mut sum = vec![0; max + 1];
    for (v, &coefficient) in coefficients.iter().enumerate().rev() {
        // What was found so far is to be multiplied by y² = x²/(1 − x)²; it begins at 2v + 2 already.
        let found = &mut sum[2 * v..];
        series::partial_sums(field, found);
        series::partial_sums(field, found);
        found[0] = field.add(found[0], coefficient);
    }
    sum
}

/// series ← series · z²/x⁶.
fn times_z_squared(field: Field, series: &mut [u64]) {
    for _ in 0..4 {
        series::multiply_by_one_less(field, series, field.element(2), 1);
        series::partial_sums(field, series);
    }
    divide_by_q(field, series);
    divide_by_q(field, series);
}

/// series ← series · (1 − x²)/Q.
fn times_ends(field: Field, series: &mut [u64]) {
    series::multiply_by_one_less(field, series, field.one(), 2);
    divide_by_q(field, series);
}

/// series ← series / (1 − 3x − x² + 4x³).
fn divide_by_q(field: Field, series: &mut [u64]) {
    let (three, four) = (field.element(3), field.element(4));
    for n in 0..series.len() {
        let at = |back: usize| n.checked_sub(back).map_or(0, |n| series[n]);
        let plus = field.add(field.mul(three, at(1)), at(2));
        series[n] = field.add(series[n], field.sub(plus, field.mul(four, at(3))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::odd_gaps::OddGaps;

    #[test]
    fn the_two_ways_of_adding_up_agree() {
        for max in [0, 1, 5, 6, 7, 40, 75] {
            let rows = numbers_by_odd_gaps(max, 2);
            let sums: Vec<BigUint> = rows.iter().map(|row| row.iter().sum()).collect();
            assert_eq!(numbers(max, 1), sums);
        }
    }

    #[test]
    fn without_odd_gaps_all_are_numbers() {
        for (row, all) in numbers_by_odd_gaps(50, 1).iter().zip(OddGaps::new()) {
            assert_eq!(row[0], all[0]);
            assert!(
                row.iter()
                    .enumerate()
                    .skip(1)
                    .all(|(u, count)| *count <= all[2 * u])
            );
            assert!(row.iter().all(|count| *count > BigUint::ZERO));
        }
    }
}
