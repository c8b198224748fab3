//! Every reader of bytes from outside that is public, file by file what they read. Those that are not public have their
//! targets beside them: `cli/src/fuzz.rs` and `common/store/src/mark.rs`.

mod addresses;
mod blocks;
mod census;
mod certificates;
mod datasets;
mod messages;
mod parts;
mod positions;
mod questions;
mod rows;
mod statements;
mod store_files;
mod values;
mod words;
