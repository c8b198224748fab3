//! The search itself: is a sum ≥ 0, or is there a move that refutes it?

use std::sync::atomic::{AtomicBool, Ordering};

use smallvec::SmallVec;
use toads_game::{GameError, Value};

use crate::board::Board;
use crate::control::Control;
use crate::number::{left_option, right_option};
use crate::position::{Knowledge, Position};
use crate::table::Table;

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Out of its budget, asked to stop, or another thread has the answer.
    Stopped,
    /// The canonical values do not fit in the arena, or in its numbers.
    Full,
    /// A line of play of more than [`DEEPEST`] moves.
    Deep,
}

impl From<GameError> for Ended {
    fn from(_: GameError) -> Self {
        Self::Full
    }
}

/// The longest line of play; [`STACK_BYTES`] has room for it. A strip of 128 squares has at most 8,192 moves.
pub(crate) const DEEPEST: u32 = 20_000;

/// Stack of a searching thread, of which only what is used costs memory.
pub(crate) const STACK_BYTES: usize = DEEPEST as usize * 16_384;

/// How many nodes pass between two looks at the budget.
const CHECK: u64 = 1 << 10;

/// What the threads of one search share.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) control: &'a Control,
    /// Some thread has the answer.
    pub(crate) done: &'a AtomicBool,
    /// The count of nodes in `control` at which to stop.
    pub(crate) limit: u64,
}

/// An option of a sum, and its place in the order in which options are tried: lowest first.
struct Candidate {
    place: u32,
    option: Position,
}

/// One thread of a search.
pub(crate) struct Solver<'a> {
    pub(crate) knowledge: Knowledge<'a>,
    shared: Shared<'a>,
    nodes: u64,
    reported: u64,
    filled: u64,
    depth: u32,
    /// 0 for the first thread; the others shuffle the order of moves a little, each differently.
    noise: u32,
    spare: Vec<Vec<Candidate>>,
}

impl<'a> Solver<'a> {
    pub(crate) fn new(knowledge: Knowledge<'a>, shared: Shared<'a>, thread: u32) -> Self {
        Self {
            knowledge,
            shared,
            nodes: 0,
            reported: 0,
            filled: 0,
            depth: 0,
            noise: thread.wrapping_mul(0x9e37_79b9),
            spare: Vec::new(),
        }
    }

    /// Moves the count of nodes at which to stop.
    pub(crate) fn set_limit(&mut self, limit: u64) {
        self.shared.limit = limit;
    }

    /// Whether the sum is ≥ 0 (or ≤ 0), if that is known without a search.
    #[inline]
    pub(crate) fn known(&self, position: &Position, at_least: bool) -> Option<bool> {
        position
            .seen(at_least, &self.knowledge.terms)
            .or_else(|| self.shared.table.probe(position.question(at_least)?))
    }

    /// Whether the sum is ≥ 0 (or ≤ 0).
    pub(crate) fn holds(&mut self, position: &Position, at_least: bool) -> Result<bool, Ended> {
        let answer = self.decide(position, at_least);
        self.report();
        answer
    }

    #[inline]
    fn decide(&mut self, position: &Position, at_least: bool) -> Result<bool, Ended> {
        match self.known(position, at_least) {
            Some(known) => Ok(known),
            None => self.search(position, at_least),
        }
    }

    fn report(&mut self) {
        let control = self.shared.control;
        control.count(self.nodes - self.reported, self.filled);
        self.reported = self.nodes;
        self.filled = 0;
    }

    fn check(&mut self) -> Result<(), Ended> {
        if self.depth > DEEPEST {
            return Err(Ended::Deep);
        }
        if self.nodes.is_multiple_of(CHECK) {
            self.report();
            let Shared {
                control,
                done,
                limit,
                ..
            } = self.shared;
            if done.load(Ordering::Relaxed) || control.is_stopped() || control.nodes() >= limit {
                return Err(Ended::Stopped);
            }
        }
        Ok(())
    }

