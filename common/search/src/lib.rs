//! Which of two sums of positions is better, found by play.
//!
//! G ≥ H iff Left wins G − H when Right begins. So a comparison is two searches of a game tree, and no canonical form of a
//! large position is ever built. What keeps the trees small:
//!
//! * positions fall apart into independent parts (`split.rs`); pieces that have passed become integers;
//! * parts of small classes become canonical values, which add up and cancel (`small.rs`, `term.rs`, `position.rs`);
//! * numbers add up to one number, which is played in last, and a table of thresholds serves all numbers (`table.rs`);
//! * a part is bounded by what one player can do in it alone (`board.rs`).
//!
//! Hopless strips have a closed form, so for them only values are left to play with.
//!
//! ```
//! use toads_game::Relation;
//! use toads_search::{Limits, Searcher, Sum};
//! use toads_strip::{Strip, Variant};
//!
//! let limits = Limits::default();
//! let arena = limits.arena();
//! let mut searcher = Searcher::new(&arena, Variant::Hop, limits);
//! let position = Sum::from(Strip::parse("T^4 .^4 F^3")?);
//! let value = Sum::from(arena.integer(1)?);
//! let answer = searcher.compare(&position, &value)?;
//! assert_eq!(answer.relation(), Some(Relation::Confused)); // it is 1*
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Pure: no input or output, no clock. A caller who wants to stop by the clock, or to show progress, does so through
//! [`Control`].

mod answer;
mod board;
pub mod certify;
mod control;
mod error;
mod gather;
mod number;
mod position;
mod searcher;
mod small;
mod solve;
mod split;
mod strategy;
mod sum;
mod table;
mod term;

pub use answer::Answer;
pub use board::MAX_SQUARES;
pub use certify::{CertificateError, Proved, certify};
pub use control::Control;
pub use error::{Result, SearchError};
pub use searcher::{Limits, Searcher};
pub use small::OneBlank;
pub use sum::{Sum, Summand};
