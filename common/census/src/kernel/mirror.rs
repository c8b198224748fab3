//! Mirror images: a class with as many toads as frogs holds the mirror image of each of its strips, worth the negative.
//!
//! The image of a strip lies in the run whose high half is the image of the last squares of the low half. Where that run is of a
//! lower level it is complete before the strip is evaluated; that is so for nearly half of the strips.

use super::halves::{Group, Image, Word};
use super::layout::{Layout, Run};

/// Where the mirror images of the strips of a class lie.
pub(super) struct Mirror {
    /// By slot of the low half.
    images: &'static [Image],
    /// The level of a high half, by index.
    levels: Vec<i32>,
    /// The rank of the first strip of a run less the slot of its low half (wrapping), by index of the high half.
    shifts: Vec<usize>,
}

impl Mirror {
    /// For a class with as many toads as frogs; none for the others.
    pub(super) fn of(layout: &Layout) -> Option<Self> {
        let class = layout.class;
        if class.toads != class.frogs {
            return None;
        }
        let mut shifts = vec![0; layout.high.words as usize];
        for run in &layout.runs {
            let offset = layout.low_group(run).offset as usize;
            shifts[run.high as usize] = (run.base as usize).wrapping_sub(offset);
        }
        let levels = layout.high.facts.iter().map(|high| i32::from(high.level));
        Some(Self {
            images: layout.low.images(layout.high.squares),
            levels: levels.collect(),
            shifts,
        })
    }

    /// The strips of a run whose mirror images lie in runs of levels lower than `below`, among those without a dead end on the
    /// right: their places in the run, and the ranks of the images.
    pub(super) fn images<'a>(
        &'a self,
        layout: &'a Layout,
        run: &Run,
        below: i32,
    ) -> impl Iterator<Item = (usize, usize)> + 'a {
        let group = layout.low_group(run);
        let high_slot = layout.high.slot_of[run.high as usize];
        let high_image = layout.high.mirror_of[high_slot as usize];
        let places = layout.low.without_dead_end(group);
        places.iter().filter_map(move |&place| {
            let image = self.images[group.offset as usize + usize::from(place)];
            if self.levels[image.high as usize] >= below {
                return None;
            }
            let slot = layout.low.slot_of[(image.front + high_image) as usize];
            let rank = self.shifts[image.high as usize].wrapping_add(slot as usize);
            Some((usize::from(place), rank))
        })
    }

    /// Whether a word of the group is none of those.
    #[inline]
    pub(super) fn is_left_over(&self, group: &Group, word: &Word, below: i32) -> bool {
        let image = self.images[group.offset as usize + usize::from(word.rank)];
        self.levels[image.high as usize] >= below
    }
}
