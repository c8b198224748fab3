//! Strips with exactly one blank, with jumps: their value in closed form, at any length, in linear time.
//!
//! T. Thanatipanonda, *Further hopping with Toads and Frogs* (2011), section 4, Theorem 1. L̄ is empty or ends with `F`, R̄ is
//! empty or begins with `T`; O(x) = {0 | x}, and Oᵏ does that k times. Lemmas as the paper numbers them:
//!
//! | lemma | position | value |
//! |---|---|---|
//! | 4.2 | P FF . Q (no blank in P, Q) | that of . Q |
//! | 4.2 | L̄ Tᵃ . | a |
//! | 4.3 | both sides can only jump | 0 |
//! | 4.4 | L̄ T . F R̄ | ∗ |
//! | 4.5 | L̄ Tᵃ . Fᵇ R̄, a, b ≥ 2 | ∗ |
//! | 4.6 | L̄ Tᵃ . (TF)ᵇ, a, b ≥ 1 | {a−1 \| 1/2ᵇ⁻¹} |
//! | 4.7 | L̄ Tᵃ . F (TF)ᵇ, a ≥ 2 | {{a−2 \| 1/2ᵇ} \| 0} |
//! | 4.8 | L̄ Tᵃ . (TF)ᵇ T Fᶜ R̄, c ≥ 2 | {a−1 \| Oᵇ(x)}, x = L̄ Tᵃ F (TF)ᵇ T . Fᶜ⁻¹ R̄ |
//! | 4.9 | L̄ Tᵃ . F (TF)ᵇ T Fᶜ R̄, a, c ≥ 2 | {{a−2 \| Oᵇ⁺¹(x)} \| 0}, x = L̄ Tᵃ⁻¹ F (TF)ᵇ⁺¹ T . Fᶜ⁻¹ R̄ |
//!
//! *Why these, with their mirrors, are all.* By 4.2 cut, on the left, up to the last `FF` and then leading frogs (dead ends); on the
//! right from the first `TT`, and trailing toads. If a side is empty or guarded (a piece of the other kind stands
//! next to the blank), that player can at most jump. Both so: 4.3. One side empty, the other not guarded: 4.2. One guarded: 4.6 or 4.8,
//! as behind the guard runs of one frog alternate with single toads until a longer run comes or the strip ends. None guarded:
//! 4.4 and 4.5, or one run is longer than 1 and the other is not: 4.7 or 4.9.
//!
//! *Why it is linear.* x in 4.8 and 4.9 is ∗ by 4.4, or the mirror image of a position of 4.7 or 4.9: no cut is needed, the blank goes
//! to and fro between two stacks of runs, a step shortens the two runs it ends at by at most 1 each, and all that lies between is
//! `TFTF…`, which a number describes. So a step costs O(1), and there are fewer steps than squares. The value is kept as the list of
//! steps, [`OneBlank`]; written out it could have quadratically many subpositions.

mod analyse;
mod explain;
mod fold;
mod form;
mod narrate;
mod number;
mod readings;
mod side;
mod text;

pub use analyse::analyse;
pub use explain::{Explanation, Stage, explain};
pub use fold::{FoldError, TooLarge};
pub use form::{End, OneBlank, Step};
pub use number::Number;
pub use readings::Sort;
