//! Reading a store: which classes there are, their tallies, what is known of their values, the value of each strip.

mod catalogue;
mod class_values;
mod cores;
mod counted;
mod measures;
mod parallel;
mod reader;
mod selection;
mod texts;

pub(crate) use catalogue::{Catalogue, Facts, negative};
pub use class_values::{ClassValues, StripValue};
pub(crate) use class_values::{Walk, strip_at};
pub(crate) use cores::{CoreCodes, StoredClass, core_class};
pub(crate) use counted::{Counted, Known};
pub(crate) use measures::Measures;
pub(crate) use parallel::in_parallel_watched;
pub(crate) use reader::missing;
pub use reader::{EVALUATE_LIMIT, Reader};
pub(crate) use selection::{Part, Selection, Stratum};
pub(crate) use texts::{Deep, Named, Texts};

use toads_game::ValueId;

/// The id of 0.
pub(crate) fn zero_id() -> ValueId {
    ValueId::of(&mut [], &mut [])
}

/// The id of *.
pub(crate) fn star_id() -> ValueId {
    ValueId::of(&mut [zero_id()], &mut [zero_id()])
}
