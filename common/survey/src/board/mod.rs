//! The cells of all surveys: open, leased to a worker until a deadline, or done.
//!
//! A pure state machine, like the scheduler of shards but simpler, because a cell is one small, atomic result: whoever
//! hands one in first has it, later ones change nothing, and no completion needs a fence. Time is a parameter, in
//! milliseconds of a monotonic clock; epochs only grow.
//!
//! | file | what lives there |
//! |---|---|
//! | `lease` | which cell is next, renewal, release, lost workers |
//! | `deadlines` | leases that run out, and cells that lose one worker after the other |
//! | `check` | the invariants |
//!
//! # A cell's life
//!
//! `open → leased → done`. A lease that is given back or runs out opens the cell again, under a new epoch. A cell that is
//! done stays done, unless it failed and somebody asks for another try ([`Board::reopen_failed`]).

mod check;
mod deadlines;
mod lease;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

pub use deadlines::Lost;
pub use lease::{Grant, Offer};

use crate::definition::SurveyId;
use crate::outcome::CellOutcome;

/// Times in milliseconds, and limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardConfig {
    /// A lease runs out when it is not renewed for this long.
    pub lease_ms: u64,
    /// A lease runs out when its nodes do not grow for this long.
    pub progress_ms: u64,
    /// A gap between two ticks that is longer than this was ours, and moves all deadlines.
    pub own_gap_ms: u64,
    /// Leases lost with their workers before the cell is taken for what kills them.
    pub losses: u32,
}

impl Default for BoardConfig {
    fn default() -> Self {
        Self {
            lease_ms: 30_000,
            progress_ms: 300_000,
            own_gap_ms: 10_000,
            losses: 4,
        }
    }
}

/// A cell of a survey.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct CellKey {
    /// Which survey.
    pub survey: SurveyId,
    /// Which of its cells.
    pub index: u32,
}

impl fmt::Display for CellKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cell {} of survey {}", self.index, self.survey)
    }
}

/// How a cell was done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ending {
    /// Neither a value nor a relation.
    Failed,
    /// Relations.
    Bounded,
    /// A value.
    Exact,
}

impl From<&CellOutcome> for Ending {
    fn from(outcome: &CellOutcome) -> Self {
        match outcome {
            CellOutcome::Exact { .. } => Self::Exact,
            CellOutcome::Bounded { .. } => Self::Bounded,
            CellOutcome::Failed { .. } => Self::Failed,
        }
    }
}

/// Whether a survey takes work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum SheetState {
    /// Its cells are leased.
    Active,
    /// Given up; what is done stays.
    Cancelled,
}

/// Where a survey stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// All cells.
    pub cells: u32,
    /// Those with a value.
    pub exact: u32,
    /// Those with relations.
    pub bounded: u32,
    /// Those that failed.
    pub failed: u32,
    /// Those that are with a worker now.
    pub leased: u32,
}

impl Counts {
    /// Cells that are done, one way or the other.
    pub fn done(&self) -> u32 {
        self.exact + self.bounded + self.failed
    }
}

/// How a lease that somebody names stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It is this worker's.
    Current,
    /// It ran out, or is from before a restart; the cell is not done.
    Stale,
    /// The cell is done.
    Done,
    /// There is no such cell.
    Unknown,
}

#[derive(Clone, Copy, Debug)]
struct Lease {
    worker: u64,
    epoch: u64,
    until_ms: u64,
    nodes: u64,
    progress_ms: u64,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Open,
    Leased(Lease),
    Done(Ending),
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    group: u64,
    /// Leases lost with their workers.
    losses: u32,
    state: State,
}

/// The cells of one survey.
#[derive(Debug)]
struct Sheet {
    /// Who was asked for last is leased first.
    rank: u64,
    state: SheetState,
    slots: Vec<Slot>,
}

/// The lease table of cells; see the [module](self).
#[derive(Debug)]
pub struct Board {
    config: BoardConfig,
    /// The latest time seen; never goes back.
    now_ms: u64,
    ticked_ms: Option<u64>,
    next_epoch: u64,
    next_rank: u64,
    sheets: BTreeMap<SurveyId, Sheet>,
    /// The group of the last cell of each worker: what it learnt there helps in the next.
    last_group: BTreeMap<u64, u64>,
}

impl Board {
    /// An empty table. Every epoch it issues is at least `first_epoch`.
    pub fn new(config: BoardConfig, first_epoch: u64) -> Self {
        Self {
            config,
            now_ms: 0,
            ticked_ms: None,
            next_epoch: first_epoch.max(1),
            next_rank: 0,
            sheets: BTreeMap::new(),
            last_group: BTreeMap::new(),
        }
    }

