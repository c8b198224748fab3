//! Questions, exports and audits over a store.
//!
//! A store holds the classes with at least as many toads as frogs, and of these the core strips. Nobody who asks need
//! know: every answer and every exported table speaks of all 3^n strips, dead ends and mirror images included.
//!
//! | module | what lives there |
//! |---|---|
//! | [`question`] | [`Question`]: what can be asked, as data that crosses the wire as JSON |
//! | [`rows`] | columns, cells and [`RowSink`], which takes an answer row by row |
//! | [`answer()`] | the answers |
//! | [`read`] | [`ClassValues`]: the value of every strip of a class, from blocks or by evaluating it |
//! | [`export`] | the same as files: CSV, JSON lines, Parquet |
//! | [`compare`] | do two stores say the same, does a store say what was exported? |
//! | [`sql`] | the same as tables for SQL |
//! | [`audit`] | is what the store says true? With code that is not the kernel's |
//!
//! # What this is not
//!
//! Nothing here writes to a store, prints, or knows of processes and networks.

mod answer;
pub mod audit;
pub mod compare;
mod error;
pub mod export;
pub mod question;
pub mod read;
pub mod rows;
pub mod sql;

pub use answer::{answer, answer_with};
pub use error::{DatasetError, Result};
pub use question::{Filters, Question};
pub use read::{ClassValues, Reader};
pub use rows::{Cancelled, Cell, Column, Real, RowSink, Table};
pub use sql::SqlLimits;
