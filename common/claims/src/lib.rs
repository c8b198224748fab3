//! Claims about Toads and Frogs as data: what is said, who says it, what is on record, and a check that can refute it.
//!
//! ```
//! use toads_claims::{Limits, Verdict, claim};
//! let claim = claim("hopless-odd-gaps").expect("it is in the list");
//! let finding = claim.check(&Limits::default());
//! assert_eq!(finding.verdict, Verdict::Holds);
//! assert_eq!(finding.to_string(), "holds (to 9 squares, 29,523 cases)");
//! assert!(finding.figures.starts_with("22,186 / 6,985 / 351 / 1"));
//! ```
//!
//! | module | what lives there |
//! |---|---|
//! | `claim` | [`Claim`], [`Limits`] and the list of all claims |
//! | `finding` | [`Verdict`] and [`Finding`]: what a check says |
//! | `page` | [`PageTally`]: strips of 1–9 squares by odd gaps and numbers, from any source |
//! | `survey` | a walk over all strips, on several threads |
//! | `moves` | the value of every strip from its moves alone |
//! | `play` | who wins, by playing |
//! | `compare` | [`Comparer`]: comparison by play, to be plugged in; [`PlainComparer`] |
//! | `hopless` | the claims about the variant without jumps |
//! | `hop` | the claims about the standard game: lemmas, families, published tables |
//!
//! A check never trusts what it checks: a theorem about values is tested against values that were found by moves, a count
//! against an enumeration. Pure: no input or output, no clock. Figures of a store are handed in by the caller.

mod claim;
mod compare;
mod finding;
mod hop;
mod hopless;
mod moves;
mod page;
mod play;
mod survey;

pub use claim::{Claim, Limits, Reach, Scope, Standing, claim, claims, groups};
pub use compare::{Comparer, PlainComparer};
pub use finding::{Finding, Measure, Verdict};
pub use page::{PAGE_SQUARES, PageTally};