    /// Enters a survey: the group of each cell, and how those that are done were done. One that is there becomes active
    /// again and comes first, and what is known of its cells stays.
    pub fn enter(&mut self, survey: SurveyId, groups: &[u64], done: &[(u32, Ending)]) {
        let rank = self.next_rank;
        self.next_rank += 1;
        let fresh = || Sheet {
            rank,
            state: SheetState::Active,
            slots: groups.iter().map(|&group| Slot::open(group)).collect(),
        };
        let sheet = self.sheets.entry(survey).or_insert_with(fresh);
        (sheet.rank, sheet.state) = (rank, SheetState::Active);
        for &(index, ending) in done {
            if let Some(slot) = sheet.slots.get_mut(index as usize) {
                slot.finish(ending);
            }
        }
    }

    /// Gives a survey up: its leases are taken back, what is done stays. Returns the leases that were out; nothing
    /// happens when there is no such survey.
    pub fn cancel(&mut self, survey: SurveyId) -> Vec<(CellKey, u64)> {
        let Some(sheet) = self.sheets.get_mut(&survey) else {
            return Vec::new();
        };
        sheet.state = SheetState::Cancelled;
        let mut taken = Vec::new();
        for (index, slot) in (0..).zip(&mut sheet.slots) {
            if let State::Leased(lease) = slot.state {
                slot.state = State::Open;
                taken.push((CellKey { survey, index }, lease.epoch));
            }
        }
        taken
    }

    /// Opens the cells that failed again; how many.
    pub fn reopen_failed(&mut self, survey: SurveyId) -> u32 {
        let slots = self
            .sheets
            .get_mut(&survey)
            .into_iter()
            .flat_map(|sheet| &mut sheet.slots);
        let mut reopened = 0;
        for slot in slots {
            if matches!(slot.state, State::Done(Ending::Failed)) {
                *slot = Slot::open(slot.group);
                reopened += 1;
            }
        }
        reopened
    }

    /// How a lease stands.
    pub fn standing(&self, worker: u64, key: CellKey, epoch: u64) -> Standing {
        match self.slot(key).map(|slot| slot.state) {
            None => Standing::Unknown,
            Some(State::Done(_)) => Standing::Done,
            Some(State::Leased(lease)) if (lease.worker, lease.epoch) == (worker, epoch) => {
                Standing::Current
            }
            Some(_) => Standing::Stale,
        }
    }

    /// The result of a cell is stored; whether it was the first, or says more than the one before. Whoever still has a
    /// lease on the cell loses it.
    pub fn complete(&mut self, key: CellKey, ending: Ending) -> bool {
        self.slot_mut(key).is_some_and(|slot| slot.finish(ending))
    }

    /// Where a survey stands; `None` when there is no such survey.
    pub fn counts(&self, survey: SurveyId) -> Option<Counts> {
        let sheet = self.sheets.get(&survey)?;
        let mut counts = Counts {
            cells: sheet.slots.len() as u32,
            ..Counts::default()
        };
        for slot in &sheet.slots {
            match slot.state {
                State::Open => {}
                State::Leased(_) => counts.leased += 1,
                State::Done(Ending::Exact) => counts.exact += 1,
                State::Done(Ending::Bounded) => counts.bounded += 1,
                State::Done(Ending::Failed) => counts.failed += 1,
            }
        }
        Some(counts)
    }

    /// Whether a survey takes work.
    pub fn state(&self, survey: SurveyId) -> Option<SheetState> {
        self.sheets.get(&survey).map(|sheet| sheet.state)
    }

    /// Leases that are out.
    pub fn leases_out(&self) -> usize {
        let slots = self.sheets.values().flat_map(|sheet| &sheet.slots);
        slots
            .filter(|slot| matches!(slot.state, State::Leased(_)))
            .count()
    }

    /// Cells that wait for a worker.
    pub fn open(&self) -> usize {
        let active = |sheet: &&Sheet| sheet.state == SheetState::Active;
        let slots = self
            .sheets
            .values()
            .filter(active)
            .flat_map(|sheet| &sheet.slots);
        slots
            .filter(|slot| matches!(slot.state, State::Open))
            .count()
    }

    /// The next lease gets this epoch.
    pub fn next_epoch(&self) -> u64 {
        self.next_epoch
    }

    /// Time only goes forward, whatever the caller's clock does.
    fn advance(&mut self, now_ms: u64) {
        self.now_ms = self.now_ms.max(now_ms);
    }

    fn slot(&self, key: CellKey) -> Option<&Slot> {
        self.sheets.get(&key.survey)?.slots.get(key.index as usize)
    }

    fn slot_mut(&mut self, key: CellKey) -> Option<&mut Slot> {
        let sheet = self.sheets.get_mut(&key.survey)?;
        sheet.slots.get_mut(key.index as usize)
    }
}

impl Slot {
    fn open(group: u64) -> Self {
        Self {
            group,
            losses: 0,
            state: State::Open,
        }
    }

    /// Done, unless it is done as well or better.
    fn finish(&mut self, ending: Ending) -> bool {
        let is_news = match self.state {
            State::Done(before) => ending > before,
            State::Open | State::Leased(_) => true,
        };
        if is_news {
            self.state = State::Done(ending);
        }
        is_news
    }
}
