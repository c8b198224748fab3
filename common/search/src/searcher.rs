//! The way in: a searcher with its table, and what it can be asked.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use toads_game::{Arena, Capacity, Relation};
use toads_strip::Variant;

use crate::answer::Answer;
use crate::control::Control;
use crate::error::{Result, SearchError};
use crate::gather::gather;
use crate::position::{Knowledge, Position};
use crate::small::{OneBlank, Small, SmallBoards};
use crate::solve::{Ended, STACK_BYTES, Shared, Solver};
use crate::strategy::Writer;
use crate::sum::Sum;
use crate::table::Table;
use crate::term::Terms;

/// What a search may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes for table, values of small parts and arena together; 16 MiB at least.
    pub memory: u64,
    /// Threads, one at least.
    pub threads: usize,
    /// Positions that one comparison may expand.
    pub nodes: u64,
}

impl Default for Limits {
    /// 1 GiB, one thread, no limit on nodes.
    fn default() -> Self {
        Self {
            memory: 1 << 30,
            threads: 1,
            nodes: u64::MAX,
        }
    }
}

/// The least memory that is planned for.
const LEAST_MEMORY: u64 = 16 << 20;

/// Bytes of an entry in the map of small boards, at the map's usual load.
const SMALL_ENTRY: u64 = 128;

/// Classes of up to this many strips are evaluated instead of searched. More would spare few nodes and cost values.
const SMALL_CLASS: u64 = 20_000;

/// Nodes of the first attempt at either half of a comparison; each next one is [`GROWTH`] times as long.
const FIRST_SLICE: u64 = 1 << 14;
const GROWTH: u64 = 4;

/// The size of the table for searches of this many nodes: two entries a node, if they fit. Sizes are quarters of quarters of four
/// fifths of the limit, so that a table and the next one fit in it together.
fn table_bytes(nodes: u64, limit: u64) -> u64 {
    let mut bytes = limit / 5 * 4;
    while bytes / 4 >= nodes.saturating_mul(64) {
        bytes /= 4;
    }
    bytes
}

impl Limits {
    fn planned(&self) -> u64 {
        self.memory.max(LEAST_MEMORY)
    }

    fn small_boards(&self) -> usize {
        (self.planned() / 8 / SMALL_ENTRY) as usize
    }

    /// An arena with its share of the memory, one eighth.
    pub fn arena(&self) -> Arena {
        let capacity = Capacity::from_bytes(self.planned() / 8);
        Arena::with_capacity(Capacity {
            order_memo_bits: capacity.order_memo_bits.max(16),
            ..capacity
        })
    }
}

/// Compares sums by play. What it learns about parts of positions serves all later comparisons.
///
/// Memory: three quarters of the limit for the transposition table, an eighth for the values of small parts; the arena is
/// the caller's ([`Limits::arena`] takes the last eighth). The table starts small and grows with the searches.
pub struct Searcher<'a> {
    arena: &'a Arena,
    variant: Variant,
    table: Table,
    table_limit: u64,
    small: SmallBoards,
    control: Arc<Control>,
    limits: Limits,
}

impl<'a> Searcher<'a> {
    /// A searcher for one variant. Values in sums are values of this arena.
    pub fn new(arena: &'a Arena, variant: Variant, limits: Limits) -> Self {
        Self {
            arena,
            variant,
            table: Table::new(table_bytes(FIRST_SLICE, limits.planned() / 4 * 3)),
            table_limit: limits.planned() / 4 * 3,
            small: SmallBoards::new(SMALL_CLASS, limits.small_boards()),
            control: Arc::default(),
            limits,
        }
    }

    /// With a table of at most this many bytes, whatever the memory limit says; 64 at least.
    #[must_use]
    pub fn with_table_bytes(mut self, bytes: u64) -> Self {
        self.table = Table::new(table_bytes(FIRST_SLICE, bytes));
        self.table_limit = bytes;
        self
    }

    /// With canonical values for parts in classes of up to this many strips (20,000 if nothing is said): more spare nodes
    /// and cost values. Parts with one blank always have theirs.
    #[must_use]
    pub fn with_small_classes(mut self, strips: u64) -> Self {
        let one_blank = self.small.one_blank;
        self.small = SmallBoards::new(strips, self.limits.small_boards());
        self.small.one_blank = one_blank;
        self
    }

    /// With a closed form for parts with one blank, which are otherwise evaluated by their options.
    #[must_use]
    pub fn with_one_blank(mut self, closed_form: OneBlank) -> Self {
        self.small.one_blank = Some(closed_form);
        self
    }

    /// Counters and the off switch, for another thread to hold.
    pub fn control(&self) -> Arc<Control> {
        Arc::clone(&self.control)
    }

    /// How G and H compare: the outcome of G − H, found by play.
    ///
    /// Exact as far as it goes (see `table.rs` for the one probability involved). Cost: at worst all positions that can be
    /// reached; usually a small part of them.
    pub fn compare(&mut self, g: &Sum, h: &Sum) -> Result<Answer> {
        let before = self.control.nodes();
        let limit = before.saturating_add(self.limits.nodes);
        self.make_room(FIRST_SLICE);
        // Most comparisons end with the first slice, on one thread. Gathering needs its stack as well: the values of small parts are
        // found by recursion.
        let (position, mut answers) = on_deep_stack(|| self.begin(g, h, limit))??;
        self.go_on(&position, &mut answers, limit)?;
        Ok(Answer {
            at_least: answers[0],
            at_most: answers[1],
            nodes: self.control.nodes() - before,
        })
    }

