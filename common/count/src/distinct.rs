//! Different values, and where they lie.
//!
//! Strips of n squares reach the value mean ± s₁/2 ± s₂/2 …, with s₁ > s₂ > … the swings that survive, exactly when
//! r = n − Σ (sᵢ + 3) ≥ 0, twice the mean has the parity of Σ sᵢ and does not exceed Σ sᵢ + 2·max(s₁ r, ⌊r²/4⌋) in
//! magnitude (docs/MATH.md, section 7).

use num_bigint::BigUint;

/// The least squares in which all of these swings survive.
pub(crate) fn least_squares(swings: &[u32]) -> usize {
    swings.iter().map(|&swing| swing as usize + 3).sum()
}

/// The largest magnitude of twice the mean of a strip of `squares` squares in which these swings survive, the largest
/// swing first. `squares` is at least [`least_squares`].
pub(crate) fn largest_twice_mean(swings: &[u32], squares: usize) -> usize {
    let rest = squares - least_squares(swings);
    let largest = swings.first().map_or(0, |&swing| swing as usize);
    swings.iter().map(|&swing| swing as usize).sum::<usize>() + free(largest, rest)
}

/// The most that `rest` squares can add to twice the mean beside a component of swing `largest`.
fn free(largest: usize, rest: usize) -> usize {
    2 * (largest * rest).max(rest * rest / 4)
}

/// By n ≤ `max`: the number of different values of the strips of n squares. About max³/6 steps.
pub(crate) fn distinct(max: usize) -> Vec<BigUint> {
    // Sets of swings below s, by their number k and their least squares w; there are fewer than 2^80 to w = 1,000.
    let most = (0..=max).take_while(|k| k * (k + 5) / 2 <= max).count();
    let mut sets = vec![vec![0_u128; max + 1]; most];
    sets[0][0] = 1;
    // Without a swing twice the mean is an even number: 2⌊n²/4⌋ + 1 values.
    let mut values: Vec<u128> = (0..=max).map(|n| free(0, n) as u128 + 1).collect();
    for s in 0..(max + 1).saturating_sub(3) {
        // Those with the largest swing s: how many, and the sum of 1 + Σ sᵢ over them.
        let mut count = vec![0_u128; max + 1];
        let mut around_zero = vec![0_u128; max + 1];
        for k in (1..most).rev() {
            for w in s + 3..=max {
                let more = sets[k - 1][w - s - 3];
                sets[k][w] += more;
                count[w] += more;
                // Σ sᵢ = w − 3k, where there is such a set at all.
                around_zero[w] += more * (1 + w.saturating_sub(3 * k)) as u128;
            }
        }
        for w in s + 3..=max {
            if count[w] > 0 {
                for (rest, values) in values[w..].iter_mut().enumerate() {
                    *values += around_zero[w] + count[w] * free(s, rest) as u128;
                }
            }
        }
    }
    values.into_iter().map(BigUint::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_counts() {
        let expected: [u32; 11] = [1, 1, 3, 6, 12, 23, 41, 70, 113, 180, 276];
        assert_eq!(distinct(10), expected.map(BigUint::from));
    }

    #[test]
    fn extremes() {
        assert_eq!(largest_twice_mean(&[], 9), 40);
        assert_eq!(largest_twice_mean(&[0], 3), 0);
        assert_eq!(largest_twice_mean(&[4, 0], 11), 4 + 8);
        assert_eq!(largest_twice_mean(&[1], 14), 1 + 2 * 25);
    }
}
