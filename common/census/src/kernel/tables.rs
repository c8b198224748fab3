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

use super::desk::Spare;
use super::evaluate::Smaller;
use super::parallel::{Method, evaluate_with};
use super::{Control, EvaluateError, EvaluatedClass, table_bytes};
use crate::shard::Shard;

/// The tables of recent classes, within a limit. They belong to one arena.
#[derive(Default)]
pub struct Tables {
    limit_bytes: u64,
    kept: Mutex<Kept>,
    spare: Spare,
}

#[derive(Default)]
struct Kept {
    tables: HashMap<Shard, Arc<EvaluatedClass>>,
    bytes: u64,
    stats: CanonicalizerStats,
}

impl Tables {
    /// Keeps tables of at most `limit_bytes` in all, the scratch space of the largest class included. Tables of the fewest
    /// squares give way first. A class that takes more by itself (three times [`table_bytes`]) is evaluated all the same.
    pub fn new(limit_bytes: u64) -> Self {
        Self {
            limit_bytes,
            kept: Mutex::default(),
            spare: Spare::default(),
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
        self.make_room(3 * table_bytes(shard));
        let (class, stats) = evaluate_with(
            arena,
            shard,
            threads,
            control,
            smaller,
            &self.spare,
            Method::Fastest,
        )?;
        let class = Arc::new(class);
        self.keep(&class, stats);
        Ok(class)
    }

    /// How the option sets were decided so far.
    pub fn stats(&self) -> CanonicalizerStats {
        self.lock().stats
    }

    /// Bytes of the tables kept, and of scratch space for the next class.
    pub fn memory_bytes(&self) -> u64 {
        self.lock().bytes + self.spare.memory_bytes()
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
        // Evaluating what does not fit beside the class would cost more than the moves it saves.
        let is_kept = self.lock().tables.contains_key(&smaller);
        if !is_kept && 3 * table_bytes(smaller) > self.limit_bytes / 2 {
            return Ok(None);
        }
        self.evaluate(arena, smaller, threads, &control.aside())
            .map(Some)
    }

    fn keep(&self, class: &Arc<EvaluatedClass>, stats: CanonicalizerStats) {
        let mut kept = self.lock();
        kept.stats = kept.stats.plus(stats);
        let bytes = table_bytes(class.shard);
        if kept.make_room(bytes + self.spare.memory_bytes(), self.limit_bytes) {
            kept.insert(class);
        } else {
            self.spare.clear();
        }
    }

    /// Drops tables until `bytes` more fit.
    fn make_room(&self, bytes: u64) {
        // What is spare will be used, or dropped for something larger.
        self.lock().make_room(bytes, self.limit_bytes);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    /// Drops tables until `bytes` more fit into `limit`; false when they do not fit at all.
    fn make_room(&mut self, bytes: u64, limit: u64) -> bool {
        while self.bytes + bytes > limit {
            let least = |shard: &&Shard| (shard.class.n, table_bytes(**shard));
            let Some(&least) = self.tables.keys().min_by_key(least) else {
                return false;
            };
            self.tables.remove(&least);
            self.bytes -= table_bytes(least);
        }
        true
    }

    fn insert(&mut self, class: &Arc<EvaluatedClass>) {
        if self.tables.insert(class.shard, Arc::clone(class)).is_none() {
            self.bytes += table_bytes(class.shard);
        }
    }
}
