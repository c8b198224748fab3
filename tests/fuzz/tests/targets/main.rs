//! Every reader of bytes from outside that is public, file by file what they read. Those that are not public have their
//! targets beside them: `cli/src/fuzz.rs` and `common/store/src/mark.rs`.

mod blocks;
mod census;
mod positions;
mod rows;
