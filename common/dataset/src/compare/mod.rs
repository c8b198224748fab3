//! Two censuses compared: store with store, and store with an exported dataset.
//!
//! By value ids, so the stores may have been made by different builds, in a different order, keeping different things.

mod dataset;
mod difference;
mod files;
mod rows;
mod stores;

pub use dataset::{DatasetFinding, DatasetProgress, DatasetSummary, Disagreement, compare_dataset};
pub use difference::{CompareOptions, CompareProgress, Difference, Side, Summary};
pub use stores::compare_stores;
