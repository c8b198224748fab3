//! `tallies`: how often each value occurs in each class, and where first.

use std::sync::Arc;

use toads_game::ValueId;
use toads_strip::{Class, Variant};

use super::of_value::{Admits, OF_VALUE, cell};
use super::places::{ClassColumns, classes, selections};
use crate::error::Result;
use crate::read::{Counted, Known, strip_at};
use crate::sql::conditions::Conditions;
use crate::sql::virtual_table::{ColumnSpec, Holds, Out, Rows, Source, column};
use crate::sql::world::{Codes, World};

pub(super) struct Tallies;

const AT: ClassColumns = ClassColumns {
    variant: 0,
    n: 1,
    toads: 2,
    frogs: 3,
};
const VALUE_ID: usize = 4;
const VALUE: usize = 7;
/// Where the columns of [`OF_VALUE`] begin.
const OF: usize = 8;

impl Source for Tallies {
    const NAME: &'static str = "tallies";
    const COLUMNS: &'static [ColumnSpec] = &[
        column("variant", Holds::Text).told(),
        column("n", Holds::Integer).told(),
        column("toads", Holds::Integer).told(),
        column("frogs", Holds::Integer).told(),
        column("value_id", Holds::Text).told(),
        column("count", Holds::Integer),
        column("first_strip", Holds::Text),
        column("value", Holds::Text).told(),
        OF_VALUE[0],
        OF_VALUE[1],
        OF_VALUE[2],
        OF_VALUE[3],
        OF_VALUE[4],
        OF_VALUE[5],
        OF_VALUE[6],
    ];
    const ORDER: &'static [usize] = &[0, 1, 2, 3];

    fn estimate(world: &World, equal: u64) -> f64 {
        let is_told = |column: usize| equal >> column & 1 == 1;
        let share = |column, of: f64| if is_told(column) { 1.0 / of } else { 1.0 };
        let classes = world.tally_entries()
            * share(AT.n, 4.0)
            * share(AT.toads, 10.0)
            * share(AT.frogs, 10.0);
        if is_told(VALUE_ID) || is_told(VALUE) {
            // A look into each class.
            classes / 100.0
        } else {
            classes * share(OF, 4.0) * share(OF + 1, 3.0)
        }
    }

    fn rows(world: &Arc<World>, conditions: &Conditions) -> Result<Box<dyn Rows>> {
        let mut value = None;
        if let Some(text) = conditions.text(VALUE) {
            value = Some(World::ids_of_text(text));
        }
        if let Some(id) = conditions.text(VALUE_ID) {
            value = Some(world.ids_of_id(id)?);
        }
        let selections = selections(world, conditions, AT);
        let mut left: Vec<_> = match value {
            Some(None) => Vec::new(),
            _ => classes(&selections)
                .into_iter()
                .map(|(reader, class)| (reader.variant, class))
                .collect(),
        };
        left.reverse();
        Ok(Box::new(TallyRows {
            world: Arc::clone(world),
            left,
            value: value.flatten(),
            admits: Admits::new(conditions, OF),
            current: None,
        }))
    }
}

struct TallyRows {
    world: Arc<World>,
    /// Classes to come, the next one last.
    left: Vec<(Variant, Class)>,
    /// The only value wanted, and its negative.
    value: Option<(ValueId, ValueId)>,
    admits: Admits,
    current: Option<Current>,
}

/// A class that is being read.
struct Current {
    variant: Variant,
    class: Class,
    codes: Arc<Codes>,
    /// By code of the values of the computed class.
    counted: Arc<Vec<Counted>>,
    next: usize,
    /// By code of the values of this class.
    row: Counted,
}

impl TallyRows {
    /// Reads the tally of a class.
    fn open(&self, variant: Variant, class: Class) -> Result<Current> {
        let reader = self.world.reader(variant);
        let (codes, mut counted) = self.world.tally(reader, reader.shard_of(class))?;
        if let Some((id, negative)) = self.value {
            let sought = if class.is_computed() { id } else { negative };
            let code = codes.code(sought);
            let entry = code.and_then(|code| find(&codes, &counted, code));
            counted = Arc::new(Vec::from_iter(entry));
        }
        Ok(Current {
            variant,
            class,
            row: Counted {
                code: 0,
                strips: 0,
                first: 0,
                first_mirrored: 0,
            },
            codes,
            counted,
            next: 0,
        })
    }
}

/// The entry of one value. Where all values are known, codes are in ascending order.
fn find(codes: &Codes, counted: &[Counted], code: u32) -> Option<Counted> {
    match codes.known {
        Known::All(_) => counted
            .binary_search_by_key(&code, |entry| entry.code)
            .ok()
            .map(|at| counted[at]),
        Known::Some(_) => counted.iter().find(|entry| entry.code == code).copied(),
    }
}

impl Current {
    /// The next entry of a value that is wanted.
    fn advance(&mut self, admits: Admits) -> bool {
        let facts = self.codes.facts();
        while let Some(&(mut entry)) = self.counted.get(self.next) {
            self.next += 1;
            if !self.class.is_computed() {
                entry.code = facts[entry.code as usize].negative;
                entry.first = entry.first_mirrored;
            }
            if admits.admits(&facts[entry.code as usize]) {
                self.row = entry;
                return true;
            }
        }
        false
    }

    /// The value of an entry of the computed class in this one.
    fn code(&self, entry: &Counted) -> u32 {
        if self.class.is_computed() {
            entry.code
        } else {
            self.codes.facts()[entry.code as usize].negative
        }
    }
}

impl Rows for TallyRows {
    fn advance(&mut self) -> Result<bool> {
        loop {
            if let Some(current) = &mut self.current
                && current.advance(self.admits)
            {
                return Ok(true);
            }
            let Some((variant, class)) = self.left.pop() else {
                return Ok(false);
            };
            self.current = Some(self.open(variant, class)?);
        }
    }

    fn cell(&self, column: usize, out: &mut Out<'_>) -> Result<()> {
        let current = self.current.as_ref().expect("there is a row");
        let (class, row) = (current.class, current.row);
        match column {
            0 => out.text(current.variant.name()),
            1 => out.integer(class.n),
            2 => out.integer(class.toads),
            3 => out.integer(class.frogs),
            VALUE_ID => out.display(current.codes.facts()[row.code as usize].id),
            5 => out.integer(row.strips),
            6 => out.display(strip_at(class.n, row.first)),
            VALUE => {
                let next = current.counted[current.next..].iter();
                let next = next.map(|entry| current.codes.named(current.code(entry)));
                let reader = self.world.any_reader();
                let mut shelf = self.world.shelf();
                out.text(shelf.text(reader, current.codes.named(row.code), next)?);
            }
            _ => cell(&current.codes, row.code, column - OF, out),
        }
        Ok(())
    }
}
