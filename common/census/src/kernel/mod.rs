//! The evaluation kernel: a class into a dense table of values, in index order.
//!
//! A strip is a high half and a low half. For a fixed high half the low halves with the right numbers of pieces are
//! consecutive ranks, and every move is one of three kinds:
//!
//! * inside the low half: another rank of the same run, from a table of moves of half-strips;
//! * inside the high half: the same low half under another high half, so a run read in step with this one;
//! * across the cut: at most one for each player, decided by the two squares on either side of the cut, and the low
//!   halves that have them are consecutive too – again a run read in step.
//!
//! So a strip costs a few sequential loads, no ranking, no allocation and no hash of the strip. Every move lowers the
//! index, so index order is an evaluation order; it also lowers the layout's *level* of the high half (or leaves the
//! high half alone), so all high halves of one level can be evaluated at the same time.

mod components;
mod dead;
mod desk;
mod evaluate;
mod finish;
mod halves;
mod layout;
mod mirror;
mod parallel;
pub mod plain;
mod scratch;
mod streams;
mod tables;
mod turns;
mod word;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use toads_game::zeroed::{Zeroed, zeroed};
use toads_game::{GameError, Value};

use crate::shard::Shard;
use desk::Spare;
pub(crate) use layout::Layout;

pub use finish::Finished;

/// How an evaluation is watched and stopped from outside.
#[derive(Debug, Default)]
pub struct Control {
    /// Set it to stop the evaluation soon, with [`EvaluateError::Cancelled`].
    pub cancelled: Arc<AtomicBool>,
    /// Strips of the class evaluated so far; only grows.
    pub strips_done: AtomicU64,
}

impl Control {
    /// Stopped with this one, but with progress of its own.
    fn aside(&self) -> Self {
        Self {
            cancelled: Arc::clone(&self.cancelled),
            strips_done: AtomicU64::new(0),
        }
    }

    fn check(&self) -> Result<(), EvaluateError> {
        if self.cancelled.load(Ordering::Relaxed) {
            Err(EvaluateError::Cancelled)
        } else {
            Ok(())
        }
    }
}

/// Why a class was not evaluated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvaluateError {
    /// The arena could not hold a value.
    #[error(transparent)]
    Game(#[from] GameError),
    /// Stopped through [`Control::cancelled`].
    #[error("the evaluation was cancelled")]
    Cancelled,
    /// The consumer of the blocks gave up.
    #[error("the blocks could not be passed on: {0}")]
    Sink(String),
}

/// The value of every strip of a class, by rank.
pub struct EvaluatedClass {
    shard: Shard,
    layout: Layout,
    /// May be longer than the class.
    memory: Zeroed<AtomicU32>,
    /// Where the memory goes when nobody reads it any more.
    heir: Option<Arc<Spare>>,
}

impl Drop for EvaluatedClass {
    fn drop(&mut self) {
        if let Some(heir) = self.heir.take() {
            heir.give_table(std::mem::take(&mut self.memory));
        }
    }
}

impl EvaluatedClass {
    /// To be evaluated, in memory of its own.
    fn new(shard: Shard) -> Self {
        Self {
            shard,
            layout: Layout::new(shard.variant, shard.class),
            memory: zeroed(shard.class.size() as usize),
            heir: None,
        }
    }

    /// To be evaluated, in memory that goes from class to class.
    fn in_spare(shard: Shard, spare: &Arc<Spare>) -> Self {
        Self {
            shard,
            layout: Layout::new(shard.variant, shard.class),
            memory: spare.take_table(shard.class.size() as usize),
            heir: Some(Arc::clone(spare)),
        }
    }

    fn table(&self) -> &[AtomicU32] {
        &self.memory[..self.shard.class.size() as usize]
    }

    /// The shard.
    pub fn shard(&self) -> Shard {
        self.shard
    }

    /// The strips of the class.
    pub fn len(&self) -> u64 {
        self.shard.class.size()
    }

    /// Never: every class has a strip.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of the strip of this rank.
    pub fn value_at(&self, rank: u64) -> Value {
        Value::from_index(self.table()[rank as usize].load(Ordering::Relaxed) as usize)
    }
}

/// Bytes of the table of a class: 4 a strip. While it is evaluated by moves it takes twice as much again, for the stops.
pub fn table_bytes(shard: Shard) -> u64 {
    shard.class.size() * 4
}

pub use parallel::{WORTH_ALL_THREADS, evaluate, evaluate_by_moves};
pub use tables::Tables;
