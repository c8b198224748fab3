//! Every value and how many strips have it.

use num_bigint::BigUint;

use crate::CountError;
use crate::distinct::{largest_twice_mean, least_squares};
use crate::modular::series::add_product;
use crate::modular::{Crt, Field, MAX_LAZY_PRODUCTS, fields};
use crate::point::{Point, Points, Powers, divided_powers};
use crate::threads::in_parallel;

/// A value of hopless strips and the number of strips that have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueCount {
    /// Twice the mean.
    pub twice_mean: i64,
    /// The swings that survive, twice the half-swings h₁ > h₂ > … ≥ 0. None: the value is the integer `twice_mean`/2.
    pub swings: Vec<u32>,
    /// How many strips of n squares; never 0.
    pub strips: BigUint,
}

/// The most squares for [`distribution`]; there are 451,283 values at 40.
pub const MAX_DISTRIBUTION_SQUARES: u32 = 50;

/// The values of all strips of `squares` squares: by swings, sets with a larger swing later (compared from the
/// largest down), then by mean. Some 3 seconds of one core for 40 squares.
pub fn distribution(squares: u32, threads: usize) -> Result<Vec<ValueCount>, CountError> {
    if squares > MAX_DISTRIBUTION_SQUARES {
        return Err(CountError::DistributionTooLarge {
            squares,
            limit: MAX_DISTRIBUTION_SQUARES,
        });
    }
    Ok(values(squares as usize, threads))
}

fn values(n: usize, threads: usize) -> Vec<ValueCount> {
    let sets = sets(n);
    // Twice the mean lies between −n²/2 and n²/2.
    let points = Points::to_tell_apart(n * n + 1);
    let fields = fields(points.order as u64, n);
    let roots: Vec<_> = fields
        .iter()
        .map(|&field| Powers::roots(field, points.order))
        .collect();
    let leaves = in_parallel(threads, fields.len() * points.len(), |piece| {
        let (i, k) = (piece / points.len(), piece % points.len());
        Walk::at(fields[i], &Powers::of(&roots[i], k), n)
    });
    let cosines: Vec<Vec<u64>> = fields
        .iter()
        .zip(&roots)
        .map(|(&field, roots)| cosines(field, roots))
        .collect();
    let crt = Crt::new(&fields);
    let of_set = |at: usize| {
        let largest = largest_twice_mean(&sets[at], n);
        let values: Vec<Vec<u64>> = (0..fields.len())
            .map(|i| {
                points.weighted(
                    fields[i],
                    (0..points.len()).map(|k| leaves[i * points.len() + k][at]),
                )
            })
            .collect();
        let half: Vec<BigUint> = (largest % 2..=largest)
            .step_by(2)
            .map(|exponent| {
                let residue =
                    |i: usize| points.coefficient(fields[i], &cosines[i], &values[i], exponent);
                crt.integer(&(0..fields.len()).map(residue).collect::<Vec<_>>())
            })
            .collect();
        let mirrored = half
            .iter()
            .rev()
            .take(half.len() - usize::from(largest.is_multiple_of(2)));
        let means = (-(largest as i64)..=largest as i64).step_by(2);
        means
            .zip(mirrored.chain(&half))
            .map(|(twice_mean, strips)| ValueCount {
                twice_mean,
                swings: sets[at].clone(),
                strips: strips.clone(),
            })
            .collect::<Vec<_>>()
    };
    let mut order: Vec<usize> = (0..sets.len()).collect();
    order.sort_by(|&a, &b| sets[a].cmp(&sets[b]));
    in_parallel(threads, order.len(), |i| of_set(order[i]))
        .into_iter()
        .flatten()
        .collect()
}

/// ωᵗ + ω⁻ᵗ, by t.
fn cosines(field: Field, roots: &[u64]) -> Vec<u64> {
    (0..roots.len())
        .map(|t| field.add(roots[t], roots[(roots.len() - t) % roots.len()]))
        .collect()
}

impl Points {
    /// The values at the points, each as often as all points need it, over the order.
    fn weighted(&self, field: Field, values: impl Iterator<Item = u64>) -> Vec<u64> {
        let of_order = field.inverse(field.element(self.order as u64));
        let weight = |k: usize| field.mul(field.element(self.weight(k) / 2), of_order);
        values
            .enumerate()
            .map(|(k, value)| field.mul(value, weight(k)))
            .collect()
    }

