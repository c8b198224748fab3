//! Families of strips: text with expressions in the exponents, `T^(a+1) .^b F^a`, and the strips it stands for.
//!
//! ```text
//! family     = what a strip is, with powers "^" exponent
//! exponent   = digits | parameter | "(" expression ")"
//! expression = product (("+" | "-") product)*
//! product    = factor ("*" factor)*
//! factor     = digits | parameter | "-" factor | "(" expression ")"
//! parameter  = one letter, but T and F
//! ranges     = parameter "=" integer (".." integer)?, both ends included
//! ```
//!
//! ```
//! use toads_strip::family::{Cells, Family};
//! let family = Family::parse("T^(a+1) .^b F^a")?;
//! assert_eq!(family.parameters(), ['a', 'b']);
//! let cells = Cells::parse(&family, &["a=1..2", "b=3"])?;
//! let strips: Result<Vec<_>, _> = cells.iter().map(|cell| family.strip(&cell)).collect();
//! let texts: Vec<_> = strips?.iter().map(ToString::to_string).collect();
//! assert_eq!(texts, ["TT...F", "TTT...FF"]);
//! # Ok::<(), toads_strip::family::FamilyError>(())
//! ```

mod cells;
mod error;
mod expression;
mod pattern;

pub use cells::{Cell, Cells};
pub use error::{FamilyError, Result};
pub use pattern::Family;
