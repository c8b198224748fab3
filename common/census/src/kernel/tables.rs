//! Classes evaluated one after another, each with the help of smaller ones.
//!
//! A frog on the leftmost square and a toad on the rightmost are dead, so five ninths of the strips of a class are
//! strips of a smaller class with a dead end added: those that start with a frog are the strips of (n − 1; t, f − 1)
//! in the same order, those that end with a toad the strips of (n − 1; t − 1, f) in the same order. Only the core
//! strips are evaluated by their moves. A class by itself is no faster that way – its smaller classes have to be
//! evaluated first – but the classes of a census share them: each core strip is evaluated once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use toads_game::{Arena, CanonicalizerStats};
use toads_strip::{Class, Variant};

use super::evaluate::Smaller;
use super::parallel::{Method, evaluate_with};
use super::{Control, EvaluateError, EvaluatedClass, table_bytes};
use crate::shard::Shard;

/// The tables of recent classes, within a limit. They belong to one arena.
#[derive(Default)]
pub struct Tables {
    limit_bytes: u64,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    tables: HashMap<Shard, Arc<EvaluatedClass>>,
    bytes: u64,
    stats: CanonicalizerStats,
}

impl Tables {
    /// Keeps tables of at most `limit_bytes` in all. Those of the fewest squares give way first.
    pub fn new(limit_bytes: u64) -> Self {
        Self {
            limit_bytes,
            kept: Mutex::default(),
        }
    }

    /// The values of the shard's class, as [`super::evaluate`] finds them, on `threads` threads that share `arena`,
    /// which must be the same in every call. Smaller classes are evaluated first where they are not kept any more and fit.
    ///
    /// The table returned is shared with later calls; [`Control::strips_done`] tells of this class only.
    pub fn evaluate(
        &self,
        arena: &Arena,
        shard: Shard,
        threads: usize,
        control: &Control,
    ) -> Result<Arc<EvaluatedClass>, EvaluateError> {
        if let Some(kept) = self.lock().tables.get(&shard) {
            control
                .strips_done
                .store(kept.len(), std::sync::atomic::Ordering::Relaxed);
            return Ok(Arc::clone(kept));
        }
        let Class { n, toads, frogs } = shard.class;
        let front = frogs.checked_sub(1).map(|frogs| Class {
            n: n - 1,
            toads,
            frogs,
        });
        let back = toads.checked_sub(1).map(|toads| Class {
            n: n - 1,
            toads,
            frogs,
        });
        let front = self.smaller(arena, shard, front, threads, control)?;
        let back = self.smaller(arena, shard, back, threads, control)?;
        let smaller = Smaller {
            front: front.as_ref().map(|class| &*class.table),
            back: back.as_ref().map(|class| &*class.table),
        };
        let (class, stats) =
            evaluate_with(arena, shard, threads, control, smaller, Method::Fastest)?;
        let class = Arc::new(class);
        self.keep(&class, stats);
        Ok(class)
    }

    /// How the option sets were decided so far.
    pub fn stats(&self) -> CanonicalizerStats {
        self.lock().stats
    }

    /// Bytes of the tables kept.
    pub fn memory_bytes(&self) -> u64 {
        self.lock().bytes
    }

    /// The smaller class, where it is one that a census computes and its table fits in half of the limit.
    fn smaller(
        &self,
        arena: &Arena,
        shard: Shard,
        class: Option<Class>,
        threads: usize,
        control: &Control,
    ) -> Result<Option<Arc<EvaluatedClass>>, EvaluateError> {
        let wanted = |class: &Class| class.n > 0 && class.toads >= class.frogs;
        let Some(class) = class
            .filter(wanted)
            .filter(|_| shard.variant == Variant::Hop)
        else {
            return Ok(None);
        };
        let smaller = Shard::whole(shard.variant, class);
        if table_bytes(smaller) > self.limit_bytes / 2 {
            return Ok(None);
        }
        self.evaluate(arena, smaller, threads, &control.aside())
            .map(Some)
    }

    fn keep(&self, class: &Arc<EvaluatedClass>, stats: CanonicalizerStats) {
        let mut kept = self.lock();
        kept.stats = kept.stats.plus(stats);
        let bytes = table_bytes(class.shard);
        if bytes > self.limit_bytes {
            return;
        }
        while kept.bytes + bytes > self.limit_bytes {
            let Some(&least) = kept
                .tables
                .keys()
                .min_by_key(|shard| (shard.class.n, table_bytes(**shard)))
            else {
                break;
            };
            kept.tables.remove(&least);
            kept.bytes -= table_bytes(least);
        }
        if kept.tables.insert(class.shard, Arc::clone(class)).is_none() {
            kept.bytes += bytes;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
