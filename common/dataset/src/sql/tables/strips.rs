//! `strips`: every strip, with its value.
//!
//! | asked for | read |
//! |---|---|
//! | one strip, or one idx of one n | the block it is in |
//! | one value | tallies, then the blocks of the classes that have it and whose dictionaries do |
//! | anything else | class by class the blocks of the class, where its tally has a value of the kind and outcome asked for |

mod found;
mod listed;

use std::sync::Arc;

use toads_strip::{Strip, Variant};

use super::of_value::{Admits, OF_VALUE};
use super::places::{ClassColumns, classes, selections};
use super::written::Written;
use crate::answer::value_of;
use crate::error::Result;
use crate::read::strip_at;
use crate::sql::conditions::Conditions;
use crate::sql::virtual_table::{ColumnSpec, Holds, Rows, Source, column};
use crate::sql::world::World;
use found::FoundRows;
use listed::ListedRows;

pub(super) struct Strips;

const AT: ClassColumns = ClassColumns {
    variant: 0,
    n: 1,
    toads: 4,
    frogs: 5,
};
const IDX: usize = 2;
const STRIP: usize = 3;
const VALUE_ID: usize = 6;
const VALUE: usize = 7;
/// Where the columns of [`OF_VALUE`] begin.
const OF: usize = 8;

impl Source for Strips {
    const NAME: &'static str = "strips";
    const COLUMNS: &'static [ColumnSpec] = &[
        column("variant", Holds::Text).told(),
        column("n", Holds::Integer).told(),
        column("idx", Holds::Integer).told(),
        column("strip", Holds::Text).told(),
        column("toads", Holds::Integer).told(),
        column("frogs", Holds::Integer).told(),
        column("value_id", Holds::Text).told(),
        column("value", Holds::Text).told(),
        OF_VALUE[0],
        OF_VALUE[1],
        OF_VALUE[2],
        OF_VALUE[3],
        OF_VALUE[4],
        OF_VALUE[5],
        OF_VALUE[6],
    ];
    const ORDER: &'static [usize] = &[0, 1, 4, 5, 2];

    fn estimate(world: &World, equal: u64) -> f64 {
        let is_told = |column: usize| equal >> column & 1 == 1;
        let share = |column, of: f64| if is_told(column) { 1.0 / of } else { 1.0 };
        if is_told(STRIP) || (is_told(AT.n) && is_told(IDX)) {
            return 1.0;
        }
        let classes =
            world.strip_count() * share(AT.n, 3.0) * share(AT.toads, 8.0) * share(AT.frogs, 8.0);
        if is_told(VALUE_ID) || is_told(VALUE) {
            classes / 1000.0 + world.tally_entries() / 100.0
        } else {
            classes * share(OF, 4.0) * share(OF + 1, 3.0)
        }
    }

    fn rows(world: &Arc<World>, conditions: &Conditions) -> Result<Box<dyn Rows>> {
        let nothing = || Ok(Written::boxed(Vec::new()));
        if let Some(strip) = single(conditions) {
            return match strip {
                Some(strip) => one_strip(world, conditions, &strip),
                None => nothing(),
            };
        }
        let ids = match (conditions.text(VALUE_ID), conditions.text(VALUE)) {
            (Some(id), _) => Some(world.ids_of_id(id)?),
            (None, Some(text)) => Some(World::ids_of_text(text)),
            (None, None) => None,
        };
        let selections = selections(world, conditions, AT);
        match ids {
            Some(None) => nothing(),
            Some(Some(ids)) => {
                let strata = selections.into_iter().flat_map(|(reader, selection)| {
                    let strata = selection.strata.into_iter();
                    strata.map(move |stratum| (reader.variant, stratum))
                });
                Ok(FoundRows::of_value(world, ids, strata.collect()))
            }
            None => {
                let classes = classes(&selections)
                    .into_iter()
                    .map(|(reader, class)| (reader.variant, class));
                let admits = Admits::new(conditions, OF);
                Ok(ListedRows::boxed(
                    world,
                    classes.collect(),
                    admits,
                    conditions.range(IDX),
                ))
            }
        }
    }
}

/// The strip that conditions are about, if they are about one; `None` within where there is none such.
#[expect(clippy::option_option, reason = "one strip, none, or no matter")]
fn single(conditions: &Conditions) -> Option<Option<Strip>> {
    if let Some(text) = conditions.text(STRIP) {
        return Some(Strip::parse(text).ok());
    }
    let squares = conditions.counts(AT.n, toads_census::MAX_CENSUS_SQUARES);
    let (first, last) = conditions.range(IDX);
    if squares.clone().count() != 1 || first != last || *squares.start() == 0 {
        return None;
    }
    let n = *squares.start();
    let is_there = first >= 0 && (first as u64) < 3u64.pow(n.into());
    Some(is_there.then(|| strip_at(n, first as u64)))
}

/// One strip, of each variant that has its class.
fn one_strip(world: &Arc<World>, conditions: &Conditions, strip: &Strip) -> Result<Box<dyn Rows>> {
    let mut rows: Vec<(Variant, u64, _)> = Vec::new();
    if let (Ok(class), Some(index)) = (strip.try_class(), strip.index()) {
        for reader in world.variants(conditions.text(AT.variant)) {
            if reader.record_of(class).is_some() {
                rows.push((reader.variant, index as u64, value_of(reader, strip)?));
            }
        }
    }
    let n = strip.len() as u8;
    Ok(FoundRows::of_strips(world, n, rows))
}
