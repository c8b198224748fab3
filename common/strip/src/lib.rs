//! Strips of Toads and Frogs: positions, both rulesets, symmetry, walls, and the closed forms.
//!
//! A *strip* is a row of squares, each a toad `T` (Left's), a frog `F` (Right's) or blank `.`. Left moves a
//! toad one square to the right into a blank, Right a frog one square to the left; under [`Variant::Hop`] a
//! piece may also jump over exactly one piece of the other kind. Who cannot move loses.
//!
//! This crate is the part of the theory that needs no canonical forms: it knows positions, how to count them,
//! and what can be said of their values by looking. It is pure (no I/O, no clock, no logging) and knows nothing
//! of game values; where a value must be handed over it is handed over as integers, or built bottom-up by the
//! caller's own closures ([`hopless::ClosedForm::fold`], [`one_blank::OneBlank::fold`]).
//!
//! # The tour
//!
//! | module | what lives there |
//! |---|---|
//! | [`square`], [`player`], [`variant`] | the three small vocabularies |
//! | [`strip`] | [`Strip`]: a row of squares; index in base 3, text |
//! | [`parse`] | text to strip: powers, groups, errors with a column |
//! | [`family`] | text with expressions in the exponents, and the strips it stands for |
//! | [`moves`] | both rulesets |
//! | [`class`], [`rank`] | [`Class`]: strips with equal (n, toads, frogs); sizes, rank and unrank |
//! | [`symmetry`] | mirrors and dead ends |
//! | [`walls`] | blocks that never move again, and the independent parts between them |
//! | [`hopless`] | the closed form of every strip without jumps, and its explanation |
//! | [`one_blank`] | the closed form of every strip with one blank, with jumps, and its explanation |
//! | [`outcome`] | P, L, R, N |
//! | [`error`] | [`StripError`] |
//!
//! # Example
//!
//! ```
//! use toads_strip::{Player, Strip, Variant, hopless};
//!
//! let strip = Strip::parse("T^2 . F")?;
//! assert_eq!(strip.to_string(), "TT.F");
//! assert_eq!(strip.moves(Variant::Hop, Player::Left), [Strip::parse("T.TF")?]);
//! // Without jumps: {1 | 0}, that is 1/2 ± 1/2.
//! let form = hopless::analyse(&strip);
//! assert_eq!((form.left_stop(), form.right_stop()), (1, 0));
//! assert_eq!(form.mean().to_string(), "1/2");
//! # Ok::<(), toads_strip::StripError>(())
//! ```

pub mod class;
pub mod error;
pub mod family;
pub mod hopless;
pub mod moves;
pub mod one_blank;
pub mod outcome;
pub mod parse;
pub mod player;
pub mod rank;
pub mod square;
pub mod strip;
pub mod symmetry;
pub mod variant;
pub mod walls;

pub use class::{Class, MAX_CLASS_SQUARES};
pub use error::{Result, StripError};
pub use moves::Move;
pub use outcome::Outcome;
pub use player::Player;
pub use square::Square;
pub use strip::{MAX_INDEX_SQUARES, MAX_SQUARES, Strip};
pub use variant::Variant;
