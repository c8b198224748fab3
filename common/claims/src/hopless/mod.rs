//! The claims about the variant without jumps.
//!
//! | module | what is tested there |
//! |---|---|
//! | `page` | the figures of the page this project grew from, by three ways that must agree |
//! | `values` | theorems about values, against values found by moves |
//! | `criteria` | when switches cancel; what is read off a closed form |
//! | `games` | who wins on long strips, by playing |
//! | `extremes` | how large, how hot, how many odd gaps |
//! | `gaps` | strips by odd contested gaps: rows, recurrence, what more than two gaps do |
//! | `counting` | `toads count` against enumeration |
//! | `list` | the claims themselves |
//!
//! Each test takes what is claimed as an argument where it can, so that a test of the test can claim something wrong.

mod counting;
mod criteria;
mod extremes;
mod games;
mod gaps;
mod list;
mod page;
mod values;

pub(crate) use list::CLAIMS;
