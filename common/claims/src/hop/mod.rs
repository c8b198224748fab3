//! The claims about the standard game.
//!
//! | module | what is tested there |
//! |---|---|
//! | `lemmas` | the lemmas on one blank, instance by instance, and Theorem 1 |
//! | `families` | theorems and conjectures on families of strips |
//! | `tails` | long rows Tᶜ .ᵃ Fᶜ that are 0 in the end, or periodic |
//! | `tables` | the published tables, row by row |
//! | `judge` | two ways to decide: canonical form and play |
//! | `play` | who wins, by playing |
//! | `plain` | the value of a strip from its moves alone |
//! | `list` | the claims themselves |

mod families;
mod judge;
mod lemmas;
mod list;
mod plain;
mod play;
mod tables;
mod tails;

pub(crate) use list::CLAIMS;
pub(crate) use play::Play;