    /// The difference, and what the first slices find out about it: whether it is ≥ 0, and ≤ 0.
    fn begin(&self, g: &Sum, h: &Sum, limit: u64) -> Result<(Position, [Option<bool>; 2])> {
        let mut knowledge = self.knowledge();
        let position = gather(&mut knowledge, self.variant, g, h)?;
        let done = AtomicBool::new(false);
        let mut solver = Solver::new(knowledge, self.shared(&done, limit), 0);
        let mut answers = [None; 2];
        for at in 0..2 {
            solver.set_limit(self.slice_end(FIRST_SLICE, limit));
            answers[at] = known(solver.holds(&position, at == 0))?;
            if position.is_its_own_negative() {
                answers = [answers[at]; 2];
                break;
            }
        }
        Ok((position, answers))
    }

    fn shared<'s>(&'s self, done: &'s AtomicBool, limit: u64) -> Shared<'s> {
        Shared {
            table: &self.table,
            control: &self.control,
            done,
            limit,
        }
    }

    /// The count of nodes at which a slice that begins now ends.
    fn slice_end(&self, slice: u64, limit: u64) -> u64 {
        self.control.nodes().saturating_add(slice).min(limit)
    }

    fn knowledge(&self) -> Knowledge<'_> {
        Knowledge {
            terms: Terms::new(self.arena),
            small: Small::new(&self.small),
        }
    }

    /// Longer and longer slices, in turns, until both are answered or the limit is reached: so the easier one is found even if
    /// the other one is out of reach.
    fn go_on(
        &mut self,
        position: &Position,
        answers: &mut [Option<bool>; 2],
        limit: u64,
    ) -> Result<()> {
        let mut slice = FIRST_SLICE;
        while answers.contains(&None) && !self.control.is_stopped() && self.control.nodes() < limit
        {
            slice = slice.saturating_mul(GROWTH);
            self.make_room(slice);
            for at in 0..2 {
                if answers[at].is_none() {
                    let end = self.slice_end(slice, limit);
                    answers[at] = self.ask(position, at == 0, end)?;
                }
                if position.is_its_own_negative() {
                    *answers = [answers[at]; 2];
                    break;
                }
            }
        }
        Ok(())
    }

    /// A certificate that G and H compare as `relation` says, of at most `limit` bytes: text that
    /// [`certify`](crate::certify()) checks on its own. Ask for what [`Self::compare`] found.
    ///
    /// Positions that the search collapsed are searched once more. Cost: some tens of microseconds a node of the strategy.
    pub fn certificate(
        &mut self,
        g: &Sum,
        h: &Sum,
        relation: Relation,
        limit: usize,
    ) -> Result<String> {
        let done = AtomicBool::new(false);
        let shared = self.shared(&done, u64::MAX);
        on_deep_stack(|| {
            let solver = Solver::new(self.knowledge(), shared, 0);
            Writer::new(solver, self.variant, limit).write(g, h, relation)
        })?
    }

    /// Grows the table for searches of this many nodes.
    fn make_room(&mut self, nodes: u64) {
        let wanted = table_bytes(nodes, self.table_limit);
        if wanted > self.table.bytes() {
            self.table = self.table.grown(wanted);
        }
        self.control.has_table(self.table.entries());
    }

    /// One question, all threads, up to this count of nodes.
    fn ask(&self, position: &Position, at_least: bool, limit: u64) -> Result<Option<bool>> {
        let done = AtomicBool::new(false);
        let shared = self.shared(&done, limit);
        let answer = Mutex::new(Err(Ended::Stopped));
        let solve = |thread: u32| {
            let mut solver = Solver::new(self.knowledge(), shared, thread);
            let found = solver.holds(position, at_least);
            if found != Err(Ended::Stopped) {
                done.store(true, Ordering::Relaxed);
                let mut answer = answer.lock().expect("no thread panics holding this lock");
                if answer.is_err() {
                    *answer = found;
                }
            }
        };
        std::thread::scope(|scope| {
            let solve = &solve;
            for thread in 0..self.limits.threads.max(1) as u32 {
                std::thread::Builder::new()
                    .name(format!("search-{thread}"))
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || solve(thread))
                    .map_err(|error| SearchError::Thread(error.to_string()))?;
            }
            Ok::<_, SearchError>(())
        })?;
        known(answer.into_inner().expect("no thread panicked"))
    }
}

/// An answer, none if the budget did not reach, or why there can be none.
fn known(found: std::result::Result<bool, Ended>) -> Result<Option<bool>> {
    match found {
        Ok(holds) => Ok(Some(holds)),
        Err(Ended::Stopped) => Ok(None),
        Err(Ended::Full) => Err(SearchError::Full),
        Err(Ended::Deep) => Err(SearchError::TooDeep),
    }
}

/// Runs this on a thread whose stack has room for long lines of play.
fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T> {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
            .map_err(|error| SearchError::Thread(error.to_string()))?
            .join()
            .map_err(|_| SearchError::Thread("it panicked".to_owned()))
    })
}
