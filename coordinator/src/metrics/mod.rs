//! The figures an operator watches, in the Prometheus text format.
//!
//! | file | what lives there |
//! |---|---|
//! | `counters` | what only ever grows, counted where it happens |
//! | `gauges` | what is, read off the scheduler, the surveys and the store when somebody asks |
//! | `text` | the format |
//!
//! Nothing here decides anything, and nothing secret gets in: names and labels are words of this program, never of a
//! caller.

mod counters;
mod gauges;
mod text;

pub(crate) use counters::{Busy, Counters, Handshake};
pub(crate) use gauges::render;
pub(crate) use text::CONTENT_TYPE;
