//! Strips by outcome, and strips worth 0.
//!
//! Let s₁ > s₂ > … > sₖ be the swings that survive and α = s₁ − s₂ + s₃ − … . The stops are (2μ ± α)/2, and whoever begins
//! wins exactly when |2μ| < α (k even) or |2μ| ≤ α (k odd). Besides these N there are the zeros, P: k = 0 and μ = 0; the
//! others are L and R in equal numbers (mirror images).
//!
//! At every point q the strips are sorted by α and the parity of k, one swing after another, largest first:
//! a swing that survives changes α by ± s, and a swing that cancels does not. As in [`crate::numbers`], exponential
//! generating functions in the number m of odd components do the interleaving. The parity of k is that of m.

use num_bigint::BigUint;

use crate::modular::series::{add_product, product};
use crate::modular::{Crt, Field, fields};
use crate::point::{Point, Points, Powers, divided_powers};
use crate::threads::in_parallel;

/// By n ≤ `max`: the strips that whoever begins wins (N), and those worth 0 (P).
pub(crate) struct FirstPlayerWins {
    pub(crate) first_player: Vec<BigUint>,
    pub(crate) zeros: Vec<BigUint>,
}

/// By n ≤ `max`: N and P. About max²/8 points for each 34 squares, each of some max⁴ steps with a small constant.
pub(crate) fn first_player_wins(max: usize, threads: usize) -> FirstPlayerWins {
    let mut columns = count(max, true, threads);
    let zeros = columns.pop().expect("two columns");
    let first_player = columns.pop().expect("two columns");
    FirstPlayerWins {
        first_player,
        zeros,
    }
}

/// By n ≤ `max`: the strips worth 0. As [`first_player_wins`], with far fewer steps a point.
pub(crate) fn zeros(max: usize, threads: usize) -> Vec<BigUint> {
    count(max, false, threads).pop().expect("two columns")
}

fn count(max: usize, outcomes: bool, threads: usize) -> Vec<Vec<BigUint>> {
    // Twice the mean is at most max²/2 in magnitude; it must not be taken for one in the window, which α < max bounds.
    let points = Points::to_tell_apart(max * max / 2 + max + 1);
    let fields = fields(points.order as u64, max);
    let roots: Vec<_> = fields
        .iter()
        .map(|&field| Powers::roots(field, points.order))
        .collect();
    let pieces = in_parallel(threads, fields.len() * points.len(), |piece| {
        let (i, k) = (piece / points.len(), piece % points.len());
        let mut sorted = Sorted::new(fields[i], max, outcomes);
        sorted.at(&Powers::of(&roots[i], k))
    });
    let crt = Crt::new(&fields);
    let integer = |column: usize, n: usize| {
        let residue = |i: usize| {
            let field = fields[i];
            let sum = (0..points.len()).fold(0, |sum, k| {
                let weight = field.element(points.weight(k));
                field.add(
                    sum,
                    field.mul(weight, pieces[i * points.len() + k][column][n]),
                )
            });
            field.mul(sum, field.inverse(field.element(points.order as u64)))
        };
        crt.integer(&(0..fields.len()).map(residue).collect::<Vec<_>>())
    };
    (0..2)
        .map(|column| (0..=max).map(|n| integer(column, n)).collect())
        .collect()
}

/// The strips at one point, by α and m.
struct Sorted {
    field: Field,
    max: usize,
    /// Values of α: 0 to max − 3, or 0 alone.
    alphas: usize,
    /// Numbers of odd components: 0 to max/3.
    ms: usize,
    /// The series of (α, m) at [α·ms + m].
    series: Vec<Vec<u64>>,
    /// Where they begin; `max + 1` for 0.
    low: Vec<usize>,
}

impl Sorted {
    fn new(field: Field, max: usize, outcomes: bool) -> Self {
        let alphas = if outcomes {
            max.saturating_sub(2).max(1)
        } else {
            1
        };
        let ms = max / 3 + 1;
        let mut series = vec![vec![0; max + 1]; alphas * ms];
        let mut low = vec![max + 1; alphas * ms];
        (series[0][0], low[0]) = (field.one(), 0);
        Self {
            field,
            max,
            alphas,
            ms,
            series,
            low,
        }
    }

    /// What this point contributes to N and P, by n.
    fn at(&mut self, q: &Powers) -> [Vec<u64>; 2] {
        let point = Point::new(self.field, q, self.max);
        for (s, odd) in point.odd.iter().enumerate().rev() {
            self.take(s, &divided_powers(self.field, odd, s + 3));
        }
        let mut sums = [vec![0; self.max + 1], vec![0; self.max + 1]];
        let factorials = self.field.factorials(self.ms);
        for alpha in 0..self.alphas {
            for (m, &factorial) in factorials.iter().enumerate().take(self.ms) {
                let at = alpha * self.ms + m;
                let window = self.window(q, alpha as i64, m);
                let all = if alpha == 0 && m % 2 == 0 {
                    self.field.one()
                } else {
                    0
                };
                for (sum, weight) in sums.iter_mut().zip([window, all]) {
                    let weight = self.field.mul(weight, factorial);
                    if weight != 0 {
                        let low = self.low[at];
                        for (sum, &count) in sum[low..].iter_mut().zip(&self.series[at][low..]) {
                            *sum = self.field.add(*sum, self.field.mul(weight, count));
                        }
                    }
                }
            }
        }
        sums.map(|sum| product(self.field, &sum, &point.ends))
    }

    /// Σ q^e over the e = 2μ with which whoever begins wins: of the parity of α, at most α or, for even m, α − 2.
    fn window(&self, q: &Powers, alpha: i64, m: usize) -> u64 {
        let widest = if m % 2 == 1 { alpha } else { alpha - 2 };
        (-widest..=widest)
            .step_by(2)
            .fold(0, |sum, e| self.field.add(sum, q.get(e)))
    }

    /// Lets components of swing `s`, smaller than all before, come in: `powers[j]` for j of them.
    fn take(&mut self, s: usize, powers: &[Vec<u64>]) {
        let size = s + 3;
        // Every term comes from a smaller m, which has its old content as long as the largest m come first.
        for m in (1..=self.max / size).rev() {
            for alpha in 0..self.alphas {
                for (j, power) in powers.iter().enumerate().take(m + 1).skip(1) {
                    let before = m - j;
                    let source = match (j % 2, before % 2) {
                        (0, _) => Some(alpha),
                        _ if self.alphas == 1 => None,
                        (_, 0) => alpha.checked_sub(s),
                        _ => Some(alpha + s).filter(|&source| source < self.alphas),
                    };
                    let Some(source) = source else { continue };
                    let (source, target) = (source * self.ms + before, alpha * self.ms + m);
                    let low = self.low[source] + j * size;
                    if low <= self.max {
                        self.low[target] = self.low[target].min(low);
                        let mut out = std::mem::take(&mut self.series[target]);
                        add_product(
                            self.field,
                            &mut out,
                            &self.series[source],
                            self.low[source],
                            power,
                            j * size,
                        );
                        self.series[target] = out;
                    }
                }
            }
        }
    }
}
