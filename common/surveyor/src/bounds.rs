//! Where the budget does not reach the value: between which numbers it lies, by play.
//!
//! For a game G the numbers x with G ≥ x form a ray that ends at its right stop, and those with G ≤ x one that begins at its
//! left stop. Both ends are found by doubling and halving on a grid of sixteenths. Where they meet at a number x, G is x plus an
//! infinitesimal, and the commonest of these are tried.

use toads_game::{Dyadic, GameError, Relation, Value, notation};
use toads_search::{Answer, Sum};
use toads_strip::Strip;

use super::exact::How;
use super::{Finding, SurveyError, Surveyor};

/// Binary digits behind the point of the numbers tried.
const DIGITS: u32 = 4;
const UNIT: i64 = 1 << DIGITS;

/// What is known of G on the grid, in sixteenths.
#[derive(Default)]
struct Known {
    /// The largest x with G > x that was met.
    above: Option<i64>,
    /// The smallest x with G < x.
    below: Option<i64>,
    /// Some x that G is confused with, the first one met.
    confused: Option<i64>,
    /// The x that G is.
    equal: Option<i64>,
    nodes: u64,
}

impl Known {
    fn learn(&mut self, x: i64, answer: &Answer) {
        self.nodes += answer.nodes.max(1);
        let above = match (answer.at_least, answer.at_most) {
            (Some(true), Some(true)) => {
                self.equal = Some(x);
                return;
            }
            (Some(false), Some(false)) => {
                self.confused.get_or_insert(x);
                return;
            }
            // Whether it is x itself was not found out: then it is more than the next smaller one.
            (Some(true), at_most) => Some(x - i64::from(at_most.is_none())),
            _ => None,
        };
        if let Some(x) = above {
            self.above = Some(self.above.map_or(x, |best| best.max(x)));
        }
        if answer.at_most == Some(true) {
            let x = x + i64::from(answer.at_least.is_none());
            self.below = Some(self.below.map_or(x, |best| best.min(x)));
        }
    }
}

impl Surveyor<'_> {
    /// The tightest relations to numbers, or the value itself when it is found on the way.
    pub(super) fn bounds(&mut self, strip: &Strip) -> Result<Finding, SurveyError> {
        let position = Sum::from(strip.clone());
        let mut known = Known::default();
        let most = (strip.len() as i64).pow(2) / 4 + 1;
        let lowest = self.last(&position, &mut known, most, |answer| answer.at_least)?;
        // G ≤ x is −G ≥ −x: the same search in the mirror.
        let highest = match known.equal {
            Some(_) => None,
            None => self.last(&position, &mut known, -most, |answer| answer.at_most)?,
        };
        if let Some(number) = known.equal {
            return Ok(self.found(self.number(number)?, How::Play));
        }
        if let (Some(lowest), Some(highest)) = (lowest, highest)
            && (0..=2).contains(&(highest - lowest))
        {
            for number in lowest..=highest {
                if let Some(value) = self.infinitesimally_near(&position, number, &mut known)? {
                    return Ok(self.found(value, How::Play));
                }
            }
        }
        self.relations(&known)
    }

    /// The last x of the ray of numbers for which `holds` is true. The ray ends before `most`, whose sign tells the direction.
    /// `None` where the budget ended first, or the number itself was met; what was found until then is in `known`.
    fn last(
        &mut self,
        position: &Sum,
        known: &mut Known,
        most: i64,
        holds: fn(&Answer) -> Option<bool>,
    ) -> Result<Option<i64>, SurveyError> {
        let up = most.signum();
        let mut ask = |x: i64| -> Result<Option<bool>, SurveyError> {
            let answer = self.ask(position, x, known)?;
            Ok(answer.as_ref().and_then(holds))
        };
        // Doubling from 0 in the direction in which the end lies.
        let Some(at_zero) = ask(0)? else {
            return Ok(None);
        };
        let (mut yes, mut no) = (0, 0);
        let mut step = if at_zero { up } else { -up } * UNIT;
        loop {
            let from = if at_zero { yes } else { no };
            let next = (from + step).clamp(-most.abs() * UNIT, most.abs() * UNIT);
            if next == from {
                return Ok(None);
            }
            let Some(found) = ask(next)? else {
                return Ok(None);
            };
            if found {
                yes = next;
            } else {
                no = next;
            }
            if found != at_zero {
                break;
            }
            step *= 2;
        }
        // Halving.
        while (no - yes).abs() > 1 {
            let middle = i64::midpoint(yes, no);
            let Some(found) = ask(middle)? else {
                return Ok(None);
            };
            if found {
                yes = middle;
            } else {
                no = middle;
            }
        }
        Ok(Some(yes))
    }

    /// How G compares with x; `None` where nothing was found within the budget.
    fn ask(
        &mut self,
        position: &Sum,
        x: i64,
        known: &mut Known,
    ) -> Result<Option<Answer>, SurveyError> {
        if known.nodes >= self.budget.nodes || known.equal.is_some() {
            return Ok(None);
        }
        let number = Sum::from(self.number(x)?);
        let answer = self.searcher.compare(position, &number)?;
        known.learn(x, &answer);
        Ok(Some(answer))
    }

    /// x + ∗, x + ↑, … where G equals one of them.
    fn infinitesimally_near(
        &mut self,
        position: &Sum,
        x: i64,
        known: &mut Known,
    ) -> Result<Option<Value>, SurveyError> {
        let arena = self.arena;
        let number = self.number(x)?;
        let (star, up) = (arena.nimber(1)?, arena.up()?);
        let down = arena.neg(up)?;
        for part in [star, up, down, arena.add(up, star)?, arena.add(down, star)?] {
            if known.nodes >= self.budget.nodes {
                return Ok(None);
            }
            let value = arena.add(number, part)?;
            let answer = self.searcher.compare(position, &Sum::from(value))?;
            known.nodes += answer.nodes.max(1);
            if answer.relation() == Some(Relation::Equal) {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    fn number(&self, sixteenths: i64) -> Result<Value, GameError> {
        self.arena.number(Dyadic::new(sixteenths, DIGITS)?)
    }

    fn relations(&self, known: &Known) -> Result<Finding, SurveyError> {
        let text = |x: i64| -> Result<String, GameError> {
            Ok(notation::display(self.arena, self.number(x)?))
        };
        let mut relations = Vec::new();
        if let Some(x) = known.above {
            relations.push((Relation::Greater, text(x)?));
        }
        if let Some(x) = known.confused {
            relations.push((Relation::Confused, text(x)?));
        }
        if let Some(x) = known.below {
            relations.push((Relation::Less, text(x)?));
        }
        Ok(Finding::Bounded {
            relations,
            nodes: known.nodes,
        })
    }
}
