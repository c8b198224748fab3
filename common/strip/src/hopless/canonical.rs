//! The canonical form of a closed form, handed to the caller from the leaves up.

use super::closed_form::ClosedForm;
use std::fmt;
use thiserror::Error;

/// The canonical form is larger than the caller allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the canonical form of this value has more than {limit} {what}; use its closed form, or raise the limit"
)]
pub struct TooLarge {
    /// What was counted: `leaves` or `subpositions`.
    pub what: &'static str,
    /// The most that was allowed.
    pub limit: usize,
}

/// Why [`ClosedForm::fold`] stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FoldError<E> {
    /// Too many subpositions; the builder was not called.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The builder failed.
    #[error("building the canonical form failed")]
    Build(#[source] E),
}

/// Twice the number in a node mean' ± h₍d+1₎ …, for every depth d: ascending, without repetition.
type Levels = Vec<Vec<i64>>;

impl ClosedForm {
    /// Builds the canonical form bottom-up: `integer(x)` for every leaf, `switch(l, r)` for every node {l | r} above.
    ///
    /// Every *different* subposition is built once, integers first, in ascending order, the value itself last.
    /// The tree has 2^k leaves, but a node at depth d is known by its number alone, and these numbers are
    /// integers in a short range: there are at most (k + 1)(s₁ + … + sₖ + 1), so even values whose text would
    /// fill a disk can be built. n∗ comes as `switch(n, n)`. Integers count as one subposition each, whatever
    /// their own options.
    ///
    /// Refuses, before the first call of a closure, when there are more than `limit` subpositions.
    ///
    /// ```
    /// use toads_strip::{Strip, hopless};
    /// let form = hopless::analyse(&Strip::parse("TT.FFT.F")?);
    /// let text = form.fold(100, |n| Ok::<_, ()>(n.to_string()), |l, r| Ok(format!("{{{l}|{r}}}")));
    /// assert_eq!(text.unwrap(), "{{1|1}|{-1|-1}}");
    /// # Ok::<(), toads_strip::StripError>(())
    /// ```
    pub fn fold<V: Clone, E>(
        &self,
        limit: usize,
        integer: impl FnMut(i64) -> Result<V, E>,
        mut switch: impl FnMut(V, V) -> Result<V, E>,
    ) -> Result<V, FoldError<E>> {
        let levels = self.levels(limit)?;
        let leaves = levels
            .last()
            .expect("there is at least the level of the value itself");
        let halved = leaves.iter().map(|twice| twice / 2);
        let mut below: Vec<V> = halved
            .map(integer)
            .collect::<Result<_, E>>()
            .map_err(FoldError::Build)?;
        for (pair, &swing) in levels.windows(2).zip(self.swings()).rev() {
            let option = |twice: i64| {
                let at = pair[1]
                    .binary_search(&twice)
                    .expect("both options of a node are on the next level");
                below[at].clone()
            };
            let nodes = pair[0]
                .iter()
                .map(|&twice| switch(option(twice + swing), option(twice - swing)));
            below = nodes.collect::<Result<_, E>>().map_err(FoldError::Build)?;
        }
        Ok(below
            .pop()
            .expect("the level of the value itself has one node"))
    }

    /// How many different subpositions the canonical form has, itself included and each integer counted once;
    /// refuses when there are more than `limit`.
    pub fn subpositions(&self, limit: usize) -> Result<usize, TooLarge> {
        self.levels(limit)
            .map(|levels| levels.iter().map(Vec::len).sum())
    }

    /// The canonical form as nested braces, `{{2|1}|{0|-1*}}`, if it has at most `max_leaves` leaves. A switch
    /// {n|n} is `n*`.
    pub fn canonical_tree(&self, max_leaves: usize) -> Result<CanonicalTree<'_>, TooLarge> {
        match self.number_of_leaves() {
            Some(leaves) if leaves <= max_leaves as u128 => Ok(CanonicalTree { form: self }),
            _ => Err(TooLarge {
                what: "leaves",
                limit: max_leaves,
            }),
        }
    }

    fn levels(&self, limit: usize) -> Result<Levels, TooLarge> {
        let mut levels = vec![vec![self.mean().twice()]];
        let mut count = 1;
        for &swing in self.swings() {
            let last = &levels[levels.len() - 1];
            let mut next: Vec<i64> = last
                .iter()
                .flat_map(|&twice| [twice - swing, twice + swing])
                .collect();
            next.sort_unstable();
            next.dedup();
            count += next.len();
            if count > limit {
                return Err(TooLarge {
                    what: "subpositions",
                    limit,
                });
            }
            levels.push(next);
        }
        if limit == 0 {
            Err(TooLarge {
                what: "subpositions",
                limit,
            })
        } else {
            Ok(levels)
        }
    }
}

