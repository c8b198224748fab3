//! A connection to the tables of one store, for one question.

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Statement};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use toads_game::ValueId;
use toads_store::Store;
use toads_strip::Variant;

use super::calculated::calculated;
use super::memory::Share;
use super::refusal::refusal;
use super::tables::register_all;
use super::text::{split, unclosed, with_quoted_values};
use super::world::World;
use super::{functions, text};
use crate::error::{DatasetError, Result};
use crate::read::Reader;
use crate::rows::{Cancelled, Cell, Column, Real, RowSink};

/// Steps of SQLite's machine between two looks at the clock: well under a millisecond.
const STEPS: i32 = 2000;

/// Bytes that one text may have.
const LONGEST_TEXT: i32 = 64 << 20;

/// What one statement may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SqlLimits {
    /// Milliseconds.
    pub timeout_ms: u64,
    /// Bytes for sorting and grouping, and as many again for the values, tallies and texts of the store.
    pub memory: u64,
    /// Rows at most; everything when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
}

impl Default for SqlLimits {
    fn default() -> Self {
        Self {
            timeout_ms: 60_000,
            memory: 1 << 30,
            rows: None,
        }
    }
}

/// Answers one statement.
pub(crate) fn answer<'s>(
    statement: &str,
    limits: &SqlLimits,
    sink: &mut dyn RowSink,
    read: &dyn Fn(Variant) -> Result<Reader<'s>>,
) -> Result<()> {
    let session = Session::open(limits, sink.cancelled(), read)?;
    let mut prepared = session.prepare(statement)?;
    let columns: Vec<Column> = prepared
        .column_names()
        .map(|name| Column {
            name: name.to_owned().into(),
            numeric: false,
        })
        .collect();
    if sink.columns(&columns).is_break() {
        return Ok(());
    }
    session.rows(&mut prepared, limits.rows, &mut |row| {
        let cells = (0..columns.len()).map(|at| row.get_ref(at).map(cell));
        Ok(sink
            .row(&cells.collect::<rusqlite::Result<Vec<_>>>()?)
            .is_continue())
    })
}

/// The values of the store of which an expression over the columns of `values` is true, within the default limits.
pub(crate) fn values_where<'s>(
    condition: &str,
    read: &dyn Fn(Variant) -> Result<Reader<'s>>,
) -> Result<FxHashSet<ValueId>> {
    if split(condition).len() != 1 || text::is_complete(condition) {
        return Err(DatasetError::Question(format!(
            "`{}` is not one condition, such as temperature > 2 and kind = 'hot'",
            condition.escape_debug()
        )));
    }
    let session = Session::open(&SqlLimits::default(), Cancelled::default(), read)?;
    // On lines of its own, so that a comment ends before the parenthesis.
    let statement = format!("select value_id from values where (\n{condition}\n)");
    let mut prepared = session.prepare(&statement)?;
    let mut found = FxHashSet::default();
    session.rows(&mut prepared, None, &mut |row| {
        found.extend(row.get_ref(0)?.as_str()?.parse::<ValueId>().ok());
        Ok(true)
    })?;
    Ok(found)
}

fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null => Cell::Empty,
        ValueRef::Integer(integer) => integer.into(),
        ValueRef::Real(real) => Cell::Real(Real::new(real)),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned().into(),
        ValueRef::Blob(bytes) => {
            let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
            Cell::Text(digits.collect())
        }
    }
}

/// Why a statement was interrupted.
#[derive(Default)]
struct Interrupted(AtomicU8);

impl Interrupted {
    const TIMEOUT: u8 = 1;
    const CANCELLED: u8 = 2;
}

/// The tables of a store that is borrowed for `'s`.
struct Session<'s> {
    // First, so that it is closed while all else is there.
    connection: Connection,
    world: Arc<World>,
    limits: SqlLimits,
    interrupted: Arc<Interrupted>,
    _share: Share,
    store: PhantomData<&'s dyn Store>,
}

