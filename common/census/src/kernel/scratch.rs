//! The strips at hand: a run in each lane.
//!
//! A lane has more places than a run, and a [`Word`](super::halves::Word) names a place by 16 bits; so lanes are read through windows
//! that reach as far as that, and a place needs no check. What lies beyond the run costs no memory, for it is never touched. Nothing is cleared:
//! every place is written before it is read.

use toads_game::{NO_LEFT, NO_RIGHT, NarrowStops};

use super::layout::MOST_RUNS;

/// Places of a lane: the longest run, of halves of 12 squares, has 34,650 strips. (No multiple of the processor's page, or the lanes
/// would compete for the same lines of its cache.)
pub(super) const LANE: usize = 34_650 + 406;

/// Places of a window: as many as 16 bits name, in either of two lanes.
pub(super) const WINDOW: usize = LANE + (1 << u16::BITS);

/// Places in all.
const PLACES: usize = (MOST_RUNS - 1) * LANE + WINDOW;

/// The stops of a strip, `lower` and `upper`. They are written and read one by one: a word that was written a moment ago in
/// two parts, or is read in two parts, makes the processor wait.
pub(super) type Pair = [i32; 2];

/// [`NarrowStops`] as two words.
#[inline]
pub(super) fn pair(stops: NarrowStops) -> Pair {
    [stops.lower, stops.upper]
}

/// What [`pair`] made two words of.
#[inline]
pub(super) fn unpair([lower, upper]: Pair) -> NarrowStops {
    NarrowStops { upper, lower }
}

/// Columns of the lanes, one lane behind the other.
#[derive(Default)]
pub(super) struct Scratch {
    above: Vec<i32>,
    below: Vec<i32>,
    stops: Vec<Pair>,
    value: Vec<u32>,
}

/// The columns of some places.
pub(super) struct Columns<'a, const LEN: usize> {
    /// The largest `lower` of Left's options outside the run.
    pub(super) above: &'a mut [i32; LEN],
    /// The smallest `upper` of Right's.
    pub(super) below: &'a mut [i32; LEN],
    /// The stops.
    pub(super) stops: &'a mut [Pair; LEN],
    /// Handles.
    pub(super) value: &'a mut [u32; LEN],
}

impl Scratch {
    /// Makes it ready to be used. Reserves address space only.
    pub(super) fn prepare(&mut self) {
        if self.value.is_empty() {
            self.above = vec![0; PLACES];
            self.below = vec![0; PLACES];
            self.stops = vec![[0; 2]; PLACES];
            self.value = vec![0; PLACES];
        }
    }

    /// A lane is going to hold a run of so many strips. Behind it stand the options that are not there, Left's and Right's: their stops change
    /// no maximum and no minimum, and they matter to no form.
    pub(super) fn begin(&mut self, lane: usize, len: usize) {
        assert!(len + 2 <= LANE, "a run fits in a lane");
        self.stops[lane * LANE + len] = [NO_LEFT; 2];
        self.stops[lane * LANE + len + 1] = [NO_RIGHT; 2];
    }

    /// This lane.
    pub(super) fn lane(&mut self, lane: usize) -> Columns<'_, LANE> {
        self.columns(lane)
    }

    /// The window that begins with this lane; the next one is [`LANE`] places further.
    pub(super) fn window(&mut self, lane: usize) -> Columns<'_, WINDOW> {
        self.columns(lane)
    }

    fn columns<const LEN: usize>(&mut self, lane: usize) -> Columns<'_, LEN> {
        let at = lane * LANE;
        Columns {
            above: part(&mut self.above, at),
            below: part(&mut self.below, at),
            stops: part(&mut self.stops, at),
            value: part(&mut self.value, at),
        }
    }

    /// The handles of all lanes.
    pub(super) fn values(&mut self) -> &mut [u32] {
        &mut self.value
    }
}

fn part<T, const LEN: usize>(column: &mut [T], at: usize) -> &mut [T; LEN] {
    column[at..]
        .first_chunk_mut()
        .expect("the last lane is followed by a window")
}
