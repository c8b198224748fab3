//! Walls as piecewise linear functions of the temperature, in raw units of [`Dyadic`].

use smallvec::SmallVec;

use super::WallPoint;
use crate::dyadic::Dyadic;
use crate::error::{GameError, Result};

type Points = SmallVec<[(i64, i64); 8]>;

/// A continuous function on temperatures t ≥ 0: its value at 0, where its slope changes, and constant after the last
/// point. No three points in a row lie on a line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Wall {
    points: Points,
}

impl Wall {
    /// The wall of a number.
    pub(super) fn mast(number: Dyadic) -> Self {
        Self {
            points: SmallVec::from_slice(&[(0, number.raw())]),
        }
    }

    /// (temperature, position), temperatures ascending from 0.
    pub(super) fn points(&self) -> &[(i64, i64)] {
        &self.points
    }

    pub(super) fn to_public(&self) -> Box<[WallPoint]> {
        let public = |&(t, x): &(i64, i64)| WallPoint {
            temperature: Dyadic::from_raw(t),
            stop: Dyadic::from_raw(x),
        };
        self.points.iter().map(public).collect()
    }

    fn from_public(points: &[WallPoint]) -> Self {
        Self {
            points: points
                .iter()
                .map(|point| (point.temperature.raw(), point.stop.raw()))
                .collect(),
        }
    }

    /// The largest (or smallest) of at least one wall, point by point.
    pub(super) fn outermost<'w>(
        mut walls: impl Iterator<Item = &'w Box<[WallPoint]>>,
        largest: bool,
    ) -> Self {
        let first = walls
            .next()
            .expect("a value that is no number has options on both sides");
        walls.fold(Self::from_public(first), |best, wall| {
            best.outer(&Self::from_public(wall), largest)
        })
    }

    fn outer(&self, other: &Self, largest: bool) -> Self {
        if self == other {
            return self.clone();
        }
        let mut out = Self::default();
        let (mut a, mut b) = (Cursor::new(&self.points), Cursor::new(&other.points));
        let mut t = 0;
        loop {
            let (x, y) = (a.at(t), b.at(t));
            out.push((t, if largest { x.max(y) } else { x.min(y) }));
            let Some(end) = a.next_turn().into_iter().chain(b.next_turn()).min() else {
                out.trim();
                return out;
            };
            // Walls of one side have slopes that differ by one at most, so they cross at t + |x − y| if at all.
            let (x_end, y_end) = (a.at(end), b.at(end));
            if (x < y && x_end > y_end) || (x > y && x_end < y_end) {
                let crossing = t + (x - y).abs();
                out.push((crossing, a.at(crossing)));
            }
            t = end;
            a.advance(t);
            b.advance(t);
        }
    }

    /// Adds a point to the right of all others; the one before it goes where it lies on a line with its neighbours.
    fn push(&mut self, point: (i64, i64)) {
        if let [.., (t0, x0), (t1, x1)] = *self.points {
            // Slopes are 0 or ±1, so a change of position over a change of temperature is compared without a product.
            let before = (x1 - x0).signum();
            let after = (point.1 - x1).signum();
            debug_assert!((x1 - x0) == before * (t1 - t0));
            if before == after {
                self.points.pop();
            }
        }
        self.points.push(point);
    }

    /// Drops a last point that only repeats the one before it: the wall is constant there anyway.
    fn trim(&mut self) {
        while let [.., (_, x0), (_, x1)] = *self.points {
            if x0 != x1 {
                break;
            }
            self.points.pop();
        }
    }
}

/// A place on a wall between two of its points.
struct Cursor<'w> {
    points: &'w [(i64, i64)],
    /// The last point not above the place.
    index: usize,
}

impl<'w> Cursor<'w> {
    fn new(points: &'w [(i64, i64)]) -> Self {
        Self { points, index: 0 }
    }

    fn next_turn(&self) -> Option<i64> {
        self.points.get(self.index + 1).map(|&(t, _)| t)
    }

    fn advance(&mut self, t: i64) {
        while self.next_turn().is_some_and(|next| next <= t) {
            self.index += 1;
        }
    }

    /// The slope above the place.
    fn slope(&self) -> i64 {
        let (_, x) = self.points[self.index];
        self.points
            .get(self.index + 1)
            .map_or(0, |&(_, next)| (next - x).signum())
    }

    /// The position at `t`, not below the place and not above the next turn.
    fn at(&self, t: i64) -> i64 {
        let (t0, x) = self.points[self.index];
        x + self.slope() * (t - t0)
    }
}

/// The position of a public wall at temperature `t` ≥ 0.
pub(super) fn at(points: &[WallPoint], t: Dyadic) -> Dyadic {
    let wall = Wall::from_public(points);
    let mut cursor = Cursor::new(&wall.points);
    cursor.advance(t.raw());
    Dyadic::from_raw(cursor.at(t.raw()))
}

/// Taxes both scaffolds (left − t, right + t) and cuts them where they meet: temperature, mean, left and right wall.
///
/// At temperature 0 left ≥ right, as for every value that is no number.
pub(super) fn meet(left: &Wall, right: &Wall) -> Result<(Dyadic, Dyadic, Wall, Wall)> {
    let (mut l, mut r) = (Cursor::new(&left.points), Cursor::new(&right.points));
    let (mut left_wall, mut right_wall) = (Wall::default(), Wall::default());
    let mut t = 0;
    loop {
        let (x, y) = (l.at(t) - t, r.at(t) + t);
        debug_assert!(x >= y, "walls cross at their last point or before it");
        left_wall.push((t, x));
        right_wall.push((t, y));
        if x == y {
            break;
        }
        let closing = 2 - l.slope() + r.slope();
        let end = l.next_turn().into_iter().chain(r.next_turn()).min();
        // `closing` is 0, 1 or 2; the walls meet in this piece if it is long enough.
        let meeting = match closing {
            0 => None,
            _ => Some(t + (x - y) / closing),
        };
        match (meeting, end) {
            (Some(meeting), end) if end.is_none_or(|end| meeting < end) => {
                if (x - y) % closing != 0 {
                    return Err(GameError::NumberOutOfRange {
                        what: "a mean value".to_owned(),
                    });
                }
                t = meeting;
            }
            (_, Some(end)) => t = end,
            (_, None) => unreachable!("after the last turn the walls close at slope 2"),
        }
        l.advance(t);
        r.advance(t);
    }
    let mean = left_wall.points.last().expect("at least the point at 0").1;
    left_wall.trim();
    right_wall.trim();
    Ok((
        Dyadic::from_raw(t),
        Dyadic::from_raw(mean),
        left_wall,
        right_wall,
    ))
}
