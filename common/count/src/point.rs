//! All components at one value of q, which marks twice the mean.
//!
//! A strip whose mean is μ counts q^(2μ). A blank that i toads will cross counts x q²ⁱ, one that i frogs will cross
//! x q⁻²ⁱ, one in the contested gap of a toads and b frogs x qᵃ⁻ᵇ.

use crate::modular::Field;
use crate::modular::series::{
    divide_by_one_less, divide_by_one_less_series, partial_sums, product, shift,
};

/// The q that are needed: the k-th powers of a primitive root of unity of order `order`, a multiple of 4.
///
/// What is summed over them, f(q)·w(q), is the same at q, 1/q (mirror images have opposite means) and −q (the parity of
/// twice the mean is that of the sum of the surviving swings), so 0 ≤ k ≤ order/4 are enough.
pub(crate) struct Points {
    pub(crate) order: usize,
}

impl Points {
    /// Enough to tell apart exponents that differ by less than `range`.
    pub(crate) fn to_tell_apart(range: usize) -> Self {
        Self {
            order: range.next_multiple_of(4).max(4),
        }
    }

    /// How many.
    pub(crate) fn len(&self) -> usize {
        self.order / 4 + 1
    }

    /// How many of all points the k-th stands for.
    pub(crate) fn weight(&self, k: usize) -> u64 {
        if k == 0 || k == self.order / 4 { 2 } else { 4 }
    }
}

/// The powers … q⁻¹, q⁰, q¹, …
pub(crate) struct Powers {
    order: usize,
    k: usize,
    /// ω⁰, ω¹, …
    roots: std::sync::Arc<[u64]>,
}

impl Powers {
    /// Powers of ω, for [`Self::of`].
    pub(crate) fn roots(field: Field, order: usize) -> std::sync::Arc<[u64]> {
        let root = field.root_of_unity(order as u64);
        std::iter::successors(Some(field.one()), |&power| Some(field.mul(power, root)))
            .take(order)
            .collect()
    }

    /// Powers of q = ωᵏ.
    pub(crate) fn of(roots: &std::sync::Arc<[u64]>, k: usize) -> Self {
        Self {
            order: roots.len(),
            k,
            roots: roots.clone(),
        }
    }

    /// q^exponent.
    pub(crate) fn get(&self, exponent: i64) -> u64 {
        self.roots[(exponent * self.k as i64).rem_euclid(self.order as i64) as usize]
    }
}

/// The generating functions of strips at one q, as series in x up to x^max.
///
/// With uₛ for an odd component of swing s, all strips together are `ends` · Σₘ (Σₛ uₛ odd[s])ᵐ.
pub(crate) struct Point {
    /// What stands at both ends, and before, between and after odd components: any even components.
    pub(crate) ends: Vec<u64>,
    /// By swing s: odd components of this swing, with the even components and the blanks up to the next one. Begins at x^(s+3).
    pub(crate) odd: Vec<Vec<u64>>,
}

impl Point {
    /// About max³ steps.
    pub(crate) fn new(field: Field, q: &Powers, max: usize) -> Self {
        let (mut even, mut odd) = (
            vec![0; max + 1],
            vec![vec![0; max + 1]; (max + 1).saturating_sub(3)],
        );
        // x^b Π 1/(1 − x q^(−2i)), i < b: b frogs and the gaps between them.
        let mut frogs = vec![0; max + 1];
        frogs[0] = field.one();
        for b in 1..max {
            if b > 1 {
                divide_by_one_less(field, &mut frogs, q.get(2 - 2 * b as i64), 1);
            }
            shift(&mut frogs);
            // From x^(a + b) on.
            let mut block = frogs[b..].to_vec();
            for a in 1..=max - b {
                if a > 1 {
                    divide_by_one_less(field, &mut block, q.get(2 * a as i64 - 2), 1);
                }
                block.pop();
                let advantage = a as i64 - b as i64;
                let mut component = block.clone();
                divide_by_one_less(field, &mut component, q.get(2 * advantage), 2);
                add(field, &mut even[a + b..], &component);
                if a + b < max {
                    let one_more = q.get(advantage);
                    component.pop();
                    for count in &mut component {
                        *count = field.mul(*count, one_more);
                    }
                    add(field, &mut odd[a + b - 2][a + b + 1..], &component);
                }
            }
        }
        // Blanks nobody will cross stand on one side of every component.
        partial_sums(field, &mut even);
        for (s, odd) in odd.iter_mut().enumerate() {
            partial_sums(field, &mut odd[s + 3..]);
            divide_by_one_less_series(field, odd, &even);
        }
        let mut ends = product(
            field,
            &one_sided(field, q, max, 1),
            &one_sided(field, q, max, -1),
        );
        partial_sums(field, &mut ends);
        divide_by_one_less_series(field, &mut ends, &even);
        Self { ends, odd }
    }
}

/// 1 + Σ xᵃ Π 1/(1 − x q^(2i·sign)), i ≤ a: the pieces of one kind that meet no enemy, up to the edge.
fn one_sided(field: Field, q: &Powers, max: usize, sign: i64) -> Vec<u64> {
    let mut pieces = vec![0; max + 1];
    pieces[0] = field.one();
    let mut sum = pieces.clone();
    for a in 1..=max {
        divide_by_one_less(field, &mut pieces, q.get(2 * sign * a as i64), 1);
        shift(&mut pieces);
        add(field, &mut sum, &pieces);
    }
    sum
}

fn add(field: Field, sum: &mut [u64], term: &[u64]) {
    for (sum, &term) in sum.iter_mut().zip(term) {
        *sum = field.add(*sum, term);
    }
}

/// The powers Pʲ/j! of a series that begins at x^low, for j = 0, 1, … as far as they are not 0.
pub(crate) fn divided_powers(field: Field, series: &[u64], low: usize) -> Vec<Vec<u64>> {
    let mut one = vec![0; series.len()];
    one[0] = field.one();
    let mut powers = vec![one];
    for j in 1..=(series.len() - 1) / low {
        let mut next = vec![0; series.len()];
        crate::modular::series::add_product(
            field,
            &mut next,
            &powers[j - 1],
            (j - 1) * low,
            series,
            low,
        );
        let inverse = field.inverse(field.element(j as u64));
        for coefficient in &mut next {
            *coefficient = field.mul(*coefficient, inverse);
        }
        powers.push(next);
    }
    powers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_one_all_strips_are_counted() {
        let field = Field::descending(4).next().unwrap();
        let max = 20;
        let point = Point::new(field, &Powers::of(&Powers::roots(field, 4), 0), max);
        let mut any_odd = vec![0; max + 1];
        point
            .odd
            .iter()
            .for_each(|odd| add(field, &mut any_odd, odd));
        let mut all = point.ends;
        divide_by_one_less_series(field, &mut all, &any_odd);
        let strips: Vec<u64> = all.into_iter().map(|count| field.integer(count)).collect();
        let powers: Vec<u64> = (0..=max as u32).map(|n| 3_u64.pow(n)).collect();
        assert_eq!(strips, powers);
    }
}