    fn search(&mut self, position: &Position, at_least: bool) -> Result<bool, Ended> {
        self.nodes += 1;
        self.check()?;
        let started = self.nodes;
        let mut candidates = self.spare.pop().unwrap_or_default();
        self.depth += 1;
        let refuted = self.is_refuted(position, at_least, &mut candidates);
        self.depth -= 1;
        candidates.clear();
        self.spare.push(candidates);
        let holds = !refuted?;
        if let Some(question) = position.question(at_least) {
            let nodes = self.nodes - started;
            let was_empty = self.shared.table.store(question, holds, nodes);
            self.filled += u64::from(was_empty);
        }
        Ok(holds)
    }

    /// G ≥ 0 unless some Gᴿ ≤ 0, which is Right's winning move; and the mirror.
    fn is_refuted(
        &mut self,
        position: &Position,
        at_least: bool,
        candidates: &mut Vec<Candidate>,
    ) -> Result<bool, Ended> {
        if self.expand(position, at_least, candidates)? {
            return Ok(true);
        }
        candidates.sort_by_key(|candidate| candidate.place);
        for candidate in &*candidates {
            if self.decide(&candidate.option, !at_least)? {
                return Ok(true);
            }
        }
        // Last a move in the number. By number avoidance it wins where no other move does only if the rest is a
        // number, too; but that it is one need not show in its form.
        let number = if at_least {
            right_option(position.number)
        } else {
            left_option(position.number)
        };
        match number {
            Some(number) => {
                let option = Position {
                    number,
                    ..position.clone()
                };
                self.decide(&option, !at_least)
            }
            None => Ok(false),
        }
    }

    /// Collects the options of the player who would refute the claim, but for moves in the number; `true` if one is known to
    /// do so. Those known not to are left out.
    fn expand(
        &mut self,
        position: &Position,
        at_least: bool,
        candidates: &mut Vec<Candidate>,
    ) -> Result<bool, Ended> {
        let arena = self.knowledge.terms.arena();
        for at in 0..position.terms.len() {
            let mut rest = position.clone();
            let value = rest.terms.swap_remove(at).value;
            let moves: SmallVec<[Value; 8]> = if at_least {
                arena.right_options(value).collect()
            } else {
                arena.left_options(value).collect()
            };
            for moved in moves {
                let mut option = rest.clone();
                let moved = self.knowledge.terms.centre(moved)?;
                option.add_value(moved, &mut self.knowledge.terms)?;
                if self.offer(option, at_least, 0, candidates) {
                    return Ok(true);
                }
            }
        }
        for at in 0..position.parts.len() {
            let mut rest = position.clone();
            let board = rest.parts.swap_remove(at).board;
            let moves: SmallVec<[Board; 16]> = if at_least {
                board.right_moves().collect()
            } else {
                board.left_moves().collect()
            };
            for moved in moves {
                let mut option = rest.clone();
                option.add_board(moved, &mut self.knowledge)?;
                let place = place(board, moved, at_least);
                if self.offer(option, at_least, place, candidates) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    #[inline]
    fn offer(
        &mut self,
        option: Position,
        at_least: bool,
        place: u32,
        candidates: &mut Vec<Candidate>,
    ) -> bool {
        if let Some(refutes) = self.known(&option, !at_least) {
            return refutes;
        }
        let place = place + self.random_bit() * 2;
        candidates.push(Candidate { place, option });
        false
    }

    /// 0 or 1; always 0 in the first thread.
    fn random_bit(&mut self) -> u32 {
        self.noise ^= self.noise << 13;
        self.noise ^= self.noise >> 17;
        self.noise ^= self.noise << 5;
        self.noise & 1
    }
}

/// Where a move stands in the order of trial: moves in values come first (0), then the rearmost pieces (a piece that
/// stays behind loses the least), and a jump as late as a step of the piece two squares further on. Of all orders tried it
/// leads to the smallest searches.
#[inline]
fn place(before: Board, after: Board, right: bool) -> u32 {
    let (changed, rank) = if right {
        let changed = before.frogs ^ after.frogs;
        (changed, before.squares - 1 - changed.trailing_zeros())
    } else {
        let changed = before.toads ^ after.toads;
        (changed, changed.ilog2())
    };
    let is_jump = changed & (changed >> 1) == 0;
    rank + 2 * u32::from(is_jump)
}
