//! Tinies and minies: numbers with a threat on one side.

use crate::arena::{Arena, Value};
use crate::dyadic::Dyadic;
use crate::thermograph::Thermographs;

/// n + Tiny(n − r) = {n || n | r} with mean(r) < n, or n + Miny(l − n) = {l | n || n} with mean(l) > n.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tiny {
    /// n.
    pub(crate) number: Dyadic,
    /// r, or l.
    pub(crate) threat: Value,
    /// Whether it is Right who threatens: a tiny.
    pub(crate) downward: bool,
}

impl Tiny {
    /// The tiny or miny `value` is, with its number.
    pub(crate) fn find(
        arena: &Arena,
        thermographs: &mut Thermographs<'_>,
        value: Value,
    ) -> Option<Self> {
        let (left, right) = (
            only(arena.left_options(value))?,
            only(arena.right_options(value))?,
        );
        let (number, threatening, downward) = match (arena.as_number(left), arena.as_number(right))
        {
            (Some(number), None) => (number, right, true),
            (None, Some(number)) => (number, left, false),
            _ => return None,
        };
        let (inner_left, inner_right) = (
            only(arena.left_options(threatening))?,
            only(arena.right_options(threatening))?,
        );
        let (quiet, threat) = if downward {
            (inner_left, inner_right)
        } else {
            (inner_right, inner_left)
        };
        if arena.as_number(quiet) != Some(number) {
            return None;
        }
        // A mean out of range is no tiny for any purpose: the slashes print it.
        let mean = thermographs.mean(threat).ok()?;
        let threatens = if downward {
            mean < number
        } else {
            mean > number
        };
        threatens.then_some(Self {
            number,
            threat,
            downward,
        })
    }
}

fn only(mut options: impl ExactSizeIterator<Item = Value>) -> Option<Value> {
    if options.len() == 1 {
        options.next()
    } else {
        None
    }
}
