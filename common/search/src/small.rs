//! Boards of small classes, by their canonical values: each is evaluated once and shared by all threads.

use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use toads_game::{Arena, GameError, Value};
use toads_strip::Square;

use crate::board::Board;
use crate::number::dyadic;
use crate::split::split;
use crate::term::{Centred, Terms};

const SHARDS: usize = 64;

/// log2 of the entries of each thread's own cache in front of the shared map.
const FRONT_BITS: u32 = 12;

/// A closed form for strips with one blank: the value, in this arena, or `None` where it cannot be built.
pub type OneBlank = fn(&Arena, &[Square]) -> Option<Value>;

/// What is remembered of a board.
#[derive(Clone, Copy)]
enum Entry {
    Value(Centred),
    /// Its numbers do not fit in the arena.
    OutOfRange,
}

/// Which boards are small, and the values of those met so far.
pub(crate) struct SmallBoards {
    /// Used for boards with one blank instead of their options, if given.
    pub(crate) one_blank: Option<OneBlank>,
    /// `frogs_at_most[toads][blanks]`: the most frogs a small board has beside them, plus one.
    frogs_at_most: Vec<[u8; 129]>,
    shards: Vec<RwLock<FxHashMap<Board, Entry>>>,
    count: AtomicUsize,
    limit: usize,
    full: AtomicBool,
}

impl SmallBoards {
    /// Boards whose class has at most `strips` strips are small; at most `limit` of them are remembered.
    pub(crate) fn new(strips: u64, limit: usize) -> Self {
        let most_frogs = |toads: usize, blanks: usize| {
            // The class has (t+b choose t) · (t+b+f choose f) strips, which grows with f.
            let mut size = 1.0_f64;
            for k in 1..=toads.min(blanks) {
                size *= (toads + blanks + 1 - k) as f64 / k as f64;
            }
            let mut frogs = 0;
            while size <= strips as f64 && toads + blanks + frogs <= 128 {
                frogs += 1;
                size *= (toads + blanks + frogs) as f64 / frogs as f64;
            }
            frogs as u8
        };
        Self {
            one_blank: None,
            frogs_at_most: (0..=128)
                .map(|toads| std::array::from_fn(|blanks| most_frogs(toads, blanks)))
                .collect(),
            shards: (0..SHARDS).map(|_| RwLock::default()).collect(),
            count: AtomicUsize::new(0),
            limit,
            full: AtomicBool::new(false),
        }
    }

    #[inline]
    fn is_small(&self, board: Board) -> bool {
        let (toads, frogs) = (board.toads.count_ones(), board.frogs.count_ones());
        let blanks = board.squares - toads - frogs;
        // With one blank few positions can be reached, however long the strip is.
        blanks == 1 || frogs < u32::from(self.frogs_at_most[toads as usize][blanks as usize])
    }

    fn shard(&self, hash: u128) -> &RwLock<FxHashMap<Board, Entry>> {
        &self.shards[(hash >> 100) as usize % SHARDS]
    }

    fn get(&self, board: Board, hash: u128) -> Option<Entry> {
        let shard = self.shard(hash).read();
        shard
            .expect("no thread panics holding this lock")
            .get(&board)
            .copied()
    }

    fn put(&self, board: Board, hash: u128, entry: Entry) {
        let shard = self.shard(hash).write();
        let mut shard = shard.expect("no thread panics holding this lock");
        if shard.insert(board, entry).is_none()
            && self.count.fetch_add(1, Ordering::Relaxed) >= self.limit
        {
            self.full.store(true, Ordering::Relaxed);
        }
    }
}

/// One thread's way to the values of small boards.
pub(crate) struct Small<'a> {
    shared: &'a SmallBoards,
    front: Vec<(Board, Option<Centred>)>,
}

impl<'a> Small<'a> {
    pub(crate) fn new(shared: &'a SmallBoards) -> Self {
        Self {
            shared,
            front: Vec::new(),
        }
    }

    /// The value of a part between walls, if it is small; `None` for others, and once memory is used up.
    #[inline]
    pub(crate) fn value(&mut self, board: Board, terms: &mut Terms<'_>) -> Option<Centred> {
        if !self.shared.is_small(board) {
            return None;
        }
        let hash = board.hash();
        if self.front.is_empty() {
            self.front.resize(1 << FRONT_BITS, (Board::default(), None));
        }
        let slot = (hash as usize) & ((1 << FRONT_BITS) - 1);
        if self.front[slot].0 == board {
            return self.front[slot].1;
        }
        let value = match self.shared.get(board, hash) {
            Some(Entry::Value(known)) => Some(known),
            Some(Entry::OutOfRange) => None,
            None if self.shared.full.load(Ordering::Relaxed) => return None,
            None => self.evaluate(board, terms).ok(),
        };
        self.front[slot] = (board, value);
        value
    }

    /// By its options, and theirs: moves and cuts never leave the small classes. What cannot be built is remembered as
    /// such, and played instead.
    fn evaluate(&mut self, board: Board, terms: &mut Terms<'_>) -> Result<Centred, GameError> {
        let value = self.canonical(board, terms);
        if matches!(value, Err(GameError::ArenaFull { .. })) {
            self.shared.full.store(true, Ordering::Relaxed);
        } else {
            let entry = match &value {
                Ok(value) => Entry::Value(*value),
                Err(_) => Entry::OutOfRange,
            };
            self.shared.put(board, board.hash(), entry);
        }
        value
    }

    fn canonical(&mut self, board: Board, terms: &mut Terms<'_>) -> Result<Centred, GameError> {
        if let Some(one_blank) = self.shared.one_blank
            && board.blanks().is_power_of_two()
            && let Some(value) = one_blank(terms.arena(), &board.to_squares())
        {
            return terms.centre(value);
        }
        let mut left: SmallVec<[Value; 16]> = SmallVec::new();
        for option in board.left_moves() {
            left.push(self.sum_of(option, terms)?);
        }
        let mut right: SmallVec<[Value; 16]> = SmallVec::new();
        for option in board.right_moves() {
            right.push(self.sum_of(option, terms)?);
        }
        let value = terms.arena().canonical(&left, &right)?;
        terms.centre(value)
    }

    fn sum_of(&mut self, board: Board, terms: &mut Terms<'_>) -> Result<Value, GameError> {
        let mut integer = 0;
        let mut parts: SmallVec<[Board; 4]> = SmallVec::new();
        split(board, &mut integer, |part| parts.push(part));
        let arena = terms.arena();
        let mut sum = arena.integer(integer)?;
        for part in parts {
            let value = match self.shared.get(part, part.hash()) {
                Some(Entry::Value(known)) => known,
                Some(Entry::OutOfRange) => {
                    return Err(GameError::NumberOutOfRange {
                        what: "the value of a part".to_owned(),
                    });
                }
                None => self.evaluate(part, terms)?,
            };
            let number = arena.number(dyadic(value.number)?)?;
            sum = arena.add(sum, arena.add(value.value, number)?)?;
        }
        Ok(sum)
    }
}
