//! Arithmetic modulo a prime below 2^56, in Montgomery form.
//!
//! An element is a `u64` below p that stands for x·2^64 mod p. The room above 56 bits lets a sum of up to 255 products be
//! reduced once.

/// Primes stay below this power of two.
const BITS: u32 = 56;

/// The most products that may be added before [`Field::reduce`].
pub(crate) const MAX_LAZY_PRODUCTS: usize = 255;

/// The integers modulo a prime.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    p: u64,
    /// −1/p mod 2^64.
    negative_inverse: u64,
    /// 2^128 mod p.
    square_of_radix: u64,
}

impl Field {
    /// Arithmetic modulo an odd prime below 2^56.
    fn new(p: u64) -> Self {
        // Newton's iteration doubles the number of correct bits; p is its own inverse modulo 8.
        let mut inverse = p;
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2_u64.wrapping_sub(p.wrapping_mul(inverse)));
        }
        let radix = (1_u128 << 64) % u128::from(p);
        Self {
            p,
            negative_inverse: inverse.wrapping_neg(),
            square_of_radix: (radix * radix % u128::from(p)) as u64,
        }
    }

    /// The primes p ≡ 1 (mod `order`) below 2^56, largest first.
    pub(crate) fn descending(order: u64) -> impl Iterator<Item = Self> {
        assert!(
            order.is_multiple_of(2),
            "an odd order would give even candidates"
        );
        let highest = ((1 << BITS) - 2) / order;
        (1..=highest)
            .rev()
            .map(move |k| k * order + 1)
            .filter(|&p| is_prime(p))
            .map(Self::new)
    }

    /// The prime.
    pub(crate) fn prime(self) -> u64 {
        self.p
    }

    /// Σ aᵢ·bᵢ from the sum of the plain products of at most [`MAX_LAZY_PRODUCTS`] pairs of elements.
    #[inline]
    pub(crate) fn reduce(self, sum: u128) -> u64 {
        let multiple = (sum as u64).wrapping_mul(self.negative_inverse);
        // sum < 2^8 p² < 2^64 p, so the quotient is below 2p.
        let quotient = ((sum + u128::from(multiple) * u128::from(self.p)) >> 64) as u64;
        if quotient >= self.p {
            quotient - self.p
        } else {
            quotient
        }
    }

    #[inline]
    pub(crate) fn mul(self, a: u64, b: u64) -> u64 {
        self.reduce(u128::from(a) * u128::from(b))
    }

    #[inline]
    pub(crate) fn add(self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.p { sum - self.p } else { sum }
    }

    #[inline]
    pub(crate) fn neg(self, a: u64) -> u64 {
        if a == 0 { 0 } else { self.p - a }
    }

    #[inline]
    pub(crate) fn sub(self, a: u64, b: u64) -> u64 {
        self.add(a, self.neg(b))
    }

    /// The element that stands for `integer`, which is below p.
    pub(crate) fn element(self, integer: u64) -> u64 {
        self.mul(integer, self.square_of_radix)
    }

    /// The element 1.
    pub(crate) fn one(self) -> u64 {
        self.element(1)
    }

    /// The integer an element stands for.
    pub(crate) fn integer(self, element: u64) -> u64 {
        self.reduce(u128::from(element))
    }

    pub(crate) fn pow(self, base: u64, mut exponent: u64) -> u64 {
        let (mut square, mut power) = (base, self.one());
        while exponent > 0 {
            if exponent % 2 == 1 {
                power = self.mul(power, square);
            }
            square = self.mul(square, square);
            exponent /= 2;
        }
        power
    }

    /// The inverse of an element other than 0.
    pub(crate) fn inverse(self, a: u64) -> u64 {
        self.pow(a, self.p - 2)
    }

    /// An element ω with ω^order = 1 and no smaller power 1; `order` divides p − 1.
    pub(crate) fn root_of_unity(self, order: u64) -> u64 {
        let one = self.one();
        let prime_divisors: Vec<u64> = (2..=order)
            .filter(|&d| order.is_multiple_of(d) && is_prime(d))
            .collect();
        (2..self.p)
            .map(|g| self.pow(self.element(g), (self.p - 1) / order))
            .find(|&root| {
                prime_divisors
                    .iter()
                    .all(|&d| self.pow(root, order / d) != one)
            })
            .expect("the multiplicative group of a prime field is cyclic")
    }

    /// 0!, 1!, …, `n`!.
    pub(crate) fn factorials(self, n: usize) -> Vec<u64> {
        let mut factorials = vec![self.one()];
        for i in 1..=n as u64 {
            factorials.push(self.mul(factorials[i as usize - 1], self.element(i)));
        }
        factorials
    }
}

/// Miller–Rabin with the first twelve primes as bases: exact below 3·10^23.
fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if let Some(&divisor) = BASES.iter().find(|&&base| n.is_multiple_of(base)) {
        return n == divisor;
    }
    let mul = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(n)) as u64;
    let twos = (n - 1).trailing_zeros();
    n > 1
        && BASES.iter().all(|&base| {
            let (mut power, mut square, mut exponent) = (1, base, (n - 1) >> twos);
            while exponent > 0 {
                if exponent % 2 == 1 {
                    power = mul(power, square);
                }
                square = mul(square, square);
                exponent /= 2;
            }
            let mut passes = power == 1 || power == n - 1;
            for _ in 1..twos {
                power = mul(power, power);
                passes |= power == n - 1;
            }
            passes
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_are_told_from_composites() {
        let small: Vec<u64> = (0..60).filter(|&n| is_prime(n)).collect();
        assert_eq!(
            small,
            [
                2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59
            ]
        );
        for composite in [41 * 43, 3_215_031_751, 3_825_123_056_546_413_051] {
            assert!(!is_prime(composite), "{composite}");
        }
        assert!(is_prime((1 << 61) - 1));
    }

    #[test]
    fn arithmetic_is_that_of_integers() {
        let field = Field::descending(4).next().unwrap();
        let p = u128::from(field.prime());
        for (a, b) in [
            (0, 0),
            (1, 2),
            (123_456_789_012_345, 987_654_321_098_765),
            (p as u64 - 1, p as u64 - 1),
        ] {
            let (x, y) = (field.element(a), field.element(b));
            assert_eq!(field.integer(x), a);
            assert_eq!(
                u128::from(field.integer(field.mul(x, y))),
                u128::from(a) * u128::from(b) % p
            );
            assert_eq!(
                u128::from(field.integer(field.add(x, y))),
                (u128::from(a) + u128::from(b)) % p
            );
            assert_eq!(field.add(field.sub(x, y), y), x);
            if a > 0 {
                assert_eq!(field.mul(x, field.inverse(x)), field.one());
            }
        }
        let largest = field.element(1).max(field.p - 1);
        let sum = u128::from(largest) * u128::from(largest) * MAX_LAZY_PRODUCTS as u128;
        let slow =
            (0..MAX_LAZY_PRODUCTS).fold(0, |sum, _| field.add(sum, field.mul(largest, largest)));
        assert_eq!(field.reduce(sum), slow);
    }

    #[test]
    fn roots_have_their_order() {
        let field = Field::descending(60).next().unwrap();
        let root = field.root_of_unity(60);
        let order = (1..=60).find(|&k| field.pow(root, k) == field.one());
        assert_eq!(order, Some(60));
    }
}
