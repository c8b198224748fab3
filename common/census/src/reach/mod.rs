//! The exact value of single hop strips, from the positions that can be reached from them.
//!
//! Where one strip of a large class is asked for, much of the class is not needed: dead ends and walls are cut away, parts
//! between them are evaluated apart, mirror images once, and strips with one blank or whose pieces never meet have closed
//! forms. `T^3 .^14 F^3` needs 367,134 of the 775,200 strips of its class, and none of the squares between 24 and 63 is too many.
//! What one strip taught helps the next.
//!
//! ```
//! use toads_census::Reach;
//! use toads_game::{Arena, notation};
//! use toads_strip::Strip;
//! let arena = Arena::new();
//! let mut reach = Reach::new(&arena, 100_000);
//! let value = reach.value(&Strip::parse("T^4 .^3 F^3")?)?;
//! assert_eq!(notation::display(&arena, value), "{1||1/2|0}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod closed;
mod parts;
mod position;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;
use toads_game::{Arena, Canonicalizer, GameError, Value};
use toads_strip::Strip;

use position::{MAX_SQUARES, Position};

/// Why a strip was not evaluated. What was found on the way is kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReachError {
    /// The arena could not hold a value.
    #[error(transparent)]
    Game(#[from] GameError),
    /// It takes more positions than are allowed.
    #[error("{strip} needs more than {limit} positions; raise the limit, or take a shorter strip")]
    TooLarge {
        /// The strip, with powers.
        strip: String,
        /// The most that may be remembered.
        limit: usize,
    },
    /// More squares than the bits of a word.
    #[error("{squares} squares are too many; positions are searched up to {MAX_SQUARES} squares")]
    TooLong {
        /// Squares asked for.
        squares: usize,
    },
}

/// Evaluates hop strips of at most 63 squares one after another and remembers every position it met, some 50 bytes each.
pub struct Reach<'a> {
    arena: &'a Arena,
    canonicalizer: Canonicalizer<'a>,
    /// Parts without dead ends and walls, each or its mirror image.
    known: HashMap<Position, Value, FxBuildHasher>,
    limit: usize,
}

/// A part and whether its mirror image is what is remembered.
type Part = (Position, bool);

impl<'a> Reach<'a> {
    /// Nothing known yet. At most `limit` positions will be remembered.
    pub fn new(arena: &'a Arena, limit: usize) -> Self {
        Self {
            arena,
            canonicalizer: Canonicalizer::new(arena),
            known: HashMap::default(),
            limit,
        }
    }

    /// The most positions that will be remembered.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// How many positions are remembered.
    pub fn positions(&self) -> usize {
        self.known.len()
    }

    /// The arena of the values.
    pub fn arena(&self) -> &'a Arena {
        self.arena
    }

    /// The value of a strip with jumps. No recursion; about a microsecond for each position not met before.
    pub fn value(&mut self, strip: &Strip) -> Result<Value, ReachError> {
        let position = Position::new(strip).ok_or(ReachError::TooLong {
            squares: strip.len(),
        })?;
        let parts = canonical_parts(position);
        let mut open: Vec<Position> = parts.iter().map(|&(part, _)| part).collect();
        while let Some(&top) = open.last() {
            if self.known.contains_key(&top) {
                open.pop();
                continue;
            }
            let before = open.len();
            if let Some(value) = self.evaluate(top, &mut open)? {
                open.truncate(before - 1);
                if self.known.len() >= self.limit {
                    return Err(ReachError::TooLarge {
                        strip: strip.compact(),
                        limit: self.limit,
                    });
                }
                self.known.insert(top, value);
            }
        }
        Ok(self.sum(&parts)?.expect("all parts are known"))
    }

    /// The value of a part, or `None`, with the parts to be evaluated first pushed on `open`.
    fn evaluate(
        &mut self,
        part: Position,
        open: &mut Vec<Position>,
    ) -> Result<Option<Value>, GameError> {
        if let Some(value) = part.closed_form(self.arena)? {
            return Ok(Some(value));
        }
        let mut options: [SmallVec<[Value; 16]>; 2] = Default::default();
        let mut complete = true;
        let mut failed = None;
        for (side, left) in options.iter_mut().zip([true, false]) {
            part.moves(left, |next| {
                let parts = canonical_parts(next);
                match self.sum(&parts) {
                    Ok(Some(value)) => side.push(value),
                    Ok(None) => {
                        complete = false;
                        let unknown = parts.iter().map(|&(part, _)| part);
                        open.extend(unknown.filter(|part| !self.known.contains_key(part)));
                    }
                    Err(error) => failed = Some(error),
                }
            });
        }
        if let Some(error) = failed {
            return Err(error);
        }
        if !complete {
            return Ok(None);
        }
        let [left, right] = &options;
        self.canonicalizer.canonical(left, right).map(Some)
    }

    /// The sum of parts, if all are known.
    fn sum(&self, parts: &[Part]) -> Result<Option<Value>, GameError> {
        let mut sum = Value::ZERO;
        for (part, mirrored) in parts {
            let Some(&value) = self.known.get(part) else {
                return Ok(None);
            };
            let value = if *mirrored {
                self.arena.neg(value)?
            } else {
                value
            };
            sum = self.arena.add(sum, value)?;
        }
        Ok(Some(sum))
    }
}

/// The parts of a position, each as it is remembered.
fn canonical_parts(position: Position) -> SmallVec<[Part; 2]> {
    let mut parts = SmallVec::new();
    position.parts(|part| {
        let mirror = part.mirror();
        parts.push(if mirror < part {
            (mirror, true)
        } else {
            (part, false)
        });
    });
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Control, Shard, evaluate};
    use toads_strip::{Class, Variant};

    /// Reads every strip of up to so many squares and compares with the kernel of the census.
    #[test]
    fn every_strip_to_ten_squares_is_as_in_the_census() {
        let arena = Arena::new();
        let mut reach = Reach::new(&arena, 1_000_000);
        for class in (1..=10).flat_map(Class::all) {
            let shard = Shard::whole(Variant::Hop, class);
            let values = evaluate(&arena, shard, 1, &Control::default()).unwrap();
            for (strip, rank) in class.strips().zip(0..) {
                assert_eq!(
                    reach.value(&strip).unwrap(),
                    values.value_at(rank),
                    "{strip}"
                );
            }
        }
    }

    #[test]
    fn limits_are_kept_and_said() {
        let arena = Arena::new();
        let mut reach = Reach::new(&arena, 50);
        let strip = Strip::parse("T^4 .^4 F^4").unwrap();
        let error = reach.value(&strip).unwrap_err();
        assert!(error.to_string().contains("T^4 .^4 F^4 needs more than 50"));
        assert!(reach.positions() <= 50);
        let long = Strip::parse("T .^63").unwrap();
        assert_eq!(reach.value(&long), Err(ReachError::TooLong { squares: 64 }));
    }
}
