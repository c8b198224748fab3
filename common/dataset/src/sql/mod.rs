//! SQL over a store: its tables as virtual tables of SQLite.
//!
//! | file | what lives there |
//! |---|---|
//! | `session` | one statement at a time: limits, authorizer, rows out |
//! | `text` | what is done to the text of statements: splitting, the table named `values` |
//! | `virtual_table` | the one virtual table all tables are made of, and its `unsafe` |
//! | `conditions` | which conditions of a statement a table is told, and what they leave over |
//! | `functions` | the collation of fractions, `num`, `value_id` |
//! | `world` | what the tables of one session share: readers, values by code, texts |
//! | `shelf` | texts and forms that were built once |
//! | `tables` | a file for each table |
//! | `memory` | how much SQLite may take |
//! | `refusal` | what SQLite says, in one line with what to do |
//!
//! Nothing can be written: there is no table that takes rows, and the authorizer lets nothing through but reading.

mod calculated;
mod conditions;
mod functions;
mod memory;
mod refusal;
mod session;
mod shelf;
mod tables;
mod text;
mod virtual_table;
mod world;

pub use session::SqlLimits;
pub(crate) use session::{answer, values_where};
pub use tables::{TableSpec, tables};
pub use text::{is_complete, split};
pub use virtual_table::{ColumnSpec, Holds};
