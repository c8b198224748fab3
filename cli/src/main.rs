//! The `toads` command.
fn main() {}
