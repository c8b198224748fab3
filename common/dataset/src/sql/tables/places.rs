//! Which classes the conditions leave over.

use toads_census::MAX_CENSUS_SQUARES;
use toads_strip::Class;

use crate::question::Filters;
use crate::read::{Reader, Selection, Stratum};
use crate::sql::conditions::Conditions;
use crate::sql::world::World;

/// The columns that name a class.
#[derive(Clone, Copy)]
pub(super) struct ClassColumns {
    pub(super) variant: usize,
    pub(super) n: usize,
    pub(super) toads: usize,
    pub(super) frogs: usize,
}

/// The filters for one variant that say the same as the conditions.
fn filters(reader: &Reader<'_>, conditions: &Conditions, at: ClassColumns) -> Filters {
    let counts = |column| Some(conditions.counts(column, MAX_CENSUS_SQUARES));
    Filters {
        squares: counts(at.n),
        toads: counts(at.toads),
        frogs: counts(at.frogs),
        ..Filters::of(reader.variant)
    }
}

/// For each variant the classes that the conditions leave over, committed or not, of the n of which some are.
pub(super) fn selections<'w>(
    world: &'w World,
    conditions: &Conditions,
    at: ClassColumns,
) -> Vec<(&'w Reader<'static>, Selection)> {
    let variants = world.variants(conditions.text(at.variant));
    let select = |reader: &'w Reader<'static>| {
        let filters = filters(reader, conditions, at);
        (reader, Selection::begun(reader, &filters))
    };
    variants.map(select).collect()
}

/// The classes of selections, in order of variant, squares, toads and frogs.
pub(super) fn classes<'w>(
    selections: &[(&'w Reader<'static>, Selection)],
) -> Vec<(&'w Reader<'static>, Class)> {
    let of = |(reader, selection): &(&'w Reader<'static>, Selection)| {
        let classes = selection.strata.iter().flat_map(Stratum::classes);
        let reader = *reader;
        classes.map(|class| (reader, class)).collect::<Vec<_>>()
    };
    selections.iter().flat_map(of).collect()
}