/// A canonical form small enough to write; made by [`ClosedForm::canonical_tree`], printed by `Display`.
#[derive(Clone, Copy, Debug)]
pub struct CanonicalTree<'a> {
    form: &'a ClosedForm,
}

impl fmt::Display for CanonicalTree<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_node(f, self.form.mean().twice(), self.form.swings())
    }
}

fn write_node(f: &mut fmt::Formatter<'_>, twice: i64, swings: &[i64]) -> fmt::Result {
    match swings {
        [] => write!(f, "{}", twice / 2),
        [0] if twice == 0 => f.write_str("*"),
        [0] => write!(f, "{}*", twice / 2),
        [swing, cooler @ ..] => {
            f.write_str("{")?;
            write_node(f, twice + swing, cooler)?;
            f.write_str("|")?;
            write_node(f, twice - swing, cooler)?;
            f.write_str("}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FoldError, TooLarge};
    use crate::{Strip, hopless};

    fn tree(text: &str) -> String {
        let form = hopless::analyse(&Strip::parse(text).unwrap());
        form.canonical_tree(1000).unwrap().to_string()
    }

    #[test]
    fn trees() {
        assert_eq!(tree("T."), "1");
        assert_eq!(tree("T.F"), "*");
        assert_eq!(tree("TT.F"), "{1|0}");
        assert_eq!(tree("TT.FFT.F"), "{1*|-1*}");
        assert_eq!(tree("TTT.FFTT.F"), "{{3|2}|{0|-1}}");
    }

    #[test]
    fn limits_are_kept() {
        let form = hopless::analyse(&Strip::parse("TTT.FFTT.F").unwrap());
        assert_eq!(
            form.canonical_tree(3).unwrap_err(),
            TooLarge {
                what: "leaves",
                limit: 3
            }
        );
        assert!(form.canonical_tree(4).is_ok());
        assert_eq!(form.subpositions(100), Ok(7));
        assert_eq!(
            form.subpositions(6),
            Err(TooLarge {
                what: "subpositions",
                limit: 6
            })
        );
        let refused = form.fold(
            6,
            |_| -> Result<(), ()> { panic!("called") },
            |(), ()| Ok(()),
        );
        assert!(matches!(refused, Err(FoldError::TooLarge(_))));
        let failed = form.fold(7, Ok::<i64, i64>, |left, _| Err(left));
        assert_eq!(failed, Err(FoldError::Build(0)));
        let number = hopless::analyse(&Strip::parse("T.").unwrap());
        assert_eq!(
            (number.subpositions(1), number.subpositions(0).is_err()),
            (Ok(1), true)
        );
    }

    #[test]
    fn a_form_with_two_to_the_forty_two_leaves_is_built_quickly() {
        // One component of every size from three squares on, as many as fit: swings 0, 1, 2, ..., 41.
        let text = (1..=42)
            .map(|toads| format!("T{toads}.F"))
            .collect::<Vec<_>>()
            .concat();
        let strip = Strip::parse(&text).unwrap();
        assert_eq!(strip.len(), 987);
        let form = hopless::analyse(&strip);
        assert_eq!(form.number_of_leaves(), Some(1 << 42));
        let mut nodes = 0;
        let stop = form.fold(
            100_000,
            |integer| Ok::<_, ()>((integer, integer)),
            |left: (i64, i64), right: (i64, i64)| {
                nodes += 1;
                Ok((left.1, right.0))
            },
        );
        assert_eq!(stop, Ok((form.left_stop(), form.right_stop())));
        assert!(nodes < 40_000, "{nodes}");
    }
}
