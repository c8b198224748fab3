//! Sums in the checker's normal form, and the moves in them.

use std::fmt;
use std::rc::Rc;

use super::number::Number;
use super::row::{Row, Side};
use super::tree::Tree;

/// A summand that is no number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Slot {
    Row(Row),
    Tree(Rc<Tree>),
    /// What was there became a number.
    Empty,
}

/// Slots and a number. In normal form (see [`Sum::normal`]) equal texts are equal sums.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sum {
    pub(crate) slots: Vec<Slot>,
    pub(crate) number: Number,
}

/// A move: which slot, and the square (or the option) in it, both from 0; or in the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    Slot(usize, usize),
    Number,
}

impl Sum {
    pub(crate) fn zero() -> Self {
        Self {
            slots: Vec::new(),
            number: Number::ZERO,
        }
    }

    pub(crate) fn negative(&self) -> Self {
        let negated = self.slots.iter().map(|slot| match slot {
            Slot::Row(row) => Slot::Row(row.negative()),
            Slot::Tree(tree) => Slot::Tree(Rc::new(tree.negative())),
            Slot::Empty => Slot::Empty,
        });
        Self {
            slots: negated.collect(),
            number: self.number.negative(),
        }
    }

    /// Strips are cut at walls, numbers are added up, summands beside their negatives are left out, the rest is sorted. The value stays
    /// the same. `None` if a number leaves the checker's range.
    pub(crate) fn normal(&self, jumps: bool) -> Option<Self> {
        let mut number = self.number;
        let mut slots: Vec<Slot> = Vec::new();
        let mut add = |slot: Slot| {
            let opposite = match &slot {
                Slot::Row(row) => Slot::Row(row.negative()),
                Slot::Tree(tree) => Slot::Tree(Rc::new(tree.negative())),
                Slot::Empty => return,
            };
            match slots.iter().position(|other| *other == opposite) {
                Some(at) => drop(slots.swap_remove(at)),
                None => slots.push(slot),
            }
        };
        for slot in &self.slots {
            match slot {
                Slot::Row(row) => {
                    for part in row.parts() {
                        match part.number(jumps) {
                            Some(integer) => number = number.plus(integer)?,
                            None => add(Slot::Row(part)),
                        }
                    }
                }
                Slot::Tree(tree) => match &**tree {
                    Tree::Number(known) => number = number.plus(*known)?,
                    Tree::Options { .. } => add(slot.clone()),
                },
                Slot::Empty => {}
            }
        }
        slots.sort();
        Some(Self { slots, number })
    }

    /// A number that the sum is at least.
    pub(crate) fn floor(&self) -> Option<Number> {
        let mut floor = self.number;
        for slot in &self.slots {
            let slot = match slot {
                Slot::Row(row) => Number::integer(-row.frog_moves())?,
                Slot::Tree(tree) => tree.floor()?,
                Slot::Empty => Number::ZERO,
            };
            floor = floor.plus(slot)?;
        }
        Some(floor)
    }

    /// All moves of a player, in the order of certificates.
    pub(crate) fn moves(&self, side: Side, jumps: bool) -> Vec<Move> {
        let mut moves = Vec::new();
        for (at, slot) in self.slots.iter().enumerate() {
            match slot {
                Slot::Row(row) => {
                    let squares = row.movable(side, jumps).into_iter();
                    moves.extend(squares.map(|square| Move::Slot(at, square)));
                }
                Slot::Tree(tree) => {
                    moves.extend(
                        (0..options(tree, side).len()).map(|option| Move::Slot(at, option)),
                    );
                }
                Slot::Empty => {}
            }
        }
        if number_option(self.number, side).is_some() {
            moves.push(Move::Number);
        }
        moves
    }

    /// The sum after a move, slots where they were; `None` if there is no such move.
    pub(crate) fn after(&self, side: Side, played: Move, jumps: bool) -> Option<Self> {
        let mut next = self.clone();
        match played {
            Move::Number => next.number = number_option(self.number, side)?,
            Move::Slot(at, which) => {
                let slot = next.slots.get_mut(at)?;
                let moved = match slot {
                    Slot::Row(row) => Slot::Row(row.after(side, which, jumps)?),
                    Slot::Tree(tree) => {
                        let option = options(tree, side).get(which)?;
                        match &**option {
                            Tree::Number(number) => {
                                next.number = next.number.plus(*number)?;
                                Slot::Empty
                            }
                            Tree::Options { .. } => Slot::Tree(Rc::clone(option)),
                        }
                    }
                    Slot::Empty => return None,
                };
                *slot = moved;
            }
        }
        Some(next)
    }
}

fn options(tree: &Tree, side: Side) -> &[Rc<Tree>] {
    match (tree, side) {
        (Tree::Number(_), _) => &[],
        (Tree::Options { left, .. }, Side::Left) => left,
        (Tree::Options { right, .. }, Side::Right) => right,
    }
}

fn number_option(number: Number, side: Side) -> Option<Number> {
    match side {
        Side::Left => number.left_option(),
        Side::Right => number.right_option(),
    }
}

impl fmt::Display for Sum {
    /// `TT.F + {0|0} - 3/2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_first = true;
        for slot in &self.slots {
            if !is_first {
                f.write_str(" + ")?;
            }
            is_first = false;
            match slot {
                Slot::Row(row) => f.write_str(row.text())?,
                Slot::Tree(tree) => tree.fmt(f)?,
                Slot::Empty => f.write_str("0")?,
            }
        }
        match (is_first, self.number.cmp(&Number::ZERO)) {
            (true, _) => write!(f, "{}", self.number),
            (false, std::cmp::Ordering::Equal) => Ok(()),
            (false, std::cmp::Ordering::Less) => write!(f, " - {}", self.number.negative()),
            (false, std::cmp::Ordering::Greater) => write!(f, " + {}", self.number),
        }
    }
}

impl Sum {
    /// Reads terms joined by ` + ` and ` - `, not brought into normal form.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut sum = Self::zero();
        let mut negated = false;
        for (at, word) in text.split(' ').enumerate() {
            if at % 2 == 1 {
                negated = match word {
                    "+" => false,
                    "-" => true,
                    _ => return None,
                };
                continue;
            }
            let slot = match Row::read(word) {
                Some(row) if negated => Slot::Row(row.negative()),
                Some(row) => Slot::Row(row),
                None => match Tree::read(word)? {
                    Tree::Number(number) => {
                        let number = if negated { number.negative() } else { number };
                        sum.number = sum.number.plus(number)?;
                        continue;
                    }
                    tree @ Tree::Options { .. } => {
                        Slot::Tree(Rc::new(if negated { tree.negative() } else { tree }))
                    }
                },
            };
            sum.slots.push(slot);
        }
        // An even number of words ends in a sign.
        (text.split(' ').count() % 2 == 1).then_some(sum)
    }
}
