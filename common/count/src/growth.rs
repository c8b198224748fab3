//! How fast a sequence of counts grows.

use std::fmt;

use num_bigint::BigUint;

/// Decimals carried in the ratios.
const RATIO_DECIMALS: u32 = 40;

/// Decimals carried in the root.
const ROOT_DECIMALS: u32 = 12;

/// The growth rate of a sequence a(n), as its last terms tell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// a(n)/a(n − 1).
    pub ratio: Estimate,
    /// The n-th root of a(n), which converges more slowly.
    pub root: Estimate,
}

/// An estimate, printed with the decimals that can be trusted; `?` when there are none, not even the integer part.
///
/// *Honest* means: if a(n) is about C·rⁿ·n^θ, or converges faster than that, consecutive ratios differ by rθ/n² and the
/// last one is off by rθ/n. So the error of the ratio is taken to be 2n times the larger of the last two differences of
/// consecutive ratios, the error of the root twice its distance from the ratio, plus that of the ratio. A digit is
/// printed only where the error is less than half a unit of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// In units of 10^−[`RATIO_DECIMALS`].
    value: BigUint,
    /// How many decimals can be trusted.
    decimals: Option<u32>,
}

impl Estimate {
    fn new(value: BigUint, error: &BigUint) -> Self {
        let trusted = |decimals: &u32| error * 2_u32 < ten_to(RATIO_DECIMALS - decimals);
        Self {
            value,
            decimals: (0..RATIO_DECIMALS).take_while(trusted).last(),
        }
    }

    /// How many decimals can be trusted, if the integer part can.
    pub fn decimals(&self) -> Option<u32> {
        self.decimals
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(decimals) = self.decimals else {
            return f.pad("?");
        };
        let unit = ten_to(RATIO_DECIMALS - decimals);
        let rounded = (&self.value + &unit / 2_u32) / unit;
        let (integer, fraction) = (&rounded / ten_to(decimals), &rounded % ten_to(decimals));
        if decimals == 0 {
            return f.pad(&integer.to_string());
        }
        f.pad(&format!(
            "{integer}.{:0>width$}",
            fraction.to_string(),
            width = decimals as usize
        ))
    }
}

/// The growth of a(first), a(first + 1), …, from its last four terms. `None` when there are fewer or one of them is 0.
pub fn growth(first: u32, terms: &[BigUint]) -> Option<Growth> {
    let last = terms
        .last_chunk::<4>()
        .filter(|last| last.iter().all(|term| *term > BigUint::ZERO))?;
    let n = first + terms.len() as u32 - 1;
    let ratio = |at: usize| &last[at] * ten_to(RATIO_DECIMALS) / &last[at - 1];
    let (newest, before, oldest) = (ratio(3), ratio(2), ratio(1));
    let error = distance(&newest, &before).max(distance(&before, &oldest)) * 2_u32 * n;
    let root =
        (&last[3] * ten_to(ROOT_DECIMALS * n)).nth_root(n) * ten_to(RATIO_DECIMALS - ROOT_DECIMALS);
    // The root is cut off behind its last decimal.
    let root_error =
        distance(&root, &newest) * 2_u32 + &error + ten_to(RATIO_DECIMALS - ROOT_DECIMALS);
    Some(Growth {
        ratio: Estimate::new(newest, &error),
        root: Estimate::new(root, &root_error),
    })
}

fn distance(a: &BigUint, b: &BigUint) -> BigUint {
    if a > b { a - b } else { b - a }
}

fn ten_to(exponent: u32) -> BigUint {
    BigUint::from(10_u32).pow(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_three_grow_by_three() {
        let terms: Vec<BigUint> = (1..30).map(|n| BigUint::from(3_u32).pow(n)).collect();
        let found = growth(1, &terms).unwrap();
        assert_eq!(found.ratio.to_string(), format!("3.{}", "0".repeat(39)));
        assert_eq!(found.root.to_string(), "3.00000000000");
    }

    #[test]
    fn what_is_printed_is_right() {
        // 2^n n: the ratio at n is 2 + 2/(n − 1), and no digit behind the point is known at n = 50.
        let terms = |to: u32| {
            (1..=to)
                .map(|n| BigUint::from(2_u32).pow(n) * n)
                .collect::<Vec<_>>()
        };
        let coarse = growth(1, &terms(50)).unwrap();
        assert_eq!(
            (coarse.ratio.to_string(), coarse.ratio.decimals()),
            ("2".to_owned(), Some(0))
        );
        let fine = growth(1, &terms(2_000)).unwrap();
        assert_eq!(fine.ratio.to_string(), "2.00");
    }

    #[test]
    fn too_little_is_not_estimated() {
        assert_eq!(growth(1, &[1_u32, 3, 9].map(BigUint::from)), None);
        assert_eq!(growth(1, &[0_u32, 0, 1, 2].map(BigUint::from)), None);
        let wild = growth(0, &[1_u32, 100, 1, 100].map(BigUint::from)).unwrap();
        assert_eq!(wild.ratio.to_string(), "?");
    }
}