    /// The coefficient of q^exponent, from [`Self::weighted`] and the ωᵗ + ω⁻ᵗ.
    fn coefficient(&self, field: Field, cosines: &[u64], weighted: &[u64], exponent: usize) -> u64 {
        let mut t = 0;
        weighted.chunks(MAX_LAZY_PRODUCTS).fold(0, |sum, part| {
            let mut products = 0;
            for &value in part {
                products += u128::from(value) * u128::from(cosines[t]);
                t = (t + exponent) % self.order;
            }
            field.add(sum, field.reduce(products))
        })
    }
}

/// The sets of swings that survive in some strip of n squares, in the order of [`Walk`].
fn sets(n: usize) -> Vec<Vec<u32>> {
    fn visit(n: usize, below: usize, chosen: &mut Vec<u32>, out: &mut Vec<Vec<u32>>) {
        for s in (0..below).rev() {
            if least_squares(chosen) + s + 3 <= n {
                chosen.push(s as u32);
                visit(n, s, chosen, out);
                chosen.pop();
            }
        }
        out.push(chosen.clone());
    }
    let mut out = vec![];
    visit(n, n.saturating_sub(2), &mut vec![], &mut out);
    out
}

/// By m: the strips with m odd components, over m!, and where the series begins.
type ByNumber = Vec<(Vec<u64>, usize)>;

/// The coefficients of xⁿ at one point, for one set of surviving swings after the other.
struct Walk {
    field: Field,
    n: usize,
    factorials: Vec<u64>,
    /// By swing: the powers over factorials.
    powers: Vec<Vec<Vec<u64>>>,
    ends: Vec<u64>,
    leaves: Vec<u64>,
}

impl Walk {
    fn at(field: Field, q: &Powers, n: usize) -> Vec<u64> {
        let point = Point::new(field, q, n);
        let powers = point
            .odd
            .iter()
            .enumerate()
            .map(|(s, odd)| divided_powers(field, odd, s + 3))
            .collect();
        let factorials = field.factorials(n / 3 + 1);
        let mut walk = Self {
            field,
            n,
            factorials,
            powers,
            ends: point.ends,
            leaves: vec![],
        };
        let mut one = vec![0; n + 1];
        one[0] = field.one();
        walk.visit(walk.powers.len(), vec![(one, 0)], 0);
        walk.leaves
    }

    /// All sets that agree with the choice made for the swings from `below` on, which takes `squares` at least.
    fn visit(&mut self, below: usize, mut strips: ByNumber, squares: usize) {
        for s in (0..below).rev() {
            if squares + s + 3 <= self.n {
                self.visit(s, self.times(&strips, s, 1), squares + s + 3);
            }
            if squares + 2 * (s + 3) <= self.n {
                strips = self.times(&strips, s, 0);
            }
        }
        // [xⁿ] of ends · Σ m! strips.
        let leaf =
            strips
                .iter()
                .zip(&self.factorials)
                .fold(0, |leaf, ((series, low), &factorial)| {
                    let sum = (*low..=self.n).fold(0, |sum, power| {
                        self.field.add(
                            sum,
                            self.field.mul(series[power], self.ends[self.n - power]),
                        )
                    });
                    self.field.add(leaf, self.field.mul(factorial, sum))
                });
        self.leaves.push(leaf);
    }

    /// With components of swing `s`, as many as have the given parity.
    fn times(&self, strips: &ByNumber, s: usize, parity: usize) -> ByNumber {
        let empty = || (vec![0; self.n + 1], self.n + 1);
        let mut out: ByNumber = vec![];
        for (m, (series, low)) in strips.iter().enumerate() {
            for (j, power) in self.powers[s].iter().enumerate().skip(parity).step_by(2) {
                let begins = low + j * (s + 3);
                if begins <= self.n {
                    out.resize_with(out.len().max(m + j + 1), empty);
                    let target = &mut out[m + j];
                    add_product(self.field, &mut target.0, series, *low, power, j * (s + 3));
                    target.1 = target.1.min(begins);
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_seven_squares() {
        let mut found = sets(7);
        found.sort();
        assert_eq!(
            found,
            [
                vec![],
                vec![0],
                vec![1],
                vec![1, 0],
                vec![2],
                vec![3],
                vec![4]
            ]
        );
    }

    #[test]
    fn three_squares() {
        let found: Vec<(i64, Vec<u32>, u32)> = values(3, 2)
            .into_iter()
            .map(|row| {
                (
                    row.twice_mean,
                    row.swings,
                    u32::try_from(row.strips).unwrap(),
                )
            })
            .collect();
        let integers = [(-4, 2), (-2, 3), (0, 16), (2, 3), (4, 2)];
        let mut expected: Vec<_> = integers
            .map(|(twice_mean, strips)| (twice_mean, vec![], strips))
            .into();
        expected.push((0, vec![0], 1));
        assert_eq!(found, expected);
    }
}
