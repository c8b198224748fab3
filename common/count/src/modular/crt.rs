//! Integers from their residues.

use num_bigint::BigUint;

use super::Field;

/// Garner's algorithm for a fixed list of primes.
pub(crate) struct Crt {
    fields: Vec<Field>,
    /// By i: the inverse of the product of the primes before i, modulo prime i.
    inverses: Vec<u64>,
}

impl Crt {
    pub(crate) fn new(fields: &[Field]) -> Self {
        let inverse = |i: usize| {
            let field = fields[i];
            let product = fields[..i].iter().fold(field.one(), |product, smaller| {
                field.mul(product, field.element(smaller.prime() % field.prime()))
            });
            field.inverse(product)
        };
        Self {
            fields: fields.to_vec(),
            inverses: (0..fields.len()).map(inverse).collect(),
        }
    }

    /// The integer below the product of the primes with these residues (elements, one for each field, in order).
    pub(crate) fn integer(&self, residues: &[u64]) -> BigUint {
        assert_eq!(
            residues.len(),
            self.fields.len(),
            "one residue for each prime"
        );
        // Mixed radix digits: x = d₀ + p₀ (d₁ + p₁ (d₂ + …)).
        let mut digits: Vec<u64> = Vec::with_capacity(residues.len());
        for (i, (&field, &residue)) in self.fields.iter().zip(residues).enumerate() {
            let so_far =
                digits
                    .iter()
                    .zip(&self.fields)
                    .rev()
                    .fold(0, |value, (&digit, smaller)| {
                        let scaled =
                            field.mul(value, field.element(smaller.prime() % field.prime()));
                        field.add(scaled, field.element(digit % field.prime()))
                    });
            digits.push(field.integer(field.mul(field.sub(residue, so_far), self.inverses[i])));
        }
        let digits = digits.iter().zip(&self.fields).rev();
        digits.fold(BigUint::ZERO, |value, (&digit, field)| {
            value * field.prime() + digit
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_return_from_their_residues() {
        let fields: Vec<Field> = Field::descending(4).take(5).collect();
        let crt = Crt::new(&fields);
        let largest = fields
            .iter()
            .map(|field| BigUint::from(field.prime()))
            .product::<BigUint>()
            - 1_u32;
        for integer in [
            BigUint::ZERO,
            BigUint::from(7_u32),
            BigUint::from(3_u32).pow(150),
            largest,
        ] {
            let residue = |field: &Field| {
                let residue = u64::try_from(&integer % field.prime()).unwrap();
                field.element(residue)
            };
            let residues: Vec<u64> = fields.iter().map(residue).collect();
            assert_eq!(crt.integer(&residues), integer);
        }
    }
}
