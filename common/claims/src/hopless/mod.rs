//! The claims about the variant without jumps.
//!
//! | module | what is tested there |
//! |---|---|
//! | `page` | the figures of the page this project grew from, by three ways that must agree |
//! | `values` | theorems about values, against values found by moves |
//! | `criteria` | when switches cancel; what is read off a closed form; play |
//! | `extremes` | how large, how hot, how many odd gaps |
//! | `counting` | the formulas behind `toads count` |
//!
//! Each test takes what is claimed as an argument where it can, so that a test of the test can claim something wrong.

mod counting;
mod criteria;
mod extremes;
mod list;
mod page;
mod values;

pub(crate) use list::CLAIMS;
