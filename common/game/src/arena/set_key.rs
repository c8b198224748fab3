//! Fingerprints of option sets.

use super::Value;

/// A 128-bit fingerprint of an option set, independent of the order of the options.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(super) struct SetKey {
    pub(super) a: u64,
    pub(super) b: u64,
}

/// The options of one player in two words. One or two options are these words; sums of scrambled handles stand for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SideKey {
    a: u64,
    b: u64,
}

impl SideKey {
    /// One option twice, or two.
    #[inline]
    pub(super) fn of_two(first: Value, second: Value) -> Self {
        let (least, most) = (first.0.min(second.0), first.0.max(second.0));
        Self {
            a: u64::from(least) << 32 | u64::from(most),
            b: 0,
        }
    }

    /// Any number of options, in any order, none of them twice.
    pub(super) fn of(mut options: impl ExactSizeIterator<Item = Value>) -> Self {
        match options.len() {
            // No value has the handle u32::MAX.
            0 => Self { a: u64::MAX, b: 0 },
            1 | 2 => {
                let first = options.next().expect("there is one");
                Self::of_two(first, options.next().unwrap_or(first))
            }
            _ => {
                let (mut a, mut b) = (0u64, 0u64);
                for option in options {
                    // A bijection, and what its high half makes of its low one.
                    let x = (u64::from(option.0) ^ 0x243f_6a88_85a3_08d3)
                        .wrapping_mul(0xbf58_476d_1ce4_e5b9);
                    let x = (x ^ x >> 32).wrapping_mul(0x94d0_49bb_1331_11eb);
                    a = a.wrapping_add(x);
                    b = b.wrapping_add(x ^ x >> 29);
                }
                Self { a, b: b | 1 }
            }
        }
    }
}

impl SetKey {
    /// Of the options of Left and of Right.
    #[inline]
    pub(super) fn of(left: SideKey, right: SideKey) -> Self {
        let a = folded(
            left.a ^ 0x243f_6a88_85a3_08d3,
            right.a ^ 0x1319_8a2e_0370_7344,
        );
        let b = folded(
            left.a ^ 0xa409_3822_299f_31d0,
            right.a ^ 0x082e_fa98_ec4e_6c89,
        );
        Self {
            a: a.wrapping_add(left.b),
            b: b.wrapping_add(right.b),
        }
    }
}

/// Both halves of a product.
#[inline]
fn folded(x: u64, y: u64) -> u64 {
    let product = u128::from(x) * u128::from(y);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(handles: &[u32]) -> SideKey {
        SideKey::of(handles.iter().map(|&handle| Value(handle)))
    }

    #[test]
    fn order_and_repetition_make_no_difference() {
        assert_eq!(side(&[7, 3]), side(&[3, 7]));
        assert_eq!(side(&[5, 9, 1]), side(&[9, 1, 5]));
        assert_eq!(side(&[4]), SideKey::of_two(Value(4), Value(4)));
    }

    #[test]
    fn different_sets_have_different_keys() {
        let mut sides = vec![side(&[])];
        for x in 0..24 {
            sides.push(side(&[x]));
            for y in 0..x {
                sides.push(side(&[x, y]));
                sides.extend((0..y).map(|z| side(&[x, y, z])));
            }
        }
        let mut keys: Vec<_> = sides
            .iter()
            .flat_map(|&left| sides.iter().map(move |&right| SetKey::of(left, right)))
            .map(|key| (key.a, key.b as u32 >> 1))
            .collect();
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count);
    }
}
