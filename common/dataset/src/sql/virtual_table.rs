//! The one virtual table that all tables are made of. What SQLite's interface asks to be `unsafe` is here.

#![allow(
    unsafe_code,
    reason = "SQLite wants its own struct first in a table and in a cursor, which the implementer promises"
)]

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_int};
use std::marker::PhantomData;
use std::sync::Arc;

use rusqlite::types::Value as Sql;
use rusqlite::vtab::{
    Context, Filters, IndexInfo, Module, VTab, VTabConnection, VTabCursor, sqlite3_vtab,
    sqlite3_vtab_cursor,
};
use rusqlite::{Connection, Error, Result};

use super::conditions::{Comparison, Conditions, Plan};
use super::functions::FRACTION;
use super::world::World;
use crate::error::Result as DatasetResult;

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// Integers.
    Integer,
    /// Texts.
    Text,
    /// Exact numbers such as 3/4, as texts that compare by size.
    Fraction,
}

/// A column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ColumnSpec {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub holds: Holds,
    /// Whether the table wants to know conditions on it.
    pub(super) tells: bool,
}

/// A column whose conditions the table makes no use of.
pub(super) const fn column(name: &'static str, holds: Holds) -> ColumnSpec {
    ColumnSpec {
        name,
        holds,
        tells: false,
    }
}

impl ColumnSpec {
    /// One of whose conditions the table makes use.
    pub(super) const fn told(self) -> Self {
        Self {
            tells: true,
            ..self
        }
    }
}

/// Where a cell goes. One that gets nothing is NULL.
pub(super) struct Out<'c> {
    context: &'c mut Context,
    /// What SQLite said of it.
    said: Result<()>,
}

impl Out<'_> {
    /// A count; beyond 2^63 it is NULL.
    pub(super) fn integer(&mut self, integer: impl TryInto<i64>) {
        self.said = self.context.set_result(integer.try_into().ok());
    }

    pub(super) fn text(&mut self, text: &str) {
        self.said = self.context.set_result(text);
    }

    pub(super) fn real(&mut self, real: f64) {
        self.said = self.context.set_result(real);
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "it reads better where it is called"
    )]
    pub(super) fn display(&mut self, what: impl ToString) {
        self.said = self.context.set_result(what.to_string());
    }
}

/// The rows of one reading of a table.
pub(super) trait Rows {
    /// Goes to the next row; whether there is one.
    fn advance(&mut self) -> DatasetResult<bool>;

    /// Hands out a cell of the row that is there.
    fn cell(&self, column: usize, out: &mut Out<'_>) -> DatasetResult<()>;
}

/// A table.
pub(super) trait Source: 'static {
    const NAME: &'static str;
    const COLUMNS: &'static [ColumnSpec];
    /// The columns that the rows are in ascending order of, the first one first.
    const ORDER: &'static [usize] = &[];

    /// How many rows there are about, where these columns equal something (bit k for column k).
    fn estimate(world: &World, equal: u64) -> f64;

    /// The rows that satisfy the conditions, and perhaps others.
    fn rows(world: &Arc<World>, conditions: &Conditions) -> DatasetResult<Box<dyn Rows>>;
}

/// Makes a table known to a connection.
pub(super) fn register<S: Source>(connection: &Connection, world: &Arc<World>) -> Result<()> {
    let module = const { &Module::<Table<S>>::eponymous_only_module() };
    connection.create_module(S::NAME, module, Some(Arc::clone(world)))
}

#[repr(C)]
struct Table<S> {
    base: sqlite3_vtab,
    world: Arc<World>,
    source: PhantomData<S>,
}

// SAFETY: `Table` is `repr(C)` and begins with SQLite's struct.
unsafe impl<'vtab, S: Source> VTab<'vtab> for Table<S> {
    type Aux = Arc<World>;
    type Cursor = Cursor<S>;

    fn connect(
        _: &mut VTabConnection,
        world: Option<&Arc<World>>,
        _: &[u8],
        _: &[u8],
        _: &[u8],
        _: &[&[u8]],
    ) -> Result<(Cow<'static, CStr>, Self)> {
        let table = Self {
            base: sqlite3_vtab::default(),
            world: Arc::clone(world.expect("tables are registered with their world")),
            source: PhantomData,
        };
        Ok((Cow::Owned(declaration::<S>()), table))
    }

