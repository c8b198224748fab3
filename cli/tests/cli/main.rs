//! The real binary, as people and scripts use it. Every test has a folder of its own.

mod census;
mod compare;
mod frame;
mod live;
mod parts;
mod place;
mod query;
mod refused;
mod secure;
mod survey;
mod table;
mod value;
