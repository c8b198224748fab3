//! The order of options: by structure, never by handle.
//!
//! Numbers by value; nimbers by size; other uptimals by number, coefficients, length and nimber; then the rest by their
//! sorted Left options, then by their sorted Right options, element by element in this same order, shorter first.

use std::cmp::Ordering;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use crate::arena::{Arena, Value};
use crate::uptimal::Uptimals;

/// Options of one side in order.
pub(super) type Sorted = SmallVec<[Value; 8]>;

/// Comparisons before they are forgotten: 2^20 of 12 bytes.
const REMEMBERED: usize = 1 << 20;

/// Comparisons of values that are no uptimals, remembered.
#[derive(Default)]
pub(super) struct StructuralOrder {
    known: HashMap<(Value, Value), Ordering, FxBuildHasher>,
}

impl StructuralOrder {
    pub(super) fn compare(
        &mut self,
        arena: &Arena,
        uptimals: &mut Uptimals<'_>,
        a: Value,
        b: Value,
    ) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        if let (Some(x), Some(y)) = (arena.as_number(a), arena.as_number(b)) {
            return x.cmp(&y);
        }
        match (uptimals.get(a), uptimals.get(b)) {
            (Some(x), Some(y)) => {
                let class = |sum: &crate::uptimal::Uptimal| {
                    (!sum.is_number(), !sum.is_number() && !sum.is_nimber())
                };
                class(&x).cmp(&class(&y)).then_with(|| x.cmp(&y))
            }
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => self.compare_options(arena, uptimals, a, b),
        }
    }

    fn compare_options(
        &mut self,
        arena: &Arena,
        uptimals: &mut Uptimals<'_>,
        a: Value,
        b: Value,
    ) -> Ordering {
        if b < a {
            return self.compare_options(arena, uptimals, b, a).reverse();
        }
        if let Some(&known) = self.known.get(&(a, b)) {
            return known;
        }
        let mut ordering = Ordering::Equal;
        for is_left in [true, false] {
            let (x, y) = (
                self.sorted(arena, uptimals, a, is_left),
                self.sorted(arena, uptimals, b, is_left),
            );
            let different = x
                .iter()
                .zip(&y)
                .map(|(&x, &y)| self.compare(arena, uptimals, x, y))
                .find(|o| o.is_ne());
            ordering = ordering.then(different.unwrap_or_else(|| x.len().cmp(&y.len())));
            if ordering.is_ne() {
                break;
            }
        }
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert((a, b), ordering);
        ordering
    }

    /// The options of one side in order.
    pub(super) fn sorted(
        &mut self,
        arena: &Arena,
        uptimals: &mut Uptimals<'_>,
        value: Value,
        is_left: bool,
    ) -> Sorted {
        let mut options: Sorted = if is_left {
            arena.left_options(value).collect()
        } else {
            arena.right_options(value).collect()
        };
        if options.len() > 1 {
            options.sort_by(|&x, &y| self.compare(arena, uptimals, x, y));
        }
        options
    }
}
