//! Canonical forms of short partizan games: the arena, the order, sums and content ids.
//!
//! This crate knows the theory and nothing else: no strips, no input or output, no clock, no logging. Start at
//! [`Arena`]; a [`Value`] is a handle into it, and two values of one arena are equal iff their handles are.
//!
//! Sources: A. N. Siegel, *Combinatorial Game Theory* (2013); Berlekamp, Conway and Guy, *Winning Ways* (2001).

mod arena;
mod deep;
mod dyadic;
mod error;
mod id;
mod invariants;
mod kind;
pub mod notation;
mod prefetch;
mod thermograph;
mod tiny;
mod uptimal;
mod walk;
pub mod zeroed;

pub use arena::{
    Arena, Canonicalizer, CanonicalizerScratch, CanonicalizerStats, Capacity, Deferred,
    MOST_OPTIONS, NO_LEFT, NO_RIGHT, NarrowStops, Outcome, Relation, Steps, Value,
};
pub use deep::DeepInvariants;
pub use dyadic::Dyadic;
pub use error::{GameError, Result};
pub use id::{ParseIdError, ValueId};
pub use invariants::{Invariants, ValueInvariants};
pub use kind::{Kind, ParseKindError, kind_of};
pub use notation::{ParseError, Writer};
pub use thermograph::{Thermograph, Thermographs, WallPoint};
pub use uptimal::{Uptimal, Uptimals, uptimal_of};