impl<'s> Session<'s> {
    fn open(
        limits: &SqlLimits,
        cancelled: Cancelled,
        read: &dyn Fn(Variant) -> Result<Reader<'s>>,
    ) -> Result<Self> {
        let readers = Variant::ALL
            .into_iter()
            .map(read)
            .collect::<Result<Vec<_>>>()?;
        // SAFETY: only the lifetime changes. The readers, and the store they borrow, go into the `World`, which is held by
        // this session and by its connection alone; neither leaves the session (statements borrow it), and the session
        // does not outlive `'s`. A session that is leaked is not used any more.
        #[allow(
            unsafe_code,
            reason = "SQLite's tables cannot borrow: rusqlite asks for 'static"
        )]
        let readers =
            unsafe { std::mem::transmute::<Vec<Reader<'s>>, Vec<Reader<'static>>>(readers) };
        let session = Self {
            connection: Connection::open_in_memory()
                .map_err(|error| refusal(&error, "", limits.memory))?,
            world: Arc::new(World::new(readers, limits.memory)),
            limits: *limits,
            interrupted: Arc::default(),
            _share: Share::of(limits.memory),
            store: PhantomData,
        };
        session
            .set_up(cancelled)
            .map_err(|error| refusal(&error, "", limits.memory))
    }

    fn set_up(mut self, cancelled: Cancelled) -> rusqlite::Result<Self> {
        let connection = &mut self.connection;
        // What does not fit in memory is not to fill the disk instead.
        connection.pragma_update(None, "temp_store", "memory")?;
        for (limit, most) in [
            (Limit::SQLITE_LIMIT_ATTACHED, 0),
            (Limit::SQLITE_LIMIT_LENGTH, LONGEST_TEXT),
            (Limit::SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
            (Limit::SQLITE_LIMIT_EXPR_DEPTH, 200),
            (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
        ] {
            connection.set_limit(limit, most)?;
        }
        // A name in double quotes that nothing has is an error, not a text.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
        functions::register(connection)?;
        register_all(connection, &self.world)?;
        connection.authorizer(Some(authorize))?;
        let deadline = Instant::now().checked_add(Duration::from_millis(self.limits.timeout_ms));
        let interrupted = Arc::clone(&self.interrupted);
        let is_over = move || {
            let why = match () {
                () if cancelled.get() => Interrupted::CANCELLED,
                () if deadline.is_some_and(|deadline| Instant::now() > deadline) => {
                    Interrupted::TIMEOUT
                }
                () => return false,
            };
            interrupted.0.store(why, Ordering::Relaxed);
            true
        };
        connection.progress_handler(STEPS, Some(is_over))?;
        Ok(self)
    }

    fn prepare(&self, statement: &str) -> Result<Statement<'_>> {
        let question = |text: &str| DatasetError::Question(text.to_owned());
        if let Some(quote) = unclosed(statement) {
            return Err(DatasetError::Question(format!(
                "the statement ends within what begins with {quote}; close it"
            )));
        }
        let statements = split(statement);
        let [statement] = &statements[..] else {
            return Err(question(
                "one statement at a time: a select without a second one behind it",
            ));
        };
        if let Some(name) = calculated(statement) {
            return Err(DatasetError::Question(format!(
                "`{name}` is an exact fraction, kept as text: write num({name}) to calculate with it; comparing, sorting, max \
                 and min need no num"
            )));
        }
        let prepared = self.connection.prepare(&with_quoted_values(statement));
        let prepared = prepared.map_err(|error| self.failed(&error, statement))?;
        if prepared.column_count() == 0 || !prepared.readonly() {
            return Err(question("nothing can be changed here: write a select"));
        }
        Ok(prepared)
    }

    /// Runs a statement; `each` says whether to go on.
    fn rows(
        &self,
        prepared: &mut Statement<'_>,
        most: Option<u64>,
        each: &mut dyn FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<bool>,
    ) -> Result<()> {
        let statement = prepared.expanded_sql().unwrap_or_default();
        let failed = |error| self.failed(&error, &statement);
        let mut rows = prepared.query([]).map_err(failed)?;
        let mut left = most.unwrap_or(u64::MAX);
        while left > 0
            && let Some(row) = rows.next().map_err(failed)?
        {
            left -= 1;
            if !each(row).map_err(failed)? {
                break;
            }
        }
        Ok(())
    }

    /// What went wrong: in a table, with the clock, or with the statement.
    fn failed(&self, error: &rusqlite::Error, statement: &str) -> DatasetError {
        if let Some(failure) = self.world.failure() {
            return failure;
        }
        match self.interrupted.0.load(Ordering::Relaxed) {
            Interrupted::CANCELLED => DatasetError::Stopped,
            Interrupted::TIMEOUT => DatasetError::Question(format!(
                "the statement took longer than {} s; ask about fewer n or classes, or give --timeout more",
                self.limits.timeout_ms as f64 / 1000.0
            )),
            _ => refusal(error, statement, self.limits.memory),
        }
    }
}

/// Reading is allowed, and nothing else.
fn authorize(context: AuthContext<'_>) -> Authorization {
    const PRAGMAS: [&str; 3] = ["table_info", "table_list", "table_xinfo"];
    let is_reading = match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => true,
        AuthAction::Function { function_name } => {
            !function_name.eq_ignore_ascii_case("load_extension")
        }
        AuthAction::Pragma { pragma_name, .. } => PRAGMAS
            .iter()
            .any(|name| pragma_name.eq_ignore_ascii_case(name)),
        _ => false,
    };
    if is_reading {
        Authorization::Allow
    } else {
        Authorization::Deny
    }
}
