//! Exact counts from their residues modulo several primes.
//!
//! The counts that follow the mean take a second variable, q, beside the squares. They are found by evaluation: at
//! every needed root of unity q = ωᵏ modulo a prime everything is a power series in one variable, and counts are
//! read off by the inverse transform. The primes together exceed 3ⁿ, which no count does.

mod crt;
mod field;
pub(crate) mod series;

pub(crate) use crt::Crt;
pub(crate) use field::{Field, MAX_LAZY_PRODUCTS};

/// Primes p ≡ 1 (mod `order`) whose product exceeds 3^`squares`.
pub(crate) fn fields(order: u64, squares: usize) -> Vec<Field> {
    // log2(3) < 1.585; every prime found is above 2^55.
    let bits = squares * 1585 / 1000 + 2;
    Field::descending(order).take(bits.div_ceil(55)).collect()
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;

    #[test]
    fn the_primes_exceed_every_count() {
        for squares in [1, 10, 40, 60, 100, 1000] {
            let fields = fields(4, squares);
            let product: BigUint = fields
                .iter()
                .map(|field| BigUint::from(field.prime()))
                .product();
            assert!(
                product > BigUint::from(3_u32).pow(squares as u32),
                "{squares}"
            );
            assert!(fields.is_sorted_by(|a, b| a.prime() > b.prime()));
        }
    }
}
