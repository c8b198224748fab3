//! Classes: strips with equally many squares, toads and frogs.
//!
//! A move changes none of the three numbers, so a class is closed under play; the classes of n squares partition the
//! 3^n strips.

use crate::error::{Result, StripError};
use crate::rank::Counts;
use crate::strip::Strip;
use std::fmt;

/// The most squares of a class. All 3^40 strips still count in a `u64`, so no size and no sum of sizes overflows.
pub const MAX_CLASS_SQUARES: usize = 40;

/// All strips of `n` squares with so many toads and frogs; ordered by (n, toads, frogs).
///
/// [`Class::new`] checks that `toads + frogs ≤ n ≤ 40`; a class put together by hand must obey it too, or the methods
/// panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class {
    /// Squares, at most [`MAX_CLASS_SQUARES`].
    pub n: u8,
    /// Toads.
    pub toads: u8,
    /// Frogs.
    pub frogs: u8,
}

impl Class {
    /// The class of these counts, or [`StripError::ClassOutOfRange`].
    pub fn new(squares: usize, toads: usize, frogs: usize) -> Result<Self> {
        let fits = squares <= MAX_CLASS_SQUARES && toads <= squares && frogs <= squares - toads;
        if !fits {
            return Err(StripError::ClassOutOfRange {
                squares,
                toads,
                frogs,
            });
        }
        Ok(Self {
            n: squares as u8,
            toads: toads as u8,
            frogs: frogs as u8,
        })
    }

    /// Blanks: what is neither toad nor frog.
    pub fn blanks(self) -> u8 {
        self.n - self.toads - self.frogs
    }

    /// How many strips: n! / (toads! frogs! blanks!).
    pub fn size(self) -> u64 {
        Counts::of(self).arrangements()
    }

    /// How many *core strips*: those without a dead end, which start with `T` or `.` and end with `F` or `.`.
    /// The class without squares has one, the empty strip.
    pub fn core_size(self) -> u64 {
        Counts::of(self).core_arrangements()
    }

    /// The class of the mirror images: toads and frogs change places.
    #[must_use]
    pub fn mirror(self) -> Self {
        Self {
            n: self.n,
            toads: self.frogs,
            frogs: self.toads,
        }
    }

    /// Whether there are at least as many toads as frogs. Of a class and its mirror one is like this, or both are and
    /// they are the same class; the census computes these and mirrors them.
    pub fn is_computed(self) -> bool {
        self.toads >= self.frogs
    }

    /// All (n + 1)(n + 2) / 2 classes of n squares, by (toads, frogs). Nothing past [`MAX_CLASS_SQUARES`].
    pub fn all(n: u8) -> impl Iterator<Item = Self> {
        let fits = usize::from(n) <= MAX_CLASS_SQUARES;
        (0..=n)
            .filter(move |_| fits)
            .flat_map(move |toads| (0..=n - toads).map(move |frogs| Self { n, toads, frogs }))
    }

    /// The classes of n squares with at least as many toads as frogs: with their mirrors they are all.
    pub fn computed(n: u8) -> impl Iterator<Item = Self> {
        Self::all(n).filter(|class| class.is_computed())
    }

    /// Its strips in rank order, which is index order.
    pub fn strips(self) -> Strips {
        self.strips_from(0)
    }

    /// Its strips in rank order, from a rank on; none from [`Class::size`] on.
    pub fn strips_from(self, rank: u64) -> Strips {
        Strips {
            next: (rank < self.size()).then(|| self.unrank(rank)),
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n={} toads={} frogs={}", self.n, self.toads, self.frogs)
    }
}

/// The strips of a class in rank order; made by [`Class::strips`].
#[derive(Clone, Debug)]
pub struct Strips {
    next: Option<Strip>,
}

impl Iterator for Strips {
    type Item = Strip;

    fn next(&mut self) -> Option<Strip> {
        let strip = self.next.take()?;
        let mut successor = strip.clone();
        if successor.next_in_class() {
            self.next = Some(successor);
        }
        Some(strip)
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, MAX_CLASS_SQUARES};
    use crate::Strip;

    #[test]
    fn classes_partition_the_strips() {
        for n in 0..=MAX_CLASS_SQUARES as u8 {
            let all: Vec<_> = Class::all(n).collect();
            assert_eq!(all.len(), (usize::from(n) + 1) * (usize::from(n) + 2) / 2);
            assert!(all.is_sorted_by(|a, b| a < b));
            assert_eq!(
                all.iter().map(|class| class.size()).sum::<u64>(),
                3_u64.pow(n.into())
            );
        }
        assert_eq!(Class::all(41).count(), 0);
    }

    #[test]
    fn computed_classes_and_their_mirrors_are_all_classes() {
        for n in 0..=12 {
            let mut both: Vec<_> = Class::computed(n)
                .flat_map(|class| [class, class.mirror()])
                .collect();
            both.sort_unstable();
            both.dedup();
            assert!(both.into_iter().eq(Class::all(n)));
        }
    }

    #[test]
    fn core_strips_with_dead_ends_put_back_are_all_strips() {
        for class in (0..=20).flat_map(Class::all) {
            let mut total = 0;
            for frogs in 0..=class.frogs {
                for toads in 0..=class.toads {
                    let core = Class {
                        n: class.n - frogs - toads,
                        toads: class.toads - toads,
                        frogs: class.frogs - frogs,
                    };
                    total += core.core_size();
                }
            }
            assert_eq!(total, class.size(), "{class}");
        }
    }

    #[test]
    fn counts_that_do_not_fit_are_refused() {
        assert!(Class::new(3, 2, 2).is_err());
        assert!(Class::new(41, 0, 0).is_err());
        assert!(Class::new(3, usize::MAX, 1).is_err());
        assert_eq!(
            Class::new(3, 1, 2),
            Ok(Class {
                n: 3,
                toads: 1,
                frogs: 2
            })
        );
    }

    #[test]
    fn strips_come_in_index_order() {
        for n in 0..=8 {
            let mut seen = 0;
            for class in Class::all(n) {
                let strips: Vec<_> = class.strips().collect();
                assert!(strips.is_sorted_by(|a, b| a < b));
                assert!(strips.iter().all(|strip| strip.class() == class));
                assert_eq!(strips.len() as u64, class.size());
                seen += strips.len();
                assert!(
                    class
                        .strips_from(class.size() / 2)
                        .eq(strips[strips.len() / 2..].iter().cloned())
                );
                assert_eq!(class.strips_from(class.size()).next(), None);
            }
            assert_eq!(seen, 3_usize.pow(n.into()));
        }
        assert_eq!(Strip::default().class().strips().count(), 1);
    }
}
