//! Power series in the number of squares, cut off behind the highest power wanted: coefficients by power.

use super::Field;
use super::field::MAX_LAZY_PRODUCTS;

/// `out` += a·b, where `a` begins at the power `a_low` and `b` at `b_low`; all of the same length.
#[inline]
pub(crate) fn add_product(
    field: Field,
    out: &mut [u64],
    a: &[u64],
    a_low: usize,
    b: &[u64],
    b_low: usize,
) {
    let low = a_low + b_low;
    for (offset, out) in out[low.min(a.len())..].iter_mut().enumerate() {
        let (a, b) = (&a[a_low..=a_low + offset], &b[b_low..=b_low + offset]);
        *out = field.add(*out, convolve(field, a, b));
    }
}

/// a₀bₖ + a₁bₖ₋₁ + … + aₖb₀.
#[inline]
fn convolve(field: Field, a: &[u64], b: &[u64]) -> u64 {
    let parts = a
        .chunks(MAX_LAZY_PRODUCTS)
        .zip(b.rchunks(MAX_LAZY_PRODUCTS))
        .map(|(a, b)| {
            let products = a
                .iter()
                .zip(b.iter().rev())
                .map(|(&a, &b)| u128::from(a) * u128::from(b));
            field.reduce(products.sum())
        });
    parts.fold(0, |sum, part| field.add(sum, part))
}

/// The product of two series.
pub(crate) fn product(field: Field, a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut out = vec![0; a.len()];
    add_product(field, &mut out, a, 0, b, 0);
    out
}

/// series ← series / (1 − c·x^step).
pub(crate) fn divide_by_one_less(field: Field, series: &mut [u64], c: u64, step: usize) {
    for power in step..series.len() {
        series[power] = field.add(series[power], field.mul(c, series[power - step]));
    }
}

/// series ← series / (1 − x).
pub(crate) fn partial_sums(field: Field, series: &mut [u64]) {
    for power in 1..series.len() {
        series[power] = field.add(series[power], series[power - 1]);
    }
}

/// series ← series · (1 − c·x^step).
pub(crate) fn multiply_by_one_less(field: Field, series: &mut [u64], c: u64, step: usize) {
    for power in (step..series.len()).rev() {
        series[power] = field.sub(series[power], field.mul(c, series[power - step]));
    }
}

/// series ← x · series.
pub(crate) fn shift(series: &mut [u64]) {
    series.rotate_right(1);
    if let Some(first) = series.first_mut() {
        *first = 0;
    }
}

/// series ← series / (1 − d), where `d` has no constant term.
pub(crate) fn divide_by_one_less_series(field: Field, series: &mut [u64], d: &[u64]) {
    for power in 1..series.len() {
        series[power] = field.add(
            series[power],
            convolve(field, &d[1..=power], &series[..power]),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_times_divisors_give_the_series_back() {
        let field = Field::descending(4).next().unwrap();
        let original: Vec<u64> = (1..20).map(|i| field.element(i * i + 3)).collect();
        let c = field.element(5);
        let mut series = original.clone();
        divide_by_one_less(field, &mut series, c, 3);
        multiply_by_one_less(field, &mut series, c, 3);
        assert_eq!(series, original);
        let mut sums = original.clone();
        partial_sums(field, &mut sums);
        multiply_by_one_less(field, &mut sums, field.one(), 1);
        assert_eq!(sums, original);
        let mut d = original.clone();
        d[0] = 0;
        let mut quotient = original.clone();
        divide_by_one_less_series(field, &mut quotient, &d);
        let one_less: Vec<u64> = std::iter::once(field.one())
            .chain(d[1..].iter().map(|&d| field.neg(d)))
            .collect();
        assert_eq!(product(field, &quotient, &one_less), original);
    }

    #[test]
    fn products_respect_where_series_begin() {
        let field = Field::descending(4).next().unwrap();
        let mut a: Vec<u64> = (1..9).map(|i| field.element(i)).collect();
        let mut b = a.clone();
        a[..2].fill(0);
        b[..3].fill(0);
        let mut out = vec![0; 8];
        add_product(field, &mut out, &a, 2, &b, 3);
        assert_eq!(out, product(field, &a, &b));
        let mut nothing = vec![0; 8];
        add_product(field, &mut nothing, &a, 5, &b, 5);
        assert_eq!(nothing, [0; 8]);
        shift(&mut a);
        assert_eq!(a[..4], [0, 0, 0, field.element(3)]);
    }
}
