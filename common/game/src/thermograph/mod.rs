//! Thermographs: the stops of a value at every temperature, its mean and its temperature, all exact.
//!
//! For {L | R} that is no number the walls at temperature t are, until they meet, the largest right wall of the Left
//! options less t, and the smallest left wall of the Right options plus t. They meet at the temperature of the value,
//! and above it both are the mast, at the mean. A number is a mast all the way; its temperature is −1 for an integer
//! and −1/2^k for denominator 2^k. (Siegel, *Combinatorial Game Theory*, II.5; *Winning Ways*, chapter 6.)
//!
//! A value that is no number has a temperature of at least 0, so the walls of numbers below 0 decide nothing and all
//! walls here begin at 0.

mod wall;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use crate::arena::{Arena, Value};
use crate::dyadic::Dyadic;
use crate::error::Result;
use crate::walk::{Fold, make_known};
use wall::Wall;

/// A point of a wall.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WallPoint {
    /// How high, at least 0.
    pub temperature: Dyadic,
    /// The stop at that temperature.
    pub stop: Dyadic,
}

/// The thermograph of a value.
///
/// A wall is the list of the points where it turns, upwards from temperature 0: between two points it is straight, at 45
/// degrees or vertical, and above the last one it is vertical (that point is the foot of the mast, or below it where a
/// wall runs straight into the mast). The wall of a number is one point.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Thermograph {
    /// The mast: the mean value.
    pub mean: Dyadic,
    /// Where the mast begins.
    pub temperature: Dyadic,
    /// The left wall (the larger stops), upwards.
    pub left: Box<[WallPoint]>,
    /// The right wall, upwards.
    pub right: Box<[WallPoint]>,
}

impl Thermograph {
    /// The left stop at temperature `t` ≥ 0.
    pub fn left_stop_at(&self, t: Dyadic) -> Dyadic {
        wall::at(&self.left, t)
    }

    /// The right stop at temperature `t` ≥ 0.
    pub fn right_stop_at(&self, t: Dyadic) -> Dyadic {
        wall::at(&self.right, t)
    }
}

/// The thermographs of the values of one arena, computed when first asked for.
///
/// Distinct thermographs are kept once (there are far fewer than values), so a value costs 4 bytes. Asked for in the
/// order of handles, a value costs its options' walls and one look-up.
pub struct Thermographs<'a> {
    arena: &'a Arena,
    table: Table,
}

#[derive(Default)]
struct Table {
    /// By handle: 1 + index into `distinct`, or 0 where not computed.
    ids: Vec<u32>,
    distinct: Vec<Thermograph>,
    index: HashMap<Box<[i64]>, u32, FxBuildHasher>,
}

impl<'a> Thermographs<'a> {
    /// None computed yet.
    pub fn new(arena: &'a Arena) -> Self {
        Self {
            arena,
            table: Table::default(),
        }
    }

    /// The thermograph of `value`. An error where a mean or a temperature leaves the range of [`Dyadic`].
    pub fn get(&mut self, value: Value) -> Result<&Thermograph> {
        make_known(&mut self.table, self.arena, value)?;
        Ok(self.table.of(value))
    }

    /// The mean value.
    pub fn mean(&mut self, value: Value) -> Result<Dyadic> {
        match self.arena.as_number(value) {
            Some(number) => Ok(number),
            None => Ok(self.get(value)?.mean),
        }
    }

    /// The temperature: −1 for an integer, −1/2^k for another number, at least 0 for anything else.
    pub fn temperature(&mut self, value: Value) -> Result<Dyadic> {
        match self.arena.as_number(value) {
            Some(number) => temperature_of_number(number),
            None => Ok(self.get(value)?.temperature),
        }
    }

    /// How many distinct thermographs were met.
    pub fn distinct(&self) -> usize {
        self.table.distinct.len()
    }
}

fn temperature_of_number(number: Dyadic) -> Result<Dyadic> {
    Dyadic::new(-1, number.log2_denominator())
}

impl Table {
    fn of(&self, value: Value) -> &Thermograph {
        &self.distinct[self.ids[value.index()] as usize - 1]
    }

    fn intern(&mut self, temperature: Dyadic, mean: Dyadic, left: &Wall, right: &Wall) -> u32 {
        let mut key = SmallVec::<[i64; 32]>::from_slice(&[
            temperature.raw(),
            mean.raw(),
            left.points().len() as i64,
        ]);
        for &(t, x) in left.points().iter().chain(right.points()) {
            key.extend_from_slice(&[t, x]);
        }
        if let Some(&id) = self.index.get(&key[..]) {
            return id;
        }
        self.distinct.push(Thermograph {
            mean,
            temperature,
            left: left.to_public(),
            right: right.to_public(),
        });
        let id = self.distinct.len() as u32;
        self.index.insert(key.into_vec().into_boxed_slice(), id);
        id
    }
}

impl Fold for Table {
    fn is_known(&self, _: &Arena, value: Value) -> bool {
        self.ids.get(value.index()).is_some_and(|&id| id != 0)
    }

    fn compute(&mut self, arena: &Arena, value: Value) -> Result<()> {
        let id = if let Some(number) = arena.as_number(value) {
            let mast = Wall::mast(number);
            self.intern(temperature_of_number(number)?, number, &mast, &mast)
        } else {
            let left = Wall::outermost(
                arena
                    .left_options(value)
                    .map(|option| &self.of(option).right),
                true,
            );
            let right = Wall::outermost(
                arena
                    .right_options(value)
                    .map(|option| &self.of(option).left),
                false,
            );
            let (temperature, mean, left, right) = wall::meet(&left, &right)?;
            self.intern(temperature, mean, &left, &right)
        };
        if self.ids.len() <= value.index() {
            self.ids.resize(arena.len().max(value.index() + 1), 0);
        }
        self.ids[value.index()] = id;
        Ok(())
    }
}
