//! The value handed to the caller from the inside out.

use super::form::{End, OneBlank, Step};
use super::number::Number;
use thiserror::Error;

/// The form has more subpositions than the caller allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the form of this value has more than {limit} subpositions; use its closed form, or raise the limit"
)]
pub struct TooLarge {
    /// The most that was allowed.
    pub limit: u64,
}

/// Why [`OneBlank::fold`] stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FoldError<E> {
    /// Too many subpositions; the builder was not called.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The builder failed.
    #[error("building the value failed")]
    Build(#[source] E),
}

impl OneBlank {
    /// Builds the value from the inside out: `number` for every number, `game(l, r)` for every {l | r}. No recursion.
    ///
    /// Refuses, before the first call, when there are more than `limit` [subpositions](Self::subpositions). The numbers 0 and a−1
    /// may be asked for again and again.
    ///
    /// ```
    /// use toads_strip::{Strip, one_blank};
    /// let form = one_blank::analyse(&Strip::parse("TTT.FTFF")?).unwrap();
    /// let text = form.fold(100, |n| Ok::<_, ()>(n.to_string()), |l, r| Ok(format!("{{{l}|{r}}}")));
    /// assert_eq!(text.unwrap(), "{{1|{0|{0|0}}}|0}");
    /// # Ok::<(), toads_strip::StripError>(())
    /// ```
    pub fn fold<V: Clone, E>(
        &self,
        limit: u64,
        number: impl FnMut(Number) -> Result<V, E>,
        game: impl FnMut(V, V) -> Result<V, E>,
    ) -> Result<V, FoldError<E>> {
        if self.subpositions() > limit {
            return Err(TooLarge { limit }.into());
        }
        let mut builder = Builder { number, game };
        let built = builder.build(self);
        built.map_err(FoldError::Build)
    }

    /// How many games {l | r} and numbers the form is made of, each counted where it stands but 0 and a−1.
    pub fn subpositions(&self) -> u64 {
        let end = match self.end {
            End::DeathLeap | End::Run { .. } => 1,
            End::Singles | End::Runs { .. } => 2,
            End::Guarded { .. } => 3,
            End::Facing { .. } => 5,
        };
        let of_step = |step: &Step| match step {
            Step::Guarded { .. } => step.zeros() + 2,
            Step::Facing { .. } => step.zeros() + 3,
        };
        self.steps.iter().map(of_step).sum::<u64>() + end
    }
}

/// The caller's two functions.
struct Builder<N, G> {
    number: N,
    game: G,
}

impl<N, G> Builder<N, G> {
    fn build<V: Clone, E>(&mut self, form: &OneBlank) -> Result<V, E>
    where
        N: FnMut(Number) -> Result<V, E>,
        G: FnMut(V, V) -> Result<V, E>,
    {
        let mut mirrored = form.end_is_mirrored();
        let mut value = self.end(form.end, mirrored)?;
        for &step in form.steps.iter().rev() {
            // What was built is x: the value of a position, not of its mirror image.
            mirrored = !mirrored;
            let zero = self.number(Number::default(), mirrored)?;
            for _ in 0..step.zeros() {
                value = self.game(zero.clone(), value, mirrored)?;
            }
            value = match step {
                Step::Guarded { a, .. } => {
                    let left = self.number(Number::integer(a - 1), mirrored)?;
                    self.game(left, value, mirrored)?
                }
                Step::Facing { a, .. } => {
                    let left = self.number(Number::integer(a - 2), mirrored)?;
                    let left = self.game(left, value, mirrored)?;
                    self.game(left, zero, mirrored)?
                }
            };
        }
        Ok(value)
    }

    fn end<V: Clone, E>(&mut self, end: End, mirrored: bool) -> Result<V, E>
    where
        N: FnMut(Number) -> Result<V, E>,
        G: FnMut(V, V) -> Result<V, E>,
    {
        match end {
            End::DeathLeap => self.number(Number::default(), mirrored),
            End::Run { a } => self.number(Number::integer(a), mirrored),
            End::Singles | End::Runs { .. } => {
                let zero = self.number(Number::default(), mirrored)?;
                self.game(zero.clone(), zero, mirrored)
            }
            // {0 | 1/2ᵇ⁻¹}
            End::Guarded { a: 1, b } => self.number(Number::reciprocal(b), mirrored),
            End::Guarded { a, b } => {
                let left = self.number(Number::integer(a - 1), mirrored)?;
                let right = self.number(Number::reciprocal(b - 1), mirrored)?;
                self.game(left, right, mirrored)
            }
            End::Facing { a, b } => {
                let left = if a == 2 {
                    self.number(Number::reciprocal(b + 1), mirrored)?
                } else {
                    let left = self.number(Number::integer(a - 2), mirrored)?;
                    let right = self.number(Number::reciprocal(b), mirrored)?;
                    self.game(left, right, mirrored)?
                };
                let zero = self.number(Number::default(), mirrored)?;
                self.game(left, zero, mirrored)
            }
        }
    }

    fn number<V, E>(&mut self, number: Number, negated: bool) -> Result<V, E>
    where
        N: FnMut(Number) -> Result<V, E>,
    {
        (self.number)(if negated { -number } else { number })
    }

    fn game<V, E>(&mut self, left: V, right: V, mirrored: bool) -> Result<V, E>
    where
        G: FnMut(V, V) -> Result<V, E>,
    {
        if mirrored {
            (self.game)(right, left)
        } else {
            (self.game)(left, right)
        }
    }
}
