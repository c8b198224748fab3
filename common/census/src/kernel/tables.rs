//! Classes evaluated one after another, each with the help of smaller ones.
//!
//! A frog on the leftmost square and a toad on the rightmost are dead, so five ninths of the strips of a class are
//! strips of a smaller class with a dead end added: those that start with a frog are the strips of (n − 1; t, f − 1)
//! in the same order, those that end with a toad the strips of (n − 1; t − 1, f) in the same order; and a fifth of the others
//! have a longer dead end (`dead.rs`). The rest is evaluated by moves. A class by itself is no faster that way – its smaller classes have to be
//! evaluated first – but the classes of a census share them: each core strip is evaluated once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use toads_game::{Arena, CanonicalizerStats};
use toads_strip::Variant;

use super::dead::{DEAD_ENDS, KINDS};
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
    spare: Arc<Spare>,
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
            spare: Arc::default(),
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
        if let Some(kept) = self.kept(shard, control) {
            return Ok(kept);
        }
        let class = EvaluatedClass::new(shard);
        let (class, stats) = self.evaluate_class(arena, class, threads, control)?;
        let class = Arc::new(class);
        self.keep(&class, stats);
        Ok(class)
    }

    /// [`Self::evaluate`] for a class that no other one will need: its table is not kept, but leaves its memory to the
    /// next one when the caller drops it.
    pub fn evaluate_last(
        &self,
        arena: &Arena,
        shard: Shard,
        threads: usize,
        control: &Control,
    ) -> Result<Arc<EvaluatedClass>, EvaluateError> {
        if let Some(kept) = self.kept(shard, control) {
            return Ok(kept);
        }
        let class = EvaluatedClass::in_spare(shard, &self.spare);
        let (class, stats) = self.evaluate_class(arena, class, threads, control)?;
        let mut kept = self.lock();
        kept.stats = kept.stats.plus(stats);
        Ok(Arc::new(class))
    }

    fn kept(&self, shard: Shard, control: &Control) -> Option<Arc<EvaluatedClass>> {
        let kept = Arc::clone(self.lock().tables.get(&shard)?);
        control.strips_done.store(kept.len(), Ordering::Relaxed);
        Some(kept)
    }

    fn evaluate_class(
        &self,
        arena: &Arena,
        class: EvaluatedClass,
        threads: usize,
        control: &Control,
    ) -> Result<(EvaluatedClass, CanonicalizerStats), EvaluateError> {
        let shard = class.shard;
        let [front, back] = self.dead_ends(arena, shard, threads, control)?;
        let smaller = Smaller {
            front: tables_of(&front),
            back: tables_of(&back),
        };
        self.make_room(3 * table_bytes(shard));
        evaluate_with(
            arena,
            class,
            threads,
            control,
            smaller,
            &self.spare,
            Method::Fastest,
        )
    }

    /// How the option sets were decided so far.
    pub fn stats(&self) -> CanonicalizerStats {
        self.lock().stats
    }

    /// Bytes of the tables kept, and of scratch space for the next class.
    pub fn memory_bytes(&self) -> u64 {
        self.lock().bytes + self.spare.memory_bytes()
    }

    /// The smaller classes that hold the strips with each kind of dead end, on the left and on the right. Those with one square
    /// less are evaluated when they are not there; the others are smaller classes of those, and there in most cases.
    fn dead_ends(
        &self,
        arena: &Arena,
        shard: Shard,
        threads: usize,
        control: &Control,
    ) -> Result<[[Option<Arc<EvaluatedClass>>; KINDS]; 2], EvaluateError> {
        let mut classes = [const { [const { None }; KINDS] }; 2];
        let [front, back] = &mut classes;
        front[0] = self.smaller(arena, shard, DEAD_ENDS[0].left_off(shard), threads, control)?;
        back[0] = self.smaller(
            arena,
            shard,
            DEAD_ENDS[0].right_off(shard),
            threads,
            control,
        )?;
        let kept = self.lock();
        let find = |smaller: Option<Shard>| kept.tables.get(&smaller?).cloned();
        for (kind, end) in DEAD_ENDS.iter().enumerate().skip(1) {
            front[kind] = find(end.left_off(shard));
            back[kind] = find(end.right_off(shard));
        }
        Ok(classes)
    }

    /// The smaller class, where its table fits in half of the limit.
    fn smaller(
        &self,
        arena: &Arena,
        shard: Shard,
        smaller: Option<Shard>,
        threads: usize,
        control: &Control,
    ) -> Result<Option<Arc<EvaluatedClass>>, EvaluateError> {
        let Some(smaller) = smaller.filter(|_| shard.variant == Variant::Hop) else {
            return Ok(None);
        };
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

fn tables_of(classes: &[Option<Arc<EvaluatedClass>>; KINDS]) -> [Option<&[AtomicU32]>; KINDS] {
    std::array::from_fn(|kind| classes[kind].as_ref().map(|class| class.table()))
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