    fn best_index(&self, info: &mut IndexInfo) -> Result<bool> {
        let mut plan = Plan::default();
        let (mut arguments, mut equal, mut tests) = (0, 0u64, 0);
        for (constraint, mut usage) in info.constraints_and_usages() {
            let Ok(column) = usize::try_from(constraint.column()) else {
                continue;
            };
            let comparison = Comparison::of(&constraint.operator());
            let Some(comparison) = comparison.filter(|_| constraint.is_usable()) else {
                continue;
            };
            if !S::COLUMNS[column].tells {
                continue;
            }
            arguments += 1;
            usage.set_argv_index(arguments);
            plan.push(column, comparison);
            if comparison == Comparison::Equal {
                equal |= 1 << column;
            } else {
                tests += 1;
            }
        }
        let rows = S::estimate(&self.world, equal) / f64::from(1 + 3 * tests);
        info.set_idx_str(plan.as_str());
        info.set_estimated_rows(rows.max(1.0) as i64);
        // Whatever is read, to begin reading costs something.
        info.set_estimated_cost(rows + 20.0);
        let in_order = is_in_order::<S>(info, equal);
        info.set_order_by_consumed(in_order);
        Ok(true)
    }

    fn open(&'vtab mut self) -> Result<Cursor<S>> {
        Ok(Cursor {
            base: sqlite3_vtab_cursor::default(),
            world: Arc::clone(&self.world),
            rows: None,
            row: 0,
            source: PhantomData,
        })
    }
}

/// Whether rows come in the order asked for: by the columns of the table's order, of which those may be skipped that are
/// equal to one thing.
fn is_in_order<S: Source>(info: &IndexInfo, equal: u64) -> bool {
    let mut order = S::ORDER.iter();
    info.num_of_order_by() > 0
        && info.order_bys().all(|by| {
            let Ok(column) = usize::try_from(by.column()) else {
                return false;
            };
            let next = order.find(|&&next| next == column || equal >> next & 1 == 0);
            !by.is_order_by_desc() && next == Some(&column)
        })
}

fn declaration<S: Source>() -> CString {
    // None is HIDDEN: SQLite strips the word from the type, and loses the collation that follows it.
    let column = |column: &ColumnSpec| {
        let holds = match column.holds {
            Holds::Integer => "INTEGER".to_owned(),
            Holds::Text => "TEXT".to_owned(),
            Holds::Fraction => format!("TEXT COLLATE {FRACTION}"),
        };
        format!("\"{}\" {holds}", column.name)
    };
    let columns: Vec<_> = S::COLUMNS.iter().map(column).collect();
    CString::new(format!("CREATE TABLE x({})", columns.join(", ")))
        .expect("names have no zero bytes")
}

#[repr(C)]
struct Cursor<S> {
    base: sqlite3_vtab_cursor,
    world: Arc<World>,
    /// `None` at the end.
    rows: Option<Box<dyn Rows>>,
    row: i64,
    source: PhantomData<S>,
}

impl<S: Source> Cursor<S> {
    /// What went wrong is kept for the session, which knows more of it than SQLite does.
    fn kept<T>(&self, done: DatasetResult<T>) -> Result<T> {
        done.map_err(|error| {
            let text = error.to_string();
            self.world.fail(error);
            Error::ModuleError(text)
        })
    }
}

// SAFETY: `Cursor` is `repr(C)` and begins with SQLite's struct.
unsafe impl<S: Source> VTabCursor for Cursor<S> {
    fn filter(&mut self, _: c_int, plan: Option<&str>, values: &Filters<'_>) -> Result<()> {
        let values = values.iter().map(|value| {
            // A text that is no UTF-8 restricts nothing, like a blob.
            Sql::try_from(value).unwrap_or(Sql::Blob(Vec::new()))
        });
        let conditions = Conditions::new(plan.unwrap_or_default(), values);
        self.rows = None;
        if conditions.are_impossible() {
            return Ok(());
        }
        self.rows = Some(self.kept(S::rows(&self.world, &conditions))?);
        VTabCursor::next(self)
    }

    fn next(&mut self) -> Result<()> {
        let Some(rows) = &mut self.rows else {
            return Ok(());
        };
        let there = rows.advance();
        self.row += 1;
        if !self.kept(there)? {
            self.rows = None;
        }
        Ok(())
    }

    fn eof(&self) -> bool {
        self.rows.is_none()
    }

    fn column(&self, context: &mut Context, column: c_int) -> Result<()> {
        let rows = self
            .rows
            .as_ref()
            .expect("SQLite asks for cells of rows that are there");
        let mut out = Out {
            context,
            said: Ok(()),
        };
        self.kept(rows.cell(column as usize, &mut out))?;
        out.said
    }

    fn rowid(&self) -> Result<i64> {
        Ok(self.row)
    }
}
