//! The whole theory of strips without jumps: their value in closed form, at any length, in linear time.
//!
//! # Components
//!
//! Pieces never pass each other, so their order is fixed. A frog with a toad to its right and only blanks
//! between is a permanent wall: the frog only goes away to the left, the toad to the right, and neither meets
//! the other again. *Cut there.* What is left are [components](Component): a block of a toads, one *contested
//! gap* of G blanks, a block of b frogs, with blanks inside the blocks. Nothing that happens in one is felt in
//! another, so the strip is the sum of its components. (Only the leftmost may lack toads and only the rightmost
//! frogs; such a component has no contested gap and reaches to the edge of the strip.)
//!
//! # A component
//!
//! *Free moves.* A gap of g blanks ahead of the i-th toad, counted from the back, will be crossed by i toads,
//! so it holds i·g moves that Right can do nothing about. (For the foremost toad that is so only where no frog
//! stands in front.) Frogs are the mirror image. Write φ for Left's free moves less Right's. A step of the i-th
//! toad in its own gap makes that gap one shorter and the one behind it one longer, and so changes φ by −i + (i
//! − 1) = −1: one move is used, and G stays. A step of the foremost of a toads *into the contested gap* lowers
//! G by one and raises φ by a − 1, the moves of the toads that may follow. For frogs the signs are changed.
//!
//! **Theorem 1.** *If G is even (or there is no contested gap) the component is the integer v = φ + (a − b)·G/2.*
//!
//! **Theorem 2.** *If G is odd it is the switch {m + (a − 1) | m − (b − 1)} with m = φ + (a − b)(G − 1)/2.*
//!
//! Proof, by induction on the number of moves left; C is the component.
//!
//! *G = 0, or no contested gap.* Nothing but free moves is left; the two sides' do not touch: C is Left's number of
//! free moves less Right's, v = φ.
//!
//! *G even, G ≥ 2.* In C − v whoever begins loses. Let Left begin (Right is the mirror image). A free step
//! leaves, by induction, −1. A step into the gap leaves an odd gap with
//! m = φ + (a − 1) + (a − b)(G − 2)/2 = v + (b − 1), so that C − v has become {a + b − 2 | 0}, and Right answers
//! to 0. A move in −v, where she has one, leaves C − v − 1, and Right answers with his step into the gap, to
//! {0 | −(a + b − 2)} − 1, which is negative.
//!
//! *G odd.* Left's step into the gap leaves an even one: the integer φ + (a − 1) + (a − b)(G − 1)/2 = m + (a −
//! 1). A free step leaves {m + a − 2 | m − b}, which is below that and so dominated. By the mirror Right's one
//! option is m − (b − 1). ∎
//!
//! The switch has mean m + (a − b)/2 and its options differ by the *swing* s = a + b − 2, pieces less two: it is
//! mean ± s/2. For a = b = 1 it is m + ∗.
//!
//! There is a picture for this: *a blank belongs to whoever will cross it.* In the contested gap each side owns
//! its half, worth one move for every piece of its block; in an odd gap the middle square is nobody's yet.
//! [`Owner`] says so, square by square.
//!
//! # The strip
//!
//! ± h is its own negative, so two switches of equal swing cancel, and adding integers moves a switch without
//! changing its swing:
//!
//! **Theorem 3.** *The value is mean ± h₁ ± h₂ … ± hₖ, h₁ > h₂ > … > hₖ ≥ 0, the half-swings that occur an odd
//! number of times.* (± 0 is ∗.) [`analyse`] finds it in one pass; the result is a [`ClosedForm`].
//!
//! **Theorem 4.** *Its canonical form is the nested switch {mean + h₁ ± h₂ … | mean − h₁ ± h₂ …}, with integer
//! leaves.*
//!
//! Proof, by induction on k. For k ≥ 1 the value is no number, and by the number translation theorem (Siegel,
//! Combinatorial Game Theory, II.1) moves in the mean need not be considered. Left's move in ± h₁ dominates her
//! move in ± hᵢ: the difference of the two is h₁ − hᵢ ± hᵢ ± h₁, and whichever switch Right plays, Left plays
//! the other and leaves 0 or 2(h₁ − hᵢ) ≥ 0. It is not reversible. If k ≥ 2, Right's one answer in canonical
//! form leaves mean + h₁ − h₂ ± h₃ …; the value less that is −h₁ + h₂ ± h₁ ± h₂, where Right wins by moving to
//! −2h₁ + h₂ ± h₂. If k = 1, the option is a number x = mean + h₁; its Right options, if any, are above x,
//! which is the Left stop of the value, and so above the value. Right's moves are the mirror image. The leaves
//! are integers: in every switch twice the mean, 2m + (a − b), and the swing a + b − 2 differ by an even
//! number; so over the strip twice the mean and the sum of all swings do, and then, as cancelling removes pairs
//! of equal swings, twice the mean and s₁ ± s₂ ± … with any signs. ∎
//!
//! Therefore **the value is a number exactly when every swing occurs an even number of times**, and it is then
//! an integer; two odd components cancel exactly when they hold equally many pieces. Since each player has one
//! option at every step of the canonical form, play in it is forced, and outcome, stops, temperature, birthday
//! are read off: see [`ClosedForm`].

mod block;
mod canonical;
mod closed_form;
mod component;
mod draw;
mod explain;
mod half;
mod narrate;

pub use canonical::{CanonicalTree, FoldError, TooLarge};
pub use closed_form::{ClosedForm, analyse};
pub use component::{Component, Gap, Worth, components, odd_gaps};
pub use explain::{Explanation, Owner, Wall, explain};
pub use half::Half;
