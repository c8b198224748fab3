//! Exact counts of hopless strips without enumeration.
//!
//! The value of a strip without jumps is mean ± h₁ ± h₂ …, a sum over its components (docs/MATH.md). So strips can be
//! counted by value without looking at them: as sequences of components, by generating functions. Nothing here knows the
//! census or a strip; the two are each other's check.
//!
//! ```
//! use toads_count::{Column, counts};
//! let columns = [Column::OddGaps, Column::Numbers].into_iter().collect();
//! let row = counts(9..=9, columns, 1)?.next().expect("one row for n = 9");
//! assert_eq!(row.strips, 19_683_u32.into());
//! assert_eq!(row.numbers, Some(14_545_u32.into()));
//! assert_eq!(row.odd_gaps.unwrap(), [14_434, 4_963, 285, 1].map(u32::into));
//! # Ok::<(), toads_count::CountError>(())
//! ```
//!
//! | module | what it knows |
//! |---|---|
//! | `odd_gaps` | strips by number of odd contested gaps: a linear recurrence |
//! | `numbers` | strips worth a number: swings in pairs |
//! | `outcomes` | P, L, R, N and zeros: the mean as a second variable |
//! | `distinct` | different values: a closed formula for each set of swings |
//! | `distribution` | every value with its count |
//! | `point` | all components at one value of the second variable |
//! | `modular` | primes, roots of unity, power series, Chinese remainders |
//! | `rows`, `column` | what is asked for, and the answer |
//! | `growth`, `bfile` | growth rates, OEIS b-files |
//!
//! Pure: no input or output, no clock. Threads are used where a caller grants them and change nothing.

mod bfile;
mod column;
mod distinct;
mod distribution;
mod error;
mod growth;
mod modular;
mod numbers;
mod odd_gaps;
mod outcomes;
mod point;
mod rows;
mod threads;

pub use bfile::bfile;
pub use column::{Column, Columns};
pub use distribution::{MAX_DISTRIBUTION_SQUARES, ValueCount, distribution};
pub use error::CountError;
pub use growth::{Estimate, Growth, growth};
pub use rows::{Counts, Outcomes, Rows, counts, largest_twice_temperature};
